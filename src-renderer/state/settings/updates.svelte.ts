import type { Calls } from '../../bridge.ts';
import type { UpdateState } from '../../../src-shared/ipc/updates.ts';
import type { Notices } from '../session/notices.svelte.ts';
import { MainState } from './main-state.svelte.ts';

/** The newer version, if any; main checks, the window shows. */
export class Updates extends MainState<UpdateState> {
  readonly #notices: Notices;
  /** The version already announced, or seen on the screen. */
  #announced: string | null = null;
  #asking = false;

  constructor(calls: Calls, notices: Notices) {
    super(calls);
    this.#notices = notices;
  }

  async load(): Promise<void> {
    this.take(await this.calls.call('updates.get', undefined));
  }

  /** Takes a new state; a version found by the automatic check is announced once. */
  override receive(state: UpdateState): void {
    super.receive(state);
    const version = state.release?.version ?? null;
    if (version === null || version === this.#announced) return;
    this.#announced = version;
    if (!this.#asking)
      this.#notices.push('info', `Ballast ${version} is available`, 'Settings › About says what is new.');
  }

  async check(): Promise<void> {
    this.#asking = true;
    this.take(await this.calls.call('updates.check', undefined));
    this.#asking = false;
  }

  async openPage(): Promise<void> {
    const result = await this.calls.call('updates.openPage', undefined);
    this.failure = result.ok ? null : result.failure;
  }
}
