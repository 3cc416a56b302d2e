/** Figures and flags of open orders that are not fields of the record. */
import { amount, divide, isPositive, print, round } from '../../../src-shared/amount.ts';
import { distanceShare } from '../../../src-shared/domain/position/metrics.ts';
import { isPrice, priceOrNull } from '../../../src-shared/exchange-api/values.ts';
import { isOn } from '../../../src-shared/exchange-api/enums.ts';
import { plainNumber } from '../../text/number-text.ts';

/** Returns the distance from the mark to the order's price; null for a market order or without a mark. */
export function toMark(
  order: { readonly symbolId: string; readonly type: string; readonly price: string | null },
  marks: ReadonlyMap<string, string>,
): string | null {
  const mark = marks.get(order.symbolId);
  return mark === undefined || order.type !== 'LIMIT' || !isPrice(order.price)
    ? null
    : distanceShare(mark, order.price);
}

/** Filled ÷ total, 0 to 1; null if one of them could not be read. */
export function filledShare({
  tradeQuantity,
  totalQuantity,
}: {
  readonly tradeQuantity: string | null;
  readonly totalQuantity: string | null;
}): string | null {
  if (tradeQuantity === null || totalQuantity === null) return null;
  const total = amount(totalQuantity);
  if (!isPositive(total)) return '0';
  return print(round(divide(amount(tradeQuantity), total), 10, 'down'));
}

interface Triggers {
  readonly tpSl?: { readonly tpPrice: string | null; readonly slPrice: string | null } | null;
  readonly tpPrice?: string | null;
  readonly slPrice?: string | null;
}
/** Returns the price that triggers an order's take profit or stop loss; null if it has none. */
function triggerOf({ tpSl, ...order }: Triggers, kind: 'tpPrice' | 'slPrice'): string | null {
  const price = tpSl?.[kind] ?? order[kind] ?? null;
  return priceOrNull(price);
}

/** Returns what a flag stands for, where that is more than its name. */
export function flagTitle(order: Triggers, flag: string): string | undefined {
  const trigger =
    flag === 'TP' ? triggerOf(order, 'tpPrice') : flag === 'SL' ? triggerOf(order, 'slPrice') : null;
  if (trigger === null) return undefined;
  return `${flag === 'TP' ? 'Take profit' : 'Stop loss'} at ${plainNumber(trigger)}`;
}

/** Returns short labels of an order's options. */
export function flagsOf(
  order: Triggers & {
    readonly reduceOnly: boolean | number | null;
    readonly postOnly: boolean | number | null;
    readonly reverseOrder?: boolean | number | null;
    readonly conditionOrderId: string;
  },
): string[] {
  const flags: string[] = [];
  const flag = (value: boolean | number | null | undefined, name: string): void => {
    if (value === null) flags.push(`${name}?`);
    else if (value !== undefined && isOn(value)) flags.push(name);
  };
  flag(order.reduceOnly, 'Reduce');
  flag(order.postOnly, 'Post');
  flag(order.reverseOrder, 'Reverse');
  if (triggerOf(order, 'tpPrice') !== null) flags.push('TP');
  if (triggerOf(order, 'slPrice') !== null) flags.push('SL');
  if (order.conditionOrderId !== '' && order.conditionOrderId !== '0') flags.push('Condition');
  return flags;
}
