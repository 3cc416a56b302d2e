/** Control totals of an exported file, counted while it is written and compared with the archive's totals. */
import { calculated, equal, type Amount } from '../../../src-shared/amount.ts';
import type { AssetAmount } from '../../../src-shared/domain/history/trade-stats.ts';
import type { ControlTotals } from '../../../src-shared/ipc/exports.ts';
import type { TradeTotals } from '../../../src-shared/ipc/trades.ts';
import { AssetSums } from '../lib/decimal-sum.ts';

export class ControlTotalsBuilder {
  trades = 0;
  free = 0;
  /** Trades whose fee, and orders whose profit, is missing or unreadable. */
  unreadFees = 0;
  unreadProfits = 0;
  uncovered = 0;
  /** null if this filter has no PnL. */
  open: number | null = null;
  readonly #summed: boolean;
  readonly #fees = new AssetSums();
  readonly #profits = new AssetSums();
  #orders = 0;

  /** @param summed whether every fee is passed in; otherwise only rows are counted */
  constructor(summed: boolean) {
    this.#summed = summed;
  }

  fee(coin: string, text: string): void {
    this.#fees.add(coin, text);
  }

  profit(coin: string, text: string): void {
    this.#orders += 1;
    this.#profits.add(coin, text);
  }

  /** Compares with `totals`, the archive's when the export began. */
  result(totals: TradeTotals): ControlTotals {
    const { trades, free, open, uncovered, unreadFees, unreadProfits: unread } = this;
    const fees = this.#summed ? this.#fees.list() : totals.fees;
    const sums = this.#profits.list();
    return {
      trades,
      fees,
      free,
      unreadFees,
      agrees: trades === totals.count && sameSums(fees, totals.fees),
      profit: open === null ? null : { orders: this.#orders, sums, uncovered, open, unread },
    };
  }
}

function sameSums(a: readonly AssetAmount[], b: readonly AssetAmount[]): boolean {
  const amountIn = (list: readonly AssetAmount[], asset: string): Amount =>
    calculated(list.find((one) => one.asset === asset)?.amount ?? '0');
  return [...a, ...b].every(({ asset }) => equal(amountIn(a, asset), amountIn(b, asset)));
}
