/**
 * Reads a position's take-profit and stop-loss orders: triggers and quantities. The content of `tpSlOrders` and `tpSl`
 * is not documented, so an entry needs a recognisable kind and trigger price, else it counts as unread.
 */
import {
  absolute,
  add,
  type Amount,
  amount,
  calculated,
  equal,
  greater,
  isDecimal,
  isNegative,
  isPositive,
  larger,
  less,
  print,
  smaller,
  subtract,
  ZERO,
} from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import { isRecord } from '../../exchange-api/fields.ts';
import { profit } from '../margin/pnl.ts';
import { parseJsonOrNull } from '../../json.ts';
import { quotient } from '../numeric/quotient.ts';
import { type ContractSide, isLongOrShort } from '../../exchange-api/enums.ts';

export interface ProtectionOrder {
  readonly kind: 'TP' | 'SL';
  readonly trigger: string;
  /** The exchange's name (`MARK_PRICE`); null if missing. */
  readonly triggerType: string | null;
  /** Null means at market when triggered. */
  readonly orderPrice: string | null;
  /** Null if missing. */
  readonly quantity: string | null;
}

export interface Protection {
  readonly orders: readonly ProtectionOrder[];
  /** Number of unreadable entries; null if unknown. */
  readonly unread: number | null;
}

/** Returns the TP/SL orders of `tpSlOrders`, else of `tpSl`, and how many there are beside them. */
export function protectionOf(position: Position): Protection {
  const orders: ProtectionOrder[] = [];
  let unread = 0;
  for (const entry of position.tpSlOrders) {
    const order = readOrder(entry);
    if (order === null) unread += 1;
    else orders.push(order);
  }
  if (position.tpSlOrders.length > 0) return { orders, unread };
  const set = settingsOf(position.tpSl);
  if (set.length > 0) return { orders: set, unread: 0 };
  const { tpSlSize, tpSl, received } = position;
  const least = tpSl === null || tpSl === '' ? 0 : 1;
  if (tpSlSize !== null) return { orders, unread: Math.max(tpSlSize, least) };
  // An empty list means no orders, unless the received one was unreadable.
  const isCounted = received?.['tpSlSize'] === undefined && received?.['tpSlOrders'] === undefined;
  return { orders, unread: least > 0 ? least : isCounted ? 0 : null };
}

function readOrder(entry: unknown): ProtectionOrder | null {
  if (!isRecord(entry)) return null;
  const kind = kindOf(entry['kind']);
  const trigger = priceOf(entry['triggerPrice']);
  if (kind === null || trigger === null) return null;
  const type = entry['triggerType'];
  return {
    kind,
    trigger,
    triggerType: typeof type === 'string' && type !== '' ? type : null,
    orderPrice: priceOf(entry['executePrice']),
    quantity: priceOf(entry['quantity']),
  };
}

function kindOf(value: unknown): 'TP' | 'SL' | null {
  if (value === 'TAKE_PROFIT' || value === 'TP') return 'TP';
  return value === 'STOP_LOSS' || value === 'SL' ? 'SL' : null;
}

const priceOf = (value: unknown): string | null =>
  typeof value === 'string' && isDecimal(value) && isPositive(amount(value)) ? value : null;

/** Reads the fields of an open order's `tpSl`, which is JSON text. */
function settingsOf(text: string | null): ProtectionOrder[] {
  if (text === null || !text.startsWith('{')) return [];
  // The content is not documented; text that is not JSON is ignored.
  const record = parseJsonOrNull(text);
  if (!isRecord(record)) return [];
  return (['tp', 'sl'] as const).flatMap((name) => {
    const trigger = priceOf(record[`${name}Price`]);
    if (trigger === null) return [];
    const kind = name === 'tp' ? ('TP' as const) : ('SL' as const);
    const orderPrice = priceOf(record[`${name}ExecutePrice`]);
    return [{ kind, trigger, triggerType: null, orderPrice, quantity: null }];
  });
}

export interface Covered {
  /** Sum of the quantities; null if one, or the position's own, is unknown. */
  readonly quantity: string | null;
  /** `none`: no such order; `unknown`: its quantity is missing. */
  readonly extent: 'none' | 'part' | 'all' | 'more' | 'unknown';
}

/** Returns how much of the position the orders of a kind close together. */
export function coveredBy(position: Position, { orders }: Protection, kind: 'TP' | 'SL'): Covered {
  const of = orders.filter((one) => one.kind === kind);
  if (of.length === 0) return { quantity: null, extent: 'none' };
  if (position.quantity === null) return { quantity: null, extent: 'unknown' };
  let total = ZERO;
  for (const { quantity } of of) {
    if (quantity === null) return { quantity: null, extent: 'unknown' };
    total = add(total, amount(quantity));
  }
  const held = amount(position.quantity);
  const extent = equal(total, held) ? 'all' : greater(total, held) ? 'more' : 'part';
  return { quantity: print(total), extent };
}

/** Returns the take-profit and stop-loss orders that trigger while the mark moves to one of the prices; none without a mark. */
export function triggeredOnWay(position: Position, prices: readonly string[]): readonly ProtectionOrder[] {
  const { markPrice } = position;
  if (markPrice === null) return [];
  const reached = [markPrice, ...prices].map((one) => amount(one));
  const [lowest, highest] = [reached.reduce(smaller), reached.reduce(larger)];
  return protectionOf(position).orders.filter(({ trigger }) => {
    const at = amount(trigger);
    return !less(at, lowest) && !greater(at, highest);
  });
}

/** Returns the trigger closest to the price, which fires first; null without such an order. */
export function firstTrigger(position: Position, { orders }: Protection, kind: 'TP' | 'SL'): string | null {
  const prices = orders.filter((one) => one.kind === kind).map((one) => one.trigger);
  // A long's stop is below and its target above; a short's the reverse.
  const highest = (position.side === 'BUY') === (kind === 'SL');
  return prices.reduce<string | null>((best, price) => {
    if (best === null) return price;
    const pick = highest ? larger(amount(best), amount(price)) : smaller(amount(best), amount(price));
    return print(pick);
  }, null);
}

/**
 * Returns the closed PnL before fees when the order fills at its price (its trigger at market), for the part it closes;
 * null for an unknown side, entry price or quantity.
 */
export function profitAt(
  position: Position,
  order: ProtectionOrder,
  contractSide: ContractSide,
  units: (quantity: string) => string,
): string | null {
  const { side, avgEntryPrice, quantity: held } = position;
  if (!isLongOrShort(side) || avgEntryPrice === null || held === null) return null;
  if (!isPositive(calculated(avgEntryPrice))) return null;
  const quantity =
    order.quantity !== null && less(amount(order.quantity), amount(held)) ? order.quantity : held;
  return profit({
    contractSide,
    side,
    quantity: units(quantity),
    entryPrice: avgEntryPrice,
    exitPrice: order.orderPrice ?? order.trigger,
  });
}

/** Returns gain ÷ loss with two decimals; null unless one is a gain and the other a loss. */
export function rewardToRisk(reward: Amount, risk: Amount): string | null {
  if (!isPositive(reward) || !isNegative(risk)) return null;
  return quotient(reward, absolute(risk), 2);
}

/** Returns how much more the orders close than is held; '0' if they do not. */
export function excess(position: Position, covered: Covered): string {
  if (covered.extent !== 'more' || covered.quantity === null || position.quantity === null) return '0';
  return print(subtract(calculated(covered.quantity), amount(position.quantity)));
}
