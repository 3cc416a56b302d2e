import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { amount, calculated, decimalsOf, greater, multiply, sum } from '../../amount.ts';
import { orderRequestSchema } from '../../exchange-api/order-request.ts';
import { convertedSize, EMPTY_DRAFT, type OrderDraft, readDraft, sizeEquivalents } from './draft.ts';
import { SIZE_MODES } from './size.ts';
import type { OrderContext } from '../instrument/trading-context.ts';
import {
  LIMIT,
  account,
  asset,
  context,
  LINEAR,
  SPECS,
  flat,
  position,
} from '../../../tests/domain/order-samples.ts';

const draft = (changes: Partial<OrderDraft> = {}): OrderDraft => ({
  ...EMPTY_DRAFT,
  symbolId: 'BTC-USDT-M',
  price: '97250.0',
  size: '0.850',
  ...changes,
});
const tpSl = (changes: Partial<OrderDraft['tpSl']>): OrderDraft['tpSl'] => ({
  ...EMPTY_DRAFT.tpSl,
  on: true,
  tpTriggerType: 'MARK_PRICE',
  slTriggerType: 'MARK_PRICE',
  ...changes,
});
const faultsOf = (changes: Partial<OrderDraft>, where = context()) => readDraft(draft(changes), where).faults;

describe('a draft without faults', () => {
  it('becomes a request with the digits typed', () => {
    const { request, faults } = readDraft(draft({ postOnly: true }), context());
    expect(faults).toEqual([]);
    expect(request).toEqual({
      ...LIMIT,
      reduceOnly: false,
      postOnly: true,
    });
    expect(v.safeParse(orderRequestSchema, request).success).toBe(true);
  });

  it('omits price and time in force from a market order, whatever the price field still holds', () => {
    const { request } = readDraft(draft({ type: 'MARKET', price: '1,5' }), context());
    expect(Object.keys(request ?? {})).toEqual([
      'symbolId',
      'side',
      'type',
      'quantity',
      'reduceOnly',
      'postOnly',
    ]);
  });

  it('sends a market order’s time in force where one is chosen', () => {
    const { request } = readDraft(draft({ type: 'MARKET', marketTimeInForce: 'FOK' }), context());
    expect(request).toMatchObject({ type: 'MARKET', timeInForce: 'FOK' });
    expect(readDraft(draft({ marketTimeInForce: 'FOK' }), context()).request?.timeInForce).toBe('GTC');
  });

  it('gives take-profit and stop-loss their own trigger types', () => {
    const both = tpSl({ tpPrice: '99000', tpTriggerType: 'LAST_PRICE', slPrice: '95900' });
    expect(readDraft(draft({ tpSl: both }), context()).request?.tpSl).toMatchObject({
      tpTriggerType: 'LAST_PRICE',
      slTriggerType: 'MARK_PRICE',
    });
  });

  it('writes every price of TP/SL as typed, and reverse only where it is on', () => {
    const prices = {
      tpPrice: ' 99000.0',
      tpExecutePrice: '98900.0 ',
      slPrice: ' 95900.0 ',
      slExecutePrice: '95800.0',
    };
    const triggers = { tpTriggerType: 'MARK_PRICE', slTriggerType: 'MARK_PRICE' };
    const typed = Object.entries(prices).map(([field, text]) => [field, text.trim()]);
    const { request } = readDraft(draft({ tpSl: tpSl(prices) }), context());
    expect(request?.tpSl).toStrictEqual({ ...triggers, ...Object.fromEntries(typed) });
    const only = readDraft(draft({ tpSl: tpSl({ tpPrice: '99000', slPrice: '  ' }) }), context()).request;
    expect(only?.tpSl).toStrictEqual({ ...triggers, slTriggerType: 'NONE', tpPrice: '99000' });
    const reverse = { type: 'MARKET', side: 'SELL' } as const;
    expect(readDraft(draft({ ...reverse, reverseOrder: true }), context()).request?.reverseOrder).toBe(true);
    expect(readDraft(draft(reverse), context()).request).not.toHaveProperty('reverseOrder');
    expect(EMPTY_DRAFT.reverseOrder).toBe(false);
  });

  it('writes NONE as trigger type of an unset take-profit or stop-loss', () => {
    const { request } = readDraft(draft({ tpSl: tpSl({ slPrice: '95900' }) }), context());
    expect(request?.tpSl).toEqual({ tpTriggerType: 'NONE', slTriggerType: 'MARK_PRICE', slPrice: '95900' });
  });
});

