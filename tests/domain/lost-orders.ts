/**
 * Generates histories for matching tests: requests and what became of each, the resulting orders, foreign orders,
 * clock offsets, late lists. Few different values are used, so that orders often look alike.
 */
import type { OrderRequest } from '../../src-shared/exchange-api/order-request.ts';
import { clockReadings, creationWindows } from '../../src-shared/domain/reconcile/creation-windows.ts';
import type { OrderSearch } from '../../src-shared/domain/reconcile/matching.ts';
import type { SeenOrder, SeenTpSl } from '../../src-shared/domain/reconcile/listed-orders.ts';

export interface TrueOrder {
  readonly seen: SeenOrder;
  /** The intent it came from; null for a foreign order. */
  readonly owner: string | null;
}

export interface History {
  readonly searches: readonly OrderSearch[];
  readonly orders: readonly TrueOrder[];
  /** Orders visible in the lists by now. */
  readonly visible: ReadonlySet<string>;
}

export type Random = () => number;

/** Mulberry32: a small seeded generator, the same on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const ANSWER_MS = 15_000;
const LATEST_MS = ANSWER_MS + 120_000;
const START = 1_795_392_000_000;

/** `identical`: whether foreign orders may equal a request in every visible field. */
export function generateHistory(random: Random, identical: boolean): History {
  const below = (n: number): number => Math.floor(random() * n);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
  const chance = (share: number): boolean => random() < share;

  const offset = pick([0, 0, -40_000, 3_600_000, -600_000]);
  // The Date header may come from another clock than the records; then this computer's clock may be right.
  const trueOffset = pick([offset, offset, 0]) + below(2_001) - 1_000;
  let nextId = 0;
  const newId = (): string => String(9_007_199_254_740_993n + BigInt(++nextId));
  const request = (): OrderRequest => {
    const limit = chance(0.6);
    const closesAll = !limit && chance(0.3);
    const reduceOnly = closesAll || chance(0.2);
    return {
      symbolId: pick(['BTC-USDT-M', 'BTC-USDT-M', 'ETH-USDT-M']),
      side: pick(['BUY', 'BUY', 'SELL']),
      type: limit ? 'LIMIT' : 'MARKET',
      ...(limit
        ? { timeInForce: pick(['GTC', 'GTC', 'IOC']), price: pick(['97250.0', '97250', '97250.5']) }
        : {}),
      ...(closesAll ? {} : { quantity: pick(['1', '1.00', '10', '0.5']) }),
      ...(reduceOnly ? { reduceOnly: true } : pick([{}, { reduceOnly: false }])),
      ...(limit && chance(0.1) ? { postOnly: true } : {}),
      ...(!reduceOnly && chance(0.1)
        ? { tpSl: { tpTriggerType: 'MARK_PRICE', tpPrice: pick(['99000', '99500']), slTriggerType: 'NONE' } }
        : {}),
    };
  };
  const made = (from: OrderRequest, createdAt: number): SeenOrder => ({
    orderId: newId(),
    list: pick(['open-orders', 'order-history']),
    symbolId: from.symbolId,
    side: from.side,
    type: from.type,
    timeInForce: from.timeInForce ?? 'IOC',
    price:
      from.price === undefined
        ? '0'
        : pick([from.price, `${from.price}${from.price.includes('.') ? '' : '.'}00`]),
    totalQuantity: from.quantity ?? pick(['1.0', '0.500']),
    tradeQuantity: '0',
    status: 'NEW',
    reduceOnly: from.reduceOnly ?? false,
    postOnly: from.postOnly ?? false,
    reverseOrder: chance(0.5) ? null : false,
    liquidation: false,
    condition: false,
    tpSl: chance(0.6) ? recordedTpSl(from) : null,
    createdAt,
  });

  const orders: (TrueOrder & { readonly visibleAt: number })[] = [];
  const claimed = new Set<string>();
  const searches: OrderSearch[] = [];
  const listsComplete = chance(0.9);
  let sentAt = START;
  let last = request();
  const repeatShare = random();
  for (let index = below(5) + 1; index > 0; index--) {
    sentAt += pick([20, 16_000, 60_000, 130_000, 200_000]);
    // A share of the requests repeats the previous one, so that some orders are identical.
    if (!chance(repeatShare)) last = request();
    const intentId = `intent-${searches.length + claimed.size}-${index}`;
    const fate = pick(['lost', 'lost', 'lost', 'lost', 'accepted', 'dismissed', 'sending'] as const);
    const arrived = fate === 'accepted' || chance(0.7);
    // Polled before sending, or a little earlier.
    const polledAt = sentAt - pick([0, 2_000, 15_000]);
    const known = orders.filter((one) => one.visibleAt < polledAt).map((one) => one.seen.orderId);
    if (arrived) {
      const seen = made(last, sentAt + trueOffset + pick([0, 30, 800, 8_000, 83_000, LATEST_MS]));
      orders.push({
        seen,
        owner: intentId,
        visibleAt: (seen.createdAt ?? 0) - trueOffset + pick([0, 500, 40_000, 120_000]),
      });
      if (fate === 'accepted') claimed.add(seen.orderId);
    }
    if (fate !== 'accepted')
      searches.push({
        intentId,
        state: fate === 'lost' ? 'unknown' : fate,
        request: last,
        sentAt,
        windows: creationWindows(sentAt, ANSWER_MS, clockReadings(offset, null, ANSWER_MS)),
        ruledOut: new Set(known),
        isClockKnown: true,
        listsComplete: listsComplete || chance(0.5),
      });
  }

  // Foreign orders: near misses of every kind, and identical ones when requested.
  for (let index = below(6); index > 0; index--) {
    const model = pick(searches.length > 0 ? searches : [null])?.request ?? request();
    const at = START + trueOffset + below(500_000);
    const base = made(model, at);
    const miss = below(identical ? NEAR_MISSES + 1 : NEAR_MISSES);
    orders.push({
      seen: miss === NEAR_MISSES ? base : nearMiss(base, miss),
      owner: null,
      visibleAt: at - trueOffset,
    });
  }
  const now = sentAt + pick([1_000, 30_000, 200_000]);
  return {
    searches: searches.map((one) => ({ ...one, ruledOut: new Set([...one.ruledOut, ...claimed]) })),
    orders,
    visible: new Set(orders.filter((one) => one.visibleAt <= now).map((one) => one.seen.orderId)),
  };
}

