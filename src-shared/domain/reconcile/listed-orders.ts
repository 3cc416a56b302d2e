/** Converts listed orders, open or past, to one form for order reconciliation. */
import { isOn, SYSTEM_SOURCE } from '../../exchange-api/enums.ts';
import type { Received } from '../../exchange-api/fields.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import type { HistoryOrder } from '../../exchange-api/order-history.ts';
import { priceOrNull } from '../../exchange-api/values.ts';

/** Prices of take-profit and stop-loss; null if missing. */
export interface SeenTpSl {
  readonly tpPrice: string | null;
  readonly tpExecutePrice: string | null;
  readonly slPrice: string | null;
  readonly slExecutePrice: string | null;
}

export interface SeenOrder {
  readonly orderId: string;
  readonly list: 'open-orders' | 'order-history';
  readonly symbolId: string;
  readonly side: string;
  readonly type: string;
  readonly timeInForce: string;
  /** Null if missing or unreadable; an unreadable one sets `isDoubtful`. */
  readonly price: string | null;
  readonly totalQuantity: string | null;
  readonly tradeQuantity: string | null;
  readonly status: string;
  readonly reduceOnly: boolean | null;
  readonly postOnly: boolean | null;
  /** Null if the record does not contain it. */
  readonly reverseOrder: boolean | null;
  /** Created by a liquidation, not by a request. */
  readonly liquidation: boolean;
  /**
   * Created by a condition at the exchange, such as a triggered stop, not by our request. Missing in older journals.
   */
  readonly condition?: boolean;
  /** As far as the record contains it. Missing in older journals. */
  readonly tpSl?: SeenTpSl | null;
  /** Exchange clock in ms; null if unreadable. */
  readonly createdAt: number | null;
  /** A compared value is unreadable, so it may be any order of its symbol. Missing in older journals. */
  readonly isDoubtful?: boolean;
}

/** Returns each order once; the history's version wins, which has more fields and was read later. */
export function seenOrders(
  open: readonly OpenOrder[],
  history: readonly HistoryOrder[],
): ReadonlyMap<string, SeenOrder> {
  return new Map([
    ...open.map((one) => [one.orderId, fromOpen(one)] as const),
    ...history.map((one) => [one.id, fromHistory(one)] as const),
  ]);
}

const flag = (value: boolean | number | null): boolean | null => (value === null ? null : isOn(value));

/** Reports whether one of these fields was given and cannot be read. One that was not given may mean none. */
const isUnreadable = <T extends { readonly received?: Received }>(
  record: T,
  fields: readonly (keyof T & string)[],
): boolean =>
  fields.some(
    (name) => (record[name] === null || record[name] === '') && record.received?.[name] !== undefined,
  );

/** Reports whether a compared value is unreadable. A market order's price is not compared and may be empty. */
const isDoubtful = (one: OpenOrder | HistoryOrder, createdAt: number | null): boolean =>
  createdAt === null ||
  isUnreadable(one, ['conditionOrderId']) ||
  one.reduceOnly === null ||
  one.postOnly === null ||
  one.totalQuantity === null ||
  one.type === '' ||
  (one.type === 'LIMIT' && (one.price === null || one.timeInForce === ''));

const TP_SL = ['tpPrice', 'tpExecutePrice', 'slPrice', 'slExecutePrice'] as const;

const isOpenDoubtful = (one: OpenOrder): boolean =>
  isDoubtful(one, one.ctime) ||
  isUnreadable(one, ['tpSl']) ||
  (one.tpSl !== null && isUnreadable(one.tpSl, TP_SL));

const isHistoryDoubtful = (one: HistoryOrder): boolean =>
  isDoubtful(one, one.orderTime) ||
  one.reverseOrder === null ||
  one.source === null ||
  isUnreadable(one, ['tpPrice', 'slPrice']);

const inBoth = (one: OpenOrder | HistoryOrder) => ({
  symbolId: one.symbolId,
  side: one.side,
  type: one.type,
  timeInForce: one.timeInForce,
  price: one.price,
  totalQuantity: one.totalQuantity,
  tradeQuantity: one.tradeQuantity,
  status: one.status,
  reduceOnly: flag(one.reduceOnly),
  postOnly: flag(one.postOnly),
  condition: one.conditionOrderId !== '' && one.conditionOrderId !== '0',
});

/** Treats an empty or zero price as none. */
const fromOpen = (one: OpenOrder): SeenOrder => ({
  ...inBoth(one),
  orderId: one.orderId,
  list: 'open-orders',
  reverseOrder: null,
  liquidation: false,
  tpSl:
    one.tpSl === null
      ? null
      : {
          tpPrice: priceOrNull(one.tpSl.tpPrice),
          tpExecutePrice: priceOrNull(one.tpSl.tpExecutePrice),
          slPrice: priceOrNull(one.tpSl.slPrice),
          slExecutePrice: priceOrNull(one.tpSl.slExecutePrice),
        },
  createdAt: one.ctime,
  ...(isOpenDoubtful(one) ? { isDoubtful: true } : {}),
});

const fromHistory = (one: HistoryOrder): SeenOrder => ({
  ...inBoth(one),
  orderId: one.id,
  list: 'order-history',
  reverseOrder: flag(one.reverseOrder),
  liquidation: one.source === SYSTEM_SOURCE,
  tpSl: {
    tpPrice: priceOrNull(one.tpPrice),
    tpExecutePrice: null,
    slPrice: priceOrNull(one.slPrice),
    slExecutePrice: null,
  },
  createdAt: one.orderTime,
  ...(isHistoryDoubtful(one) ? { isDoubtful: true } : {}),
});
