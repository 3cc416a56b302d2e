import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { Calls } from '../../bridge.ts';
import type { TestStep } from '../../../src-shared/ipc/connections.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';

/** The last test of each connection in this run. It outlasts the form and a switch, and contains no secret. */
export class ConnectionTests {
  readonly #steps = new SvelteMap<string, readonly TestStep[]>();
  readonly #running = new SvelteSet<string>();
  /** Connections whose last test could not be made. */
  readonly #failed = new SvelteSet<string>();
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** Reports whether a test has ended, with or without steps. */
  hasRun(connectionId: string): boolean {
    return this.#failed.has(connectionId) || this.stepsOf(connectionId).length > 0;
  }
  stepsOf(connectionId: string): readonly TestStep[] {
    return this.#steps.get(connectionId) ?? [];
  }
  isRunning(connectionId: string): boolean {
    return this.#running.has(connectionId);
  }

  /** Keeps the steps of a test of the values that were saved; none if they were not tested. */
  keep(connectionId: string, steps: readonly TestStep[]): void {
    this.#steps.set(connectionId, steps);
  }

  /** Tests a saved connection by signed reads, without sending an order. Returns why it could not, or null. */
  async run(connectionId: string): Promise<Failure | null> {
    this.#running.add(connectionId);
    this.#steps.delete(connectionId);
    this.#failed.delete(connectionId);
    const result = await this.#calls.call('connections.test', { connectionId });
    this.#running.delete(connectionId);
    if (!result.ok) {
      this.#failed.add(connectionId);
      return result.failure;
    }
    this.#steps.set(connectionId, result.data);
    return null;
  }
}