describe('bad input', () => {
  it.each<[string, Partial<OrderDraft>, string, string]>([
    ['a decimal comma', { size: '1,5' }, 'size', 'Quantity “1,5” has a comma. Use a point: “1.5”.'],
    ['an exponent', { price: '9e4' }, 'price', 'Price “9e4” has an exponent. Write it in digits: “90000”.'],
    ['40 digits', { size: '1'.repeat(40) }, 'size', '40 digits'],
    ['a quantity of 0', { size: '0' }, 'size', 'Quantity “0” must be above 0.'],
    ['a quantity below 0', { size: '-1' }, 'size', 'must be above 0'],
    ['a limit without price', { price: '' }, 'price', 'Price is missing.'],
    ['a symbol of no shape', { symbolId: 'BTCUSDT' }, 'symbolId', 'look like BTC-USDT-M'],
    [
      'a symbol not configured',
      { symbolId: 'DOGE-USDT-M' },
      'symbolId',
      'DOGE-USDT-M is not in the exchange’s list',
    ],
    ['no symbol', { symbolId: '' }, 'symbolId', 'Choose a contract.'],
    [
      'TP/SL that reduces',
      { reduceOnly: true, side: 'SELL', tpSl: tpSl({ tpPrice: '1' }) },
      'tpSl',
      'opening order',
    ],
    ['TP/SL without prices', { tpSl: tpSl({}) }, 'tpSl', 'or turn TP/SL off'],
    [
      'TP/SL without trigger',
      { tpSl: tpSl({ tpPrice: '99000', tpTriggerType: '' }) },
      'tpSl',
      'trigger type',
    ],
    ['a trigger with a comma', { tpSl: tpSl({ tpPrice: '99,5' }) }, 'tpPrice', 'Take profit “99,5”'],
    [
      'an execution price alone',
      { tpSl: tpSl({ slPrice: '9', tpExecutePrice: '9' }) },
      'tpPrice',
      'no trigger',
    ],
    ['a share above 100', { sizeMode: 'share', size: '101' }, 'size', 'above 100'],
    ['risk without a stop', { sizeMode: 'risk', size: '100' }, 'slPrice', 'needs a stop loss'],
    [
      'risk with the stop on the wrong side',
      { sizeMode: 'risk', size: '100', tpSl: tpSl({ slPrice: '98000' }) },
      'slPrice',
      'Stop loss 98000 must be below the entry price of a buy.',
    ],
    ['a notional below one step', { sizeMode: 'notional', size: '1' }, 'size', 'less than 0.001 BTC'],
  ])('%s names field, value and what to do', (_name, changes, field, message) => {
    const { request, faults } = readDraft(draft(changes), context());
    expect(request).toBeNull();
    expect(faults.map((fault) => fault.field)).toContain(field);
    expect(faults.find((fault) => fault.field === field)?.message).toContain(message);
  });

  it('gives each fault the exchange’s code for it, and a correction only where there is one', () => {
    const coded = (changes: Partial<OrderDraft>, where = context()) =>
      faultsOf(changes, where).map(({ field, code, suggestion }) => [field, code, suggestion?.value]);
    expect(coded({ price: '', size: '' })).toEqual([
      ['price', '700004', undefined],
      ['size', '700004', undefined],
    ]);
    expect(coded({ price: 'x', size: '1,5' })).toEqual([
      ['price', '700011', undefined],
      ['size', '700012', '1.5'],
    ]);
    expect(coded({ symbolId: '' })).toEqual([['symbolId', null, undefined]]);
    expect(coded({ tpSl: tpSl({ slPrice: 'x' }) })).toEqual([['slPrice', null, undefined]]);
    expect(coded({ tpSl: tpSl({}) })).toEqual([['tpSl', '700042', undefined]]);
    const odd = { ...LINEAR, symbolId: 'ETH-USDT-M', contractSide: 'QUANTO' };
    const where = context({ contracts: [LINEAR, odd] });
    expect(coded({ symbolId: 'ETH-USDT-M' }, where)).toEqual([['symbolId', null, undefined]]);
    expect(faultsOf({ symbolId: 'ETH-USDT-M' }, where)[0]?.message).toContain('neither linear nor inverse');
    expect(coded({ symbolId: 'LTC-USDT-M' }, where)).toEqual([['symbolId', '700041', undefined]]);
  });

  it('requires a trigger for an order price and a type for a trigger, each of its own side', () => {
    const fields = (changes: Partial<OrderDraft['tpSl']>) =>
      faultsOf({ tpSl: tpSl(changes) }).map(({ field }) => field);
    expect(fields({ tpPrice: '99000', slExecutePrice: '95800' })).toEqual(['slPrice']);
    expect(fields({ slPrice: '95900', tpExecutePrice: '98900' })).toEqual(['tpPrice']);
    expect(fields({ slPrice: '95900', slTriggerType: '' })).toEqual(['tpSl']);
    // Of what is not set neither is asked, nor do spaces set it.
    expect(fields({ tpPrice: '99000', slTriggerType: '', slExecutePrice: ' ' })).toEqual([]);
    expect(fields({ slPrice: '95900', tpTriggerType: '', tpExecutePrice: ' ' })).toEqual([]);
  });

  it('reports a price that is missing or wrong once, though the size needs it', () => {
    const notional = { sizeMode: 'notional', size: '5000' } as const;
    for (const price of ['', 'x'])
      expect(faultsOf({ ...notional, price }).map(({ field }) => field)).toEqual(['price']);
  });

  it('reports several faults at once and suggests corrections', () => {
    const faults = faultsOf({ price: '97,250.5', size: '' });
    expect(faults.map(({ field, missing }) => [field, missing])).toEqual([
      ['price', false],
      ['size', true],
    ]);
    expect(faults[0]?.suggestion).toEqual({ field: 'price', value: '97250.5', label: 'Use 97250.5' });
  });

  it('reports that the contract list has not been received, instead of blaming the symbol', () => {
    expect(faultsOf({}, context({ contracts: null }))[0]?.message).toContain('not been received');
  });

  it('does not size by money while the decimals are unknown', () => {
    const where = context({ specs: () => ({ ...SPECS, quantityDecimals: null }) });
    expect(faultsOf({ sizeMode: 'notional', size: '5000' }, where)[0]?.message).toContain('Size by quantity');
  });

  it('asks for a reference price when a market order is sized by money and none is known', () => {
    const faults = faultsOf(
      { type: 'MARKET', sizeMode: 'notional', size: '500' },
      context({ references: [] }),
    );
    expect(faults).toMatchObject([{ field: 'reference', missing: true }]);
  });
});

