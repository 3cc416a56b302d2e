import type { Calls } from '../../bridge.ts';
import type { Failure, Result } from '../../../src-shared/ipc/failures.ts';
import type { UpdateState } from '../../../src-shared/ipc/updates.ts';
import type { Notices } from '../session/notices.svelte.ts';

/** What is known of a later version; the main process looks, this shows. */
export class Updates {
  /** null until the main process answered. */
  state = $state.raw<UpdateState | null>(null);
  /** Why what was asked last did not happen. */
  failure = $state.raw<Failure | null>(null);
  readonly #calls: Calls;
  readonly #notices: Notices;
  /** The version a person was told of, or saw on the screen. */
  #told: string | null = null;
  #asking = false;

  constructor(calls: Calls, notices: Notices) {
    this.#calls = calls;
    this.#notices = notices;
  }

  async load(): Promise<void> {
    this.#answered(await this.#calls.call('updates.get', undefined));
  }

  /** Found by itself, a version is announced once. */
  receive(state: UpdateState): void {
    this.state = state;
    const version = state.release?.version ?? null;
    if (version === null || version === this.#told) return;
    this.#told = version;
    if (!this.#asking)
      this.#notices.push('info', `Ballast ${version} is available`, 'See Settings › About for what changed.');
  }

  async look(): Promise<void> {
    this.#asking = true;
    this.#answered(await this.#calls.call('updates.check', undefined));
    this.#asking = false;
  }

  async openPage(): Promise<void> {
    const answer = await this.#calls.call('updates.openPage', undefined);
    this.failure = answer.ok ? null : answer.failure;
  }

  #answered(answer: Result<UpdateState>): void {
    this.failure = answer.ok ? null : answer.failure;
    if (answer.ok) this.receive(answer.data);
  }
}