/** TP/SL as a record shows it, with other decimals than the request. */
const recordedTpSl = ({ tpSl }: OrderRequest): SeenTpSl => ({
  tpPrice: tpSl?.tpPrice === undefined ? null : `${tpSl.tpPrice}.00`,
  tpExecutePrice: null,
  slPrice: null,
  slExecutePrice: null,
});

const NEAR_MISSES = 9;
/** Changes one field so that the order fits no request of the model. */
function nearMiss(order: SeenOrder, which: number): SeenOrder {
  switch (which) {
    case 0:
      return { ...order, symbolId: 'SOL-USDT-M' };
    case 1:
      return { ...order, side: 'HOLD' };
    case 2:
      return { ...order, type: 'STOP' };
    case 3:
      return { ...order, liquidation: true };
    case 4:
      // A quantity no request has here. A close-all takes any quantity, so it is made different by a flag.
      return order.reduceOnly
        ? { ...order, postOnly: true, type: 'MARKET' }
        : { ...order, totalQuantity: '3.1415' };
    case 5:
      return order.type === 'LIMIT' ? { ...order, price: '12.5' } : { ...order, reverseOrder: true };
    case 6:
      // A fired stop or take-profit of the position: equal in everything else.
      return { ...order, condition: true };
    case 7:
      return {
        ...order,
        tpSl: { tpPrice: '98765', tpExecutePrice: null, slPrice: null, slExecutePrice: null },
      };
    default:
      return { ...order, createdAt: (order.createdAt ?? 0) - 10_000_000_000 };
  }
}
