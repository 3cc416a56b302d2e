/** Starts a practice exchange: engine, API and controls, on loopback only. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { momentOf } from '../src-shared/domain/display/elapsed.ts';
import { MOST_CONTRACTS, STANDARD_CONTRACTS } from './engine/contract-list.ts';
import { DEFAULT_HISTORY, Engine } from './engine/engine.ts';
import type { Ordering } from './engine/queries.ts';
import { readHabits } from './habits.ts';
import type { HabitName, Habits } from './habits.ts';
import type { TierConvention } from './engine/world.ts';
import { replay } from './engine/replay.ts';
import { serveControls } from './http/controls.ts';
import type { Controlled } from './http/control-changes.ts';
import { noneReceived, serve, served } from './http/exchange-server.ts';
import type { Exchange } from './http/exchange-server.ts';
import { Faults } from './http/faults.ts';
import { listen } from './http/listen.ts';
import { PracticeClock } from './http/practice-clock.ts';
import type { Credentials } from './http/sign.ts';
import { openState, StateFault, worldLine } from './state-file.ts';
import type { StateFile, WorldOptions } from './state-file.ts';
import { habitsOf, storedHabits } from './state-lines.ts';
import { settingsFor } from './http/names.ts';

export interface PracticeOptions {
  /** 0 (the default) picks a free port. */
  port?: number;
  seed?: number;
  /** Speed of the clock: 1 is real time, 0 a manual clock set by the controls. */
  speed?: number;
  /** Trades of the account's past. */
  history?: number;
  /** Number of contracts, 13 to 1000; the standard ones by default. Fewer would lack some kinds. */
  contracts?: number;
  /** What the API leaves open, by name (habits.ts); the others have their default. */
  habits?: { readonly [K in HabitName]?: string };
  /** Short forms of the habits `page-base`, `page-size`, `tiers`, and `trade-order` with `order-order`. */
  pageBase?: 0 | 1;
  maxPageSize?: number;
  convention?: TierConvention;
  order?: Ordering;
  /** Start of the clock in milliseconds since 1970; the system's time by default, a fixed one at speed 0. */
  start?: number;
  /** Random by default. */
  credentials?: Credentials;
  /** Folder of the stored state, from which a start resumes; without it the state is lost at the end. */
  dataDir?: string;
}

export interface Practice {
  readonly url: string;
  readonly credentials: Credentials;
  readonly controls: { readonly url: string; readonly token: string };
  readonly habits: Habits;
  /** The connection settings that fit this exchange. */
  readonly settings: ReturnType<typeof settingsFor>;
  /** Identifies this exchange, also after a reset: data read from another does not belong to it. */
  readonly exchangeId: string;
  /** Where a stored state that is damaged or of another version was moved; `null` when there was none. */
  readonly movedAside: string | null;
  readonly stop: () => Promise<void>;
}

export const DEFAULT_SEED = 1;
/** Start of a manual clock, so that a seed alone defines a session: 2026-11-23 00:00 UTC. */
export const MANUAL_START = 1_795_392_000_000;
const TICK_MS = 1000;

type OpenedState = ReturnType<typeof openState>;

const randomCredentials = (): Credentials => ({
  key: `practice-${randomBytes(8).toString('hex')}`,
  secret: randomBytes(32).toString('hex'),
});

/** Returns the requested habits by name; a named habit wins over its short option. */
function requestedHabits({ habits, pageBase, maxPageSize, convention, order }: PracticeOptions) {
  const short: Readonly<Partial<Record<HabitName, string | number | undefined>>> = {
    'page-base': pageBase,
    'page-size': maxPageSize,
    tiers: convention,
    'trade-order': order,
    'order-order': order,
  };
  const given = Object.entries(short).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  return { ...Object.fromEntries(given), ...habits };
}

function engineOf(world: WorldOptions, habits: Habits): Engine {
  return new Engine({
    ...world,
    order: habits['order-order'],
    tradeOrder: habits['trade-order'],
    positionMode: habits.positions === 'hedge' ? 'HEDGE' : 'ONEWAY',
    restingLimit: Number.parseInt(habits['resting-limit'], 10),
    listsEnded: habits['open-orders'] === 'ended',
  });
}

/** A delay that ends early, without an error. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/**
 * The exchange's time at a start. The clock of a stored exchange continues at its speed, except that a faster one stood
 * still meanwhile.
 */
function timeAtStart(state: OpenedState | null, begin: number, last: number, wall: number): number {
  if (state === null || state.fresh) return begin;
  const stored = state.clock;
  if (!stored || stored.speed > 1) return Math.max(last, stored?.at ?? last);
  return Math.max(last, Math.trunc(stored.at + (wall - stored.wall) * stored.speed));
}

const SYSTEM = { now: () => Date.now(), mono: () => performance.now() };

/**
 * Resolves when both servers listen. Rejects with OtherExchange, with the system's error when the port or the folder
 * cannot be used, or when the number of contracts is out of range.
 */
