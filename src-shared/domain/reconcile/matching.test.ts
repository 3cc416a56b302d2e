import { describe, expect, it } from 'vitest';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import { clockReadings, creationWindows } from './creation-windows.ts';
import { matchOrders, type OrderSearch, type Verdict } from './matching.ts';
import type { SeenOrder, SeenTpSl } from './listed-orders.ts';
import { LIMIT as limit } from '../../../tests/domain/order-samples.ts';
import { checkHistories } from '../../../tests/domain/matching-truth.ts';

const SENT = 1_795_392_000_000;
const windowsOf = (sentAt: number, headerMs: number) =>
  creationWindows(sentAt, 15_000, clockReadings(headerMs, null, 15_000));
const search = (change: Partial<OrderSearch> = {}, request: Partial<OrderRequest> = {}): OrderSearch => ({
  intentId: 'a',
  state: 'unknown',
  sentAt: SENT,
  windows: windowsOf(SENT, 0),
  isClockKnown: true,
  ruledOut: new Set(),
  listsComplete: true,
  ...change,
  request: { ...limit, ...request },
});
const order = (orderId: string, change: Partial<SeenOrder> = {}): SeenOrder => ({
  orderId,
  list: 'open-orders',
  symbolId: 'BTC-USDT-M',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  price: '97250',
  totalQuantity: '0.85',
  tradeQuantity: '0',
  status: 'OPEN',
  reduceOnly: false,
  postOnly: false,
  reverseOrder: null,
  liquidation: false,
  condition: false,
  tpSl: null,
  createdAt: SENT + 40,
  ...change,
});
const verdict = (one: OrderSearch, seen: readonly SeenOrder[]): Verdict | undefined =>
  matchOrders([one], seen).get('a');

