import type { OrderState } from '../../../src-shared/domain/reconcile/lifecycle.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type { IntentRecord, OrderIntent, OrderReview } from '../../../src-shared/ipc/orders.ts';
import type { OrderCheck } from '../../../src-shared/domain/order/check.ts';
import type { OrderPreview } from '../../../src-shared/domain/order/preview.ts';
import { Confirmation, type RequiredConfirmations } from './confirmation.svelte.ts';

/** What the sheet shows for confirmation. A hold's symbol has to be typed in addition. */
export interface ReviewQuestion extends RequiredConfirmations {
  readonly intent: OrderIntent;
  readonly preview: OrderPreview | null;
  readonly checks: readonly OrderCheck[];
  /** Where the exchange's rejection is shown. */
  readonly rejectionShownIn: 'ticket' | 'sheet';
  /** Returns the same question for the current state; null when it no longer applies. */
  readonly again: () => ReviewQuestion | null;
  /** Called when the order has an outcome. */
  readonly onOutcome: (record: IntentRecord) => void;
}

const IN_FLIGHT: ReadonlySet<OrderState> = new Set(['recorded', 'sending']);

/** The confirmation of an order, which shows its outcome. */
export class Review extends Confirmation<ReviewQuestion, OrderReview> {
  outcome = $state.raw<IntentRecord | null>(null);
  #sentId = $state.raw<string | null>(null);
  /** Intents whose rejection the ticket shows. */
  #shownInTicket = $state.raw<ReadonlySet<string>>(new Set());

  /** The intent whose reply is awaited; null before it is recorded, and once the outcome is known. */
  readonly sentId: string | null = $derived(this.phase === 'sending' ? this.#sentId : null);

  /** Whether the order's sheet or the ticket already shows its outcome, so that no toast is needed. */
  covers(record: IntentRecord): boolean {
    if (this.#shownInTicket.has(record.id)) return true;
    if (this.question === null) return false;
    if (this.outcome !== null) return this.outcome.id === record.id;
    // While sending, the journal has its id before the reply arrives.
    return this.phase === 'sending' && record.body === this.reviewed?.body;
  }

  /** Takes note of the order's record: in the journal before the reply, among others of the same bytes. */
  follow(record: IntentRecord): void {
    if (this.phase === 'sending' && IN_FLIGHT.has(record.state) && this.covers(record))
      this.#sentId = record.id;
  }

  /** Requests a token from main. Returns the failure, or null when the sheet is open or the request was withdrawn. */
  async ask(question: ReviewQuestion): Promise<Failure | null> {
    if (this.isRequesting || this.phase === 'sending') return null;
    const review = await this.requested(this.calls.call('orders.review', question.intent), (one) => one);
    if (review === null) return null;
    if (!review.ok) return review.failure;
    this.outcome = null;
    this.#sentId = null;
    this.show(question, review.data, [question.intent.request.symbolId]);
    return null;
  }

  async send(release: string | null): Promise<void> {
    const { question } = this;
    await this.sendBy(
      (token) => this.calls.call('orders.send', { token, release }),
      (record) => {
        this.outcome = record;
        question?.onOutcome(record);
        if (record.state !== 'rejected' || question?.rejectionShownIn !== 'ticket') return;
        this.#shownInTicket = new Set([...this.#shownInTicket, record.id]);
        this.forget();
      },
    );
  }

  async again(): Promise<void> {
    const question = this.question?.again() ?? null;
    this.close();
    if (question === null) return;
    const failure = await this.ask(question);
    if (failure === null) return;
    this.question = question;
    this.failure = failure;
    this.phase = 'ended';
  }

  protected override forget(): void {
    super.forget();
    this.outcome = null;
  }
}