export async function startPractice(options: PracticeOptions = {}): Promise<Practice> {
  const startedAt = momentOf(SYSTEM);
  const { wall } = startedAt;
  const wanted = requestedHabits(options);
  const requested = requestedWorld(options, wanted, wall);
  const state = options.dataDir === undefined ? null : openState(options.dataDir, requested, wall);
  const world = state?.world ?? worldLine(requested);
  const habits = habitsOf(world);
  if (state) {
    const { seed, history, contracts } = world;
    const size = { seed: options.seed, history: options.history, contracts: options.contracts };
    assertSame({ seed, history, contracts, ...habits }, { ...size, ...wanted });
  }
  const engine = resumedEngine(world, habits, state);
  const speed = options.speed ?? state?.clock?.speed ?? 1;
  const from = timeAtStart(state, world.start, engine.now, wall);
  const file = state?.file ?? null;
  const stopping = new AbortController();
  const exchange: Exchange = {
    served: served(engine, habits),
    // Building the engine takes up to seconds, by which the exchange would stay behind, more with each restart.
    clock: new PracticeClock(SYSTEM, from, speed, startedAt),
    credentials: options.credentials ?? randomCredentials(),
    faults: new Faults(),
    received: noneReceived(),
    wait: (ms, ending) => pause(ms, AbortSignal.any([stopping.signal, ending])),
    state: file,
  };
  const controlled = controlledBy(exchange, world, file);
  controlled.storeClock();
  // The months it was off may take longer to pass than a request waits.
  tick(exchange, file);
  const token = randomBytes(24).toString('hex');
  const front = await listen(options.port ?? 0, (request, response) => serve(exchange, request, response));
  const back = await listen(0, (request, response) => serveControls(controlled, token, request, response));
  // Advances idle time: steps are whole seconds either way; the timer spares the next request many of them.
  const timer = setInterval(() => tick(exchange, file), TICK_MS);
  return {
    url: front.url,
    credentials: exchange.credentials,
    controls: { url: back.url, token },
    habits,
    settings: settingsFor(habits),
    exchangeId: world.id,
    movedAside: state?.movedAside ?? null,
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await Promise.all([front.close(), back.close()]);
      if (file === null) return;
      storeCheckpoint(exchange, file);
      file.close();
    },
  };
}

/** Throws when the number of contracts is out of range. */
function requestedWorld(
  { seed, start, speed, history, contracts = STANDARD_CONTRACTS }: PracticeOptions,
  habits: ReturnType<typeof requestedHabits>,
  wall: number,
): WorldOptions {
  if (contracts < STANDARD_CONTRACTS || contracts > MOST_CONTRACTS) {
    throw new Error(`contracts must be ${STANDARD_CONTRACTS} to ${MOST_CONTRACTS}, not ${contracts}`);
  }
  return {
    ...storedHabits(readHabits(habits)),
    seed: seed ?? DEFAULT_SEED,
    start: start ?? (speed === 0 ? MANUAL_START : wall),
    history: history ?? DEFAULT_HISTORY,
    contracts,
  };
}

/** Returns the engine as its last input left it; what follows is recorded. */
function resumedEngine(world: WorldOptions, habits: Habits, state: OpenedState | null): Engine {
  const engine = engineOf(world, habits);
  if (state === null) return engine;
  const { saved, inputs, file } = state;
  if (saved) engine.restore(saved);
  for (const input of inputs) replay(engine, input);
  file.startedFrom(saved?.world.now ?? world.start, inputs.length);
  engine.recordWith((input) => file.store(input));
  return engine;
}

/** What the controls can do to the exchange beside its engine. */
function controlledBy(exchange: Exchange, world: Controlled['world'], file: StateFile | null): Controlled {
  const { clock } = exchange;
  const storeClock = (): void => {
    const now = Date.now();
    file?.storeClock({ at: clock.now(), wall: now, speed: clock.speed });
  };
  return {
    exchange,
    world,
    storeClock,
    restart: (seed, chosen) => {
      const { history, contracts } = world;
      const next = worldLine({ ...storedHabits(chosen), history, contracts, seed, start: clock.now() });
      file?.restart(next);
      const engine = engineOf(next, chosen);
      exchange.served = served(engine, chosen);
      if (file) engine.recordWith((input) => file.store(input));
      storeClock();
      return next;
    },
  };
}

type Terms = Readonly<Record<string, string | number | undefined>>;

/** Thrown when the stored exchange differs from the requested one. Nothing is changed. */
export class OtherExchange extends Error {
  override readonly name = 'OtherExchange';
}

/** Refuses to resume a stored exchange other than the requested one. */
function assertSame(stored: Terms, requested: Terms): void {
  for (const [name, value] of Object.entries(requested)) {
    if (value === undefined || String(value) === String(stored[name])) continue;
    throw new OtherExchange(
      `the stored exchange has ${name} ${stored[name]}, not ${value}: leave the option out, or name another folder`,
    );
  }
}

/** Stores a checkpoint. The log gets the time first, so that it alone would give the same exchange. */
function storeCheckpoint({ served: { engine }, clock }: Exchange, file: StateFile): void {
  engine.notePassed(clock.now());
  file.storeCheckpoint(engine.now, engine.save());
}

function tick(exchange: Exchange, file: StateFile | null): void {
  const { clock, served } = exchange;
  const { engine } = served;
  try {
    engine.advanceTo(clock.now());
    engine.catchUp('one');
    if (file?.isCheckpointDue(engine.now)) storeCheckpoint(exchange, file);
  } catch (error) {
    // Time leaps only once it can be stored; the next request reports the error to its sender.
    if (!(error instanceof StateFault)) throw error;
  }
}
