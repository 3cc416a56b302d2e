import type { Calls } from '../../bridge.ts';
import type { BatchProgress, BatchReview } from '../../../src-shared/ipc/batch.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import { absolute, calculated, isNegative, printFixed } from '../../../src-shared/amount.ts';
import type { BatchAccount } from '../../../src-shared/domain/batch/account-after.ts';
import { gradeOf } from '../../../src-shared/domain/margin/severity.ts';
import type { BatchDraft, SendRow } from './draft.svelte.ts';
import type { TradingContext } from '../order/trading-context.ts';
import { changeSince, type ReviewSnapshot, reviewSnapshotOf } from '../order/review-snapshot.ts';
import { percentText } from '../../text/estimate-text.ts';

/** What the sheet shows for confirmation. */
export interface BatchQuestion {
  readonly connectionId: string;
  readonly rows: readonly SendRow[];
  readonly callSize: number;
  readonly account: BatchAccount | null;
  /** Statements that need a tick before it may be sent. */
  readonly ticks: readonly string[];
  /** Text that has to be typed, and why. */
  readonly typed: { readonly word: string; readonly why: string } | null;
}

type Phase = 'open' | 'sending' | 'refused';

/** The confirmation of a batch: one token for all its calls, sent once. */
export class BatchConfirm {
  question = $state.raw<BatchQuestion | null>(null);
  reviewed = $state.raw<BatchReview | null>(null);
  phase = $state.raw<Phase>('open');
  /** Waiting for the token from main. */
  asking = $state.raw(false);
  /** Why it was not sent, or not reviewed. */
  failure = $state.raw<Failure | null>(null);
  #snapshot = $state.raw<ReadonlyMap<string, ReviewSnapshot>>(new Map());
  readonly #calls: Calls;
  readonly #context: TradingContext;
  readonly #draft: BatchDraft;
  readonly #started: (progress: BatchProgress, rows: readonly SendRow[]) => void;

  constructor(
    calls: Calls,
    context: TradingContext,
    draft: BatchDraft,
    started: (progress: BatchProgress, rows: readonly SendRow[]) => void,
  ) {
    this.#calls = calls;
    this.#context = context;
    this.#draft = draft;
    this.#started = started;
  }

  readonly shown: boolean = $derived(this.question !== null);
  readonly expired: boolean = $derived.by(
    () =>
      this.phase === 'open' && this.reviewed !== null && this.#context.clock.now >= this.reviewed.expiresAt,
  );
  /** What changed since the review, as a sentence; null when nothing relevant did. */
  readonly changed: string | null = $derived.by(() => {
    if (this.question === null || this.phase !== 'open') return null;
    for (const [symbolId, snapshot] of this.#snapshot) {
      const change = changeSince(snapshot, reviewSnapshotOf(this.#context, symbolId));
      if (change !== null) return `${symbolId}: ${change}`;
    }
    return null;
  });

  /** Requests a token from main. Faults of rows are shown at the rows. */
  async ask(callSize: number): Promise<void> {
    const connectionId = this.#context.session.activeId;
    const rows = this.#draft.sending;
    if (connectionId === null || this.asking || this.phase === 'sending' || rows.length === 0) return;
    this.asking = true;
    this.failure = null;
    const { account } = this.#draft;
    const result = await this.#calls.call('orders.reviewBatch', {
      connectionId,
      callSize,
      rows: rows.map(({ judged }) => ({ request: judged.request, reference: judged.reference })),
    });
    this.asking = false;
    if (connectionId !== this.#context.session.activeId) return;
    if (!result.ok) {
      this.failure = result.failure;
      return;
    }
    if ('faults' in result.data) {
      this.#draft.refuse(rows, result.data.faults);
      return;
    }
    this.question = {
      connectionId,
      rows,
      callSize,
      account,
      ticks: ticksOf(rows, account),
      typed: typedOf(rows),
    };
    this.reviewed = result.data.review;
    const symbols = new Set(rows.map(({ judged }) => judged.request.symbolId));
    this.#snapshot = new Map(
      [...symbols].map((symbolId) => [symbolId, reviewSnapshotOf(this.#context, symbolId)]),
    );
    this.phase = 'open';
  }

  /** Sends once. The phase changes synchronously, so a second press has no effect. */
  async send(release: readonly string[]): Promise<void> {
    const { question, reviewed } = this;
    if (question === null || reviewed === null || this.phase !== 'open') return;
    if (this.expired || this.changed !== null) return;
    this.phase = 'sending';
    const sent = await this.#calls.call('orders.sendBatch', { token: reviewed.token, release: [...release] });
    if (!sent.ok) {
      this.phase = 'refused';
      this.failure = sent.failure;
      return;
    }
    this.#started(sent.data, question.rows);
    this.#forget();
  }

  async again(): Promise<void> {
    const callSize = this.question?.callSize;
    this.close();
    if (callSize !== undefined) await this.ask(callSize);
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
    this.failure = null;
    this.phase = 'open';
  }
}

function typedOf(rows: readonly SendRow[]): BatchQuestion['typed'] {
  const above = rows.flatMap(({ judged }) =>
    judged.checks.filter((check) => check.id.startsWith('limit-n') && check.state === 'warn'),
  );
  return above[0] === undefined ? null : { word: String(rows.length), why: above[0].message };
}

function ticksOf(rows: readonly SendRow[], account: BatchAccount | null): string[] {
  const ticks: string[] = [];
  for (const { coin, after, tiers } of account?.coins ?? []) {
    for (const { symbolId, from, to } of tiers) {
      if (to > from) ticks.push(`I accept tier ${to} for ${symbolId}, up from tier ${from}`);
    }
    const ratio = after.marginRatio.after.value;
    if (ratio !== null && gradeOf(calculated(ratio)) !== 'healthy') {
      ticks.push(
        `I accept a margin ratio of ≈ ${percentText(ratio, 1)} in ${coin}; at 100% the account is liquidated`,
      );
    }
    const free = after.freeMargin.after.value;
    if (free !== null && isNegative(calculated(free))) {
      const short = printFixed(absolute(calculated(free)), 2);
      ticks.push(`The balance does not cover all orders: ≈ ${short} ${coin} short. Orders may be rejected`);
    }
  }
  const unpriced = rows.filter(({ judged }) =>
    judged.checks.some((check) => check.id === 'limit-reference' && check.state === 'warn'),
  );
  if (unpriced.length > 0) {
    const symbols = [...new Set(unpriced.map(({ judged }) => judged.request.symbolId))];
    ticks.push(`No fresh price for ${symbols.join(', ')}: its distance from the market is not checked`);
  }
  return ticks;
}
