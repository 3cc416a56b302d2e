import type { Calls } from '../../bridge.ts';
import { type BatchProgress, MAX_CALL_ROWS } from '../../../src-shared/ipc/batch.ts';
import { BatchConfirm } from './confirm.svelte.ts';
import { BatchDraft } from './draft.svelte.ts';
import { BatchLadder } from './ladder.svelte.ts';
import { BatchSent, type SentDeps } from './sent.svelte.ts';
import type { Notices } from '../session/notices.svelte.ts';
import type { Review } from '../order/review.svelte.ts';
import type { TradingContext } from '../order/trading-context.ts';

export interface BatchDeps extends TradingContext, SentDeps {
  readonly review: Review;
  readonly notices: Notices;
}

/** The batch screen's state that outlives it: draft, confirmation and sent batches. */
export class Batch {
  readonly ladder: BatchLadder;
  readonly draft: BatchDraft;
  readonly confirm: BatchConfirm;
  readonly sent: BatchSent;
  view = $state<'draft' | 'sent'>('draft');
  /** Sends several orders per request. Off: one per request, so that each reply has an order id. */
  inCalls = $state(true);
  callSizeText = $state('10');
  readonly #deps: BatchDeps;

  constructor(calls: Calls, deps: BatchDeps) {
    this.#deps = deps;
    this.ladder = new BatchLadder(deps);
    this.draft = new BatchDraft(deps);
    this.sent = new BatchSent(calls, deps);
    this.confirm = new BatchConfirm(calls, deps, this.draft, (progress, rows) => {
      // Sent rows leave the draft, or they could be sent twice.
      const keys = rows.map(({ row }) => row.key);
      this.draft.remove(keys);
      this.ladder.wasSent(keys);
      this.sent.begin(
        progress,
        rows.map(({ checked }) => checked.request),
      );
      this.view = 'sent';
    });
  }

  /** Reports whether the screen, when it is open, shows this batch's rows. */
  shows({ id }: BatchProgress): boolean {
    return this.view === 'sent' && this.sent.chosen?.id === id;
  }

  /** Rows per request; null while the field is invalid. */
  readonly callSize: number | null = $derived.by(() => {
    if (!this.inCalls) return 1;
    const text = this.callSizeText.trim();
    const size = /^\d{1,2}$/.test(text) ? Number.parseInt(text, 10) : 0;
    return size >= 2 && size <= MAX_CALL_ROWS ? size : null;
  });

  /** Why Review is disabled; null when it is enabled. */
  readonly missing: string | null = $derived.by(() => {
    if (this.#deps.sendingOff !== null) return this.#deps.sendingOff;
    if (this.draft.count === 0) return 'Add rows to review';
    const { running } = this.sent;
    if (running !== null) return running.closing ? 'Positions are being closed' : 'A batch is being sent';
    if (this.draft.sending.length === 0)
      return this.draft.errors > 0 ? 'Fix or select a row' : 'Select a row';
    return this.callSize === null ? `2 to ${MAX_CALL_ROWS} orders per request` : null;
  });

  async review(): Promise<void> {
    if (this.missing !== null || this.callSize === null) return;
    // One that the ticket requested would open over it.
    this.#deps.review.close();
    await this.confirm.ask(this.callSize);
  }

  /** Moves unsent rows back to the draft, where they are checked and confirmed again. */
  takeBack(): void {
    const failure = this.draft.takeBack(this.sent.returnable);
    if (failure !== null) {
      this.#deps.notices.push('warn', 'The rows were not restored', failure);
      return;
    }
    this.sent.wasReturned();
    this.view = 'draft';
  }

  /** Clears the draft on a connection switch: it must not be sent on another account. Resolves with sent batches read. */
  follow(connectionId: string): Promise<void> {
    this.ladder.reset();
    this.draft.reset();
    this.confirm.close();
    this.view = 'draft';
    return this.sent.follow(connectionId);
  }
}
