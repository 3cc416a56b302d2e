import type { Calls } from '../../bridge.ts';
import type { DayState } from '../../../src-shared/ipc/day-limits.ts';
import type { Failure, Result } from '../../../src-shared/ipc/failures.ts';
import type { DayLimits as Limits } from '../../../src-shared/domain/instrument/trading-context.ts';

/** The open account's daily limits, as the main process measures them. */
export class DayLimits {
  /** Null until they are read. */
  state = $state.raw<DayState | null>(null);
  failure = $state.raw<Failure | null>(null);
  #connectionId: string | null = null;
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  async follow(connectionId: string): Promise<void> {
    this.#connectionId = connectionId;
    this.state = null;
    this.failure = null;
    this.#take(connectionId, await this.#calls.call('day.get', { connectionId }));
  }

  receive(state: DayState): void {
    if (state.connectionId === this.#connectionId) this.state = state;
  }

  /** `typed`: the word, which makes a weaker limit apply at once. */
  async set(connectionId: string, limits: Limits, typed: string | null): Promise<Result<DayState>> {
    return this.#take(connectionId, await this.#calls.call('day.set', { connectionId, limits, typed }));
  }

  async lift(connectionId: string, typed: string): Promise<Result<DayState>> {
    return this.#take(connectionId, await this.#calls.call('day.lift', { connectionId, typed }));
  }

  #take(connectionId: string, result: Result<DayState>): Result<DayState> {
    if (connectionId === this.#connectionId) {
      if (result.ok) this.state = result.data;
      else if (this.state === null) this.failure = result.failure;
    }
    return result;
  }
}
