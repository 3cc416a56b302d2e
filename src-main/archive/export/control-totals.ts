/** What a file of trades adds up to, counted while it is written, beside what the archive says of the same filter. */
import { add, amount, compareText, print, ZERO, type Amount } from '../../../src-shared/amount.ts';
import type { AssetSum, Reconciliation } from '../../../src-shared/ipc/exports.ts';
import type { TradeTotals } from '../../../src-shared/ipc/trades.ts';

export interface Tally {
  readonly fee: (coin: string, text: string) => void;
  readonly profit: (coin: string, text: string) => void;
  trades: number;
  free: number;
  /** Trades whose fee, and orders whose profit, was not given or cannot be read. */
  unreadFees: number;
  unreadProfits: number;
  uncovered: number;
  /** null: profit cannot be told for this filter. */
  open: number | null;
  /** `totals`: the archive's own, of the moment the file was begun. */
  result(totals: TradeTotals): Reconciliation;
}

/** `summed`: each fee was handed in, so the sums are those of the file; otherwise only its rows were counted. */
export function createTally(summed: boolean): Tally {
  const fees = new Map<string, Amount>();
  const profits = new Map<string, Amount>();
  let orders = 0;
  const count = (sums: Map<string, Amount>, coin: string, text: string): void => {
    sums.set(coin, add(sums.get(coin) ?? ZERO, amount(text)));
  };
  const listed = (sums: Map<string, Amount>): AssetSum[] =>
    [...sums].map(([asset, value]) => ({ asset, amount: print(value) }));

  const tally: Tally = {
    trades: 0,
    free: 0,
    unreadFees: 0,
    unreadProfits: 0,
    uncovered: 0,
    open: null,
    fee: (coin, text) => count(fees, coin, text),
    profit(coin, text) {
      orders += 1;
      count(profits, coin, text);
    },
    result(totals) {
      const written = summed ? listed(fees) : totals.fees;
      return {
        trades: tally.trades,
        fees: written,
        agrees: tally.trades === totals.count && sameSums(written, totals.fees),
        profit:
          tally.open === null
            ? null
            : {
                orders,
                sums: listed(profits),
                uncovered: tally.uncovered,
                open: tally.open,
                unread: tally.unreadProfits,
              },
        free: tally.free,
        unreadFees: tally.unreadFees,
      };
    },
  };
  return tally;
}

function sameSums(a: readonly AssetSum[], b: readonly AssetSum[]): boolean {
  const amountIn = (list: readonly AssetSum[], asset: string): string =>
    list.find((one) => one.asset === asset)?.amount ?? '0';
  return [...a, ...b].every(({ asset }) => compareText(amountIn(a, asset), amountIn(b, asset)) === 0);
}