describe('a candidate', () => {
  it('is the one order that carries what was sent, as numbers', () => {
    expect(verdict(search(), [order('9')])).toMatchObject({ kind: 'matched', order: { orderId: '9' } });
  });

  const others: [string, Partial<SeenOrder>][] = [
    ['symbol', { symbolId: 'ETH-USDT-M' }],
    ['side', { side: 'SELL' }],
    ['type', { type: 'MARKET' }],
    ['time in force', { timeInForce: 'IOC' }],
    ['price', { price: '97250.1' }],
    ['quantity', { totalQuantity: '0.8500001' }],
    ['reduce-only', { reduceOnly: true }],
    ['post-only', { postOnly: true }],
    ['reverse', { reverseOrder: true }],
    ['liquidation', { liquidation: true }],
    ['a condition fired', { condition: true }],
    [
      'take-profit',
      { tpSl: { tpPrice: '99000', tpExecutePrice: null, slPrice: null, slExecutePrice: null } },
    ],
    ['too early', { createdAt: SENT - 6_001 }],
    ['too late', { createdAt: SENT + 15_000 + 121_001 }],
  ];
  it.each(others)('is not another %s', (_name, change) => {
    expect(verdict(search(), [order('9', change)])).toEqual({ kind: 'absent' });
  });

  const tpSl = { tpTriggerType: 'MARK_PRICE', tpPrice: '99000.0', slTriggerType: 'NONE' } as const;
  const none = { tpPrice: null, tpExecutePrice: null, slPrice: null, slExecutePrice: null };
  it.each<[string, SeenTpSl | null, string]>([
    ['the same', { ...none, tpPrice: '99000' }, 'matched'],
    ['another take-profit', { ...none, tpPrice: '99000.1' }, 'absent'],
    ['a stop loss that was not asked for', { ...none, tpPrice: '99000', slPrice: '95000' }, 'absent'],
    [
      'an execution price the request left open',
      { ...none, tpPrice: '99000', tpExecutePrice: '1' },
      'matched',
    ],
    // Not every record has it, and a missing value contradicts nothing.
    ['none', none, 'matched'],
    ['nothing', null, 'matched'],
    ['another execution price', { ...none, tpPrice: '99000', slExecutePrice: '1' }, 'matched'],
  ])('with TP/SL: the record says %s', (_name, recorded, kind) => {
    const lost = search({}, { tpSl });
    expect(verdict(lost, [order('9', { tpSl: recorded })])?.kind).toBe(kind);
  });
  it('with TP/SL: compares order prices where both have one', () => {
    const priced = { ...tpSl, tpExecutePrice: '99001.0' };
    const by = (tpExecutePrice: string | null) =>
      verdict(search({}, { tpSl: priced }), [
        order('9', { tpSl: { ...none, tpPrice: '99000', tpExecutePrice } }),
      ]);
    expect(['99001', null, '99002'].map((price) => by(price)?.kind)).toEqual([
      'matched',
      'matched',
      'absent',
    ]);
  });
  it('with TP/SL: distinguishes requests that differ by it alone if the records have it', () => {
    const other = { ...tpSl, tpPrice: '99500.0' };
    const both = [
      search({ intentId: 'a' }, { tpSl }),
      search({ intentId: 'b', sentAt: SENT + 1 }, { tpSl: other }),
    ];
    const seen = [
      order('8', { tpSl: { ...none, tpPrice: '99500' } }),
      order('9', { tpSl: { ...none, tpPrice: '99000' } }),
    ];
    const verdicts = matchOrders(both, seen);
    expect(verdicts.get('a')).toMatchObject({ kind: 'matched', order: { orderId: '9' } });
    expect(verdicts.get('b')).toMatchObject({ kind: 'matched', order: { orderId: '8' } });
  });

  it.each([SENT - 6_000, SENT + 136_000])('may be created at the ends of the window: %i', (createdAt) => {
    expect(verdict(search(), [order('9', { createdAt })])?.kind).toBe('matched');
  });

  it('has its window by the exchange’s clock', () => {
    const late = search({ windows: windowsOf(SENT, 3_600_000) });
    expect(verdict(late, [order('9', { createdAt: SENT - 6_001 })])?.kind).toBe('undecided');
    expect(verdict(late, [order('9', { createdAt: SENT + 3_600_000 })])?.kind).toBe('matched');
    // The header may be wrong: this computer's clock counts too, and an order between the two is ambiguous.
    expect(verdict(late, [order('9')])?.kind).toBe('matched');
    expect(verdict(late, [order('9', { createdAt: SENT + 1_800_000 })])?.kind).toBe('ambiguous');
    expect(verdict(late, [order('9'), order('8', { createdAt: SENT + 3_600_000 })])?.kind).toBe('ambiguous');
  });

  it('leaves every request of its group to the user while one order is outside of one’s window', () => {
    const between = SENT + 1_800_000;
    const lost = [
      search({ windows: windowsOf(SENT, 3_600_000) }),
      search({ intentId: 'b', sentAt: between, windows: windowsOf(between, 0) }),
    ];
    // The first order fits the first request, the second is between its windows and fits the second request.
    const seen = [order('8'), order('9', { createdAt: between + 40 })];
    expect([...matchOrders(lost, seen).values()].map(({ kind }) => kind)).toEqual(['ambiguous', 'ambiguous']);
  });

  it('is searched by an accepted order’s time, if neither clock was set since', () => {
    const accepted = { sentAt: SENT - 60_000, headerMs: 3_600_000, createdAt: SENT - 60_000 + 500_000 };
    const by = (headerMs: number) =>
      search({ windows: creationWindows(SENT, 15_000, clockReadings(headerMs, accepted, 15_000)) });
    const there = order('9', { createdAt: SENT + 500_000 });
    expect(verdict(by(3_600_000), [there])?.kind).toBe('matched');
    expect(verdict(by(3_600_000), [order('9')])?.kind).toBe('absent');
    // The header was set since, or this computer's clock: either may be right.
    for (const other of [there, order('9'), order('9', { createdAt: SENT - 3_100_000 })])
      expect(verdict(by(0), [other])?.kind).toBe('matched');
  });

  it.each([-40_000, 40_000])('is found where the Date header alone is off by %i ms', (offset) => {
    const one = search({ windows: windowsOf(SENT, offset) });
    expect(verdict(one, [order('9')])?.kind).toBe('matched');
    expect(verdict(one, [order('9', { createdAt: SENT + offset })])?.kind).toBe('matched');
  });

  it('is not taken for the request while a compared value of it cannot be read', () => {
    const unread: readonly Partial<SeenOrder>[] = [
      { createdAt: null },
      { price: null },
      { totalQuantity: null },
      { reduceOnly: null },
      { postOnly: null },
      { type: '' },
      { timeInForce: '' },
    ];
    // Any of them may be it, and none is passed over.
    for (const change of unread) {
      const doubtful = order('9', { ...change, isDoubtful: true });
      expect(verdict(search(), [doubtful]), JSON.stringify(change)).toEqual({
        kind: 'ambiguous',
        candidates: [doubtful],
        identicalRequests: 1,
      });
      // An older journal does not note the doubt.
      expect(verdict(search(), [order('9', change)])?.kind, JSON.stringify(change)).toBe('matched');
    }
    // One doubtful order among several is enough.
    const both = [search(), search({ intentId: 'b', sentAt: SENT + 1 })];
    const seen = [order('8'), order('9', { price: null, isDoubtful: true })];
    expect([...matchOrders(both, seen).values()].map(({ kind }) => kind)).toEqual(['ambiguous', 'ambiguous']);
  });

  it('of no known window may be it at any time', () => {
    expect(verdict(search({ windows: [] }), [order('9', { createdAt: 1 })])?.kind).toBe('ambiguous');
  });

  it('of a limit request has a price to compare', () => {
    const { price: _price, ...unpriced } = limit;
    expect(verdict({ ...search(), request: unpriced }, [order('9')])?.kind).toBe('absent');
  });

  it('may have a value the request only names where it differs from the default', () => {
    const flags = { reduceOnly: true, postOnly: true, reverseOrder: true };
    for (const name of ['reduceOnly', 'postOnly', 'reverseOrder'] as const) {
      expect(verdict(search({}, { [name]: true }), [order('9', { [name]: true })])?.kind).toBe('matched');
      expect(verdict(search({}, { [name]: true }), [order('9', { [name]: false })])?.kind).toBe('absent');
    }
    expect(verdict(search({}, flags), [order('9', flags)])?.kind).toBe('matched');
  });

  it('was not known before the send and is no other intent’s', () => {
    expect(verdict(search({ ruledOut: new Set(['9']) }), [order('9')])?.kind).toBe('absent');
  });

  it('may have any quantity for a close-all, any price and time in force for a market order', () => {
    const { quantity: _q, price: _p, timeInForce: _t, ...rest } = limit;
    const close = { ...search(), request: { ...rest, type: 'MARKET', reduceOnly: true } as const };
    const filled = { type: 'MARKET', reduceOnly: true, price: '0', timeInForce: 'IOC', totalQuantity: '7' };
    expect(verdict(close, [order('9', { ...filled, list: 'order-history' })])?.kind).toBe('matched');
    // Open orders don't tell the exchange's own, such as a liquidation of the same position.
    expect(verdict(close, [order('9', filled)])?.kind).toBe('undecided');
  });
});

