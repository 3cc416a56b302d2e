/**
 * Runs one sync: its state, and its tasks one at a time. After a failure passes follow at growing intervals. `pause`
 * and `stop` may be called during any await, so a task checks `isRunning` or `isStopped` after each.
 */
import type { Failure, Result } from '../../src-shared/ipc/failures.ts';
import type { SyncStatus } from '../../src-shared/ipc/trades.ts';
import type { Clock, Timers } from '../../src-shared/time.ts';
import { PASS_INTERVAL_MS } from './passes.ts';

/** Delay after a failure; it doubles with each further one. */
const FIRST_RETRY_MS = 30_000;
const MAX_RETRY_MS = 10 * 60_000;

/** The newest records, which go first and are read in any state, or a step of the pass. */
export type Task = 'tail' | 'pass';

export interface SyncRunPorts {
  readonly clock: Clock;
  readonly timers: Timers;
}

/** @template S what the archive has of the records */
export abstract class SyncRun<S, P extends SyncRunPorts> {
  protected readonly ports: P;
  readonly #what: 'trade' | 'order';
  readonly #due = new Set<Task>();
  readonly #planned = new Map<Task, () => void>();
  #pending: Promise<unknown> = Promise.resolve();
  #state: SyncStatus['state'] = 'idle';
  #stopped = false;
  #busy = false;
  #retryMs = FIRST_RETRY_MS;
  /** The last failure, shown until something succeeds. */
  protected failure: Failure | null = null;
  /** What the archive has, as last read; null before the first. */
  protected archived: S | null = null;

  constructor(what: 'trade' | 'order', ports: P) {
    this.#what = what;
    this.ports = ports;
  }

  /** Reads what the archive has. */
  protected abstract readArchived(): Promise<Result<S>>;
  /** Called with what the archive has before the first task. */
  protected abstract continueFrom(archived: S): void;
  protected abstract step(task: Task): Promise<void>;
  protected abstract announce(): void;

  protected get state(): SyncStatus['state'] {
    return this.#state;
  }

  protected isStopped(): boolean {
    return this.#stopped;
  }

  protected isRunning(): boolean {
    return this.#state === 'running' && !this.#stopped;
  }

  /** Starts passes, also after a pause or a failure. Reports false where they run already. */
  protected startPasses(): boolean {
    if (this.#stopped || this.#state === 'running') return false;
    this.#state = 'running';
    this.failure = null;
    this.report();
    return true;
  }

  /** Reads what is stored, so that the status is right before the first pass, or where none starts. */
  async load(): Promise<void> {
    await this.refresh();
    if (this.archived === null) return;
    this.continueFrom(this.archived);
    this.report();
  }

  protected async refresh(): Promise<void> {
    const state = await this.checked(this.readArchived());
    if (state.ok) this.archived = state.data;
  }

  /** Pauses passes after the current request. */
  pause(): void {
    if (this.#state !== 'running' && this.#state !== 'failed') return;
    this.#state = 'paused';
    this.#planned.get('pass')?.();
    this.#due.delete('pass');
    this.report();
  }

  /** Ends the pass, and plans the next one. */
  protected complete(): void {
    if (this.isRunning()) this.#state = 'complete';
    if (this.#state === 'complete') this.plan('pass', PASS_INTERVAL_MS);
    this.report();
  }

  /** Stops for good; resolves when the last write has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const cancel of this.#planned.values()) cancel();
    await this.#pending;
  }

  protected report(): void {
    if (!this.#stopped) this.announce();
  }

  /** Schedules `task` in `ms`, replacing its earlier schedule; 0 means right after the current task. */
  protected plan(task: Task, ms: number): void {
    this.#planned.get(task)?.();
    this.#planned.delete(task);
    if (this.#stopped) return;
    if (ms > 0) {
      const cancel = this.ports.timers.after(ms, () => this.plan(task, 0));
      this.#planned.set(task, cancel);
    } else {
      this.#due.add(task);
      void this.#run();
    }
  }

  /** Forgets the failures before: reads and writes succeed again. */
  protected succeeded(): void {
    this.failure = null;
    this.#retryMs = FIRST_RETRY_MS;
  }

  protected fail(reason: Failure, waitMs = this.#retryMs): void {
    this.failure = reason;
    if (this.#state === 'running') this.#state = 'failed';
    if (this.#state === 'failed') {
      this.plan('pass', Math.max(waitMs, (reason.retryAt ?? 0) - this.ports.clock.now()));
      this.#retryMs = Math.min(2 * this.#retryMs, MAX_RETRY_MS);
    }
    this.report();
  }

  /** Follows work in the archive, so that `stop` can wait for it. */
  protected follow<T>(work: Promise<T>): Promise<T> {
    this.#pending = Promise.allSettled([this.#pending, work]).then(() => undefined);
    return work;
  }

  /** Follows work whose failure is the sync's. */
  protected async checked<T>(work: Promise<Result<T>>): Promise<Result<T>> {
    const result = await this.follow(work);
    if (!result.ok) this.fail(result.failure);
    return result;
  }

  async #run(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      if (this.archived === null) await this.load();
      while (this.archived !== null && !this.#stopped && this.#due.size > 0) {
        const task: Task = this.#due.has('tail') ? 'tail' : 'pass';
        this.#due.delete(task);
        await this.#take(task);
      }
    } catch (error) {
      this.fail(syncDefect(this.#what, error));
    } finally {
      this.#busy = false;
    }
  }

  async #take(task: Task): Promise<void> {
    if (task === 'pass') {
      if (this.#state === 'paused' || this.#state === 'idle') return;
      this.#state = 'running';
    }
    await this.step(task);
  }
}

/** Returns the failure of a sync that stopped at a defect, with the start of the error's message. */
const syncDefect = (what: 'trade' | 'order', error: unknown): Failure => ({
  kind: 'bug',
  message: `The ${what} sync stopped: ${error instanceof Error ? error.message.slice(0, 200) : 'unknown error'}.`,
  next: 'Ballast retries automatically. Please report this line.',
});
