/** Orders as the exchange lists them, open or past, brought to one shape to look for a lost order in. */
import { isOn } from '../../exchange-api/enums.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import type { HistoryOrder } from '../../exchange-api/order-history.ts';
import { isPrice } from '../instrument/trading-context.ts';

/** Prices of an order's take-profit and stop-loss; null where the record carries none. */
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
  /** Null where the record gives none, or it could not be read; `isDoubtful` then. */
  readonly price: string | null;
  readonly totalQuantity: string | null;
  readonly tradeQuantity: string | null;
  readonly status: string;
  readonly reduceOnly: boolean | null;
  readonly postOnly: boolean | null;
  /** Null where the record does not carry it. */
  readonly reverseOrder: boolean | null;
  /** The exchange liquidated: nobody's request. */
  readonly liquidation: boolean;
  /** A condition of the exchange made it, such as a stop that fired: no request of ours. Older journals lack it. */
  readonly condition?: boolean;
  /** As far as the record carries it. Older journals lack it. */
  readonly tpSl?: SeenTpSl | null;
  /** By the exchange's clock, ms; null where it could not be read. */
  readonly createdAt: number | null;
  /** Something that is compared could not be read: it may be any order of its contract. Older journals lack it. */
  readonly isDoubtful?: boolean;
}

/** Order source 2 of the interface. */
const SYSTEM_LIQUIDATION = 2;

/** Each order once; where both lists have it the history counts, which carries more and was read later. */
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

/** Figures of a market order may be empty; its price is compared with nothing. */
const isDoubtful = (one: OpenOrder | HistoryOrder, createdAt: number | null): boolean =>
  createdAt === null ||
  one.reduceOnly === null ||
  one.postOnly === null ||
  one.totalQuantity === null ||
  one.type === '' ||
  (one.type === 'LIMIT' && (one.price === null || one.timeInForce === ''));

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

/** An empty or zero price is none. */
const given = (price: string | null): string | null => (isPrice(price) ? price : null);

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
          tpPrice: given(one.tpSl.tpPrice),
          tpExecutePrice: given(one.tpSl.tpExecutePrice),
          slPrice: given(one.tpSl.slPrice),
          slExecutePrice: given(one.tpSl.slExecutePrice),
        },
  createdAt: one.ctime,
  ...(isDoubtful(one, one.ctime) ? { isDoubtful: true } : {}),
});

const fromHistory = (one: HistoryOrder): SeenOrder => ({
  ...inBoth(one),
  orderId: one.id,
  list: 'order-history',
  reverseOrder: flag(one.reverseOrder),
  liquidation: one.source === SYSTEM_LIQUIDATION,
  tpSl: {
    tpPrice: given(one.tpPrice),
    tpExecutePrice: null,
    slPrice: given(one.slPrice),
    slExecutePrice: null,
  },
  createdAt: one.orderTime,
  ...(isDoubtful(one, one.orderTime) ? { isDoubtful: true } : {}),
});
