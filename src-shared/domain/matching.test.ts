import { describe, expect, it } from 'vitest';
import type { OrderRequest } from '../interface/order-request.ts';
import { creationWindow, judge, type SoughtOrder, type Verdict } from './matching.ts';
import type { SeenOrder } from './seen-orders.ts';
import { generateHistory, seededRandom, type History, type TrueOrder } from './testing/lost-orders.ts';

const SENT = 1_795_392_000_000;
const limit: OrderRequest = {
  symbolId: 'BTC-USDT-M',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.850',
  price: '97250.0',
};
const sought = (change: Partial<SoughtOrder> = {}, request: Partial<OrderRequest> = {}): SoughtOrder => ({
  intentId: 'a',
  standing: 'unknown',
  sentAt: SENT,
  window: creationWindow(SENT, 15_000, 0),
  ruledOut: new Set(),
  readWhole: true,
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
  createdAt: SENT + 40,
  ...change,
});
const verdict = (one: SoughtOrder, seen: readonly SeenOrder[]): Verdict | undefined =>
  judge([one], seen).get('a');

describe('a candidate', () => {
  it('is the one order that carries what was sent, as numbers', () => {
    expect(verdict(sought(), [order('9')])).toMatchObject({ kind: 'landed', order: { orderId: '9' } });
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
    ['too early', { createdAt: SENT - 6_001 }],
    ['too late', { createdAt: SENT + 15_000 + 121_001 }],
  ];
  it.each(others)('is not another %s', (_name, change) => {
    expect(verdict(sought(), [order('9', change)])).toEqual({ kind: 'absent' });
  });

  it.each([SENT - 6_000, SENT + 136_000])('may be created at the ends of the window: %i', (createdAt) => {
    expect(verdict(sought(), [order('9', { createdAt })])?.kind).toBe('landed');
  });

  it('has its window by the exchange’s clock', () => {
    const late = sought({ window: creationWindow(SENT, 15_000, 3_600_000) });
    expect(verdict(late, [order('9')])?.kind).toBe('absent');
    expect(verdict(late, [order('9', { createdAt: SENT + 3_600_000 })])?.kind).toBe('landed');
  });

  it('was not known before the send and is no other intent’s', () => {
    expect(verdict(sought({ ruledOut: new Set(['9']) }), [order('9')])?.kind).toBe('absent');
  });

  it('of a close-all has any quantity; a market order has any price and time in force', () => {
    const { quantity: _q, price: _p, timeInForce: _t, ...rest } = limit;
    const close = { ...sought(), request: { ...rest, type: 'MARKET', reduceOnly: true } as const };
    const filled = { type: 'MARKET', reduceOnly: true, price: '0', timeInForce: 'IOC', totalQuantity: '7' };
    expect(verdict(close, [order('9', filled)])?.kind).toBe('landed');
  });
});

describe('counting', () => {
  const twin = sought({
    intentId: 'b',
    sentAt: SENT + 20_000,
    window: creationWindow(SENT + 20_000, 15_000, 0),
  });
  const both = (seen: readonly SeenOrder[], other: SoughtOrder = twin): (Verdict | undefined)[] => {
    const verdicts = judge([sought(), other], seen);
    return [verdicts.get('a'), verdicts.get('b')];
  };

  it('two orders for one request: the person chooses', () => {
    expect(verdict(sought(), [order('9'), order('8')])).toMatchObject({
      kind: 'ambiguous',
      candidates: [{ orderId: '8' }, { orderId: '9' }],
    });
  });

  it('two orders for two identical requests: each has one, in the order of time', () => {
    expect(both([order('9', { createdAt: SENT + 20_100 }), order('8')])).toMatchObject([
      { kind: 'landed', order: { orderId: '8' }, twins: 2 },
      { kind: 'landed', order: { orderId: '9' }, twins: 2 },
    ]);
  });

  it('one order that either of two requests may have made: the person chooses', () => {
    expect(both([order('9', { createdAt: SENT + 20_100 })]).map((one) => one?.kind)).toEqual([
      'ambiguous',
      'ambiguous',
    ]);
  });

  it('an order too old for the later twin is the earlier one’s', () => {
    expect(both([order('9')])).toMatchObject([{ kind: 'landed' }, { kind: 'absent' }]);
  });

  it('requests that differ in what no list shows cannot swap', () => {
    const stop = { tpTriggerType: 'NONE', slTriggerType: 'MARK_PRICE', slPrice: '90000' };
    const other = { ...twin, request: { ...limit, tpSl: stop } };
    const late = { createdAt: SENT + 20_100 };
    expect(both([order('8', late), order('9', late)], other).map((one) => one?.kind)).toEqual([
      'ambiguous',
      'ambiguous',
    ]);
  });

  it('an identical request on its way keeps everything open; one closed by hand may still own the order', () => {
    const late = order('9', { createdAt: SENT + 20_100 });
    expect(both([late], { ...twin, standing: 'sending' })[0]?.kind).toBe('undecided');
    expect(both([late], { ...twin, standing: 'closed' })[0]?.kind).toBe('ambiguous');
  });

  it('says nothing from lists that were not read whole', () => {
    expect(verdict(sought({ readWhole: false }), [])?.kind).toBe('undecided');
    expect(verdict(sought({ readWhole: false }), [order('9')])?.kind).toBe('undecided');
  });
});

/** The rule of product.md once more, written another way: numbers as hundredths, fields one by one. */
function couldBe(one: SoughtOrder, { seen }: TrueOrder, history: History): boolean {
  const units = (text: string): bigint => {
    const [whole = '', part = ''] = text.split('.');
    return BigInt(whole + part.padEnd(8, '0'));
  };
  const { request } = one;
  if (!history.visible.has(seen.orderId) || seen.liquidation) return false;
  if (one.ruledOut.has(seen.orderId)) return false;
  if (seen.createdAt < one.window.from || seen.createdAt > one.window.to) return false;
  for (const name of ['symbolId', 'side', 'type'] as const) if (seen[name] !== request[name]) return false;
  for (const name of ['reduceOnly', 'postOnly', 'reverseOrder'] as const)
    if (seen[name] !== null && seen[name] !== (request[name] === true)) return false;
  if (request.type === 'LIMIT' && seen.timeInForce !== request.timeInForce) return false;
  if (request.type === 'LIMIT' && units(seen.price) !== units(request.price ?? '')) return false;
  return request.quantity === undefined || units(seen.totalQuantity) === units(request.quantity);
}

/** Two requests that no one could tell apart: every digit of theirs is the same number. */
const alike = (a: SoughtOrder, b: SoughtOrder): boolean => {
  const plain = (one: SoughtOrder): string =>
    JSON.stringify(
      [one.request, one.request.tpSl ?? {}].map((part) =>
        Object.entries(part)
          .filter(([name, value]) => value !== false && name !== 'tpSl')
          .map(([name, value]) => [
            name,
            String(value)
              .replace(/(\.\d*?)0+$/, '$1')
              .replace(/\.$/, ''),
          ])
          .sort(),
      ),
    );
  return plain(a) === plain(b);
};

describe('against the truth', () => {
  const runs = Number(process.env.MATCHING_HISTORIES ?? '10000');

  it(`is never wrong in ${runs} histories`, () => {
    const count = {
      landed: 0,
      ambiguous: 0,
      absent: 0,
      undecided: 0,
      wrong: 0,
      strangers: 0,
      unique: 0,
      missed: 0,
    };
    for (let seed = 0; seed < runs; seed++) {
      const strange = seed % 4 === 3;
      const history = generateHistory(seededRandom(seed), strange);
      const seen = history.orders.filter((one) => history.visible.has(one.seen.orderId));
      const verdicts = judge(
        history.sought,
        seen.map((one) => one.seen),
      );
      const given = new Set<string>();
      for (const one of history.sought) {
        const said = verdicts.get(one.intentId);
        if (one.standing !== 'unknown') {
          expect(said, `seed ${seed}`).toBeUndefined();
          continue;
        }
        if (said === undefined) throw new Error(`seed ${seed}: ${one.intentId} was not judged`);
        count[said.kind]++;
        const possible = seen.filter((order) => couldBe(one, order, history));
        const rivals = history.sought.filter(
          (other) => other !== one && possible.some((order) => couldBe(other, order, history)),
        );
        if (!one.readWhole) expect(said.kind, `seed ${seed}`).toBe('undecided');
        else if (possible.length === 0) expect(said.kind, `seed ${seed}`).toBe('absent');
        else expect(said.kind, `seed ${seed}`).not.toBe('absent');
        // More than one order for one request that nobody competes with: always the person's choice.
        if (one.readWhole && rivals.length === 0 && possible.length > 1)
          expect(said.kind, `seed ${seed}`).toBe('ambiguous');

        const own = possible.find((order) => order.owner === one.intentId);
        if (one.readWhole && possible.length === 1 && rivals.length === 0 && own !== undefined) {
          count.unique++;
          if (said.kind !== 'landed') count.missed++;
        }
        if (said.kind !== 'landed') continue;
        const id = said.order.orderId;
        expect(given.has(id), `seed ${seed}: one order for two requests`).toBe(false);
        given.add(id);
        const owner = seen.find((order) => order.seen.orderId === id)?.owner ?? null;
        const really = history.sought.find((other) => other.intentId === owner);
        if (owner === null) {
          if (strange) count.strangers++;
          else count.wrong++;
        } else if (really === undefined || !alike(really, one)) count.wrong++;
        if (count.wrong > 0) throw new Error(`seed ${seed}: ${one.intentId} was given ${id} of ${owner}`);
      }
    }
    expect(count).toMatchObject({ wrong: 0, missed: 0 });
    // The generator must keep meeting every kind of case.
    for (const kind of ['landed', 'ambiguous', 'absent', 'undecided', 'unique', 'strangers'] as const)
      expect(count[kind], kind).toBeGreaterThan(runs / 500);
  });
});
