/** Combines a position, held or assumed, with its contract's specs, as the account estimates need it. */
import { attempt, given } from '../numeric/decimal-input.ts';
import { absolute, amount, calculated, decimalsOf, greater, isPositive, subtract } from '../../amount.ts';
import type { AccountInfo, Position } from '../../exchange-api/account.ts';
import type { SymbolConfig } from '../../exchange-api/symbol-config.ts';
import { coinsOf, contractsBySymbol, sideOf } from '../instrument/currencies.ts';
import { fraction, printFraction, lastPlace } from '../numeric/fraction.ts';
import type { ContractSpecs } from '../instrument/specs.ts';
import type { CrossPosition } from '../margin/liquidation.ts';
import type { Convention } from '../margin/margin.ts';
import {
  type AccountContext,
  type KnownContract,
  modeOf,
  unitsOf,
  unknownSide,
} from '../instrument/trading-context.ts';
import { type ContractSide, isLongOrShort, type OrderSide } from '../../exchange-api/enums.ts';

/** What resolves positions. */
export interface Records {
  readonly contractOf: (symbolId: string) => SymbolConfig | undefined;
  readonly specs: (symbolId: string) => ContractSpecs;
  /** False if the exchange's own prices do not include the closing fee (convention-fit.ts). */
  readonly closingFee: boolean;
}

export interface EstimateContext extends Records {
  readonly account: AccountInfo;
  readonly convention: Convention;
}

export const recordsOf = ({ contracts, specs, closingFee }: AccountContext): Records => {
  const bySymbol = contractsBySymbol(contracts);
  const contractOf = (symbolId: string): SymbolConfig | undefined => bySymbol.get(symbolId);
  return { contractOf, specs, closingFee };
};

/** A position, held or assumed. */
export interface Holding {
  readonly side: OrderSide;
  readonly contractSide: ContractSide;
  readonly config: SymbolConfig;
  /** Units of the base coin; inverse: quote units. */
  readonly quantity: string;
  readonly entryPrice: string;
  /** Taker rate; `0` while unknown or excluded. */
  readonly feeRate: string;
}

/** A held position; its entry is computed from the entry value if that gives the reported average with more digits. */
export interface KnownPosition extends Holding {
  readonly position: Position;
  readonly coin: string;
  /** Null for a margin mode that is missing or that the API does not list. */
  readonly cross: boolean | null;
}

/** Results memoised per record, which is never changed in place: a poll brings new ones. */
interface Memo {
  readonly config: SymbolConfig;
  readonly multiplier: string | null;
  readonly priceDecimals: number | null;
  readonly byFee: Map<string, KnownPosition>;
}
const memo = new WeakMap<Position, Memo>();

/**
 * Resolves a position, or returns why nothing about it can be calculated. Memoised while the contract's specs stay the
 * same: a keystroke in the ticket needs every position.
 */
export function knownPosition(position: Position, context: Records): KnownPosition | string {
  const config = context.contractOf(position.symbolId);
  const contractSide = config && sideOf(config);
  if (!config || !contractSide) return `${position.symbolId} is not listed by the exchange.`;
  const { side } = position;
  if (!isLongOrShort(side)) return unknownSide(side);
  const { isolated } = modeOf(position.marginMode);
  const specs = context.specs(position.symbolId);
  const feeRate = closingRate(specs, context);
  const before = memo.get(position);
  const { multiplier, priceDecimals } = specs;
  const isSame =
    before?.config === config && before.multiplier === multiplier && before.priceDecimals === priceDecimals;
  const same = isSame ? before : null;
  const found = same?.byFee.get(feeRate);
  if (found) return found;
  const held = attempt(() => given(position, 'quantity'));
  if (!held.ok) return held.reason;
  if (!isPositive(amount(held.value))) return `${position.symbolId} has no quantity.`;
  const quantity = unitsOf({ specs }, held.value);
  const entry = attempt(() => entryOf(position, contractSide, quantity, priceDecimals ?? 0));
  if (!entry.ok) return entry.reason;
  const known: KnownPosition = {
    position,
    side,
    contractSide,
    config,
    coin: coinsOf(config).margin,
    cross: isolated === null ? null : !isolated,
    quantity,
    entryPrice: entry.value,
    feeRate,
  };
  const byFee = same?.byFee ?? new Map<string, KnownPosition>();
  byFee.set(feeRate, known);
  if (same === null) memo.set(position, { config, multiplier, priceDecimals, byFee });
  return known;
}

/** Returns the average entry with the digits of the entry value, unless that is another, such as the value at the mark. */
function entryOf(
  position: Position,
  contractSide: ContractSide,
  quantity: string,
  priceDecimals: number,
): string {
  const { entryValue, avgEntryPrice } = position;
  const cost = amount(entryValue ?? '0');
  if (!isPositive(cost)) return given(position, 'avgEntryPrice');
  const units = calculated(quantity);
  const exact = printFraction(contractSide === 'FORWARD' ? fraction(cost, units) : fraction(units, cost));
  // An average that cannot be read, such as one with too many digits, is no more precise than this.
  if (avgEntryPrice === null) return exact;
  const average = amount(avgEntryPrice);
  const apart = absolute(subtract(calculated(exact), average));
  // Zeros at the end may be left out: an average of 0.2 has the decimals of the contract's prices.
  const decimals = Math.max(decimalsOf(avgEntryPrice), priceDecimals);
  return greater(apart, lastPlace(decimals)) ? avgEntryPrice : exact;
}

/** Returns an assumed position of a contract, its quantity in the order's unit. */
export const assumedHolding = (
  contract: KnownContract,
  { side, quantity, entryPrice }: Pick<Holding, 'side' | 'quantity' | 'entryPrice'>,
  context: Pick<Records, 'closingFee'>,
): Holding => ({
  side,
  contractSide: contract.side,
  config: contract.config,
  quantity: unitsOf(contract, quantity),
  entryPrice,
  feeRate: closingRate(contract.specs, context),
});

const closingRate = ({ feeRateTaker }: ContractSpecs, { closingFee }: Pick<Records, 'closingFee'>): string =>
  closingFee ? (feeRateTaker ?? '0') : '0';

/** Returns what a position contributes to its liquidation. */
export const exposureOf = (holding: Holding, convention: Convention) => ({
  contractSide: holding.contractSide,
  side: holding.side,
  quantity: holding.quantity,
  entryPrice: holding.entryPrice,
  tiers: holding.config.riskLimitConfigs,
  convention,
  feeRate: holding.feeRate,
});

/** Converts a position for crossLiquidation. */
export const crossPosition = (
  holding: Holding,
  markPrice: string,
  convention: Convention,
): CrossPosition => ({
  ...exposureOf(holding, convention),
  symbolId: holding.config.symbolId,
  markPrice,
});
