/** Parses the lines of a state file. Lines of another version or program are not used. */
import { isRecord } from '../src-shared/exchange-api/fields.ts';
import { parseJsonOrNull } from '../src-shared/json.ts';
import type { Timed } from './engine/recording.ts';
import { isKnownInput } from './engine/replay.ts';
import type { EngineOptions } from './engine/engine.ts';
import { changedHabits, habitFault, readHabits } from './habits.ts';
import type { Habits } from './habits.ts';

/** Version of the file's lines. The engine has a version of its own. */
export const SCHEMA = 1;

export interface WorldLine extends Pick<
  EngineOptions,
  'seed' | 'start' | 'history' | 'convention' | 'contracts'
> {
  readonly ballastPractice: number;
  /** Another engine version would build another exchange from the same inputs. */
  readonly engine: number;
  /** Identifies this exchange, also against one of the same seed after a reset. */
  readonly id: string;
  /** Those that differ from the default. `tiers` is stored as the convention; older files have none. */
  readonly habits?: Readonly<Record<string, string>>;
}

export const habitsOf = ({ habits, convention }: Pick<WorldLine, 'habits' | 'convention'>): Habits =>
  readHabits({ ...habits, tiers: convention });

/** The habits in the form of a line. */
export function storedHabits(all: Habits): Pick<WorldLine, 'habits' | 'convention'> {
  const { tiers: _, ...habits } = changedHabits(all);
  const rest = Object.keys(habits).length === 0 ? {} : { habits };
  return { convention: all.tiers, ...rest };
}

/** The exchange's clock showed `at` when the system's showed `wall`, and ran at `speed`. */
export interface ClockLine {
  readonly at: number;
  readonly wall: number;
  readonly speed: number;
}

interface Read {
  readonly world: WorldLine;
  readonly inputs: Timed[];
  readonly clock: ClockLine | null;
  /** The complete lines. */
  readonly bytes: Buffer;
}

const numbers = (value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean =>
  names.every((name) => Number.isFinite(value[name]));

const isWorld = (value: unknown, engine: number): value is WorldLine =>
  isRecord(value) &&
  value['ballastPractice'] === SCHEMA &&
  value['engine'] === engine &&
  typeof value['id'] === 'string' &&
  (value['convention'] === 'flat' || value['convention'] === 'marginal') &&
  (value['habits'] === undefined || (isRecord(value['habits']) && habitFault(value['habits']) === null)) &&
  numbers(value, ['seed', 'start', 'history', 'contracts']);

const isTimed = (value: unknown): value is Timed =>
  isRecord(value) && numbers(value, ['at']) && typeof value['do'] === 'string' && isKnownInput(value['do']);

const isClock = (value: unknown): value is { clock: ClockLine } =>
  isRecord(value) && isRecord(value['clock']) && numbers(value['clock'], ['at', 'wall', 'speed']);

/** Ignores what follows the last line end: a kill cut it off. */
export function readState(bytes: Buffer, engine: number): Read | 'unusable' {
  const size = bytes.lastIndexOf(10) + 1;
  const [first, ...lines] = bytes.subarray(0, size).toString('utf8').split('\n').slice(0, -1);
  const world = first === undefined ? null : parseJsonOrNull(first);
  if (!isWorld(world, engine)) return 'unusable';
  const inputs: Timed[] = [];
  let clock: ClockLine | null = null;
  for (const line of lines) {
    const value = parseJsonOrNull(line);
    if (isTimed(value)) inputs.push(value);
    else if (isClock(value)) clock = value.clock;
    else return 'unusable';
  }
  return { world, inputs, clock, bytes: bytes.subarray(0, size) };
}
