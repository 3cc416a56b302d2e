/** Starts a practice exchange: engine, interface and controls, on loopback only. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
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
import { habitsOf, keptHabits } from './state-lines.ts';
import type { ClockLine } from './state-lines.ts';
import { settingsFor } from './http/names.ts';

export interface PracticeOptions {
  /** 0 (the default) picks a free port. */
  port?: number;
  seed?: number;
  /** Pace of the clock: 1 is real time, 0 a manual clock moved by the controls. */
  speed?: number;
  /** Trades of the account's past. */
  history?: number;
  /** Number of contracts, 13 to 1000: the standing ones when left out, generated ones beyond; fewer would lack kinds. */
  contracts?: number;
  /** What the interface leaves open, by name (habits.ts); those not named are the default. */
  habits?: { readonly [K in HabitName]?: string };
  /** The habits `page-base`, `page-size`, `tiers`, and `trade-order` with `order-order`, in short. */
  pageBase?: 0 | 1;
  maxPageSize?: number;
  convention?: TierConvention;
  order?: Ordering;
  /** Milliseconds since 1970 the clock starts at; the wall's time when left out, a fixed one at speed 0. */
  start?: number;
  /** Made at random when left out. */
  credentials?: Credentials;
  /** Folder the exchange's state is kept in and taken up from; without one it is gone at the end. */
  dataDir?: string;
}

export interface Practice {
  readonly url: string;
  readonly credentials: Credentials;
  readonly controls: { readonly url: string; readonly token: string };
  readonly habits: Habits;
  /** What the settings of a connection to it have to say. */
  readonly settings: ReturnType<typeof settingsFor>;
  /** Tells this exchange from every other, also after a reset: what was read from another is not of this one. */
  readonly exchangeId: string;
  /** False when a kept exchange was taken up. */
  readonly fresh: boolean;
  /** Where a kept state of another version, or a damaged one, was put; `null` when there was none. */
  readonly setAside: string | null;
  /** Inputs the start replayed: those since the last checkpoint. */
  readonly replayed: number;
  stop(): Promise<void>;
}

export const DEFAULT_SEED = 1;
/** Where a manual clock starts, so that a seed alone names a session: 2026-11-23 00:00 UTC. */
export const MANUAL_START = 1_795_392_000_000;
const TICK_MS = 1000;

const randomCredentials = (): Credentials => ({
  key: `practice-${randomBytes(8).toString('hex')}`,
  secret: randomBytes(32).toString('hex'),
});

/** The habits asked for, by name; the short options first. */
function askedHabits({ habits, pageBase, maxPageSize, convention, order }: PracticeOptions) {
  const short: Readonly<Partial<Record<HabitName, string | number | undefined>>> = {
    ...{ 'page-base': pageBase, 'page-size': maxPageSize, tiers: convention },
    ...{ 'trade-order': order, 'order-order': order },
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
  });
}

/** A delay that ends early, without an error, when the exchange stops. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** What the wall's time is to a kept exchange: it goes on at its pace, but what ran faster stood still meanwhile. */
function resumedAt(kept: ClockLine | null, last: number, wall: number): number {
  if (!kept || kept.speed > 1) return Math.max(last, kept?.at ?? last);
  return Math.max(last, Math.trunc(kept.at + (wall - kept.wall) * kept.speed));
}

/**
 * Resolves when both servers listen. Rejects when the port is taken, a kept exchange is another than asked, or the
 * number of contracts is out of range.
 */
