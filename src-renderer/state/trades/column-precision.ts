/** Widths and decimals of the trade log's columns, derived from the loaded rows. They only grow. */
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';

/** Decimal columns, and the field whose values share a scale: the contract, or the fee's coin. */
const SCALED = {
  price: 'symbol',
  executedQty: 'symbol',
  executedQuoteQty: 'symbol',
  fee: 'feeAsset',
} as const satisfies Partial<Record<keyof Trade, keyof Trade>>;
export type ScaledColumn = keyof typeof SCALED;
const SCALED_COLUMNS = Object.keys(SCALED) as readonly ScaledColumn[];

/** Columns that are as wide as their longest text. */
const PLAIN = ['symbol', 'feeAsset', 'orderId', 'tradeId', 'liquidity', 'side', 'offset'] as const;
export type PlainColumn = (typeof PLAIN)[number];

interface Size {
  /** Characters of the sign and the integer part. */
  readonly whole: number;
  readonly decimals: number;
}
const NOTHING: Size = { whole: 0, decimals: 0 };

export class TradeScales {
  readonly #sizes = new Map<ScaledColumn, Map<string, Size>>();
  readonly #lengths = new Map<PlainColumn, number>();
  /** Counts the changes: while it stays equal, nothing needs a new layout. */
  grown = 0;

  learn(rows: readonly Trade[]): void {
    for (const row of rows) {
      for (const column of SCALED_COLUMNS) this.#measure(column, row[SCALED[column]], row[column] ?? '0');
      for (const column of PLAIN) {
        const { length } = String(row[column]);
        if (length <= (this.#lengths.get(column) ?? 0)) continue;
        this.#lengths.set(column, length);
        this.grown++;
      }
    }
  }

  #measure(column: ScaledColumn, group: string, text: string): void {
    const point = text.indexOf('.');
    const whole = point < 0 ? text.length : point;
    const decimals = point < 0 ? 0 : text.length - point - 1;
    const groups = this.#sizes.get(column) ?? new Map<string, Size>();
    const before = groups.get(group) ?? NOTHING;
    if (whole <= before.whole && decimals <= before.decimals) return;
    groups.set(group, {
      whole: Math.max(whole, before.whole),
      decimals: Math.max(decimals, before.decimals),
    });
    this.#sizes.set(column, groups);
    this.grown++;
  }

  /** Returns how many decimals a column shows for this row's contract or coin. */
  decimals(column: ScaledColumn, row: Trade): number {
    return this.#sizes.get(column)?.get(row[SCALED[column]])?.decimals ?? 0;
  }
  /** Returns the longest number of each contract or coin in a column. */
  sizes(column: ScaledColumn): readonly (readonly [group: string, size: Size])[] {
    return [...(this.#sizes.get(column) ?? [])];
  }
  /** Returns the length of the column's longest text in characters. */
  length(column: PlainColumn): number {
    return this.#lengths.get(column) ?? 0;
  }

  forget(): void {
    this.#sizes.clear();
    this.#lengths.clear();
    this.grown++;
  }
}
