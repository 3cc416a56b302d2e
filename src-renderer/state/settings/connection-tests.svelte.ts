import type { Calls } from '../../bridge.ts';
import type { TestStep } from '../../../src-shared/ipc/connections.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';

/** The last test of each connection in this run. It outlasts the form and a switch, and contains no secret. */
export class ConnectionTests {
  #steps = $state.raw<ReadonlyMap<string, readonly TestStep[] | null>>(new Map());
  #running = $state.raw<readonly string[]>([]);
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** Reports whether a test has ended; one that could not be made has no steps. */
  hasRun(connectionId: string): boolean {
    return (this.#steps.get(connectionId) ?? null) !== null;
  }
  stepsOf(connectionId: string): readonly TestStep[] {
    return this.#steps.get(connectionId) ?? [];
  }
  isRunning(connectionId: string): boolean {
    return this.#running.includes(connectionId);
  }

  /** Keeps the steps of a test of the values that were saved; none if they were not tested. */
  keep(connectionId: string, steps: readonly TestStep[]): void {
    this.#steps = new Map(this.#steps).set(connectionId, steps.length > 0 ? steps : null);
  }

  /** Tests a saved connection by signed reads, without sending an order. Returns why it could not, or null. */
  async run(connectionId: string): Promise<Failure | null> {
    this.#running = [...this.#running, connectionId];
    this.keep(connectionId, []);
    const result = await this.#calls.call('connections.test', { connectionId });
    this.#running = this.#running.filter((one) => one !== connectionId);
    this.#steps = new Map(this.#steps).set(connectionId, result.ok ? result.data : []);
    return result.ok ? null : result.failure;
  }
}
