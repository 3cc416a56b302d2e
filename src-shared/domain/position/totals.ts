/** Sums positions by margin coin: only equal units are added, and positions without a value are counted separately. */
import { add, amount, type Amount, calculated, print, ZERO } from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import { markOf } from './metrics.ts';
import { ratioOf } from '../numeric/quotient.ts';

export interface PositionTotals {
  readonly coin: string;
  readonly count: number;
  /** Positions without a mark; the sums contain only what they have. */
  readonly unmarked: number;
  /** The same of positions with a mark of which a figure cannot be read. */
  readonly unread: number;
  readonly margin: string;
  /** Total value of those that have one, in `valueCoin`; null if in several coins. */
  readonly value: string | null;
  readonly valueCoin: string | null;
  readonly unrealised: string;
  /** Unrealised ÷ margin of those that have both; null if undefined. */
  readonly return: string | null;
  readonly realised: string;
}

interface Sums {
  count: number;
  unmarked: number;
  unread: number;
  margin: Amount;
  values: Map<string, Amount>;
  unrealised: Amount;
  /** Margin and unrealised PnL of positions that have both. */
  returned: { readonly margin: Amount; readonly unrealised: Amount };
  realised: Amount;
}

const begun = (): Sums => ({
  count: 0,
  unmarked: 0,
  unread: 0,
  margin: ZERO,
  values: new Map(),
  unrealised: ZERO,
  returned: { margin: ZERO, unrealised: ZERO },
  realised: ZERO,
});

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
  const coins = new Map<string, Sums>();
  for (const position of positions) {
    const coin = coinOf(position);
    if (coin === null) continue;
    const sums = coins.get(coin) ?? begun();
    coins.set(coin, sums);
    const { profitUnreal } = position;
    const margin = amount(position.margin ?? '0');
    const valued = valueOf(position);
    if (valued !== null)
      sums.values.set(valued.coin, add(sums.values.get(valued.coin) ?? ZERO, calculated(valued.value)));
    sums.count += 1;
    sums.margin = add(sums.margin, margin);
    sums.realised = add(sums.realised, amount(position.realizedPnl ?? '0'));
    if ([valued, profitUnreal, position.margin, position.realizedPnl].includes(null))
      sums[markOf(position) === null ? 'unmarked' : 'unread'] += 1;
    if (profitUnreal === null) continue;
    const unrealised = amount(profitUnreal);
    sums.unrealised = add(sums.unrealised, unrealised);
    if (position.margin === null) continue;
    const { returned } = sums;
    sums.returned = {
      margin: add(returned.margin, margin),
      unrealised: add(returned.unrealised, unrealised),
    };
  }
  return [...coins]
    .filter(([, sums]) => sums.count > 1)
    .sort(([, a], [, b]) => b.count - a.count)
    .map(([coin, sums]) => {
      const { returned } = sums;
      const [only] = sums.values.size === 1 ? sums.values : [];
      return {
        coin,
        value: only === undefined ? null : print(only[1]),
        valueCoin: only?.[0] ?? null,
        count: sums.count,
        unmarked: sums.unmarked,
        unread: sums.unread,
        margin: print(sums.margin),
        unrealised: print(sums.unrealised),
        return: ratioOf(returned.unrealised, returned.margin),
        realised: print(sums.realised),
      };
    });
}
