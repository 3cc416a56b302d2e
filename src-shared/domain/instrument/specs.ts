/**
 * Infers contract specs the exchange API does not publish: price and quantity decimals, multiplier, fee rates. They are
 * never certain: the window shows the source of each, and unseen ones are null.
 */
import {
  add,
  amount,
  type Amount,
  decimalsOf,
  divide,
  equal,
  isPositive,
  isZero,
  lessOrEqual,
  MAX_FRACTION_DIGITS,
  multiply,
  print,
  significant,
  subtract,
} from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import type { HistoryOrder } from '../../exchange-api/order-history.ts';
import type { Trade } from '../../exchange-api/trade.ts';
import { lastPlace } from '../numeric/fraction.ts';
import type { ContractSide } from '../../exchange-api/enums.ts';

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

/** Returns the user's override of a contract's multiplier, if there is one. */
export type OwnMultiplier = (symbolId: string) => string | null | undefined;

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

/** Infers a contract's specs from records of it alone. Fee rates are those of the newest order. */
export function specsOf(contractSide: ContractSide, seen: SeenRecords): ContractSpecs {
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
    multiplier: multiplierOf(contractSide, positions),
    feeRateMaker: newest?.feeRateMaker ?? null,
    feeRateTaker: newest?.feeRateTaker ?? null,
  };
}

/** The records available, of any symbol, but trades of this one alone, which may spell it differently; null until received. */
type AvailableRecords = { readonly [K in keyof SeenRecords]: SeenRecords[K] | null };

/** Infers a symbol's specs; its configuration may be unknown. `own` are the user's overrides. */
export function inferSpecs(
  symbolId: string,
  contract: { readonly contractSide: string } | undefined,
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
  return overridden(inferred, own);
}

/** Results by the three inputs, which stay the same while marks move; each poll needs them several times. */
const found = new Map<string, string | null>();
const FOUND = 2_000;

/**
 * Returns entryValue ÷ (quantity × avgEntryPrice), inverse: ÷ (quantity / avgEntryPrice), as the round number that fits
 * the digits given. Null without a position, and where none fits, as on an exchange that values positions at the mark.
 */
export function multiplierOf(contractSide: ContractSide, positions: readonly Position[]): string | null {
  for (const position of positions) {
    const name = `${contractSide} ${position.quantity ?? ''} ${position.avgEntryPrice ?? ''} ${position.entryValue ?? ''}`;
    let multiplier = found.get(name);
    if (multiplier === undefined) {
      multiplier = multiplierBy(contractSide, position);
      if (found.size >= FOUND) found.clear();
      found.set(name, multiplier);
    }
    if (multiplier !== null && !isValuedAtMark(contractSide, position, multiplier)) return multiplier;
  }
  return null;
}

/**
 * Reports whether the entry value is one at the mark that happens to be 0.9 or so of the average: a power of ten fits
 * the mark then, where the multiplier is none.
 */
function isValuedAtMark(contractSide: ContractSide, position: Position, multiplier: string): boolean {
  if (isPowerOfTen(multiplier)) return false;
  const atMark = multiplierBy(contractSide, { ...position, avgEntryPrice: position.markPrice });
  return atMark !== null && isPowerOfTen(atMark);
}
const isPowerOfTen = (text: string): boolean => /^(?:10*|0\.0*1)$/.test(text);

function multiplierBy(contractSide: ContractSide, position: Position): string | null {
  const { avgEntryPrice, entryValue } = position;
  if (position.quantity === null || avgEntryPrice === null || entryValue === null) return null;
  const quantity = amount(position.quantity);
  const price = amount(avgEntryPrice);
  const value = amount(entryValue);
  if (!isPositive(quantity) || !isPositive(price) || !isPositive(value)) return null;
  // One unit of the last digit either way: it may have been truncated instead of rounded.
  const priceStep = lastPlace(decimalsOf(avgEntryPrice));
  const valueStep = lastPlace(decimalsOf(entryValue));
  if (lessOrEqual(price, priceStep) || lessOrEqual(value, valueStep)) return null;
  const forward = contractSide === 'FORWARD';
  const one = (entry: Amount, at: Amount): Amount =>
    forward ? divide(entry, multiply(quantity, at)) : divide(multiply(entry, at), quantity);
  const lowPrice = subtract(price, priceStep);
  const highPrice = add(price, priceStep);
  const low = one(subtract(value, valueStep), forward ? highPrice : lowPrice);
  const high = one(add(value, valueStep), forward ? lowPrice : highPrice);
  const middle = one(value, price);
  const candidates = [
    ...POWERS_OF_TEN,
    ...[1, 2, 3].map((digits) => significant(middle, digits)).filter(isRound),
  ];
  const fitting = candidates.find((each) => lessOrEqual(low, each) && lessOrEqual(each, high));
  return fitting === undefined ? null : print(fitting);
}

/** Whether a number is one digit before zeros, as 5 or 0.02, or eighths of one, as 25, 0.25 and 12.5. */
const isRound = (value: Amount): boolean =>
  lessOrEqual(LEAST, value) &&
  [value, multiply(value, EIGHT)].some((each) => equal(each, significant(each, 1)));

/**
 * Sizes of contracts are nearly always one of these, so they come first: a price of few digits, such as 0.2 where zeros
 * at the end are left out, fits several numbers. No range holds two: it spans less than a factor of 9.
 */
const POWERS_OF_TEN = Array.from({ length: 25 }, (_, index) =>
  index < 12 ? lastPlace(12 - index) : amount(`1${'0'.repeat(index - 12)}`),
);
const LEAST = lastPlace(12);
const EIGHT = amount('8');
