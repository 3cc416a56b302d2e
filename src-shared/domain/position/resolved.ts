/** Combines a position record with its contract's specs, as the account estimates need it. */
import { attempt, given, givenAmount } from '../numeric/decimal-input.ts';
import {
  absolute,
  amount,
  calculated,
  decimalsOf,
  greater,
  isPositive,
  print,
  subtract,
} from '../../amount.ts';
import type { AccountInfo, Asset, Position } from '../../exchange-api/account.ts';
import { marginModeLabel } from '../../exchange-api/enums.ts';
import type { SymbolConfig } from '../../exchange-api/symbol-config.ts';
import { coinsOf, sideOf } from '../instrument/currencies.ts';
import { fraction, printFraction } from '../numeric/fraction.ts';
import type { ContractSpecs } from '../instrument/specs.ts';
import type { CrossPosition } from '../margin/liquidation.ts';
import type { Exposure } from '../margin/leg.ts';
import type { ContractSide, Convention } from '../margin/margin.ts';
import { isLongOrShort, unitsOf } from '../instrument/trading-context.ts';
import { markOf } from './metrics.ts';

export interface EstimateContext {
  readonly account: AccountInfo;
  readonly contractOf: (symbolId: string) => SymbolConfig | undefined;
  readonly specs: (symbolId: string) => ContractSpecs;
  readonly convention: Convention;
  /** False if the exchange's own prices do not include the closing fee (convention-fit.ts). */
  readonly closingFee?: boolean;
}

export interface KnownPosition {
  readonly position: Position;
  readonly side: 'BUY' | 'SELL';
  readonly contractSide: ContractSide;
  readonly config: SymbolConfig;
  readonly coin: string;
  readonly cross: boolean;
  /** Units of the base coin; inverse: quote units. */
  readonly quantity: string;
  /** Computed from the entry value if that gives the reported average, which is rounded, with more digits. */
  readonly entryPrice: string;
  /** Taker rate; `0` while unknown or excluded. */
  readonly feeRate: string;
}

/** Results memoised per record, which is never changed in place: a poll brings new ones. */
interface Memo {
  readonly config: SymbolConfig;
  readonly multiplier: string | null;
  readonly byFee: Map<string, KnownPosition>;
}
const memo = new WeakMap<Position, Memo>();

/**
 * Resolves a position, or returns why nothing about it can be calculated. Memoised while the contract's specs stay the
 * same: a keystroke in the ticket needs every position.
 */
export function knownPosition(
  position: Position,
  context: Pick<EstimateContext, 'contractOf' | 'specs' | 'closingFee'>,
): KnownPosition | string {
  const config = context.contractOf(position.symbolId);
  const contractSide = config && sideOf(config);
  if (!config || !contractSide) return `${position.symbolId} is not listed by the exchange.`;
  const { side } = position;
  if (!isLongOrShort(side)) return `Unknown position side “${side}”.`;
  const specs = context.specs(position.symbolId);
  const feeRate = context.closingFee === false ? '0' : (specs.feeRateTaker ?? '0');
  const before = memo.get(position);
  const same = before?.config === config && before.multiplier === specs.multiplier ? before : null;
  const found = same?.byFee.get(feeRate);
  if (found) return found;
  const held = attempt(() => given(position, 'quantity'));
  if (!held.ok) return held.reason;
  if (!isPositive(amount(held.value))) return `${position.symbolId} has no quantity.`;
  const quantity = unitsOf({ specs }, held.value);
  const entry = attempt(() => entryOf(position, contractSide, quantity));
  if (!entry.ok) return entry.reason;
  const known: KnownPosition = {
    position,
    side,
    contractSide,
    config,
    coin: coinsOf(config).margin,
    cross: marginModeLabel(position.marginMode) === 'Cross',
    quantity,
    entryPrice: entry.value,
    feeRate,
  };
  const byFee = same?.byFee ?? new Map<string, KnownPosition>();
  byFee.set(feeRate, known);
  if (same === null) memo.set(position, { config, multiplier: specs.multiplier, byFee });
  return known;
}

function entryOf(position: Position, contractSide: ContractSide, quantity: string): string {
  const { entryValue, avgEntryPrice } = position;
  const cost = amount(entryValue ?? '0');
  if (!isPositive(cost)) return given(position, 'avgEntryPrice');
  const units = calculated(quantity);
  const exact = printFraction(contractSide === 'FORWARD' ? fraction(cost, units) : fraction(units, cost));
  // An average that cannot be read, such as one with too many digits, is no more precise than this.
  if (avgEntryPrice === null) return exact;
  const average = amount(avgEntryPrice);
  const decimals = decimalsOf(avgEntryPrice);
  const unit = calculated(decimals === 0 ? '1' : `0.${'0'.repeat(decimals - 1)}1`);
  const apart = absolute(subtract(calculated(exact), average));
  return greater(apart, unit) ? avgEntryPrice : exact;
}

export const exposureOf = (known: KnownPosition, convention: Convention): Exposure => ({
  contractSide: known.contractSide,
  side: known.side,
  quantity: known.quantity,
  entryPrice: known.entryPrice,
  tiers: known.config.riskLimitConfigs,
  convention,
});

/** Reports whether a cross position may share the coin's wallet: one known to be of another coin does not. */
export const mayBeCrossOf = (
  coin: string,
  { symbolId, marginMode }: Position,
  contractOf: EstimateContext['contractOf'],
): boolean => {
  const config = contractOf(symbolId);
  return marginModeLabel(marginMode) === 'Cross' && (config === undefined || coinsOf(config).margin === coin);
};

/** Returns all cross positions of a coin, or why one of them cannot be counted. */
export function crossOf(coin: string, context: EstimateContext): readonly KnownPosition[] | string {
  const members: KnownPosition[] = [];
  for (const position of context.account.positions) {
    if (!mayBeCrossOf(coin, position, context.contractOf)) continue;
    const known = knownPosition(position, context);
    if (typeof known === 'string') return known;
    if (markOf(position) === null) return `${position.symbolId} has no mark price.`;
    members.push(known);
  }
  return members;
}

/** Converts a position for crossLiquidation; its mark must be known, which crossOf ensures. */
export const crossPosition = (known: KnownPosition, convention: Convention): CrossPosition => ({
  ...exposureOf(known, convention),
  symbolId: known.position.symbolId,
  markPrice: known.position.markPrice ?? '',
  feeRate: known.feeRate,
});

/**
 * Returns balance − isolatedMargin − isolatedLocked, signed (docs/accounting.md, "Cross positions"). Throws
 * DomainError.
 */
export const walletOf = (asset: Asset): string =>
  print(
    subtract(
      subtract(givenAmount(asset, 'balance'), givenAmount(asset, 'isolatedMargin')),
      givenAmount(asset, 'isolatedLocked'),
    ),
  );
