/** Sums positions by margin coin: only equal units are added, and positions without a value are counted separately. */
import { divide, isPositive, print, round, subtract, sumOfTexts } from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';

export interface PositionTotals {
  readonly coin: string;
  readonly count: number;
  /** Positions with a missing value; the sums contain only what they have. */
  readonly unvalued: number;
  readonly margin: string;
  /** Total value of those that have one, in `valueCoin`; null if in several coins. */
  readonly value: string | null;
  readonly valueCoin: string | null;
  readonly unrealised: string;
  /** Unrealised ÷ margin of the valued ones; null if undefined. */
  readonly return: string | null;
  readonly realised: string;
}

/** Texts to sum. */
interface Parts {
  count: number;
  unvalued: number;
  readonly margin: string[];
  readonly values: Map<string, string[]>;
  readonly unvaluedMargin: string[];
  readonly unrealised: string[];
  readonly realised: string[];
}

export interface Valued {
  readonly value: string;
  readonly coin: string;
}

/**
 * Returns one row per coin with at least two positions, most positions first.
 * @param coinOf null for an unknown contract
 * @param valueOf a position's value at mark; null if unknown
 */
export function positionTotals(
  positions: readonly Position[],
  coinOf: (position: Position) => string | null,
  valueOf: (position: Position) => Valued | null,
): PositionTotals[] {
  const coins = new Map<string, Parts>();
  for (const position of positions) {
    const coin = coinOf(position);
    if (coin === null) continue;
    let parts = coins.get(coin);
    if (parts === undefined) {
      parts = {
        ...{ count: 0, unvalued: 0, values: new Map<string, string[]>() },
        ...{ margin: [], unvaluedMargin: [], unrealised: [], realised: [] },
      };
      coins.set(coin, parts);
    }
    addPosition(parts, position, valueOf(position));
  }
  return [...coins]
    .filter(([, parts]) => parts.count > 1)
    .sort(([, a], [, b]) => b.count - a.count)
    .map(([coin, parts]) => {
      const [margin, unrealised] = [sumOfTexts(parts.margin), sumOfTexts(parts.unrealised)];
      const valued = subtract(margin, sumOfTexts(parts.unvaluedMargin));
      const [only] = parts.values.size === 1 ? parts.values : [];
      return {
        coin,
        value: only === undefined ? null : print(sumOfTexts(only[1])),
        valueCoin: only?.[0] ?? null,
        count: parts.count,
        unvalued: parts.unvalued,
        margin: print(margin),
        unrealised: print(unrealised),
        return: isPositive(valued) ? print(round(divide(unrealised, valued), 10, 'half-up')) : null,
        realised: print(sumOfTexts(parts.realised)),
      };
    });
}

function addPosition(
  parts: Parts,
  { margin, profitUnreal, realizedPnl }: Position,
  value: Valued | null,
): void {
  if (value !== null) {
    const values = parts.values.get(value.coin) ?? [];
    values.push(value.value);
    parts.values.set(value.coin, values);
  }
  parts.count += 1;
  if (margin === null || profitUnreal === null || realizedPnl === null) parts.unvalued += 1;
  if (margin !== null) parts.margin.push(margin);
  if (margin !== null && profitUnreal === null) parts.unvaluedMargin.push(margin);
  if (profitUnreal !== null) parts.unrealised.push(profitUnreal);
  if (realizedPnl !== null) parts.realised.push(realizedPnl);
}
