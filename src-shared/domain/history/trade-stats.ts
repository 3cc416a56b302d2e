/**
 * Derives metrics from a filter's totals: average prices, volume, net cash flow. Only equal units are
 * added, and excluded symbols are listed. Money as decimal text.
 */
import { add, calculated, print, subtract, ZERO } from '../../amount.ts';
import { byText } from '../../by-text.ts';
import { averagePriceOf, basisPointsOf } from '../numeric/quotient.ts';

/** Exact totals of a filter from the archive. */
export interface Totals {
  readonly count: number;
  /** Trades the exchange marks MAKER. */
  readonly makers: number;
  /** Trades of an unknown side, which are neither bought nor sold. */
  readonly unsided: number;
  /** Per symbol, bought and sold, as base quantity and quote quantity. */
  readonly symbols: readonly SymbolTotals[];
  readonly fees: readonly AssetAmount[];
}
interface SymbolTotals {
  readonly symbol: string;
  readonly boughtQty: string;
  readonly boughtQuote: string;
  readonly soldQty: string;
  readonly soldQuote: string;
}
export interface AssetAmount {
  readonly asset: string;
  readonly amount: string;
}

/** Coins and kind of a trade's symbol, without which its values cannot be summed. */
export interface TradedCoins {
  readonly base: string;
  readonly quote: string;
  /** Margined and settled in the quote coin. */
  readonly linear: boolean;
}

/** Sums of one quote coin. */
export interface QuoteSums {
  readonly quote: string;
  readonly bought: string;
  readonly sold: string;
  readonly volume: string;
}

export interface TradeFigures {
  /** Settlement coins first. */
  readonly sums: readonly QuoteSums[];
  /** Symbols without a known contract, excluded from the sums since their quote coin is unknown. */
  readonly unmatched: readonly string[];
  /** Only for a single symbol: quantities of two symbols have no common unit. */
  readonly single: {
    readonly symbol: string;
    readonly base: string | null;
    readonly boughtQty: string;
    readonly soldQty: string;
    readonly volumeQty: string;
    /** Quote ÷ base, rounded; computed by Ballast. */
    readonly boughtAverage: string | null;
    readonly soldAverage: string | null;
  } | null;
  /** Coins of the sums first. */
  readonly fees: readonly AssetAmount[];
  /** Fees ÷ volume × 10,000, rounded; only if both are in one coin. */
  readonly feeBasisPoints: string | null;
  readonly cash: CashFlow;
}

/** Sold − bought − fees in one quote coin, or why there is none. */
export type CashFlow =
  | {
      readonly value: string;
      readonly quote: string;
      /** Fees in other coins, which are excluded. */
      readonly leftOut: readonly AssetAmount[];
    }
  | { readonly value: null; readonly reason: string };

const plus = (a: string, b: string): string => print(add(calculated(a), calculated(b)));

/** Computes the metrics. `coinsOf` returns null for a symbol without a contract. */
export function tradeFigures(totals: Totals, coinsOf: (symbol: string) => TradedCoins | null): TradeFigures {
  const sums = new Map<string, QuoteSums>();
  const unmatched: string[] = [];
  for (const one of totals.symbols) {
    const quote = coinsOf(one.symbol)?.quote;
    if (quote === undefined) {
      unmatched.push(one.symbol);
      continue;
    }
    const before = sums.get(quote) ?? { quote, bought: '0', sold: '0', volume: '0' };
    const bought = plus(before.bought, one.boughtQuote);
    const sold = plus(before.sold, one.soldQuote);
    sums.set(quote, { quote, bought, sold, volume: plus(bought, sold) });
  }
  const settlementCoins = new Set(
    totals.symbols.flatMap(({ symbol }) => {
      const coins = coinsOf(symbol);
      return coins?.linear === true ? [coins.quote] : [];
    }),
  );
  const place = (coin: string): string => `${settlementCoins.has(coin) ? 0 : 1} ${coin}`;
  const ordered = [...sums.values()].sort(byText(({ quote }) => place(quote)));
  const fees = totals.fees.toSorted(byText(({ asset }) => place(asset)));
  const [only, second] = totals.symbols;
  return {
    sums: ordered,
    unmatched,
    single:
      only === undefined || second !== undefined
        ? null
        : {
            symbol: only.symbol,
            base: coinsOf(only.symbol)?.base ?? null,
            boughtQty: only.boughtQty,
            soldQty: only.soldQty,
            volumeQty: plus(only.boughtQty, only.soldQty),
            boughtAverage: averagePriceOf(only.boughtQuote, only.boughtQty),
            soldAverage: averagePriceOf(only.soldQuote, only.soldQty),
          },
    fees,
    feeBasisPoints: totals.unsided > 0 ? null : basisPoints(fees, ordered, unmatched),
    cash: cashFlow(totals, [...sums.values()], unmatched, coinsOf),
  };
}

function basisPoints(
  fees: readonly AssetAmount[],
  sums: readonly QuoteSums[],
  unmatched: readonly string[],
): string | null {
  const [fee, anotherFee] = fees;
  const [sum, another] = sums;
  if (fee === undefined || sum === undefined || unmatched.length > 0) return null;
  if (anotherFee !== undefined || another !== undefined || fee.asset !== sum.quote) return null;
  return basisPointsOf(calculated(fee.amount), calculated(sum.volume), 2);
}

function cashFlow(
  totals: Totals,
  sums: readonly QuoteSums[],
  unmatched: readonly string[],
  coinsOf: (symbol: string) => TradedCoins | null,
): CashFlow {
  const none = (reason: string): CashFlow => ({ value: null, reason });
  const [sum, another] = sums;
  if (totals.count === 0) return none('no trades');
  if (totals.unsided > 0) return none('a trade of unknown side');
  if (unmatched.length > 0) return none('unknown quote coin');
  if (sum === undefined || another !== undefined) return none('several quote coins');
  // An inverse contract's quote quantity is a size; it settles in the base coin.
  if (totals.symbols.some((one) => coinsOf(one.symbol)?.linear !== true)) return none('inverse contracts');
  const own = totals.fees.find((fee) => fee.asset === sum.quote);
  const net = subtract(
    subtract(calculated(sum.sold), calculated(sum.bought)),
    own === undefined ? ZERO : calculated(own.amount),
  );
  const leftOut = totals.fees.filter((fee) => fee !== own && print(calculated(fee.amount)) !== '0');
  return { value: print(net), quote: sum.quote, leftOut };
}
