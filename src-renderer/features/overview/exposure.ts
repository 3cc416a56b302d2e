/** What the positions are worth at their marks, contract by contract. Our arithmetic, so always shown with ≈. */
import {
  absolute,
  add,
  amount,
  type Amount,
  compare,
  divide,
  isNegative,
  isPositive,
  multiply,
  negate,
  print,
  subtract,
  ZERO,
} from '../../../src-shared/amount.ts';
import { multiplierOf } from '../../../src-shared/domain/learned.ts';
import type { Position } from '../../../src-shared/interface/account.ts';
import type { SymbolConfig } from '../../../src-shared/interface/symbol-config.ts';

export interface Exposure {
  readonly symbolId: string;
  /** Signed: longs above 0, shorts below. */
  readonly value: string;
  /** Quote coin: linear quantity × mark, an inverse contract's quantity as it is. */
  readonly unit: string;
}

export interface Exposures {
  /** Largest first; legs of one contract are added up. */
  readonly rows: readonly Exposure[];
  readonly totals: readonly { readonly unit: string; readonly net: string; readonly gross: string }[];
  /** Positions that cannot be valued: no mark, or no contract to read their quantity by. */
  readonly left: number;
}

/** `BTC-USDT-M` → `USDT`. */
export const quoteOf = (symbolId: string): string => symbolId.split('-')[1] ?? '';

export function exposuresOf(
  positions: readonly Position[],
  contracts: ReadonlyMap<string, SymbolConfig>,
): Exposures {
  const bySymbol = new Map<string, Amount>();
  const gross = new Map<string, Amount>();
  let left = 0;
  for (const position of positions) {
    const value = valueOf(position, contracts.get(position.symbolId));
    if (value === null) {
      left++;
      continue;
    }
    const unit = quoteOf(position.symbolId);
    gross.set(unit, add(gross.get(unit) ?? ZERO, value));
    const signed = position.side === 'SELL' ? negate(value) : value;
    bySymbol.set(position.symbolId, add(bySymbol.get(position.symbolId) ?? ZERO, signed));
  }
  const rows = [...bySymbol].sort(([, a], [, b]) => compare(absolute(b), absolute(a)));
  const net = new Map<string, Amount>();
  for (const [symbolId, value] of rows) {
    const unit = quoteOf(symbolId);
    net.set(unit, add(net.get(unit) ?? ZERO, value));
  }
  return {
    rows: rows.map(([symbolId, value]) => ({ symbolId, value: print(value), unit: quoteOf(symbolId) })),
    totals: [...gross].map(([unit, sum]) => ({ unit, gross: print(sum), net: print(net.get(unit) ?? ZERO) })),
    left,
  };
}

function valueOf(position: Position, contract: SymbolConfig | undefined): Amount | null {
  const quantity = amount(position.quantity);
  if (contract?.contractSide === 'REVERSE')
    return multiply(quantity, amount(multiplierOf('REVERSE', [position]) ?? '1'));
  if (contract?.contractSide !== 'FORWARD' || position.markPrice === null || position.markPrice === '')
    return null;
  const each = amount(multiplierOf('FORWARD', [position]) ?? '1');
  return multiply(multiply(quantity, amount(position.markPrice)), each);
}

export interface Nearest {
  readonly position: Position;
  /** (liquidation price − mark) / mark, a signed share. */
  readonly share: string;
}

/** The position whose mark is nearest to its liquidation price; a price of 0 means no liquidation. */
export function nearestLiquidation(positions: readonly Position[]): Nearest | null {
  let best: { position: Position; share: Amount } | null = null;
  for (const position of positions) {
    const { markPrice, liquidPrice } = position;
    if (markPrice === null || markPrice === '') continue;
    const mark = amount(markPrice);
    const liquidation = amount(liquidPrice);
    if (!isPositive(mark) || !isPositive(liquidation)) continue;
    const share = divide(subtract(liquidation, mark), mark);
    if (best === null || compare(absolute(share), absolute(best.share)) < 0) best = { position, share };
  }
  return best === null ? null : { position: best.position, share: print(best.share) };
}

export const isShort = (value: string): boolean => isNegative(amount(value));
