/**
 * Defines what an order is checked against: the account as last read, the contract and the user's limits. Plain data.
 */
import { calculated, multiply, print } from '../../amount.ts';
import type { AccountInfo, Asset, Position } from '../../exchange-api/account.ts';
import {
  isCross,
  isIsolated,
  isLongOrShort,
  isOn,
  isResting,
  opposite,
  type ContractSide,
  type OrderSide,
} from '../../exchange-api/enums.ts';
import type { ConcernedField } from '../../exchange-api/error-codes.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import type { UnreadableRecord } from '../../exchange-api/replies.ts';
import type { SymbolConfig } from '../../exchange-api/symbol-config.ts';
import { isHeld } from '../../exchange-api/values.ts';
import { type CoinAmount, coinsBy, type ContractCoins, sideOf } from './currencies.ts';
import type { ContractSpecs } from './specs.ts';
import type { Convention } from '../margin/margin.ts';
import type { RatioUnit } from '../margin/ratio-unit.ts';
import type { Reference, ReferenceSource } from './reference-prices.ts';

/** Ticket fields a fault or check can refer to. */
export type DraftField =
  ConcernedField | 'size' | 'timeInForce' | 'reduceOnly' | 'postOnly' | 'reverseOrder' | 'reference';

/** A valid value, applied with one click. */
export interface Suggestion {
  readonly field: DraftField;
  readonly value: string;
  readonly label: string;
}

/** The user's limits (ipc/settings.ts `limits`); null means off. */
export interface OrderLimits {
  readonly priceDeviationPercent: string | null;
  readonly notional: string | null;
  readonly equitySharePercent: string | null;
  readonly referenceAgeSeconds: number;
}

/** The user's daily limits of one account; null means off. */
export interface DayLimits {
  /** Largest realised loss after fees, above 0, in one coin. */
  readonly loss: CoinAmount | null;
  /** Most opening orders sent from here. */
  readonly orders: number | null;
}

/** The limits of an account in force today, and what counts towards them. */
export interface DayUsage {
  readonly limits: DayLimits;
  /** Lifted by the user until midnight. */
  readonly lifted: boolean;
  /** Time zone of the day, an IANA name. */
  readonly zone: string;
  /** Opening orders sent from here, those of unknown outcome included; 0 without a limit of them. */
  readonly sent: number;
  /** Realised result after fees in the coin of the loss limit, as far as it is known; null if none of it is. */
  readonly result: string | null;
  /** Why the result is not known up to now, as a sentence; null if it is. */
  readonly unknown: string | null;
}

export interface OrderContext {
  /** Null until the configuration was received. */
  readonly contracts: readonly SymbolConfig[] | null;
  readonly account: AccountInfo | null;
  readonly openOrders: readonly OpenOrder[] | null;
  /** Returns a symbol's inferred specs. */
  readonly specs: (symbolId: string) => ContractSpecs;
  /** Known prices of the draft's symbol, best first; the first is used. */
  readonly references: readonly Reference[];
  readonly limits: OrderLimits;
  /** Null without daily limits. */
  readonly day: DayUsage | null;
  /** What the reduce-only rows of a batch before this one close on its side; absent outside of a batch. */
  readonly reducedAhead?: string;
  readonly convention: Convention;
  /** False if the exchange's liquidation prices do not include the closing fee. */
  readonly closingFee: boolean;
  /** The rate that means 100 % in the exchange's margin rates; null if unknown. */
  readonly marginUnit: RatioUnit | null;
  readonly kind: 'practice' | 'live';
  /** Quarantined records of positions and open orders. */
  readonly unreadable: readonly UnreadableRecord[];
  /** Meaning of a reverse order's quantity; `unset` disables Reverse on a live connection. */
  readonly reverseQuantity: 'unset' | 'new-position' | 'sum';
  /** Names of the connection's trigger types; the exchange API does not list them. */
  readonly triggerTypes: readonly string[];
  /** This computer's clock, ms. */
  readonly now: number;
}

/** The part that describes the account alone, without draft and clock. */
export type AccountContext = Pick<
  OrderContext,
  'contracts' | 'account' | 'openOrders' | 'specs' | 'convention' | 'closingFee' | 'marginUnit'
>;

/** Returns the price in use, or the newest of one source. */
export const referenceOf = (context: OrderContext, source?: ReferenceSource): Reference | null =>
  context.references.find((one) => source === undefined || one.source === source) ?? null;

/** Leverage and margin mode of a leg. */
export interface LegTerms {
  readonly leverage: string;
  readonly leverageFrom: 'position' | 'open order' | 'other leg' | 'contract default';
  /** Isolated or cross; null for a margin mode that is missing or that the API does not list. */
  readonly isolated: boolean | null;
  /** The margin mode in a sentence; one the API does not list as received. */
  readonly mode: string;
}

/** A configured contract with everything known about it. Its own terms are those of the leg in question. */
export interface KnownContract extends LegTerms {
  readonly config: SymbolConfig;
  readonly side: ContractSide;
  readonly specs: ContractSpecs;
  readonly coins: ContractCoins;
  /** Terms by side, which may differ between the legs of a hedge. */
  readonly legs: Readonly<Record<OrderSide, LegTerms>>;
  /** Whether the records show hedge mode; null without a record of the symbol. */
  readonly hedge: boolean | null;
  /** The symbol's positions: one, or two legs in hedge mode. */
  readonly positions: readonly Position[];
  /** The asset record of the margin coin. */
  readonly asset: Asset | null;
}

