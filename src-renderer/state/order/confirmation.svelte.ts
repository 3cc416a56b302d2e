import type { Calls } from '../../bridge.ts';
import type { Failure, Result } from '../../../src-shared/ipc/failures.ts';
import type { TradingContext } from './trading-context.ts';
import { changeSince, type ReviewSnapshot, reviewSnapshotOf } from './review-snapshot.ts';

/** What the user has to confirm before Send. */
export interface RequiredConfirmations {
  /** Statements that need a tick. */
  readonly ticks: readonly string[];
  /** Text that has to be typed, and why. */
  readonly typed: { readonly word: string; readonly why: string } | null;
}

interface Reviewed {
  readonly token: string;
  readonly expiresAt: number;
}

type Phase = 'open' | 'sending' | 'ended';

/** One confirmation, of an order or a batch: a token from main, good for one send while nothing changes. */
export abstract class Confirmation<
  Q extends RequiredConfirmations = RequiredConfirmations,
  R extends Reviewed = Reviewed,
> {
  question = $state.raw<Q | null>(null);
  reviewed = $state.raw<R | null>(null);
  phase = $state.raw<Phase>('open');
  /** Waiting for the token from main. */
  isRequesting = $state.raw(false);
  /** Why it was not sent. */
  failure = $state.raw<Failure | null>(null);
  /** Position and price of each symbol at the review. */
  #snapshot = $state.raw<ReadonlyMap<string, ReviewSnapshot>>(new Map());
  /** Number of the current request; closing increments it, so that a late reply opens nothing. */
  #requestId = 0;
  protected readonly calls: Calls;
  protected readonly context: TradingContext;

  constructor(calls: Calls, context: TradingContext) {
    this.calls = calls;
    this.context = context;
  }

  readonly shown: boolean = $derived(this.question !== null);
  readonly expired: boolean = $derived.by(
    () =>
      this.phase === 'open' && this.reviewed !== null && this.context.clock.now >= this.reviewed.expiresAt,
  );
  /** What changed since the review, as a sentence; null when nothing relevant did. */
  readonly changed: string | null = $derived.by(() => {
    if (this.question === null || this.phase !== 'open') return null;
    for (const [symbolId, snapshot] of this.#snapshot) {
      const change = changeSince(snapshot, reviewSnapshotOf(this.context, symbolId));
      if (change !== null) return this.changeText(symbolId, change);
    }
    return null;
  });

  /** Reviews again after a change, an expiry or a rejection. */
  abstract again(): Promise<void>;

  /** Closes the sheet and discards its token, or withdraws the request for one. Has no effect while sending. */
  close(): void {
    if (this.phase === 'sending') return;
    this.#requestId++;
    this.isRequesting = false;
    if (this.phase === 'open') this.#discard(this.reviewed);
    this.forget();
  }

  /** Returns the reply to a request for a token; null, and the token is discarded, if it was withdrawn meanwhile. */
  protected async requested<T>(
    request: Promise<Result<T>>,
    reviewOf: (data: T) => R | null,
  ): Promise<Result<T> | null> {
    const requestId = ++this.#requestId;
    this.isRequesting = true;
    const result = await request;
    if (requestId !== this.#requestId) {
      if (result.ok) this.#discard(reviewOf(result.data));
      return null;
    }
    this.isRequesting = false;
    return result;
  }

  #discard(reviewed: R | null): void {
    if (reviewed !== null) void this.calls.call('orders.discard', { token: reviewed.token });
  }

  protected changeText(_symbolId: string, change: string): string {
    return change;
  }

  /** Opens the sheet. */
  protected show(question: Q, reviewed: R, symbolIds: readonly string[]): void {
    this.question = question;
    this.reviewed = reviewed;
    this.#snapshot = new Map(symbolIds.map((id) => [id, reviewSnapshotOf(this.context, id)]));
    this.phase = 'open';
    this.failure = null;
  }

  /** Sends once. The phase changes synchronously, so a second press has no effect. */
  protected async sendBy<T>(
    send: (token: string) => Promise<Result<T>>,
    sent: (data: T) => void,
  ): Promise<void> {
    const { reviewed } = this;
    if (this.question === null || reviewed === null || this.phase !== 'open') return;
    if (this.expired || this.changed !== null) return;
    this.phase = 'sending';
    const result = await send(reviewed.token);
    this.phase = 'ended';
    if (result.ok) sent(result.data);
    else this.failure = result.failure;
  }

  protected forget(): void {
    this.question = null;
    this.reviewed = null;
    this.#snapshot = new Map();
    this.failure = null;
    this.phase = 'open';
  }
}
