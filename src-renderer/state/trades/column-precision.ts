/** How wide and how precise the trade log's columns are: derived from the loaded rows, growing only. */
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';

/** Columns of decimals, and whose scale they share: a contract's, or a coin's. */
export const SCALED = {
  price: 'symbol',
  executedQty: 'symbol',
  executedQuoteQty: 'symbol',
  fee: 'feeAsset',
} as const satisfies Partial<Record<keyof Trade, keyof Trade>>;
export type ScaledColumn = keyof typeof SCALED;
const SCALED_COLUMNS = Object.keys(SCALED) as readonly ScaledColumn[];

/** Columns whose room is their longest text. */
const PLAIN = ['symbol', 'feeAsset', 'orderId', 'tradeId', 'liquidity', 'side', 'offset'] as const;
export type PlainColumn = (typeof PLAIN)[number];

interface Size {
  /** Characters of sign and whole part. */
  readonly whole: number;
  readonly decimals: number;
}
const NOTHING: Size = { whole: 0, decimals: 0 };

export class TradeScales {
  readonly #sizes = new Map<ScaledColumn, Map<string, Size>>();
  readonly #lengths = new Map<PlainColumn, number>();
  /** Counts the growths: equal means that nothing has to be laid out again. */
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

  /** Decimals a column pads to in a row of this contract or coin. */
  decimals(column: ScaledColumn, row: Trade): number {
    return this.#sizes.get(column)?.get(row[SCALED[column]])?.decimals ?? 0;
  }
  /** Of each contract or coin in a column: the longest number once padded. */
  sizes(column: ScaledColumn): readonly Size[] {
    return [...(this.#sizes.get(column)?.values() ?? [])];
  }
  /** Characters of the longest text. */
  length(column: PlainColumn): number {
    return this.#lengths.get(column) ?? 0;
  }

  forget(): void {
    this.#sizes.clear();
    this.#lengths.clear();
    this.grown++;
  }
}