/**
 * Returns a contract with what the account's records say of it; null if it is not listed or of an unknown side. `leg`
 * is the one whose terms it has, by default that of the first record.
 */
export function contractOf(
  symbolId: string,
  context: Pick<AccountContext, 'contracts' | 'account' | 'openOrders' | 'specs'>,
  leg?: OrderSide,
): KnownContract | null {
  const config = context.contracts?.find((one) => one.symbolId === symbolId);
  const side = config && sideOf(config);
  if (!config || !side) return null;
  const specs = context.specs(symbolId);
  const coins = coinsBy(config, specs.multiplier);
  const records = context.account?.positions.filter((one) => one.symbolId === symbolId) ?? [];
  const orders = context.openOrders?.filter((one) => one.symbolId === symbolId) ?? [];
  const record = records[0] ?? orders[0];
  const hedge = record === undefined ? null : record.positionMode === 'HEDGE';
  const shown = [...records.map(heldTerms), ...orders.map(restingTerms)];
  const terms = (of: OrderSide): LegTerms => termsOf(of, hedge === true, config, shown);
  const legs = { BUY: terms('BUY'), SELL: terms('SELL') };
  return {
    config,
    side,
    specs,
    coins,
    ...legs[leg ?? (records[0]?.side === 'SELL' ? 'SELL' : 'BUY')],
    legs,
    hedge,
    positions: records.filter(isHeld),
    asset: context.account?.assets.find((one) => one.coin === coins.margin) ?? null,
  };
}

/** The reason for what depends on the margin mode of a contract where `isolated` is null. */
export const unknownMode = (symbolId: string): string =>
  `The margin mode of ${symbolId} is unknown, so nothing says what backs it.`;

/** The reason for what depends on the side of a position whose side the API does not list. */
export const unknownSide = (side: string): string => `Unknown position side “${side}”.`;

/** Returns the side of the leg that an order opens, or closes if it is reduce-only. */
export const legSideOf = ({ side, reduceOnly }: Pick<OrderRequest, 'side' | 'reduceOnly'>): OrderSide =>
  reduceOnly === true ? opposite(side) : side;

/** A record that shows terms, and the side of the leg it is of. */
interface TermRecord {
  readonly record: Pick<Position | OpenOrder, 'leverage' | 'marginMode'>;
  readonly from: 'position' | 'open order';
  readonly of: string;
}
const heldTerms = (record: Position): TermRecord => ({ record, from: 'position', of: record.side });
const restingTerms = (record: OpenOrder): TermRecord => ({
  record,
  from: 'open order',
  of: isLongOrShort(record.side)
    ? legSideOf({ side: record.side, reduceOnly: isOn(record.reduceOnly ?? false) })
    : record.side,
});

/**
 * Reads a leg's terms from the first record that has them; without one only the contract's default is known. The API has
 * leverage and margin mode per record, so the legs of a hedge may differ: a leg's own position comes first, then its own
 * order, then records of the other leg.
 */
function termsOf(
  leg: OrderSide,
  hedge: boolean,
  config: SymbolConfig,
  records: readonly TermRecord[],
): LegTerms {
  const own = hedge ? records.filter(({ of }) => of === leg) : records;
  const ordered = [...own, ...records.filter((one) => !own.includes(one))];
  const shown = ordered.find(({ record }) => record.leverage !== null && record.leverage > 0);
  return {
    leverage: String(shown?.record.leverage ?? config.defaultLeverage ?? 0),
    leverageFrom: shown === undefined ? 'contract default' : own.includes(shown) ? shown.from : 'other leg',
    ...modeOf(ordered[0]?.record.marginMode ?? config.defaultMarginMode),
  };
}

/** Reads a margin mode as received. */
export function modeOf(marginMode: string): Pick<LegTerms, 'isolated' | 'mode'> {
  if (isIsolated({ marginMode })) return { isolated: true, mode: 'isolated' };
  if (isCross({ marginMode })) return { isolated: false, mode: 'cross' };
  return { isolated: null, mode: marginMode === '' ? 'unknown margin mode' : marginMode };
}

/** Says why the user's own leverage is unknown: no record of the symbol shows it, or one that cannot be read. */
export const leverageUnknown = ({ hedge }: KnownContract): string =>
  hedge === null ? 'yours is unknown without a position' : 'yours could not be read';

/**
 * Converts a quantity to units of the base coin (inverse: quote units) by the contract's multiplier, which is not 1
 * only where the exchange counts contracts.
 */
export function unitsOf(contract: { readonly specs: ContractSpecs }, quantity: string): string {
  const { multiplier } = contract.specs;
  if (multiplier === null || multiplier === '1') return quantity;
  return print(multiply(calculated(quantity), calculated(multiplier)));
}

/**
 * Returns the position an order of `side` would close. One-way: the one on the other side. Hedge: the other leg, and
 * only if `closes` (reduce-only or reverse).
 */
export function closablePosition(contract: KnownContract, side: OrderSide, closes: boolean): Position | null {
  if (contract.hedge === true && !closes) return null;
  return contract.positions.find((one) => one.side === opposite(side)) ?? null;
}

/** Returns the resting reduce-only orders that would close the same position. */
export function restingReductions(
  symbolId: string,
  side: OrderSide,
  context: OrderContext,
): readonly OpenOrder[] {
  return (context.openOrders ?? []).filter(
    (one) =>
      isResting(one) && one.symbolId === symbolId && one.side === side && isOn(one.reduceOnly ?? false),
  );
}
