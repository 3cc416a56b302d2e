/** Position values at the mark, by contract. Calculated by Ballast, so always shown with ≈. */
import {
  absolute,
  add,
  amount,
  type Amount,
  calculated,
  compare,
  isNegative,
  isPositive,
  multiply,
  negate,
  print,
  ZERO,
} from '../../../src-shared/amount.ts';
import { coinsOf, sideOf } from '../../../src-shared/domain/instrument/currencies.ts';
import { multiplierOf } from '../../../src-shared/domain/instrument/specs.ts';
import { markOf } from '../../../src-shared/domain/position/metrics.ts';
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
): Exposures {
  const bySymbol = new Map<string, Amount>();
  const gross = new Map<string, Amount>();
  const units = new Map<string, string>();
  let leftOut = 0;
  for (const position of positions) {
    const contract = contracts.get(position.symbolId);
    const value = contract === undefined ? null : valueOf(position, contract);
    if (contract === undefined || value === null) {
      leftOut++;
      continue;
    }
    const unit = coinsOf(contract).quote;
    units.set(position.symbolId, unit);
    gross.set(unit, add(gross.get(unit) ?? ZERO, value));
    const signed = position.side === 'SELL' ? negate(value) : value;
    bySymbol.set(position.symbolId, add(bySymbol.get(position.symbolId) ?? ZERO, signed));
  }
  const rows = [...bySymbol].sort(([, a], [, b]) => compare(absolute(b), absolute(a)));
  const net = new Map<string, Amount>();
  for (const [symbolId, value] of rows) {
    const unit = units.get(symbolId) ?? '';
    net.set(unit, add(net.get(unit) ?? ZERO, value));
  }
  return {
    rows: rows.map(([symbolId, value]) => ({
      symbolId,
      value: print(value),
      unit: units.get(symbolId) ?? '',
    })),
    totals: [...gross].map(([unit, sum]) => ({ unit, gross: print(sum), net: print(net.get(unit) ?? ZERO) })),
    leftOut,
  };
}

function valueOf(position: Position, contract: SymbolConfig): Amount | null {
  const side = sideOf(contract);
  const mark = markOf(position);
  if (side === null) return null;
  const each = calculated(multiplierOf(side, [position]) ?? '1');
  if (position.quantity === null) return null;
  const quantity = multiply(amount(position.quantity), each);
  if (side === 'REVERSE') return quantity;
  return mark === null ? null : multiply(quantity, amount(mark));
}

export const isShort = (value: string): boolean => isNegative(calculated(value));

/** Returns the equity in a coin; null if the account does not hold it, or nothing is left of it. */
export function equityIn(account: AccountInfo | null, unit: string): Amount | null {
  const text = account?.assets.find(({ coin }) => coin === unit)?.equities ?? null;
  if (text === null || text === '') return null;
  const equity = amount(text);
  return isPositive(equity) ? equity : null;
}
