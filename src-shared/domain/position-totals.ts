/** Sums of positions by margin coin: only equal units are added, and what has no value yet is counted apart. */
import { add, amount, type Amount, divide, isPositive, print, round, ZERO } from '../amount.ts';
import type { Position } from '../interface/account.ts';

export interface PositionTotals {
  readonly coin: string;
  readonly count: number;
  /** Positions the exchange gave no unrealised profit for: in `margin` and `realised`, not in the rest. */
  readonly unvalued: number;
  readonly margin: string;
  readonly unrealised: string;
  /** Unrealised ÷ margin, of the valued ones; null when that is no number. */
  readonly return: string | null;
  readonly realised: string;
}

interface Sums {
  count: number;
  unvalued: number;
  margin: Amount;
  valuedMargin: Amount;
  unrealised: Amount;
  realised: Amount;
}

/** One row a coin that has at least two positions, most positions first. `coinOf` answers null for a contract it does not know. */
export function positionTotals(
  positions: readonly Position[],
  coinOf: (position: Position) => string | null,
): PositionTotals[] {
  const coins = new Map<string, Sums>();
  for (const position of positions) {
    const coin = coinOf(position);
    if (coin === null) continue;
    let sums = coins.get(coin);
    if (sums === undefined) {
      sums = { count: 0, unvalued: 0, margin: ZERO, valuedMargin: ZERO, unrealised: ZERO, realised: ZERO };
      coins.set(coin, sums);
    }
    const { profitUnreal } = position;
    sums.count += 1;
    sums.margin = add(sums.margin, amount(position.margin));
    sums.realised = add(sums.realised, amount(position.realizedPnl));
    if (profitUnreal === null || profitUnreal === '') sums.unvalued += 1;
    else {
      sums.valuedMargin = add(sums.valuedMargin, amount(position.margin));
      sums.unrealised = add(sums.unrealised, amount(profitUnreal));
    }
  }
  return [...coins]
    .filter(([, sums]) => sums.count > 1)
    .sort(([, a], [, b]) => b.count - a.count)
    .map(([coin, sums]) => ({
      coin,
      count: sums.count,
      unvalued: sums.unvalued,
      margin: print(sums.margin),
      unrealised: print(sums.unrealised),
      return: isPositive(sums.valuedMargin)
        ? print(round(divide(sums.unrealised, sums.valuedMargin), 10, 'half-up'))
        : null,
      realised: print(sums.realised),
    }));
}
