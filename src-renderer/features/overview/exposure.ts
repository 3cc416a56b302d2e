/** Position values at the mark, by contract. Calculated by Ballast, so always shown with ≈. */
import {
  absolute,
  amount,
  type Amount,
  calculated,
  compare,
  isNegative,
  isPositive,
  negate,
  print,
  sum,
} from '../../../src-shared/amount.ts';
import { coinsOf } from '../../../src-shared/domain/instrument/currencies.ts';
import type { MultiplierOf } from '../../../src-shared/domain/instrument/specs.ts';
import { isLongOrShort } from '../../../src-shared/exchange-api/enums.ts';
import { markOf, quoteValue } from '../../../src-shared/domain/position/metrics.ts';
import type { AccountInfo, Position } from '../../../src-shared/exchange-api/account.ts';
import type { SymbolConfig } from '../../../src-shared/exchange-api/symbol-config.ts';

export interface Exposure {
  readonly symbolId: string;
  /** Signed: longs above 0, shorts below. */
  readonly value: string;
  /** Quote coin. Linear: quantity × mark. Inverse: the quantity, which is in the quote coin already. */
  readonly unit: string;
}

export interface Exposures {
  /** Largest first; the legs of a contract are added up. */
  readonly rows: readonly Exposure[];
  readonly totals: readonly { readonly unit: string; readonly net: string; readonly gross: string }[];
  /** Positions that could not be valued: linear ones without a mark, and those that cannot be calculated. */
  readonly unmarked: number;
  readonly unread: number;
}

/** @param unreadable position records that cannot be read */
export function exposuresOf(
  positions: readonly Position[],
  contracts: ReadonlyMap<string, SymbolConfig>,
  multiplierOf: MultiplierOf,
  unreadable = 0,
): Exposures {
  const valued = [];
  const left = [];
  for (const position of positions) {
    const { symbolId, side } = position;
    const contract = contracts.get(symbolId);
    const text = quoteValue(position, contract, multiplierOf(symbolId));
    if (contract === undefined || text === null || !isLongOrShort(side)) left.push(position);
    else {
      const value = calculated(text);
      const signed = side === 'SELL' ? negate(value) : value;
      valued.push({ symbolId, unit: coinsOf(contract).quote, value, signed });
    }
  }
  const unmarked = left.filter((one) => markOf(one) === null).length;
  const rows = [...Map.groupBy(valued, ({ symbolId }) => symbolId)].map(([symbolId, legs]) => ({
    symbolId,
    unit: legs[0]?.unit ?? '',
    value: sum(legs.map(({ signed }) => signed)),
  }));
  return {
    rows: rows
      .sort((a, b) => compare(absolute(b.value), absolute(a.value)))
      .map((row) => ({ ...row, value: print(row.value) })),
    totals: [...Map.groupBy(valued, ({ unit }) => unit)].map(([unit, all]) => ({
      unit,
      gross: print(sum(all.map(({ value }) => value))),
      net: print(sum(all.map(({ signed }) => signed))),
    })),
    unmarked,
    unread: left.length - unmarked + unreadable,
  };
}

export const isShort = (value: string): boolean => isNegative(calculated(value));

/** Returns the equity in a coin; null if the account does not hold it, or nothing is left of it. */
export function equityIn(account: AccountInfo | null, unit: string): Amount | null {
  const text = account?.assets.find(({ coin }) => coin === unit)?.equities ?? null;
  if (text === null || text === '') return null;
  const equity = amount(text);
  return isPositive(equity) ? equity : null;
}
