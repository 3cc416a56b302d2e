/** What an order is judged against: the account as last read, the contract, the person's limits. Plain data. */
import { amount, calculated, multiply, print } from '../../amount.ts';
import type { AccountInfo, Asset, Position } from '../../exchange-api/account.ts';
import { isOn, marginModeWord } from '../../exchange-api/enums.ts';
import type { ConcernedField } from '../../exchange-api/error-codes.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import type { SetAside } from '../../exchange-api/replies.ts';
import type { SymbolConfig } from '../../exchange-api/symbol-config.ts';
import { coinsOf, type ContractCoins, sideOf } from './currencies.ts';
import type { Learned } from './specs.ts';
import type { ContractSide, Convention, OrderSide } from '../margin/margin.ts';
import type { RatioUnit } from '../margin/ratio-unit.ts';
import type { Reference, ReferenceSource } from './reference-prices.ts';

/** Fields of the ticket a fault or a check can point to. */
export type DraftField =
  ConcernedField | 'size' | 'timeInForce' | 'reduceOnly' | 'postOnly' | 'reverseOrder' | 'reference';

/** A value that would be right, put in by one click. */
export interface Suggestion {
  readonly field: DraftField;
  readonly value: string;
  readonly label: string;
}

/** The person's hard stops (ipc/settings.ts `limits` fits); null = off. */
export interface OrderLimits {
  readonly priceDeviationPercent: string | null;
  readonly notional: string | null;
  readonly equitySharePercent: string | null;
  readonly referenceAgeSeconds: number;
}

export interface OrderContext {
  /** null until the configuration was received. */
  readonly contracts: readonly SymbolConfig[] | null;
  readonly account: AccountInfo | null;
  readonly openOrders: readonly OpenOrder[] | null;
  /** What records told about a symbol. */
  readonly facts: (symbolId: string) => Learned;
  /** Known prices of the draft's symbol, best first: the first is the one that counts. */
  readonly references: readonly Reference[];
  readonly limits: OrderLimits;
  readonly convention: Convention;
  /** False where the exchange's liquidation prices were found to leave the closing fee out. */
  readonly closingFee?: boolean;
  /** What counts as 100 % in the exchange's margin rates; without it, or null, that is not known. */
  readonly marginUnit?: RatioUnit | null;
  readonly kind: 'practice' | 'live';
  /** Records of positions and open orders that could not be read; absent when there are none. */
  readonly setAside?: readonly SetAside[];
  /** What a reverse order's quantity means; `unset` keeps Reverse off on a live connection. */
  readonly reverseQuantity: 'unset' | 'new-position' | 'sum';
  /** Why nothing may be sent now (locked, read-only, old account data); null when it may. */
  readonly sendingOff: string | null;
  /** This computer's clock, ms. */
  readonly now: number;
}

/** What tells about the account alone: no draft, no clock. */
export type AccountContext = Pick<
  OrderContext,
  'contracts' | 'account' | 'openOrders' | 'facts' | 'convention' | 'closingFee' | 'marginUnit'
>;

/** The price that counts, or the newest of one source. */
export const referenceOf = (context: OrderContext, source?: ReferenceSource): Reference | null =>
  context.references.find((one) => source === undefined || one.source === source) ?? null;

/** A contract with everything known about it, or null when it is not in the configuration. */
export interface KnownContract {
  readonly config: SymbolConfig;
  readonly side: ContractSide;
  readonly facts: Learned;
  readonly coins: ContractCoins;
  readonly leverage: string;
  readonly leverageFrom: 'position' | 'open order' | 'contract default';
  readonly isolated: boolean;
  /** HEDGE as the records say; null when no record of the symbol does. */
  readonly hedge: boolean | null;
  /** The symbol's positions: one, or two legs in hedge mode. */
  readonly positions: readonly Position[];
  /** The balance the contract's margin is in. */
  readonly asset: Asset | null;
}

export function contractOf(
  symbolId: string,
  context: Omit<AccountContext, 'convention' | 'closingFee'>,
): KnownContract | null {
  const config = context.contracts?.find((one) => one.symbolId === symbolId);
  const side = config && sideOf(config);
  if (!config || !side) return null;
  const coins = coinsOf(config);
  const positions = context.account?.positions.filter((one) => one.symbolId === symbolId) ?? [];
  // Leverage and mode are the symbol's at the exchange; without a record of it there is only the default.
  const order = context.openOrders?.find((one) => one.symbolId === symbolId);
  const record = positions[0] ?? order;
  return {
    config,
    side,
    facts: context.facts(symbolId),
    coins,
    leverage: String(record?.leverage ?? config.defaultLeverage),
    leverageFrom: positions[0] ? 'position' : order ? 'open order' : 'contract default',
    isolated: marginModeWord(record?.marginMode ?? config.defaultMarginMode) === 'Isolated',
    hedge: record === undefined ? null : record.positionMode === 'HEDGE',
    positions,
    asset: context.account?.assets.find((one) => one.coin === coins.margin) ?? null,
  };
}

/**
 * Quantity in units of the base coin (inverse: quote units): `quantity` × the contract's multiplier. An exchange
 * that counts contracts is the only one where the two differ.
 */
export function unitsOf(contract: { readonly facts: Learned }, quantity: string): string {
  const { multiplier } = contract.facts;
  if (multiplier === null || multiplier === '1') return quantity;
  return print(multiply(calculated(quantity), amount(multiplier)));
}

export const isLongOrShort = (side: string): side is OrderSide => side === 'BUY' || side === 'SELL';
export const opposite = (side: OrderSide): OrderSide => (side === 'BUY' ? 'SELL' : 'BUY');

/**
 * The position an order of `side` would close. One-way: the one on the other side. Hedge: that leg, and only by an
 * order that names it (`closes`: reduce-only or reverse).
 */
export function closablePosition(contract: KnownContract, side: OrderSide, closes: boolean): Position | null {
  if (contract.hedge === true && !closes) return null;
  return contract.positions.find((one) => one.side === opposite(side)) ?? null;
}

/** Resting reduce-only orders that would close the same position. */
export function restingReductions(
  symbolId: string,
  side: OrderSide,
  context: OrderContext,
): readonly OpenOrder[] {
  return (context.openOrders ?? []).filter(
    (one) => one.symbolId === symbolId && one.side === side && isOn(one.reduceOnly ?? false),
  );
}

/** A price field may be null, empty or 0 while there is none. */
export const isPrice = (text: string | null): text is string =>
  text !== null && text !== '' && !/^0(?:\.0*)?$/.test(text);
