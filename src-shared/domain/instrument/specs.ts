/**
 * Infers contract specs the exchange API does not publish: price and quantity decimals, multiplier, fee rates. They are
 * never certain: the window shows the source of each, and unseen ones are null.
 */
import { amount, decimalsOf, isZero, MAX_FRACTION_DIGITS } from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import type { ContractSide } from '../../exchange-api/enums.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import type { HistoryOrder } from '../../exchange-api/order-history.ts';
import type { Trade } from '../../exchange-api/trade.ts';
import type { SymbolConfig } from '../../exchange-api/symbol-config.ts';
import { inferMultiplier } from './multiplier.ts';

/** Key of a contract's overrides in the settings: a symbol on one connection. */
export const contractKey = (connectionId: string, symbolId: string): string => `${connectionId} ${symbolId}`;

/** Records of one symbol. Own trades may be missing: their symbol format is not documented. */
export interface SeenRecords {
  readonly positions: readonly Position[];
  readonly openOrders: readonly OpenOrder[];
  readonly history: readonly HistoryOrder[];
  readonly trades: readonly Trade[];
}

export interface ContractSpecs {
  /** Most decimals of an order or trade price; of last, then mark prices only without any. Averages never count. */
  readonly priceDecimals: number | null;
  readonly quantityDecimals: number | null;
  /** Value of one unit of quantity: 1 unless the exchange counts contracts. */
  readonly multiplier: string | null;
  readonly feeRateMaker: string | null;
  readonly feeRateTaker: string | null;
}

/** The user's overrides; null keeps the inferred value. */
export interface SpecsOverride {
  readonly priceDecimals: number | null;
  readonly quantityDecimals: number | null;
  readonly feeRateMaker: string | null;
  readonly feeRateTaker: string | null;
  readonly multiplier?: string | null | undefined;
}

/** Returns a contract's multiplier; null or undefined if it is not known. */
export type MultiplierOf = (symbolId: string) => string | null | undefined;

const overridden = (inferred: ContractSpecs, by: SpecsOverride | null): ContractSpecs =>
  by === null
    ? inferred
    : {
        ...inferred,
        priceDecimals: by.priceDecimals ?? inferred.priceDecimals,
        quantityDecimals: by.quantityDecimals ?? inferred.quantityDecimals,
        feeRateMaker: by.feeRateMaker ?? inferred.feeRateMaker,
        feeRateTaker: by.feeRateTaker ?? inferred.feeRateTaker,
        multiplier: by.multiplier ?? inferred.multiplier,
      };

/** Returns a text's decimals, at most what can be sent. Trailing zeros beyond that are padding. */
const stepDecimals = (text: string): number =>
  decimalsOf(text) > MAX_FRACTION_DIGITS
    ? Math.min(decimalsOf(text.replace(/\.?0+$/, '')), MAX_FRACTION_DIGITS)
    : decimalsOf(text);

const most = (texts: readonly (string | null)[]): number | null => {
  const seen = texts.filter((text): text is string => text !== null && !isZero(amount(text)));
  return seen.length === 0 ? null : Math.max(...seen.map(stepDecimals));
};

/** Infers decimals and fee rates from records of the contract alone. Fee rates are those of the newest order. */
export function specsOf(contractSide: ContractSide, seen: SeenRecords): Omit<ContractSpecs, 'multiplier'> {
  const { positions, openOrders, history, trades } = seen;
  const orders = [...openOrders, ...history];
  const newest = history.reduce<HistoryOrder | null>(
    (best, one) => (best === null || one.mtime > best.mtime ? one : best),
    null,
  );
  const set = most([...orders.map((one) => one.price), ...trades.map((one) => one.price)]);
  return {
    priceDecimals:
      set ?? most(positions.map((one) => one.lastPrice)) ?? most(positions.map((one) => one.markPrice)),
    quantityDecimals: most([
      ...orders.map((one) => one.totalQuantity),
      ...orders.map((one) => one.tradeQuantity),
      ...positions.map((one) => one.quantity),
      // A trade of an inverse contract has quantity / price (docs/accounting.md), not a quantity.
      ...(contractSide === 'FORWARD' ? trades.map((one) => one.executedQty) : []),
    ]),
    feeRateMaker: newest?.feeRateMaker ?? null,
    feeRateTaker: newest?.feeRateTaker ?? null,
  };
}

/** The records available, of any symbol, but trades of this one alone, which may spell it differently; null until received. */
type AvailableRecords = { readonly [K in keyof SeenRecords]: SeenRecords[K] | null };

/** Infers a symbol's specs; its configuration may be unknown. `own` are the user's overrides. */
export function inferSpecs(
  symbolId: string,
  contract: SymbolConfig | undefined,
  { positions, openOrders, history, trades }: AvailableRecords,
  own: SpecsOverride | null,
): ContractSpecs {
  const of = <T extends { readonly symbolId: string }>(rows: readonly T[] | null): T[] =>
    (rows ?? []).filter((one) => one.symbolId === symbolId);
  const inferred = specsOf(contract?.contractSide === 'REVERSE' ? 'REVERSE' : 'FORWARD', {
    positions: of(positions),
    openOrders: of(openOrders),
    history: of(history),
    trades: trades ?? [],
  });
  const multiplier = inferMultiplier(contract, of(positions), of(history));
  return overridden({ ...inferred, multiplier }, own);
}
