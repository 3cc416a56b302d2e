/**
 * What a position's liquidation price is made of: both sides of the condition of docs/accounting.md ("Liquidation
 * price") at the mark, at the exchange's price and at Ballast's, and what would move it.
 */
import {
  add,
  amount,
  calculated,
  divide,
  isPositive,
  MAX_FRACTION_DIGITS,
  multiply,
  ONE,
  print,
  subtract,
  ZERO,
} from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import { unknownMode } from '../instrument/trading-context.ts';
import { maintenanceMargin, positionValue, tierOf } from '../margin/margin.ts';
import { profit } from '../margin/pnl.ts';
import { type Attempt, attempt, given } from '../numeric/decimal-input.ts';
import { type Figure, unknown } from '../account/figure.ts';
import { CrossPositions } from '../position/cross-positions.ts';
import { shareOf } from '../order/size.ts';
import { markOf } from '../position/metrics.ts';
import { type EstimateContext, type KnownPosition, knownPosition } from '../position/resolved.ts';
import {
  type Backing,
  backingOf,
  bankruptcyLine,
  type Comparison,
  liquidationLine,
  liquidationWith,
} from './exchange-comparison.ts';
import type { RiskTier } from '../../exchange-api/symbol-config.ts';

/** The condition at one price of the contract; the coin's other contracts stay at their marks. In the margin coin. */
export interface LiquidationTerms {
  readonly price: string;
  readonly pnl: string;
  /** Of the coin's other cross positions; null for an isolated position. */
  readonly otherPnl: string | null;
  readonly equity: string;
  readonly value: string;
  readonly tier: RiskTier;
  readonly maintenance: string;
  readonly fee: string;
  /** Maintenance margin and closing fees of the coin's other cross positions; null for an isolated position. */
  readonly otherRequired: string | null;
  readonly required: string;
  /** Equity − required: liquidated once it is 0 or below. */
  readonly buffer: string;
}

/** A change and the liquidation price after it, at the mark of now. */
export interface LiquidationMove {
  readonly what: 'add-margin' | 'close-half';
  /** Margin added, in the margin coin; quantity closed, as the position counts. */
  readonly amount: string;
  readonly price: Figure;
}

export interface LiquidationBreakdown extends Pick<Backing, 'collateral' | 'asset'> {
  readonly own: KnownPosition & { readonly cross: boolean };
  /** Whether the closing fee's rate is known and counted; without it the fee is 0. */
  readonly feeCounted: 'yes' | 'rate unknown' | 'left out';
  readonly liquidation: Comparison;
  /** Null for a cross position: the coin's whole equity is behind it. */
  readonly bankruptcy: Figure | null;
  /** Null without such a price. */
  readonly atMark: Attempt<LiquidationTerms> | null;
  readonly atExchange: Attempt<LiquidationTerms> | null;
  readonly atEstimate: Attempt<LiquidationTerms> | null;
  readonly moves: readonly LiquidationMove[];
}

/** Returns what the position's liquidation price is made of, or why that cannot be calculated. */
export function liquidationBreakdown(
  position: Position,
  context: EstimateContext,
): LiquidationBreakdown | string {
  const own = knownPosition(position, context);
  if (typeof own === 'string') return own;
  if (!isModeKnown(own)) return unknownMode(position.symbolId);
  const backing = backingOf(own, context);
  if (typeof backing === 'string') return backing;
  const liquidation = liquidationLine(own, context);
  const at = (price: string | null, tierAt?: typeof justBeyond): Attempt<LiquidationTerms> | null =>
    price === null ? null : attempt(() => termsAt(own, backing, price, context, tierAt));
  return {
    own,
    feeCounted: feeCounted(own, context),
    collateral: backing.collateral,
    asset: backing.asset,
    liquidation,
    bankruptcy: own.cross ? null : bankruptcyLine(own).estimate,
    atMark: at(markOf(position)),
    atExchange: at(liquidation.exchange),
    atEstimate: at(liquidation.estimate.value, justBeyond),
    moves: movesOf(own, backing, context),
  };
}

const isModeKnown = (known: KnownPosition): known is LiquidationBreakdown['own'] => known.cross !== null;

function feeCounted(own: KnownPosition, context: EstimateContext): LiquidationBreakdown['feeCounted'] {
  if (!context.closingFee) return 'left out';
  return context.specs(own.position.symbolId).feeRateTaker === null ? 'rate unknown' : 'yes';
}

/**
 * A tier's end belongs to the tier, so where its rate jumps over equity the price is the end, and what liquidates is the
 * requirement just beyond it.
 */
const justBeyond = (value: string): string => print(multiply(calculated(value), BEYOND));
const BEYOND = amount('1.000000000000001');

/** `tierAt` returns the value whose tier applies. */
function termsAt(
  own: KnownPosition,
  { collateral, members }: Backing,
  price: string,
  { convention }: EstimateContext,
  tierAt = (value: string): string => value,
): LiquidationTerms {
  const { contractSide, side, quantity, entryPrice, config } = own;
  const pnl = profit({ contractSide, side, quantity, entryPrice, exitPrice: price });
  const value = positionValue({ contractSide, quantity, price });
  const tiers = config.riskLimitConfigs;
  const tier = tierOf(tierAt(value), tiers);
  // The marginal requirement has no jump at a tier's end.
  const applying = convention === 'flat' ? [tier] : tiers;
  const maintenance = maintenanceMargin({ positionValue: value, tiers: applying, convention });
  const fee = multiply(calculated(value), calculated(own.feeRate));
  const other = members && CrossPositions.beside(own, members, convention).at(price);
  const equity = add(add(calculated(collateral), calculated(pnl)), other?.gain ?? ZERO);
  const required = add(add(calculated(maintenance), fee), other?.due ?? ZERO);
  return {
    price,
    pnl,
    otherPnl: other && print(other.gain),
    equity: print(equity),
    value,
    tier,
    maintenance,
    fee: print(fee),
    otherRequired: other && print(other.due),
    required: print(required),
    buffer: print(subtract(equity, required)),
  };
}

const TENTH = amount('0.1');

/**
 * Margin of a tenth more; half of it closed at the mark, as much as the lot allows, which frees its margin or realises
 * its PnL less the fee. None is closed where half is less than a lot.
 */
function movesOf(own: KnownPosition, backing: Backing, context: EstimateContext): LiquidationMove[] {
  const mark = markOf(own.position);
  const added = print(multiply(calculated(backing.collateral), TENTH));
  const more = print(add(calculated(backing.collateral), calculated(added)));
  const held = given(own.position, 'quantity');
  const half = shareOf(
    held,
    '50',
    context.specs(own.position.symbolId).quantityDecimals ?? MAX_FRACTION_DIGITS,
  );
  const share = divide(calculated(half), calculated(held));
  const left = (text: string): string => print(multiply(calculated(text), subtract(ONE, share)));
  const closed = (): string => {
    if (!own.cross) return left(backing.collateral);
    const { pnl, fee } = termsAt(own, backing, mark ?? '', context);
    const kept = multiply(subtract(calculated(pnl), calculated(fee)), share);
    return print(add(calculated(backing.collateral), kept));
  };
  const addMargin: LiquidationMove = {
    what: 'add-margin',
    amount: added,
    price: liquidationWith(own, backing, context, () => [own.quantity, more]),
  };
  if (!isPositive(share)) return [addMargin];
  const price =
    mark === null
      ? unknown('No mark price.')
      : liquidationWith(own, backing, context, () => [left(own.quantity), closed()]);
  return [addMargin, { what: 'close-half', amount: half, price }];
}
