import type { Calls } from '../../bridge.ts';
import type { Failure, Result } from '../../../src-shared/ipc/failures.ts';

/** A state that main keeps and the window shows. */
export abstract class MainState<S> {
  /** null until it is loaded. */
  state = $state.raw<S | null>(null);
  /** Why the last request failed. */
  failure = $state.raw<Failure | null>(null);
  protected readonly calls: Calls;

  constructor(calls: Calls) {
    this.calls = calls;
  }

  receive(state: S): void {
    this.state = state;
  }

  /** Takes the reply to a request: the new state, or why there is none. */
  protected take(result: Result<S>): void {
    this.failure = result.ok ? null : result.failure;
    if (result.ok) this.receive(result.data);
  }
}
