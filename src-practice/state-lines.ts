/** Reading the lines of a state file. What this program did not write in this version is not used. */
import type { Timed } from './engine/recording.ts';
import type { TierConvention } from './engine/world.ts';
import { changedHabits, habitFault, readHabits } from './habits.ts';
import type { Habits } from './habits.ts';

/** Of the file's lines. The engine has a version of its own. */
export const SCHEMA = 1;

export interface WorldLine {
  readonly ballastPractice: number;
  /** Another engine would make another exchange of the same inputs. */
  readonly engine: number;
  /** Tells this exchange from every other, also from one of the same seed after a reset. */
  readonly id: string;
  readonly seed: number;
  readonly start: number;
  readonly history: number;
  readonly convention: TierConvention;
  readonly contracts: number;
  /** Those that differ from the default, but for `tiers`, which is the convention; older files have none. */
  readonly habits?: Readonly<Record<string, string>>;
}

export const habitsOf = ({ habits, convention }: Pick<WorldLine, 'habits' | 'convention'>): Habits =>
  readHabits({ ...habits, tiers: convention });

/** The habits as a line keeps them. */
export function keptHabits(all: Habits): Pick<WorldLine, 'habits' | 'convention'> {
  const { tiers: _, ...habits } = changedHabits(all);
  const rest = Object.keys(habits).length === 0 ? {} : { habits };
  return { convention: all.tiers, ...rest };
}

/** The exchange's clock showed `at` when the wall's showed `wall`, and went on at `speed`. */
export interface ClockLine {
  readonly at: number;
  readonly wall: number;
  readonly speed: number;
}

interface Read {
  readonly world: WorldLine;
  readonly inputs: Timed[];
  readonly clock: ClockLine | null;
  /** The whole lines. */
  readonly bytes: Buffer;
}

const KINDS: Readonly<Record<Timed['do'], true>> = {
  order: true,
  batch: true,
  shock: true,
  cancel: true,
  leverage: true,
  mode: true,
  grant: true,
  bar: true,
  leap: true,
  pass: true,
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const numbers = (value: Record<string, unknown>, names: readonly string[]): boolean =>
  names.every((name) => Number.isFinite(value[name]));

const isWorld = (value: unknown, engine: number): value is WorldLine =>
  isObject(value) &&
  value['ballastPractice'] === SCHEMA &&
  value['engine'] === engine &&
  typeof value['id'] === 'string' &&
  (value['convention'] === 'flat' || value['convention'] === 'marginal') &&
  (value['habits'] === undefined || (isObject(value['habits']) && habitFault(value['habits']) === null)) &&
  numbers(value, ['seed', 'start', 'history', 'contracts']);

const isTimed = (value: unknown): value is Timed =>
  isObject(value) &&
  numbers(value, ['at']) &&
  typeof value['do'] === 'string' &&
  Object.hasOwn(KINDS, value['do']);

const isClock = (value: unknown): value is { clock: ClockLine } =>
  isObject(value) && isObject(value['clock']) && numbers(value['clock'], ['at', 'wall', 'speed']);

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** What follows the last line end was cut off by a kill and is left out. */
export function readState(bytes: Buffer, engine: number): Read | 'unusable' {
  const size = bytes.lastIndexOf(10) + 1;
  const [first, ...lines] = bytes.subarray(0, size).toString('utf8').split('\n').slice(0, -1);
  const world = first === undefined ? null : parsed(first);
  if (!isWorld(world, engine)) return 'unusable';
  const inputs: Timed[] = [];
  let clock: ClockLine | null = null;
  for (const line of lines) {
    const value = parsed(line);
    if (isTimed(value)) inputs.push(value);
    else if (isClock(value)) clock = value.clock;
    else return 'unusable';
  }
  return { world, inputs, clock, bytes: bytes.subarray(0, size) };
}
