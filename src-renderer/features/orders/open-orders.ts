/** What the open orders' table shows beside the fields. */
import { amount, divide, isPositive, print, round } from '../../../src-shared/amount.ts';
import { distanceShare } from '../../../src-shared/domain/position-figures.ts';
import { isPrice } from '../../../src-shared/domain/order-context.ts';
import type { Position } from '../../../src-shared/interface/account.ts';
import { isOn } from '../../../src-shared/interface/enums.ts';

/** Marks by contract: only positions carry them, so an order of another contract has no distance. */
export function marksOf(positions: readonly Position[]): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  for (const { symbolId, markPrice } of positions) if (isPrice(markPrice)) marks.set(symbolId, markPrice);
  return marks;
}

/** From the mark to the order's price; null for a market order or without a mark. */
export function toMark(
  order: { readonly symbolId: string; readonly type: string; readonly price: string },
  marks: ReadonlyMap<string, string>,
): string | null {
  const mark = marks.get(order.symbolId);
  return mark === undefined || order.type !== 'LIMIT' || !isPrice(order.price)
    ? null
    : distanceShare(mark, order.price);
}

/** Filled ÷ total, 0 to 1. */
export function filledShare(order: {
  readonly tradeQuantity: string;
  readonly totalQuantity: string;
}): string {
  const total = amount(order.totalQuantity);
  if (!isPositive(total)) return '0';
  return print(round(divide(amount(order.tradeQuantity), total), 10, 'down'));
}

/** Short words of what is special about an order. */
export function flagsOf(order: {
  readonly reduceOnly: boolean | number;
  readonly postOnly: boolean | number;
  readonly reverseOrder?: boolean | number;
  readonly conditionOrderId: string;
  readonly tpSl?: { readonly tpPrice: string | null; readonly slPrice: string | null } | null;
  readonly tpPrice?: string | null;
  readonly slPrice?: string | null;
}): string[] {
  const flags: string[] = [];
  if (isOn(order.reduceOnly)) flags.push('Reduce');
  if (isOn(order.postOnly)) flags.push('Post');
  if (order.reverseOrder !== undefined && isOn(order.reverseOrder)) flags.push('Reverse');
  const isSet = (price: string | null | undefined): boolean => price !== undefined && isPrice(price);
  if (isSet(order.tpSl?.tpPrice ?? order.tpPrice)) flags.push('TP');
  if (isSet(order.tpSl?.slPrice ?? order.slPrice)) flags.push('SL');
  if (order.conditionOrderId !== '' && order.conditionOrderId !== '0') flags.push('Condition');
  return flags;
}
