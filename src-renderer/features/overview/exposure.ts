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
import type { OwnMultiplier } from '../../../src-shared/domain/instrument/specs.ts';
import { quoteValue } from '../../../src-shared/domain/position/metrics.ts';
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
  /** How many positions could not be valued, for lack of a mark or of their contract. */
  readonly leftOut: number;
}

export function exposuresOf(
  positions: readonly Position[],
  contracts: ReadonlyMap<string, SymbolConfig>,
  own?: OwnMultiplier,
): Exposures {
  const valued = positions.flatMap((position) => {
    const contract = contracts.get(position.symbolId);
    const text = quoteValue(position, contract, own?.(position.symbolId));
    if (contract === undefined || text === null) return [];
    const value = calculated(text);
    const signed = position.side === 'SELL' ? negate(value) : value;
    return [{ symbolId: position.symbolId, unit: coinsOf(contract).quote, value, signed }];
  });
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
    leftOut: positions.length - valued.length,
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