describe('counting', () => {
  const identicalRequest = search({
    intentId: 'b',
    sentAt: SENT + 20_000,
    windows: windowsOf(SENT + 20_000, 0),
  });
  const both = (
    seen: readonly SeenOrder[],
    other: OrderSearch = identicalRequest,
  ): (Verdict | undefined)[] => {
    const verdicts = matchOrders([search(), other], seen);
    return [verdicts.get('a'), verdicts.get('b')];
  };

  it('two orders for one request: the user chooses', () => {
    expect(verdict(search(), [order('9'), order('8')])).toMatchObject({
      kind: 'ambiguous',
      candidates: [{ orderId: '8' }, { orderId: '9' }],
    });
  });

  it('two orders for two identical requests: each has one, in the order of time', () => {
    expect(both([order('9', { createdAt: SENT + 20_100 }), order('8')])).toMatchObject([
      { kind: 'matched', order: { orderId: '8' }, identicalRequests: 2 },
      { kind: 'matched', order: { orderId: '9' }, identicalRequests: 2 },
    ]);
  });

  it('one order that matches two requests: the user chooses', () => {
    expect(both([order('9', { createdAt: SENT + 20_100 })]).map((one) => one?.kind)).toEqual([
      'ambiguous',
      'ambiguous',
    ]);
  });

  it('an order too old for the later identical request belongs to the earlier', () => {
    expect(both([order('9')])).toMatchObject([{ kind: 'matched' }, { kind: 'absent' }]);
  });

  it('requests that differ in what no list shows cannot swap', () => {
    const stop = { tpTriggerType: 'NONE', slTriggerType: 'MARK_PRICE', slPrice: '90000' };
    const other = { ...identicalRequest, request: { ...limit, tpSl: stop } };
    const late = { createdAt: SENT + 20_100 };
    expect(both([order('8', late), order('9', late)], other).map((one) => one?.kind)).toEqual([
      'ambiguous',
      'ambiguous',
    ]);
  });

  /** Requests like the first but for one thing, and two orders either could have become. */
  const swapped = (request: Partial<OrderRequest>, own: Partial<OrderRequest> = {}): string[] => {
    const lost = [
      search({ intentId: 'a' }, own),
      search({ intentId: 'b', sentAt: SENT + 1 }, { ...own, ...request }),
    ];
    const vague = {
      ...{ type: '', timeInForce: '', price: null, totalQuantity: null },
      ...{ reduceOnly: null, postOnly: null, reverseOrder: null, tpSl: null },
    };
    const seen = [order('8', vague), order('9', { ...vague, createdAt: SENT + 41 })];
    const found = matchOrders(lost, seen);
    return ['a', 'b'].map((id) => {
      const one = found.get(id);
      return one?.kind === 'matched' ? one.order.orderId : (one?.kind ?? '');
    });
  };
  it.each<[string, Partial<OrderRequest>]>([
    ['type', { type: 'MARKET' }],
    ['time in force', { timeInForce: 'IOC' }],
    ['price', { price: '97250.1' }],
    ['quantity', { quantity: '0.85001' }],
    ['quantity of other zeros', { quantity: '8.50' }],
    ['reduce-only', { reduceOnly: true }],
    ['post-only', { postOnly: true }],
    ['reverse', { reverseOrder: true }],
    ['TP/SL', { tpSl: { tpTriggerType: 'MARK_PRICE', tpPrice: '99000', slTriggerType: 'NONE' } }],
  ])('requests that differ in %s alone cannot swap', (_name, request) => {
    expect(swapped(request)).toEqual(['ambiguous', 'ambiguous']);
  });
  const tpSl = {
    ...{ tpTriggerType: 'MARK_PRICE', tpPrice: '99000.0', tpExecutePrice: '99001' },
    ...{ slTriggerType: 'MARK_PRICE', slPrice: '95000.0', slExecutePrice: '94999' },
  } as const;
  it.each(Object.keys(tpSl))('requests that differ in %s alone cannot swap', (name) => {
    const other = name.endsWith('Type') ? 'LAST_PRICE' : '98000';
    expect(swapped({ tpSl: { ...tpSl, [name]: other } }, { tpSl })).toEqual([...['ambiguous', 'ambiguous']]);
  });
  it.each<[string, Partial<OrderRequest>, Partial<OrderRequest>]>([
    ['trailing zeros', { price: '97250.000', quantity: '0.85' }, {}],
    ['whole numbers', { price: '97250', quantity: '10' }, { quantity: '10.00' }],
    ['defaults spelled out', { reduceOnly: false, postOnly: false, reverseOrder: false }, {}],
    ['the price of a market order', { price: '1', timeInForce: 'IOC' }, { type: 'MARKET' }],
    ['the zeros of TP/SL', { tpSl: { ...tpSl, tpPrice: '99000', slPrice: '95000' } }, { tpSl }],
  ])('requests that differ in %s are the same request', (_name, request, own) => {
    expect(swapped(request, own)).toEqual(['8', '9']);
  });

  it('equal times: orders by id, requests by theirs', () => {
    const same = { createdAt: SENT + 40 };
    const lost = [search({ intentId: 'b' }), search({ intentId: 'a' })];
    const found = matchOrders(lost, [order('9', same), order('8', same)]);
    expect(['a', 'b'].map((id) => found.get(id))).toMatchObject([
      { kind: 'matched', order: { orderId: '8' } },
      { kind: 'matched', order: { orderId: '9' } },
    ]);
  });

  it('a pending identical request leaves everything undecided; a dismissed one may still own the order', () => {
    const late = order('9', { createdAt: SENT + 20_100 });
    expect(both([late], { ...identicalRequest, state: 'sending' })[0]?.kind).toBe('undecided');
    expect(both([late], { ...identicalRequest, state: 'dismissed' })[0]?.kind).toBe('ambiguous');
  });

  it('is undecided with incomplete lists', () => {
    expect(verdict(search({ listsComplete: false }), [])?.kind).toBe('undecided');
    expect(verdict(search({ listsComplete: false }), [order('9')])?.kind).toBe('undecided');
  });
});

describe('compared with simulated histories', () => {
  const runs = 10_000;

  // The long run is tests/stress/matching.ts.
  it(`never matches wrongly in ${runs} histories`, () => {
    const count = checkHistories(runs);
    expect(count).toMatchObject({ histories: runs, wrong: 0, missed: 0 });
    // The generator must cover every kind of case.
    for (const kind of ['matched', 'ambiguous', 'absent', 'undecided', 'unique', 'foreign'] as const)
      expect(count[kind], kind).toBeGreaterThan(runs / 500);
  });
});
