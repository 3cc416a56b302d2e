/**
 * Locates and controls the practice exchange: the app's own, started when first needed, or one started manually (`npm
 * run practice -- --json`) and passed in BALLAST_PRACTICE. Loopback only.
 */
import * as v from 'valibot';
import type { Practice } from '../../src-practice/index.ts';
import { blocked, blockedFailure, failed, type Result } from '../../src-shared/ipc/failures.ts';
import { parseJsonOrNull } from '../../src-shared/json.ts';
import { MINUTE_MS, type MonotonicClock } from '../../src-shared/time.ts';
import {
  practiceTermsSchema,
  type PracticeChange,
  type PracticeHabit,
  type PracticeState,
  type PracticeTerms,
} from '../../src-shared/ipc/practice.ts';
import { PRACTICE_ID, PRACTICE_TERMS } from '../session/stored.ts';
import { changePractice, practiceHabits, practiceState, type ControlAccess } from './controls.ts';

export interface PracticeAccess {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  /** Null if the line does not contain them. */
  readonly controls: ControlAccess | null;
  /** Changes after a reset; data read before belongs to another exchange. */
  readonly exchangeId: string;
  /** Connection settings that match the exchange's habits. */
  readonly settings: PracticeTerms;
  /** Whether this app started it. */
  readonly own: boolean;
}

const loopback = v.pipe(v.string(), v.regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/));
const lineSchema = v.object({
  url: loopback,
  key: v.string(),
  secret: v.string(),
  controls: v.optional(v.object({ url: loopback, token: v.string() })),
  /** Present if not the defaults. */
  settings: v.optional(practiceTermsSchema),
});

/** A line of BALLAST_PRACTICE that cannot be used, as a sentence that names the part. */
export class PracticeLineError extends Error {
  override readonly name = 'PracticeLineError';
}

/** Parses a printed line; null if empty. Throws a PracticeLineError if it is invalid. */
export function practiceLine(line: string | undefined): PracticeAccess | null {
  if (line === undefined || line === '') return null;
  const parsed = v.safeParse(lineSchema, parseJsonOrNull(line));
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const part = v.getDotPath(issue) ?? 'JSON';
    throw new PracticeLineError(
      part.endsWith('url')
        ? `Its ${part} must be http://127.0.0.1 and a port.`
        : `Its ${part} is missing or not as printed.`,
    );
  }
  const { controls = null, settings = PRACTICE_TERMS, ...rest } = parsed.output;
  // Its key is new at each start, as its account is.
  return { ...rest, controls, settings, exchangeId: rest.key.replace(/[^a-z0-9-]/g, ''), own: false };
}

/** The part of the session a reset affects. */
interface ReopenedSession {
  /** Reopens the connection if it is the open one. */
  reopen(id: string): Promise<void>;
}

export interface PracticePorts {
  /** Starts the app's own exchange; `ended` is called once if it ends by itself. */
  readonly start: (ended: () => void) => Promise<Practice>;
  readonly clock: Pick<MonotonicClock, 'mono'>;
}

/** One that ends sooner after its start would go on ending, so it is not started again. */
const RESTARTED_AFTER_MS = MINUTE_MS;

export class PracticeExchange {
  readonly #ports: PracticePorts;
  /** Null while the next access starts one: before the first, and after one that failed, or ended and may start again. */
  #running: Promise<Practice> | null = null;
  #known: PracticeAccess | null;
  #onEnded: (restarts: boolean) => void = () => undefined;

  /** @param given the one started manually, if any; otherwise the app's own is started when first needed */
  constructor(given: PracticeAccess | null, ports: PracticePorts) {
    this.#known = given;
    this.#ports = ports;
  }

  /** Calls `listener` when the app's own exchange ended by itself, with whether the next access starts it again. */
  onEnded(listener: (restarts: boolean) => void): void {
    this.#onEnded = listener;
  }

  async access(): Promise<PracticeAccess> {
    if (this.#known?.own === false) return this.#known;
    this.#running ??= this.#begin();
    const practice = await this.#running;
    return this.#known ?? accessTo(practice);
  }

  /** Returns the last access, or null before the app's own exchange was needed. */
  known(): PracticeAccess | null {
    return this.#known;
  }

  habits(): Promise<Result<readonly PracticeHabit[]>> {
    return this.#asked(practiceHabits);
  }

  /** Returns the exchange's state. A reset starts another exchange, so its connection is reopened. */
  state(session: ReopenedSession): Promise<Result<PracticeState>> {
    return this.#followed(session, practiceState);
  }

  /** Applies a change made by the user. */
  async change(session: ReopenedSession, change: PracticeChange): Promise<Result<PracticeState>> {
    // A reset with other habits restarts the process, which the app cannot do for one it did not start.
    const restarts = change.do === 'reset' && change.habits !== undefined;
    if (restarts && this.#known?.own === false) return failed(STARTED_MANUALLY);
    return this.#followed(session, (access) => changePractice(access, change));
  }

  async stop(): Promise<void> {
    const running = await this.#running?.catch(() => null);
    await running?.stop();
  }

  async #begin(): Promise<Practice> {
    const { start, clock } = this.#ports;
    const since = clock.mono();
    const ended = (): void => {
      const restarts = clock.mono() - since >= RESTARTED_AFTER_MS;
      if (restarts) this.#running = null;
      this.#onEnded(restarts);
    };
    try {
      const practice = await start(ended);
      this.#known = accessTo(practice);
      return practice;
    } catch (error) {
      this.#running = null;
      throw error;
    }
  }

  async #followed(
    session: ReopenedSession,
    ask: (access: ControlAccess) => Promise<Result<PracticeState>>,
  ): Promise<Result<PracticeState>> {
    const result = await this.#asked(ask);
    if (!result.ok || this.#known?.own !== true) return result;
    const { exchangeId, settings } = result.data;
    if (exchangeId === this.#known.exchangeId) return result;
    this.#known = { ...this.#known, exchangeId, settings };
    await session.reopen(PRACTICE_ID);
    return result;
  }

  /** Calls the controls if their address is known. */
  async #asked<T>(ask: (access: ControlAccess) => Promise<Result<T>>): Promise<Result<T>> {
    if (this.#known === null)
      return blocked('The practice exchange is not running.', 'Switch to Practice first.');
    if (this.#known.controls === null)
      return blocked(
        'This practice exchange was started manually, without its control address.',
        'Start Ballast with the full line it printed, or control it where it runs.',
      );
    return ask(this.#known.controls);
  }
}

const accessTo = ({ url, credentials, controls, exchangeId, settings }: Practice): PracticeAccess => ({
  url,
  ...credentials,
  controls,
  exchangeId,
  settings,
  own: true,
});

const STARTED_MANUALLY = blockedFailure(
  'This practice exchange was started manually, with its own habits.',
  'Start it again with --habit NAME=VALUE or --habits FILE.',
);
