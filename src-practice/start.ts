/** Starts a practice exchange: engine, interface and controls, on loopback only. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { STANDARD_CONTRACTS } from './engine/contract-table.ts';
import { DEFAULT_HISTORY, Engine } from './engine/engine.ts';
import type { Ordering } from './engine/queries.ts';
import type { TierConvention } from './engine/world.ts';
import { serveControls } from './http/controls.ts';
import type { Controlled } from './http/control-changes.ts';
import { noneReceived, serve } from './http/exchange-server.ts';
import type { Exchange } from './http/exchange-server.ts';
import { Faults } from './http/faults.ts';
import { listen } from './http/listen.ts';
import { PracticeClock } from './http/practice-clock.ts';
import type { Credentials } from './http/sign.ts';

export interface PracticeOptions {
  /** 0 (the default) picks a free port. */
  port?: number;
  seed?: number;
  /** Pace of the clock: 1 is real time, 0 a manual clock moved by the controls. */
  speed?: number;
  /** Trades of the account's past. */
  history?: number;
  /** Number of contracts: the 7 of the standard table when left out, generated ones beyond. */
  contracts?: number;
  /** Number of the first page of trades. */
  pageBase?: 0 | 1;
  maxPageSize?: number;
  /** Order of rows in lists. */
  order?: Ordering;
  convention?: TierConvention;
  /** Milliseconds since 1970 the clock starts at; the wall's time when left out, a fixed one at speed 0. */
  start?: number;
  /** Made at random when left out. */
  credentials?: Credentials;
}

export interface Practice {
  readonly url: string;
  readonly credentials: Credentials;
  readonly controls: { readonly url: string; readonly token: string };
  stop(): Promise<void>;
}

export const DEFAULT_SEED = 1;
export const DEFAULT_MAX_PAGE_SIZE = 500;
/** Where a manual clock starts, so that a seed alone names a session: 2026-11-23 00:00 UTC. */
export const MANUAL_START = 1_795_392_000_000;
const TICK_MS = 1000;

const randomCredentials = (): Credentials => ({
  key: `practice-${randomBytes(8).toString('hex')}`,
  secret: randomBytes(32).toString('hex'),
});

/** A delay that ends early, without an error, when the exchange stops. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Resolves when both servers listen. Rejects when the port is taken. */
export async function startPractice(options: PracticeOptions = {}): Promise<Practice> {
  const speed = options.speed ?? 1;
  const seed = options.seed ?? DEFAULT_SEED;
  const start = options.start ?? (speed === 0 ? MANUAL_START : Date.now());
  const build = (from: number, at: number): Engine =>
    new Engine({
      seed: from,
      start: at,
      history: options.history ?? DEFAULT_HISTORY,
      convention: options.convention ?? 'flat',
      order: options.order ?? 'desc',
      contracts: options.contracts ?? STANDARD_CONTRACTS,
    });
  const stopping = new AbortController();
  const exchange: Exchange = {
    engine: build(seed, start),
    clock: new PracticeClock(Date.now, start, speed),
    credentials: options.credentials ?? randomCredentials(),
    paging: { base: options.pageBase ?? 1, maxSize: options.maxPageSize ?? DEFAULT_MAX_PAGE_SIZE },
    faults: new Faults(),
    received: noneReceived(),
    wait: (ms) => pause(ms, stopping.signal),
  };
  const controlled: Controlled = { exchange, seed, rebuild: build };
  const token = randomBytes(24).toString('hex');
  const front = await listen(options.port ?? 0, (request, response) => serve(exchange, request, response));
  const back = await listen(0, (request, response) => serveControls(controlled, token, request, response));
  // Steps are whole seconds whoever asks; the timer only spares the next request a long walk.
  const timer = setInterval(() => exchange.engine.advanceTo(exchange.clock.now()), TICK_MS);
  return {
    url: front.url,
    credentials: exchange.credentials,
    controls: { url: back.url, token },
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await Promise.all([front.close(), back.close()]);
    },
  };
}