describe('sizes', () => {
  it('rounds a notional down and keeps the unrounded quantity', () => {
    const { size } = readDraft(draft({ sizeMode: 'notional', size: '82675' }), context());
    expect(size).toEqual({ quantity: '0.850', roundedFrom: '0.85012', decimals: 3 });
  });

  it('takes a market order at the reference price, whatever the price field still holds', () => {
    const market = { type: 'MARKET', sizeMode: 'notional', size: '97000', price: '1000' } as const;
    expect(readDraft(draft(market), context()).size?.quantity).toBe('1.000');
  });

  it('takes a share of the position when reducing, the whole of it at 100 percent', () => {
    const part = { side: 'SELL', reduceOnly: true, sizeMode: 'share' } as const;
    const where = context({ account: account([position({ quantity: '2.0015' })]) });
    expect(readDraft(draft({ ...part, size: '50' }), where).size?.quantity).toBe('1.000');
    expect(readDraft(draft({ ...part, size: '100' }), where).size?.quantity).toBe('2.0015');
  });

  it('risks at most the amount typed, both fees included', () => {
    const price = fc.integer({ min: 20_000, max: 90_000 });
    fc.assert(
      fc.property(price, price, fc.integer({ min: 50, max: 9_999 }), (entry, stop, risk) => {
        fc.pre(stop < entry);
        const changes = { sizeMode: 'risk', size: String(risk), price: String(entry) } as const;
        const { size } = readDraft(draft({ ...changes, tpSl: tpSl({ slPrice: String(stop) }) }), context());
        if (size === null) return; // less than one step
        const quantity = amount(size.quantity);
        const loss = multiply(quantity, amount(String(entry - stop)));
        const fees = multiply(multiply(quantity, amount(String(entry + stop))), amount('0.0005'));
        expect(greater(sum([loss, fees]), amount(String(risk)))).toBe(false);
        expect(decimalsOf(size.quantity)).toBe(3);
      }),
      { numRuns: 200 },
    );
  });

  it('uses at most the given share of free margin', () => {
    const where = flat({ account: account([], [asset({ locked: '9500', crossProfitUnreal: '-4000' })]) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 100, max: 99_999 }), (share, price) => {
        const changes = { sizeMode: 'share', size: String(share), price: String(price) } as const;
        const { size } = readDraft(draft(changes), where);
        if (size === null) return;
        const value = multiply(amount(size.quantity), amount(String(price)));
        // Free margin 86,500: 100,000 − 9,500 − |−4,000|; 20× and the taker fee.
        const cost = multiply(value, amount('0.0505'));
        expect(greater(cost, multiply(amount('865'), amount(String(share))))).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it('sizes in contracts where the exchange counts contracts', () => {
    const where = context({ specs: () => ({ ...SPECS, multiplier: '0.001', quantityDecimals: 0 }) });
    const { size } = readDraft(draft({ sizeMode: 'notional', size: '82675' }), where);
    expect(size).toMatchObject({ quantity: '850', roundedFrom: '850.12' });
  });
});

describe('a size that cannot be calculated', () => {
  const half = { sizeMode: 'share', size: '50' } as const;
  const faultAt = (changes: Partial<OrderDraft>, where: OrderContext): string | undefined =>
    faultsOf({ tpSl: tpSl({ slPrice: '95900' }), ...changes }, where)[0]?.message;
  it('says so where the exchange gives no leverage above 0, and nothing is converted', () => {
    for (const leverage of [0, -1, null]) {
      const config = { ...LINEAR, defaultLeverage: leverage };
      const where = context({ contracts: [config], account: account([position({ leverage })]) });
      expect(faultAt(half, where)).toMatch(/^leverage must be above 0: /);
      expect(convertedSize(draft(), 'share', where)).toBe('');
    }
  });
  it('says so where a figure of the account makes it too large to be sent', () => {
    const rich = '9'.repeat(40);
    const where = context({ account: account([], [asset({ balance: rich, equities: rich })]) });
    for (const changes of [half, { sizeMode: 'equity', size: '2' } as const])
      expect(faultAt(changes, where)).toMatch(/ is too large\. Lower it\.$/);
  });
});

describe('a size as a multiple of equity', () => {
  const twice = { sizeMode: 'equity', size: '2' } as const;
  it('is the notional over the equity of the margin coin, rounded down to the step', () => {
    // 2 × 104000 ÷ 97250 = 2.13881…
    expect(readDraft(draft(twice), context()).size).toMatchObject({
      quantity: '2.138',
      roundedFrom: '2.13881',
    });
    expect(convertedSize(draft({ size: '0.850' }), 'equity', context())).toBe('0.7949');
  });
  it('is rejected without equity above 0', () => {
    const poor = context({ account: account([], [asset({ equities: '-1' })]) });
    expect(faultsOf(twice, poor)[0]?.message).toBe('There is no USDT equity above 0. Size by quantity.');
    expect(faultsOf(twice, context({ account: null }))[0]?.message).toContain('Size by quantity');
    expect(convertedSize(draft(), 'equity', poor)).toBe('');
  });
  it('shows notional and multiple of equity of any size, at the price it is sized at', () => {
    expect(sizeEquivalents(draft({ size: '1.04', price: '100000' }), context())).toEqual({
      quantity: '1.04',
      notional: '104000',
      timesEquity: '1',
    });
    expect(sizeEquivalents(draft({ price: '' }), context())).toMatchObject({
      notional: null,
      timesEquity: null,
    });
    expect(sizeEquivalents(draft({ size: '' }), context())).toBeNull();
  });
});

describe('an order with incomplete TP/SL', () => {
  it('has a preview but cannot be sent', () => {
    const bare = readDraft(draft(), context()).request;
    for (const changes of [
      {},
      { tpPrice: '9,5' },
      { slExecutePrice: '1' },
      { tpTriggerType: '', tpPrice: '99000' },
    ]) {
      const { request, outline } = readDraft(draft({ tpSl: tpSl(changes) }), context());
      expect([request, outline]).toEqual([null, bare]);
    }
  });
  it('has no preview while anything else is missing', () => {
    expect(readDraft(draft({ price: '', tpSl: tpSl({}) }), context()).outline).toBeNull();
    expect(readDraft(draft({ size: '', tpSl: tpSl({}) }), context()).outline).toBeNull();
  });
});

describe('switching the unit of the size', () => {
  const MODES = SIZE_MODES;
  it('never leaves a number whose meaning has changed', () => {
    expect(convertedSize(draft({ sizeMode: 'share', size: '50' }), 'quantity', context())).not.toBe('50');
    expect(convertedSize(draft({ size: '0.850' }), 'notional', context())).toBe('82662.5');
    expect(convertedSize(draft({ sizeMode: 'notional', size: '82675' }), 'quantity', context())).toBe('0.85');
  });
  it('truncates to the contract’s step', () => {
    expect(convertedSize(draft({ size: '0.8509' }), 'notional', context())).toBe('82662.5');
  });
  it('empties the field if it cannot be converted', () => {
    expect(convertedSize(draft({ price: '' }), 'notional', context())).toBe('');
    expect(convertedSize(draft({ size: '1,5' }), 'notional', context())).toBe('');
    expect(convertedSize(draft(), 'risk', context())).toBe('');
    expect(convertedSize(draft(), 'share', context({ account: null }))).toBe('');
  });
  it('keeps the order the same between all units, for every contract', () => {
    const one = fc.record({
      from: fc.constantFrom(...MODES),
      to: fc.constantFrom(...MODES),
      size: fc.integer({ min: 1, max: 99 }),
      price: fc.integer({ min: 96_500, max: 120_000 }),
      symbolId: fc.constantFrom('BTC-USDT-M', 'BTC-USD-M'),
    });
    fc.assert(
      fc.property(one, ({ from, to, size, price, symbolId }) => {
        const before = draft({
          symbolId,
          sizeMode: from,
          size: String(size),
          price: String(price),
          tpSl: tpSl({ slPrice: '95900' }),
        });
        const quantity = readDraft(before, context()).size?.quantity;
        const typed = convertedSize(before, to, context());
        if (quantity === undefined || typed === '') return;
        const after = readDraft({ ...before, sizeMode: to, size: typed }, context()).size?.quantity;
        if (from !== to) expect(calculated(after ?? '0')).toEqual(calculated(quantity));
      }),
      { numRuns: 500 },
    );
  });
});

it('never throws for anything typed', () => {
  const text = fc.oneof(fc.string({ maxLength: 50 }), fc.stringMatching(/^[0-9.,e-]{0,20}$/));
  const one = fc.record({
    symbolId: fc.oneof(fc.constant('BTC-USDT-M'), fc.constant('BTC-USD-M'), text),
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    type: fc.constantFrom('LIMIT' as const, 'MARKET' as const),
    timeInForce: fc.constantFrom('GTC' as const, 'IOC' as const, 'FOK' as const),
    marketTimeInForce: fc.constantFrom(null, 'IOC' as const),
    sizeMode: fc.constantFrom(...SIZE_MODES),
    size: text,
    price: text,
    reduceOnly: fc.boolean(),
    postOnly: fc.boolean(),
    reverseOrder: fc.boolean(),
    tpSl: fc.record({
      on: fc.boolean(),
      tpTriggerType: fc.constantFrom('', 'MARK_PRICE'),
      slTriggerType: fc.constantFrom('', 'LAST_PRICE'),
      tpPrice: text,
      tpExecutePrice: text,
      slPrice: text,
      slExecutePrice: text,
    }),
  });
  fc.assert(
    fc.property(one, (typed) => {
      const { request, faults } = readDraft(typed, context());
      expect(request === null).toBe(faults.length > 0);
      if (request === null) return;
      expect(v.safeParse(orderRequestSchema, request).success).toBe(true);
      expect(greater(calculated(request.quantity ?? '0'), amount('0'))).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

describe('a percentage that became no price', () => {
  const market = { type: 'MARKET', tpSl: tpSl({ slPrice: '100%' }) } as const;

  it('is refused at its field, with what to enter instead', () => {
    expect(faultsOf({ price: '-100%' })).toMatchObject([
      {
        field: 'price',
        message: 'Price “-100%” gives no price above 0. Enter a price or a smaller percentage.',
      },
    ]);
    expect(faultsOf({ tpSl: tpSl({ slPrice: '100%' }) })).toMatchObject([
      {
        field: 'slPrice',
        message: 'Stop loss “100%” gives no price above 0. Enter a price or a smaller percentage.',
      },
    ]);
    expect(faultsOf(market)).toMatchObject([{ field: 'slPrice' }]);
  });

  it('is distinguished from one without a price to measure it from', () => {
    const unknown = 'cannot become a price: no price is known to measure it from. Enter a price.';
    const where = context({ references: [] });
    expect(faultsOf({ price: '2%' }, where)).toMatchObject([{ message: `Price “2%” ${unknown}` }]);
    expect(faultsOf(market, where)).toContainEqual(
      expect.objectContaining({ field: 'slPrice', message: `Stop loss “100%” ${unknown}` }),
    );
    expect(faultsOf({ price: '', tpSl: tpSl({ tpPrice: '5%' }) })).toContainEqual(
      expect.objectContaining({ field: 'tpPrice', message: `Take profit “5%” ${unknown}` }),
    );
  });

  it('is no number where a field takes none', () => {
    expect(faultsOf({ size: '50%' })[0]?.message).toContain('is not a number');
  });
});
