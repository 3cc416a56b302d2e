/** Infers what one unit of a contract's quantity stands for: 1 coin unless the exchange counts contracts. */
import {
  add,
  amount,
  type Amount,
  decimalsOf,
  divide,
  equal,
  greater,
  isPositive,
  less,
  lessOrEqual,
  multiply,
  print,
  significant,
  subtract,
} from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import { type ContractSide, isOn, SYSTEM_SOURCE } from '../../exchange-api/enums.ts';
import type { HistoryOrder } from '../../exchange-api/order-history.ts';
import type { SymbolConfig } from '../../exchange-api/symbol-config.ts';
import { lastPlace } from '../numeric/fraction.ts';
import { coinsOf, sideOf } from './currencies.ts';

/** Infers a contract's multiplier from its records; null if its configuration is unknown, or none of them shows it. */
export function inferMultiplier(
  config: SymbolConfig | undefined,
  positions: readonly Position[],
  history: readonly HistoryOrder[],
): string | null {
  const side = config && sideOf(config);
  return side ? (multiplierOf(side, positions) ?? multiplierByFees(config, history)) : null;
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
  const { quantity, avgEntryPrice, entryValue } = position;
  const range = rangeOf(contractSide, { quantity, price: avgEntryPrice, value: entryValue });
  if (range === null) return null;
  const round = [1, 2, 3].map((digits) => significant(range.middle, digits)).filter(isRound);
  return fitting(range, [...POWERS_OF_TEN, ...round]);
}

/** Numbers between which a multiplier lies. */
interface Range {
  readonly low: Amount;
  readonly middle: Amount;
  readonly high: Amount;
}

interface Valued {
  readonly quantity: string | null;
  readonly price: string | null;
  /** Quantity × price × multiplier, inverse: quantity / price × multiplier; or a share of it. */
  readonly value: string | null;
}

/** Returns value ÷ (quantity × price), inverse: ÷ (quantity / price); null where the digits are too few. */
function rangeOf(contractSide: ContractSide, valued: Valued): Range | null {
  if (valued.quantity === null || valued.price === null || valued.value === null) return null;
  const [quantity, price, value] = [amount(valued.quantity), amount(valued.price), amount(valued.value)];
  if (!isPositive(quantity) || !isPositive(price) || !isPositive(value)) return null;
  // One unit of the last digit either way: it may have been truncated instead of rounded.
  const priceStep = lastPlace(decimalsOf(valued.price));
  const valueStep = lastPlace(decimalsOf(valued.value));
  if (lessOrEqual(price, priceStep) || lessOrEqual(value, valueStep)) return null;
  const forward = contractSide === 'FORWARD';
  const one = (entry: Amount, at: Amount): Amount =>
    forward ? divide(entry, multiply(quantity, at)) : divide(multiply(entry, at), quantity);
  const lowPrice = subtract(price, priceStep);
  const highPrice = add(price, priceStep);
  return {
    low: one(subtract(value, valueStep), forward ? highPrice : lowPrice),
    middle: one(value, price),
    high: one(add(value, valueStep), forward ? lowPrice : highPrice),
  };
}

function fitting({ low, high }: Range, candidates: readonly Amount[]): string | null {
  const found = candidates.find((each) => lessOrEqual(low, each) && lessOrEqual(each, high));
  return found === undefined ? null : print(found);
}

/** As many orders are tried: a poll must not divide through a thousand. */
const TRIED = 20;
/** A fee must show the multiplier to a tenth, or one of few digits would fit a power of ten by chance. */
const NARROW = amount('1.1');

/**
 * Returns the multiplier that the fees of filled orders show, where no position does: fee ÷ (fee rate × quantity ×
 * average price), inverse: quantity / average price. Only a power of ten counts, since a discount would show as another
 * number. Null where no fee in the margin coin shows one, and where two show different ones.
 */
export function multiplierByFees(config: SymbolConfig, history: readonly HistoryOrder[]): string | null {
  const side = sideOf(config);
  if (side === null) return null;
  const { margin } = coinsOf(config);
  const paid = history.filter((one) => one.feeAssetId === margin && one.source !== SYSTEM_SOURCE);
  const found = new Set<string | null>();
  for (const order of paid.slice(0, TRIED)) {
    const known = BY_FEE[side].get(order);
    const multiplier = known === undefined ? multiplierByFee(side, order) : known;
    BY_FEE[side].set(order, multiplier);
    found.add(multiplier);
  }
  return onlyOne(found);
}

/** Returns the one multiplier that was found; null for none or several. */
function onlyOne(found: Set<string | null>): string | null {
  found.delete(null);
  const [multiplier = null] = found;
  return found.size === 1 ? multiplier : null;
}

/** Results by order: one stays the same while marks move, which have the specs inferred again. */
const BY_FEE: Readonly<Record<ContractSide, WeakMap<HistoryOrder, string | null>>> = {
  FORWARD: new WeakMap(),
  REVERSE: new WeakMap(),
};

function multiplierByFee(side: ContractSide, order: HistoryOrder): string | null {
  const { tradeQuantity: quantity, avgPrice: price, feeAmount: value } = order;
  const range = rangeOf(side, { quantity, price, value });
  if (range === null || less(multiply(range.low, NARROW), range.high)) return null;
  const found = ratesOf(order).map((rate) =>
    fitting({ ...range, low: divide(range.low, rate), high: divide(range.high, rate) }, POWERS_OF_TEN),
  );
  return onlyOne(new Set(found));
}

/**
 * Returns the fee rates an order may have paid. One that may have filled in both roles counts if the taker's rate is
 * less than ten times the maker's: no mixture of them shows as another power of ten then.
 */
function ratesOf(order: HistoryOrder): readonly Amount[] {
  const [maker, taker] = [order.feeRateMaker, order.feeRateTaker].map((rate) =>
    rate === null ? null : amount(rate),
  );
  const known = (rates: readonly (Amount | null | undefined)[]): readonly Amount[] =>
    rates.filter((rate): rate is Amount => !!rate && isPositive(rate));
  if (isOn(order.postOnly ?? false)) return known([maker]);
  if (order.type === 'MARKET' || order.timeInForce === 'IOC' || order.timeInForce === 'FOK')
    return known([taker]);
  const both = known([maker, taker]);
  const [low, high] = both;
  return low && high && less(high, multiply(low, TEN)) && !greater(low, high) ? both : [];
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
const TEN = amount('10');
