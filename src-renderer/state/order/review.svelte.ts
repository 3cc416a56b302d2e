import type { Calls } from '../../bridge.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type { IntentRecord, OrderIntent, OrderReview } from '../../../src-shared/ipc/orders.ts';
import type { OrderCheck } from '../../../src-shared/domain/order/check.ts';
import type { OrderPreview } from '../../../src-shared/domain/order/preview.ts';
import type { TradingContext } from './trading-context.ts';
import { changeSince, type ReviewSnapshot, reviewSnapshotOf } from './review-snapshot.ts';

/** What the sheet shows for confirmation. */
export interface ReviewQuestion {
  readonly intent: OrderIntent;
  readonly preview: OrderPreview | null;
  readonly checks: readonly OrderCheck[];
  /** Statements that need a tick before it may be sent. */
  readonly ticks: readonly string[];
  /** Text that has to be typed, and why. A hold's symbol is required in addition. */
  readonly typed: { readonly word: string; readonly why: string } | null;
  /** Where the exchange's rejection is shown. */
  readonly refusedAt: 'ticket' | 'sheet';
  /** Returns the same question for the current state; null when it no longer applies. */
  readonly again: () => ReviewQuestion | null;
  /** Called when the order has an outcome. */
  readonly settled: (record: IntentRecord) => void;
}

type Phase = 'open' | 'sending' | 'settled';

/** The confirmation of an order: requests a token, sends once, shows the outcome. */
export class Review {
  question = $state.raw<ReviewQuestion | null>(null);
  reviewed = $state.raw<OrderReview | null>(null);
  phase = $state.raw<Phase>('open');
  /** Waiting for the token from main. */
  asking = $state.raw(false);
  outcome = $state.raw<IntentRecord | null>(null);
  /** Why sending failed. */
  failure = $state.raw<Failure | null>(null);
  /** Intents whose rejection the ticket shows. */
  #refused = $state.raw<ReadonlySet<string>>(new Set());
  #snapshot = $state.raw<ReviewSnapshot | null>(null);
  readonly #calls: Calls;
  readonly #context: TradingContext;

  constructor(calls: Calls, context: TradingContext) {
    this.#calls = calls;
    this.#context = context;
  }

  readonly shown: boolean = $derived(this.question !== null);
  readonly expired: boolean = $derived.by(
    () =>
      this.phase === 'open' && this.reviewed !== null && this.#context.clock.now >= this.reviewed.expiresAt,
  );

  /** Whether the order's sheet or the ticket already shows its outcome, so that no toast is needed. */
  covers(record: IntentRecord): boolean {
    if (this.#refused.has(record.id)) return true;
    if (this.question === null) return false;
    if (this.outcome !== null) return this.outcome.id === record.id;
    // While sending, the journal has its id before the reply arrives.
    return this.phase === 'sending' && record.body === this.reviewed?.body;
  }

  /** What changed since the review, as a sentence; null when nothing relevant did. */
  readonly changed: string | null = $derived.by(() => {
    const snapshot = this.#snapshot;
    if (snapshot === null || this.question === null || this.phase !== 'open') return null;
    return changeSince(snapshot, reviewSnapshotOf(this.#context, this.question.intent.request.symbolId));
  });

  /** Requests a token from main. Returns the failure, or null when the sheet is open. */
  async ask(question: ReviewQuestion): Promise<Failure | null> {
    if (this.asking || this.phase === 'sending') return null;
    this.asking = true;
    const review = await this.#calls.call('orders.review', question.intent);
    this.asking = false;
    if (!review.ok) return review.failure;
    this.question = question;
    this.reviewed = review.data;
    this.#snapshot = reviewSnapshotOf(this.#context, question.intent.request.symbolId);
    this.phase = 'open';
    this.outcome = null;
    this.failure = null;
    return null;
  }

  /** Sends once. The phase changes synchronously, so a second press has no effect. */
  async send(release: string | null): Promise<void> {
    const { question, reviewed } = this;
    if (question === null || reviewed === null || this.phase !== 'open') return;
    if (this.expired || this.changed !== null) return;
    this.phase = 'sending';
    const sent = await this.#calls.call('orders.send', { token: reviewed.token, release });
    this.phase = 'settled';
    if (!sent.ok) {
      this.failure = sent.failure;
      return;
    }
    this.outcome = sent.data;
    question.settled(sent.data);
    if (sent.data.state !== 'rejected' || question.refusedAt !== 'ticket') return;
    this.#refused = new Set([...this.#refused, sent.data.id]);
    this.#forget();
  }

  /** Reviews again after a change, an expiry or a rejection. */
  async again(): Promise<void> {
    const question = this.question?.again() ?? null;
    this.close();
    if (question === null) return;
    const failure = await this.ask(question);
    if (failure === null) return;
    this.question = question;
    this.failure = failure;
    this.phase = 'settled';
  }

  /** Closes the sheet and discards the token. Has no effect while sending. */
  close(): void {
    if (this.phase === 'sending') return;
    if (this.phase === 'open' && this.reviewed !== null) {
      void this.#calls.call('orders.discard', { token: this.reviewed.token });
    }
    this.#forget();
  }

  #forget(): void {
    this.question = null;
    this.reviewed = null;
    this.#snapshot = null;
    this.outcome = null;
    this.failure = null;
    this.phase = 'open';
  }
}