export async function startPractice(options: PracticeOptions = {}): Promise<Practice> {
  const wall = Date.now();
  const wanted = askedHabits(options);
  const asked: WorldOptions = {
    ...keptHabits(readHabits(wanted)),
    seed: options.seed ?? DEFAULT_SEED,
    start: options.start ?? (options.speed === 0 ? MANUAL_START : wall),
    history: options.history ?? DEFAULT_HISTORY,
    contracts: options.contracts ?? STANDARD_CONTRACTS,
  };
  if (asked.contracts < STANDARD_CONTRACTS || asked.contracts > MOST_CONTRACTS) {
    throw new Error(`contracts must be ${STANDARD_CONTRACTS} to ${MOST_CONTRACTS}, not ${asked.contracts}`);
  }
  const state = options.dataDir === undefined ? null : openState(options.dataDir, asked, wall);
  const world = state?.world ?? worldLine(asked);
  const habits = habitsOf(world);
  if (state) {
    const { seed, history, contracts } = world;
    const size = { seed: options.seed, history: options.history, contracts: options.contracts };
    assertSame({ seed, history, contracts, ...habits }, { ...size, ...wanted });
  }
  const engine = engineOf(world, habits);
  if (state?.saved) engine.restore(state.saved);
  for (const input of state?.inputs ?? []) replay(engine, input);
  state?.file.startedFrom(state.saved?.world.now ?? world.start, state.inputs.length);
  if (state) engine.recordWith((input) => state.file.keep(input));
  const speed = options.speed ?? state?.clock?.speed ?? 1;
  const from = state && !state.fresh ? resumedAt(state.clock, engine.now, wall) : world.start;
  const stopping = new AbortController();
  const exchange: Exchange = {
    served: served(engine, habits),
    clock: new PracticeClock(Date.now, from, speed),
    credentials: options.credentials ?? randomCredentials(),
    faults: new Faults(),
    received: noneReceived(),
    wait: (ms) => pause(ms, stopping.signal),
    state: state?.file ?? null,
  };
  const keepClock = (): void => {
    const now = Date.now();
    state?.file.keepClock({ at: exchange.clock.now(), wall: now, speed: exchange.clock.speed });
  };
  keepClock();
  const controlled: Controlled = {
    exchange,
    world,
    keepClock,
    restart: (seed, chosen) => {
      const { history, contracts } = world;
      const start = exchange.clock.now();
      const next = worldLine({ ...keptHabits(chosen), history, contracts, seed, start });
      state?.file.restart(next);
      exchange.served = served(engineOf(next, chosen), chosen);
      if (state) exchange.served.engine.recordWith((input) => state.file.keep(input));
      keepClock();
      return next;
    },
  };
  const token = randomBytes(24).toString('hex');
  const front = await listen(options.port ?? 0, (request, response) => serve(exchange, request, response));
  const back = await listen(0, (request, response) => serveControls(controlled, token, request, response));
  // Steps are whole seconds whoever asks; the timer only spares the next request a long walk.
  const timer = setInterval(() => tick(exchange, state?.file ?? null), TICK_MS);
  return {
    url: front.url,
    credentials: exchange.credentials,
    controls: { url: back.url, token },
    habits,
    settings: settingsFor(habits),
    exchangeId: world.id,
    fresh: state?.fresh ?? true,
    setAside: state?.setAside ?? null,
    replayed: state?.inputs.length ?? 0,
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await Promise.all([front.close(), back.close()]);
      if (!state) return;
      keepCheckpoint(exchange, state.file);
      state.file.close();
    },
  };
}

type Terms = Readonly<Record<string, string | number | undefined>>;

/** A kept exchange is not silently another than the one asked for. */
function assertSame(kept: Terms, asked: Terms): void {
  for (const [name, value] of Object.entries(asked)) {
    if (value === undefined || String(value) === String(kept[name])) continue;
    throw new Error(
      `the kept exchange has ${name} ${kept[name]}, asked for is ${value}: leave it out, or name another folder`,
    );
  }
}

/** The log is told of the time first, so that it alone would lead to the same exchange. */
function keepCheckpoint({ served: { engine }, clock }: Exchange, file: StateFile): void {
  engine.notePassed(clock.now());
  file.keepCheckpoint(engine.now, engine.save());
}

function tick(exchange: Exchange, file: StateFile | null): void {
  const { clock, served } = exchange;
  const { engine } = served;
  try {
    engine.advanceTo(clock.now());
    engine.catchUp('one');
    if (file?.isCheckpointDue(engine.now)) keepCheckpoint(exchange, file);
  } catch (error) {
    // Time leaps only once it can be kept; the next request says so to its sender.
    if (!(error instanceof StateFault)) throw error;
  }
}
