/** Control totals of an exported file, counted while it is written and compared with the archive's totals. */
import { add, amount, compareText, print, ZERO, type Amount } from '../../../src-shared/amount.ts';
import type { AssetSum, Reconciliation } from '../../../src-shared/ipc/exports.ts';
import type { TradeTotals } from '../../../src-shared/ipc/trades.ts';

export interface ControlTotals {
  readonly fee: (coin: string, text: string) => void;
  readonly profit: (coin: string, text: string) => void;
  trades: number;
  free: number;
  /** Trades whose fee, and orders whose profit, is missing or unreadable. */
  unreadFees: number;
  unreadProfits: number;
  uncovered: number;
  /** null if this filter has no PnL. */
  open: number | null;
  /** Compares with `totals`, the archive's when the export began. */
  result(totals: TradeTotals): Reconciliation;
}

/** `summed`: whether every fee is passed in; otherwise only rows are counted. */
export function createControlTotals(summed: boolean): ControlTotals {
  const fees = new Map<string, Amount>();
  const profits = new Map<string, Amount>();
  let orders = 0;
  const count = (sums: Map<string, Amount>, coin: string, text: string): void => {
    sums.set(coin, add(sums.get(coin) ?? ZERO, amount(text)));
  };
  const listed = (sums: Map<string, Amount>): AssetSum[] =>
    [...sums].map(([asset, value]) => ({ asset, amount: print(value) }));

  const control: ControlTotals = {
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
        trades: control.trades,
        fees: written,
        agrees: control.trades === totals.count && sameSums(written, totals.fees),
        profit:
          control.open === null
            ? null
            : {
                orders,
                sums: listed(profits),
                uncovered: control.uncovered,
                open: control.open,
                unread: control.unreadProfits,
              },
        free: control.free,
        unreadFees: control.unreadFees,
      };
    },
  };
  return control;
}

function sameSums(a: readonly AssetSum[], b: readonly AssetSum[]): boolean {
  const amountIn = (list: readonly AssetSum[], asset: string): string =>
    list.find((one) => one.asset === asset)?.amount ?? '0';
  return [...a, ...b].every(({ asset }) => compareText(amountIn(a, asset), amountIn(b, asset)) === 0);
}
