import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type { TimeSource } from '../runtime/clock.svelte.ts';

export type NoticeTone = 'ok' | 'info' | 'warn' | 'error' | 'unknown';

export interface Notice {
  readonly id: number;
  readonly tone: NoticeTone;
  readonly title: string;
  readonly text: string;
  /** Stays until dismissed; rejections and unknown outcomes always do. */
  readonly stays: boolean;
  /** How often it was pushed since it was last dismissed. */
  readonly times: number;
  /** The connection it is about, named while another one is open; null where it is about none, or names it itself. */
  readonly of: string | null;
}

const SHOWN_MS = 6_000;
/** More than a start with every file of the profile damaged has. */
const MOST = 12;

/** Messages, newest on top. */
export class Notices {
  list = $state.raw<readonly Notice[]>([]);
  #next = 1;
  /** The notice under the pointer or with the focus: it stays. */
  #held: number | null = null;
  readonly #time: TimeSource;

  constructor(time: TimeSource) {
    this.#time = time;
  }

  push(
    tone: NoticeTone,
    title: string,
    text = '',
    stays = tone === 'error' || tone === 'unknown',
    of: string | null = null,
  ): void {
    const id = this.#next++;
    // One that stays until dismissed is counted, not shown twice: two orders may fail in the same words.
    const same = this.list.find((one) => stays && one.title === title && one.text === text && one.of === of);
    const others = this.list.filter((one) => one !== same);
    this.list = [{ id, tone, title, text, stays, times: (same?.times ?? 0) + 1, of }, ...others];
    if (this.list.length > MOST) {
      // One that stays says what a user who was away has to know.
      const over = this.list.findLast((one) => !one.stays) ?? this.list.at(-1);
      if (over !== undefined) this.dismiss(over.id);
    }
    if (!stays) this.#leave(id);
  }

  keep(id: number | null): void {
    this.#held = id;
  }

  /** Dismisses a notice after a while, unless it has the pointer or the focus. */
  #leave(id: number): void {
    this.#time.after(SHOWN_MS, () => (this.#held === id ? this.#leave(id) : this.dismiss(id)));
  }

  /** Shows a failed call and what to do about it. */
  fail(failure: Failure): void {
    if (failure.kind === 'cancelled') return;
    const code = failure.code === undefined ? '' : `Code ${failure.code} · `;
    this.push(failure.kind === 'unknown' ? 'unknown' : 'error', failure.message, `${code}${failure.next}`);
  }

  /** Confirms that the save dialog was cancelled: it closes the same way when a file was saved. */
  notSaved(): void {
    this.push('info', 'Save cancelled', 'No file was written.');
  }

  dismiss(id: number): void {
    this.list = this.list.filter((one) => one.id !== id);
  }
}
