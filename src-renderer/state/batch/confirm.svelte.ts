import type { Calls } from '../../bridge.ts';
import type { BatchProgress, BatchReview } from '../../../src-shared/ipc/batch.ts';
import { absolute, calculated, isNegative, print } from '../../../src-shared/amount.ts';
import type { BatchAccount } from '../../../src-shared/domain/batch/account-after.ts';
import { highestRatios, leastDistances } from './positions-after.ts';
import type { BatchDraft, SendRow } from './draft.svelte.ts';
import type { TradingContext } from '../order/trading-context.ts';
import { Confirmation, type RequiredConfirmations } from '../order/confirmation.svelte.ts';
import { isAboveLimit, isUnpriced, nearTicks, ratioTicks } from '../order/confirmations.ts';
import { moneyIn } from '../../text/estimate-text.ts';

/** What the sheet shows for confirmation. */
export interface BatchQuestion extends RequiredConfirmations {
  readonly connectionId: string;
  readonly rows: readonly SendRow[];
  readonly callSize: number;
  readonly account: BatchAccount | null;
}

type Started = (progress: BatchProgress, rows: readonly SendRow[]) => void;

/** The confirmation of a batch: one token for all its calls. */
export class BatchConfirm extends Confirmation<BatchQuestion, BatchReview> {
  readonly #draft: BatchDraft;
  readonly #started: Started;

  constructor(calls: Calls, context: TradingContext, draft: BatchDraft, started: Started) {
    super(calls, context);
    this.#draft = draft;
    this.#started = started;
  }

  /** Requests a token from main. Faults of rows are shown at the rows. */
  async ask(callSize: number): Promise<void> {
    const connectionId = this.context.session.activeId;
    const rows = this.#draft.sending;
    if (connectionId === null || this.isRequesting || this.phase === 'sending' || rows.length === 0) return;
    this.failure = null;
    const { account } = this.#draft;
    const result = await this.requested(
      this.calls.call('orders.reviewBatch', {
        connectionId,
        callSize,
        rows: rows.map(({ checked }) => ({ request: checked.request, reference: checked.reference })),
      }),
      (one) => ('review' in one ? one.review : null),
    );
    if (result === null) return;
    if (!result.ok) {
      this.failure = result.failure;
      return;
    }
    if ('faults' in result.data) {
      this.#draft.block(rows, result.data.faults);
      return;
    }
    const confirmations = { ticks: ticksOf(rows, account, this.context.specs), typed: typedOf(rows) };
    const symbols = new Set(rows.map(({ checked }) => checked.request.symbolId));
    this.show({ connectionId, rows, callSize, account, ...confirmations }, result.data.review, [...symbols]);
  }

  async send(release: readonly string[]): Promise<void> {
    const rows = this.question?.rows ?? [];
    await this.sendBy(
      (token) => this.calls.call('orders.sendBatch', { token, release: [...release] }),
      (progress) => {
        this.#started(progress, rows);
        this.forget();
      },
    );
  }

  async again(): Promise<void> {
    const callSize = this.question?.callSize;
    this.close();
    if (callSize !== undefined) await this.ask(callSize);
  }

  protected override changeText(symbolId: string, change: string): string {
    return `${symbolId}: ${change}`;
  }
}

function typedOf(rows: readonly SendRow[]): BatchQuestion['typed'] {
  const above = rows.flatMap(({ checked }) => checked.checks).find(isAboveLimit);
  return above === undefined ? null : { word: String(rows.length), why: above.message };
}

function ticksOf(
  rows: readonly SendRow[],
  account: BatchAccount | null,
  specs: TradingContext['specs'],
): string[] {
  const ticks: string[] = [];
  for (const { coin, after, otherPositions, tiers } of account?.coins ?? []) {
    for (const { symbolId, from, to } of tiers) {
      if (to > from) ticks.push(`I accept tier ${to} for ${symbolId}, up from tier ${from}`);
    }
    ticks.push(...ratioTicks(after.marginRatio.after.value, ` in ${coin}`));
    const positions = [...after.positions, ...otherPositions];
    for (const [symbolId, ratio] of highestRatios(positions))
      ticks.push(...ratioTicks(print(ratio), ` for ${symbolId}`));
    for (const [symbolId, left] of leastDistances(positions, specs))
      ticks.push(...nearTicks(print(left), ` of ${symbolId}`));
    const free = after.freeMargin.after.value;
    if (free !== null && isNegative(calculated(free))) {
      const short = moneyIn(print(absolute(calculated(free))), coin);
      ticks.push(`The balance does not cover all orders: ≈ ${short} ${coin} short. Orders may be rejected`);
    }
  }
  const unpriced = rows.filter(({ checked }) => checked.checks.some(isUnpriced));
  if (unpriced.length > 0) {
    const symbols = [...new Set(unpriced.map(({ checked }) => checked.request.symbolId))];
    ticks.push(`No fresh price for ${symbols.join(', ')}: its distance from the market is not checked`);
  }
  return ticks;
}
