import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TRADING_CODES } from '../../exchange-api/error-codes.ts';
import type { Position } from '../../exchange-api/account.ts';
import type { OrderRequest, TpSlRequest } from '../../exchange-api/order-request.ts';
import type { ReferenceSource } from '../instrument/reference-prices.ts';
import type { OrderContext } from '../instrument/trading-context.ts';
import { mayBeSent } from './check.ts';
import { previewOrder } from './preview.ts';
import { checkOrder, RULES } from './rules.ts';
import {
  account,
  asset,
  context,
  LIMIT,
  LINEAR,
  SPECS,
  flat,
  NOW,
  openOrder,
  position,
} from '../../../tests/domain/order-samples.ts';

const order = (changes: Partial<OrderRequest> = {}): OrderRequest => ({
  ...LIMIT,
  quantity: '0.100',
  price: '96000.0',
  ...changes,
});
const market = (changes: Partial<OrderRequest> = {}): OrderRequest => {
  const { price: _price, timeInForce: _tif, ...rest } = order({ type: 'MARKET' });
  return { ...rest, ...changes };
};
/** TP/SL with these prices; what has no trigger price has no trigger. */
const protect = (prices: Omit<TpSlRequest, 'tpTriggerType' | 'slTriggerType'>, trigger = 'LAST_PRICE') => ({
  tpTriggerType: prices.tpPrice === undefined ? 'NONE' : trigger,
  slTriggerType: prices.slPrice === undefined ? 'NONE' : trigger,
  ...prices,
});
const check = (request: OrderRequest, where: OrderContext, kind: 'order' | 'close-all' = 'order') =>
  checkOrder({ kind, request }, where);
/** Returns state, code and field of every check that does not pass, except crossing, which has its own tests. */
const found = (request: OrderRequest, where: OrderContext = flat()) =>
  check(request, where)
    .filter((check) => check.state !== 'pass' && check.id !== 'leverage' && check.id !== 'crossing')
    .map((check) => `${check.state} ${check.code ?? check.id} ${check.field}`);
const suggestion = (request: OrderRequest, where: OrderContext = flat()) =>
  check(request, where).find((check) => check.state === 'fail')?.suggestion?.value;

it('passes a plain order and lists what it checked', () => {
  const checks = check(order(), context());
  expect(mayBeSent(checks)).toBe(true);
  expect(checks.map((check) => check.message)).toEqual([
    'BTC-USDT-M is open to trading',
    'Price and quantity decimals',
    'Balance covers margin and fee',
    'Leverage 20× within tier 1 limit 100×',
  ]);
});

it('warns of an opening order that is many times the position or the equity', () => {
  const said = (request: OrderRequest, where: OrderContext): string | undefined =>
    check(request, where).find(({ id, state }) => id === 'usual-size' && state === 'warn')?.message;
  // A position of 0.010 at 97,000 and an equity of 104,000.
  const small = context({ account: account([position({ quantity: '0.010' })]) });
  expect(said(order({ quantity: '0.100' }), small)).toBeUndefined();
  expect(said(order({ quantity: '0.102' }), small)).toBe(
    'Notional 9792 USDT is 10.0× your position. Check the size.',
  );
  expect(said(order({ quantity: '5.416' }), context())).toBeUndefined();
  expect(said(order({ quantity: '5.417' }), context())).toBe(
    'Notional 520032 USDT is 5.0× your USDT equity. Check the size.',
  );
  expect(said(order({ quantity: '6' }), small)).toContain('593.8× your position and 5.5× your USDT equity');
  expect(said(order({ quantity: '5.417' }), flat())).toContain('5.0× your USDT equity');
  expect(said(order({ side: 'SELL', quantity: '2.000', reduceOnly: true }), context())).toBeUndefined();
  const large = context({ account: account([position({ quantity: '20.000' })]) });
  expect(said(market({ side: 'SELL', quantity: '20.000' }), large)).toBeUndefined();
  expect(said(market({ quantity: '6' }), small)).toMatch(
    /Check the size\. A limit order would cap the price\.$/,
  );
});

it('says what becomes of the TP/SL orders of a position that it closes', () => {
  const stop = { kind: 'STOP_LOSS', triggerPrice: '90000', quantity: '2.000' };
  const held = (kind: 'live' | 'practice', changes: Parameters<typeof position>[0]): OrderContext => ({
    ...context({ account: account([position(changes)]) }),
    kind,
    reverseQuantity: 'new-position',
  });
  const said = (where: OrderContext, request = market({ side: 'SELL', quantity: '1.000' })) => {
    const found = check(request, where).find(({ id }) => id === 'tpSl-kept');
    return found && `${found.state}: ${found.message}`;
  };
  const two = { tpSlOrders: [stop, { ...stop, triggerPrice: '91000' }] };
  expect(said(held('live', two))).toBe(
    'warn: Closes a position with TP/SL. The exchange API does not say what then happens to its 2 TP/SL orders: check afterwards.',
  );
  expect(said(held('practice', two))).toBe(
    'pass: The position and its 2 TP/SL orders shrink and end together',
  );
  expect(said(held('live', { tpSlOrders: [stop] }))).toContain('to its TP/SL order:');
  expect(said(held('live', { tpSlOrders: ['unreadable'] }))).toContain('to its TP/SL order:');
  expect(said(held('live', { tpSlSize: null, received: { tpSlSize: 'x' } }))).toContain('any TP/SL orders');
  expect(said(held('live', {}))).toBeUndefined();
  expect(said(held('live', two), market({ quantity: '1.000' }))).toBeUndefined();
  const reversed = market({ side: 'SELL', quantity: '2.000', reverseOrder: true });
  const bare = 'The short it opens has no stop loss.';
  expect(said(held('practice', two), reversed)).toBe(
    `warn: The position and its 2 TP/SL orders shrink and end together. ${bare}`,
  );
  expect(said(held('live', two), reversed)).toContain(`. ${bare}`);
  expect(said(held('live', two), market({ side: 'SELL', quantity: '2.500' }))).toContain(`. ${bare}`);
  expect(said(held('live', two))).not.toContain(bare);
  const stopped = { tpSl: { tpTriggerType: 'NONE', slTriggerType: 'MARK_PRICE', slPrice: '99000' } };
  expect(said(held('practice', two), { ...reversed, ...stopped })).toMatch(/^pass: .*together$/);
});

it('warns of an order that turns the position over without being called a reversal', () => {
  const said = (request: OrderRequest): string | undefined =>
    check(request, context()).find(({ id, state }) => id === 'turns-over' && state === 'warn')?.message;
  // A long of 2.000.
  expect(said(market({ side: 'SELL', quantity: '2.500' }))).toBe(
    'Closes your long of 2 BTC and opens a short of 0.5 BTC.',
  );
  expect(said(market({ side: 'SELL', quantity: '2.000' }))).toBeUndefined();
  expect(said(market({ side: 'SELL', quantity: '2.500', reduceOnly: true }))).toBeUndefined();
  expect(said(market({ side: 'SELL', quantity: '2.500', reverseOrder: true }))).toBeUndefined();
  expect(said(market({ quantity: '2.500' }))).toBeUndefined();
});

it.each(['', 'ONE_WAY'])('warns of an order against a position of the unknown mode “%s”', (positionMode) => {
  const where = (mode: string): OrderContext =>
    context({ account: account([position({ positionMode: mode })]) });
  const said = (request: OrderRequest, mode = positionMode): string | undefined =>
    check(request, where(mode)).find(({ id, state }) => id === 'turns-over' && state === 'warn')?.message;
  for (const quantity of ['0.5', '2.5'])
    expect(said(market({ side: 'SELL', quantity }))).toBe(
      'The position mode of BTC-USDT-M is unknown. In one-way mode this closes your long, as the figures assume; in hedge mode it opens a short beside it. To close, use reduce-only.',
    );
  for (const mode of ['ONEWAY', 'HEDGE'])
    expect(said(market({ side: 'SELL', quantity: '0.5' }), mode)).toBeUndefined();
  expect(said(market({ side: 'SELL', quantity: '0.5', reduceOnly: true }))).toBeUndefined();
  expect(said(market({ quantity: '0.5' }))).toBeUndefined();
});

it('uses only codes the exchange API documents', () => {
  const requests = [
    order({ quantity: '9999' }),
    order({ reduceOnly: true }),
    market({ tpSl: protect({ tpPrice: '96000' }) }),
  ];
  for (const { code } of requests.flatMap((one) => check(one, context()))) {
    if (code !== null) expect(TRADING_CODES[code], code).toBeDefined();
  }
});

describe('take-profit and stop-loss sides (docs/accounting.md)', () => {
  const long = (price: 'tpPrice' | 'slPrice' | 'tpExecutePrice' | 'slExecutePrice', value: string) =>
    order({
      tpSl: protect({
        ...(price.startsWith('tp') ? { tpPrice: '97000' } : { slPrice: '95000' }),
        [price]: value,
      }),
    });
  const short = (price: string, value: string) =>
    order({
      side: 'SELL',
      tpSl: protect({
        ...(price.startsWith('tp') ? { tpPrice: '95000' } : { slPrice: '98000' }),
        [price]: value,
      }),
    });
  it.each([
    [long('tpPrice', '95999'), 'fail 700068 tpPrice', '96001.0'],
    [long('tpPrice', '96000'), 'fail 700068 tpPrice', undefined],
    [long('slPrice', '96450'), 'fail 700070 slPrice', '95550.0'],
    [short('tpPrice', '96450'), 'fail 700072 tpPrice', '95550.0'],
    [short('slPrice', '95999'), 'fail 700074 slPrice', '96001.0'],
    [long('tpExecutePrice', '95000'), 'fail 700089 tpExecutePrice', '97000.0'],
    [long('slExecutePrice', '97000'), 'fail 700093 slExecutePrice', '95000.0'],
    [short('tpExecutePrice', '97000'), 'fail 700091 tpExecutePrice', '95000.0'],
    [short('slExecutePrice', '95000'), 'fail 700095 slExecutePrice', '97000.0'],
  ])('a limit order against its price: %#', (request, expected, use) => {
    expect(found(request)).toEqual([expected]);
    expect(suggestion(request)).toBe(use);
  });

  it.each([
    ['BUY', 'tpPrice', '96000', 'fail 700069 tpPrice'],
    ['BUY', 'slPrice', '98000', 'fail 700071 slPrice'],
    ['SELL', 'tpPrice', '98000', 'fail 700073 tpPrice'],
    ['SELL', 'slPrice', '96000', 'fail 700075 slPrice'],
  ] as const)('a market order against the current price: %s %s', (side, field, price, expected) => {
    expect(found(market({ side, tpSl: protect({ [field]: price }) }))).toEqual([expected]);
  });

  it.each([
    ['BUY', 'tpPrice', '96000', 'fail 700076 tpPrice'],
    ['BUY', 'slPrice', '98000', 'fail 700079 slPrice'],
    ['SELL', 'tpPrice', '98000', 'fail 700077 tpPrice'],
    ['SELL', 'slPrice', '96000', 'fail 700078 slPrice'],
  ] as const)('by the mark where it triggers by the mark: %s %s', (side, field, price, expected) => {
    expect(found(market({ side, tpSl: protect({ [field]: price }, 'MARK_PRICE') }))).toEqual([expected]);
  });

  it.each([
    ['BUY', { tpPrice: '98000', tpExecutePrice: '95000' }, 'fail 700096 tpExecutePrice'],
    ['SELL', { tpPrice: '95000', tpExecutePrice: '98000' }, 'fail 700097 tpExecutePrice'],
    ['BUY', { slPrice: '95000', slExecutePrice: '98000' }, 'fail 700098 slExecutePrice'],
    ['SELL', { slPrice: '98000', slExecutePrice: '95000' }, 'fail 700099 slExecutePrice'],
  ] as const)('the order price of a trigger of a market order: %s %j', (side, prices, expected) => {
    expect(found(market({ side, tpSl: protect(prices) }))).toEqual([expected]);
  });

  it('suggests no more decimals than were typed, and no more than the contract has', () => {
    expect(suggestion(order({ price: '96000', tpSl: protect({ slPrice: '96450' }) }))).toBe('95550');
    expect(suggestion(order({ price: '96000.0', tpSl: protect({ slPrice: '96450.25' }) }))).toBe('95549.8');
  });

  it('suggests an order price beyond liquidation, since its trigger may be before it', () => {
    const poor = flat({
      account: account([], [asset({ balance: '6000', locked: '0', crossProfitUnreal: '0' })]),
    });
    const request = order({ quantity: '1', tpSl: protect({ slPrice: '95000', slExecutePrice: '102000' }) });
    expect(suggestion(request, poor)).toBe('90000.0');
  });

  it('says why a stop cannot be compared with liquidation', () => {
    const said = (where: OrderContext): string | undefined =>
      check(market({ tpSl: protect({ slPrice: '95000' }) }), where).find(
        ({ id }) => id === 'slPrice-liquidation',
      )?.message;
    expect(said(flat({ references: [] }))).toMatch(/cannot be checked: no price is known\.$/);
    const unread = account([position({ margin: null })]);
    expect(said(context({ account: unread }))).toMatch(/cannot be checked: .*margin.*[^.]\.$/);
  });

  it('compares a trigger by the last price with the last price, and each side by its own', () => {
    const apart = flat({
      references: [
        { price: '97000.0', source: 'mark', at: NOW },
        { price: '96000.0', source: 'last', at: NOW },
      ],
    });
    const buy = (tpTriggerType: string, slTriggerType: string) =>
      market({ tpSl: { tpTriggerType, tpPrice: '96500', slTriggerType, slPrice: '96500' } });
    // 96,500 is above the last price and below the mark.
    expect(found(buy('LAST_PRICE', 'MARK_PRICE'), apart)).toEqual([]);
    expect(found(buy('MARK_PRICE', 'LAST_PRICE'), apart)).toEqual([
      'fail 700076 tpPrice',
      'fail 700071 slPrice',
    ]);
  });

  it('only warns while the trigger’s price is unknown, and assumes nothing of other trigger types', () => {
    const own = flat({ references: [{ price: '97000.0', source: 'own-trade', at: NOW }] });
    const buy = (tpTriggerType: string) =>
      market({ tpSl: { tpTriggerType, tpPrice: '96500', slTriggerType: 'NONE' } });
    expect(found(buy('LAST_PRICE'), own)).toEqual(['warn 700069 tpPrice']);
    expect(found(buy('MARK_PRICE'), own)).toEqual(['warn 700076 tpPrice']);
    const others = { ...own, triggerTypes: ['MARKET_PRICE', 'FAIR_PRICE', 'INDEX_PRICE', 'TRADEMARK'] };
    for (const type of others.triggerTypes)
      expect(found(buy(type), others)).toEqual(['unknown tpPrice-base tpPrice']);
    const execute = market({ tpSl: protect({ tpPrice: '98000', tpExecutePrice: '98000' }, 'FAIR_PRICE') });
    expect(found(execute, others)).toContain('unknown tpExecutePrice-base tpExecutePrice');
  });

  it('cannot check a market order’s sides without a price', () => {
    const where = flat({ references: [] });
    expect(found(market({ tpSl: protect({ tpPrice: '1' }) }), where)).toContain(
      'unknown tpPrice-base tpPrice',
    );
  });

  it('requires the stop to trigger before liquidation', () => {
    const poor = flat({
      account: account([], [asset({ balance: '6000', locked: '0', crossProfitUnreal: '0' })]),
    });
    const stop = (side: 'BUY' | 'SELL', slPrice: string) =>
      order({ side, quantity: '1', tpSl: protect({ slPrice }) });
    // The liquidation price of a new position is an estimate, which the code reflects.
    expect(found(stop('BUY', '89000'), poor)).toEqual(['fail 700057 slPrice']);
    expect(found(stop('SELL', '103000'), poor)).toEqual(['fail 700058 slPrice']);
    expect(found(stop('BUY', '95000'), poor)).toEqual([]);
    // liquidation ≈ 90546.1; a tenth of the way up to the order price
    expect(suggestion(stop('BUY', '89000'), poor)).toBe('91091.5');
    // A stop on the wrong side is mirrored, but not to where liquidation comes before it.
    expect(suggestion(stop('BUY', '98000'), poor)).toBe('94000.0');
    expect(suggestion(stop('BUY', '102000'), poor)).toBeUndefined();
    expect(suggestion(stop('SELL', '89000'), poor)).toBeUndefined();
  });

  it('warns of a price so far away that a digit may be wrong', () => {
    const far = (request: OrderRequest, where = flat()) =>
      check(request, where)
        .filter(({ id }) => id.endsWith('-far'))
        .map(({ state, field, message }) => `${state} ${field}: ${message}`);
    // By the order price of 96,000: beyond 144,000 and below 48,000.
    expect(far(order({ tpSl: protect({ tpPrice: '144000.0' }) }))).toEqual([]);
    expect(far(order({ tpSl: protect({ tpPrice: '144000.1' }) }))).toEqual([
      'warn tpPrice: Take profit price 144000.1 is 50% above the order price (96000.0). Check its digits.',
    ]);
    const wide = {
      tpPrice: '970000.0',
      tpExecutePrice: '980000.0',
      slPrice: '9000.0',
      slExecutePrice: '8000.0',
    };
    expect(far(order({ tpSl: protect(wide) })).map((text) => text.split(': ')[0])).toEqual([
      'warn tpPrice',
      'warn slPrice',
      'warn tpExecutePrice',
      'warn slExecutePrice',
    ]);
    const sell = order({ side: 'SELL', tpSl: protect({ tpPrice: '9600.0' }) });
    expect(far(sell)[0]).toContain('is 90% below the order price (96000.0)');
    // On the wrong side it is refused for that.
    expect(far(order({ tpSl: protect({ tpPrice: '9600.0', slPrice: '960000.0' }) }))).toEqual([]);
    const stop = market({ tpSl: protect({ slPrice: '9700.0' }) });
    const mark = flat({ references: [{ price: '97000.0', source: 'mark', at: NOW }] });
    expect(far(stop, mark)[0]).toContain('90% below the reference price (97000.0)');
    expect(far(stop, flat({ references: [] }))).toEqual([]);
    const close = order({ side: 'SELL', price: '970000.0', reduceOnly: true });
    const [closing] = checkOrder({ kind: 'order', request: close, takesProfit: true }, context()).filter(
      ({ id }) => id === 'take-profit-far',
    );
    expect(closing).toMatchObject({ state: 'warn', field: 'price' });
    expect(closing?.message).toContain('900% above the mark (97000.0)');
    expect(far(close, context())).toEqual([]);
    const cover = (price: string, where: OrderContext) =>
      checkOrder(
        { kind: 'order', request: order({ side: 'BUY', price, reduceOnly: true }), takesProfit: true },
        where,
      ).find(({ id }) => id === 'take-profit-far')?.message;
    const short = context({ account: account([position({ side: 'SELL' })]) });
    expect(cover('9700.0', short)).toContain('90% below the mark (97000.0)');
    expect(cover('96000.0', short)).toBeUndefined();
    expect(cover('9700.0', context({ references: [] }))).toBeUndefined();
  });

  it('warns of a stop-loss order that its trigger leaves resting', () => {
    const stop = (side: 'BUY' | 'SELL', slPrice: string, slExecutePrice: string) =>
      check(order({ side, tpSl: protect({ slPrice, slExecutePrice }) }), flat()).find(
        ({ id }) => id === 'slExecutePrice-trigger',
      );
    expect(stop('BUY', '94000.0', '95000.0')).toMatchObject({
      state: 'warn',
      field: 'slExecutePrice',
      message:
        'Stop-loss order price 95000.0 is above its trigger price 94000.0: while the price falls on, the order rests and closes nothing.',
      suggestion: { value: '94000.0' },
    });
    expect(stop('SELL', '99000.0', '98000.0')?.message).toContain('is below its trigger price 99000.0');
    expect([stop('BUY', '94000.0', '94000.00'), stop('SELL', '98000.0', '99000.0')]).toEqual([
      undefined,
      undefined,
    ]);
    // Refused for its side.
    expect(stop('BUY', '94000.0', '97000.0')).toBeUndefined();
  });

  it('names the price a take-profit of the close sheet is compared with as everywhere', () => {
    const request = order({ side: 'SELL', price: '97000.0', reduceOnly: true });
    const messageBy = (source: ReferenceSource): string | undefined => {
      const where = context({ references: [{ price: '97000.0', source, at: NOW }] });
      const checks = checkOrder({ kind: 'order', request, takesProfit: true }, where);
      return checks.find(({ id }) => id === 'take-profit')?.message;
    };
    expect((['mark', 'last', 'own-trade', 'typed'] as const).map(messageBy)).toEqual([
      'A take profit must be above the mark (97000.0), else it fills at once.',
      'A take profit must be above the last price (97000.0), else it fills at once.',
      'A take profit must be above the price of your last fill (97000.0), else it fills at once.',
      'A take profit must be above the price you typed (97000.0), else it fills at once.',
    ]);
  });

  it('requires a take-profit of the close sheet to rest by a fresh price', () => {
    const said = (changes: Partial<OrderRequest>, age: number, side: 'BUY' | 'SELL' = 'BUY') => {
      const references = [{ price: '97000.0', source: 'mark' as const, at: NOW - age }];
      const where = context({ references, account: account([position({ side })]) });
      const request = order({ side: 'SELL', price: '97000.1', reduceOnly: true, ...changes });
      const one = checkOrder({ kind: 'order', request, takesProfit: true }, where).find(
        ({ id }) => id === 'take-profit',
      );
      return `${one?.state ?? ''}: ${one?.message ?? ''}`;
    };
    expect(said({}, 60_000)).toBe('pass: Take profit above the mark');
    expect(said({}, 60_001)).toBe('fail: A take profit needs a reference price not older than 60 s.');
    expect(said({ side: 'BUY', price: '96999.9' }, 0, 'SELL')).toBe('pass: Take profit below the mark');
    // A market order fills at once, whichever side it is on.
    const atMarket = { type: 'MARKET', price: undefined, timeInForce: undefined } as const;
    expect(said(atMarket, 0)).toMatch(/^fail: .*above the mark .* fills at once/);
    expect(said({ ...atMarket, side: 'BUY' }, 0, 'SELL')).toMatch(/^fail: .*below the mark .* fills at once/);
    expect(said({ side: 'BUY', price: '97000.0' }, 0, 'SELL')).toMatch(/^fail: .*below the mark/);
  });

  it('says at which price of a limit that crosses it counts the liquidation', () => {
    const poor = flat({
      account: account([], [asset({ balance: '6000', locked: '0', crossProfitUnreal: '0' })]),
    });
    const said = (changes: Partial<OrderRequest>): string | undefined =>
      check(order({ quantity: '1', tpSl: protect({ slPrice: '89000' }), ...changes }), poor).find(
        ({ id }) => id === 'slPrice-liquidation',
      )?.message;
    // The ticket shows the one near the mark, where it fills.
    expect(said({ price: '98000.0' })).toMatch(
      /^Stop-loss price must be above the estimated liquidation price \(≈ [\d.]+, if all fills at 98000\.0\)\.$/,
    );
    expect(said({ price: '96000.0' })).toMatch(/liquidation price \(≈ [\d.]+\)\.$/);
    expect(said({ price: '98000.0', postOnly: true })).toMatch(/liquidation price \(≈ [\d.]+\)\.$/);
    // The dearer one is the market's.
    const sell = { side: 'SELL', tpSl: protect({ slPrice: '104000' }) } as const;
    expect(said({ ...sell, price: '96000.0' })).toMatch(/liquidation price \(≈ [\d.]+\)\.$/);
  });

  it('knows the liquidation price of a position the order adds to, and suggests no stop on its other side', () => {
    const funds = { balance: '6000', locked: '4850', crossProfitUnreal: '0', profitUnreal: '0' };
    const adds = (side: 'BUY' | 'SELL', price: string, slPrice: string) => {
      const own = position({ side, quantity: '1.000', avgEntryPrice: '97000.0', profitUnreal: '0' });
      const where = context({
        account: account([own], [asset({ ...funds, crossedMaintainMargin: '533.5' })]),
      });
      const request = order({ side, price, quantity: '0.010', tpSl: protect({ slPrice }) });
      const named = check(request, where).find(({ id }) => id === 'slPrice-liquidation');
      return [named?.state, named?.code, named?.suggestion?.value];
    };
    // Liquidated near 91,500 and 102,400.
    expect(adds('BUY', '96000', '80000')).toEqual(['fail', '700081', expect.stringMatching(/^9[12]/)]);
    expect(adds('SELL', '98000', '120000')).toEqual(['fail', '700080', expect.stringMatching(/^10[12]/)]);
    expect(adds('BUY', '90000', '80000')).toEqual(['fail', '700081', undefined]);
    expect(adds('SELL', '110000', '120000')).toEqual(['fail', '700080', undefined]);
  });

  it('suggests no stop where nothing says what its trigger watches', () => {
    const poor = flat({
      account: account([], [asset({ balance: '6000', locked: '0', crossProfitUnreal: '0' })]),
      triggerTypes: ['FAIR_PRICE'],
    });
    const named = check(
      market({ quantity: '1', tpSl: protect({ slPrice: '80000' }, 'FAIR_PRICE') }),
      poor,
    ).find(({ id }) => id === 'slPrice-liquidation');
    expect([named?.state, named?.suggestion]).toEqual(['fail', undefined]);
  });

  it('only warns of a liquidation price by a leverage that may not be the user’s', () => {
    const isolated = (more: Partial<OrderContext> = {}) =>
      flat({ contracts: [{ ...LINEAR, defaultMarginMode: 'ISOLATION' }], ...more });
    // At 20× isolated a long from 96,000 is liquidated near 91,700.
    const stop = order({ tpSl: protect({ slPrice: '90000' }) });
    expect(found(stop, isolated())).toEqual(['warn 700057 slPrice']);
    expect(check(stop, isolated()).find(({ id }) => id === 'slPrice-liquidation')?.message).toContain(
      'at 20× isolated, the contract’s default',
    );
    expect(found(stop, isolated({ kind: 'practice' }))).toEqual(['fail 700057 slPrice']);
    const resting = openOrder({ side: 'BUY', reduceOnly: false, marginMode: 'ISOLATED' });
    expect(found(stop, isolated({ openOrders: [resting] }))).toEqual(['fail 700057 slPrice']);
  });

  it('warns that an order which only reduces has nothing to protect', () => {
    const sell = order({ side: 'SELL', price: '97500', tpSl: protect({ slPrice: '98000' }) });
    expect(found(sell, context())).toEqual(['warn tpSl-shrinks tpSl']);
  });

  it('never blocks a break-even stop, but blocks a take-profit at a loss', () => {
    const where = context({ account: account([position({ avgEntryPrice: '90000', liquidPrice: '1' })]) });
    expect(found(order({ tpSl: protect({ slPrice: '95500' }) }), where)).toEqual(['warn 700046 slPrice']);
    const under = context({ account: account([position({ avgEntryPrice: '99000' })]) });
    expect(found(order({ tpSl: protect({ tpPrice: '97500' }) }), under)).toEqual(['fail 700044 tpPrice']);
    const average = (tpSl: TpSlRequest, at = where, changes: Partial<OrderRequest> = {}) =>
      check(order({ tpSl, ...changes }), at).find(({ id }) => id.endsWith('-average'));
    // (2 × 90,000 + 0.1 × 96,000) ÷ 2.1
    expect(average(protect({ slPrice: '95500' }))?.message).toMatch(/\(≈ 90285\.7\): it locks in profit/);
    expect(average(protect({ tpPrice: '97500' }), under)?.message).toContain(
      '. Move it, or take profit with',
    );
    expect(average(protect({ tpPrice: '97500' }))).toMatchObject({
      state: 'pass',
      message: 'Take profit above the average entry',
    });
    // What turns the position over has an entry of its own.
    const turned = { side: 'SELL', price: '97000.0', quantity: '2.500' } as const;
    expect(average(protect({ slPrice: '98000' }), where, turned)).toBeUndefined();
  });
});

describe('the position an order reduces', () => {
  const sell = (changes: Partial<OrderRequest> = {}) =>
    market({ side: 'SELL', reduceOnly: true, quantity: '1', ...changes });
  it('must exist on the other side', () => {
    expect(found(sell())).toContain('fail 700001 reduceOnly');
    expect(found(sell({ side: 'BUY' }), context())).toContain('fail 700001 reduceOnly');
    expect(found(sell(), context())).toEqual([]);
  });
  it('must be large enough', () => {
    expect(found(sell({ quantity: '2.001' }), context())).toEqual(['fail 700022 size']);
    expect(suggestion(sell({ quantity: '2.001' }), context())).toBe('2.000');
    expect(check(sell({ quantity: '2.001' }), context()).find(({ id }) => id === 'closable')?.message).toBe(
      'Quantity 2.001 is more than the position’s 2.000 BTC.',
    );
    const hedge = context({ account: account([position({ positionMode: 'HEDGE' })]) });
    expect(found(sell({ quantity: '2.000' }), hedge)).toEqual([]);
    expect(found(sell({ quantity: '2.001' }), hedge)).toEqual(['fail 700022 size']);
  });
  it('of an unread quantity can be closed whole, and only whole', () => {
    const where = context({ account: account([position({ quantity: null })]) });
    const { quantity: _quantity, ...all } = sell();
    const whole = check(all, where, 'close-all');
    expect(mayBeSent(whole)).toBe(true);
    expect(whole.find(({ id }) => id === 'position')?.message).toBe('Position to close');
    expect(mayBeSent(check(sell(), where))).toBe(false);
    const part = check(sell(), where).find(({ id }) => id === 'closable');
    expect(part).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('Close all of it instead.'),
    });
    expect(check(sell(), where).some(({ id }) => id === 'resting-reductions')).toBe(false);
  });
  it('is named by its side, where there is none', () => {
    const said = (side: 'BUY' | 'SELL') =>
      check(sell({ side }), flat()).find(({ id }) => id === 'position')?.message;
    expect([said('SELL'), said('BUY')]).toEqual([
      'There is no long BTC-USDT-M position to reduce.',
      'There is no short BTC-USDT-M position to reduce.',
    ]);
  });
  it('may already be covered by resting reduce-only orders', () => {
    const where = context({
      openOrders: [openOrder(), openOrder({ side: 'BUY' }), openOrder({ reduceOnly: false })],
    });
    expect(found(sell(), where)).toEqual(['warn 700022 size']);
    expect(found(sell({ quantity: '0.5' }), where)).toEqual([]);
    const ended = ['FILLED', 'CANCELED'].map((status) => openOrder({ status }));
    expect(found(sell(), context({ openOrders: ended }))).toEqual([]);
  });
  it('may already be covered by the rows of a batch before it, alone or with resting orders', () => {
    const covered = (reducedAhead: string, openOrders: OrderContext['openOrders'], request = sell()) => {
      const one = check(request, context({ openOrders, reducedAhead })).find(
        ({ id }) => id === 'resting-reductions',
      );
      return [one?.state, one?.message, one?.suggestion?.value];
    };
    // 2 held.
    expect(covered('1', [])).toEqual(['pass', 'Position covers the quantity', undefined]);
    expect(covered('1.5', [])).toEqual([
      'warn',
      'The reduce-only rows before it already cover 1.5 of 2.000 BTC; the exchange may reject this one.',
      '0.5',
    ]);
    expect(covered('0.5', [openOrder()]).slice(1)).toEqual([
      'Resting reduce-only orders and the rows before it already cover 2 of 2.000 BTC; the exchange may reject this one.',
      undefined,
    ]);
    expect(covered('0', [openOrder()])[1]).toMatch(/^Resting reduce-only orders already cover 1.5 /);
    const [state, message] = covered('0', [openOrder({ quantity: null })]);
    expect(state).toBe('unknown');
    expect(message).toMatch(/is unknown: .*quantity.*[^.]\.$/);
    // All of it, without a quantity.
    const { quantity: _quantity, ...all } = sell();
    const close = check(all, context({ openOrders: [openOrder()] }), 'close-all');
    expect(close.find(({ id }) => id === 'resting-reductions')).toMatchObject({
      state: 'warn',
      suggestion: { value: '0.5' },
    });
  });
  it('blocks every order of a contract of which a record cannot be read, and no other', () => {
    const record = { record: 'position', message: 'quantity: not a number', raw: '{}' };
    const of = (symbolId: string | null) => found(sell(), context({ unreadable: [{ ...record, symbolId }] }));
    expect(of('BTC-USDT-M')).toEqual(['fail unread-record symbolId']);
    expect([of('BTC-USD-M'), of(null)]).toEqual([[], []]);
  });
});

describe('funds, leverage and tiers', () => {
  it('allows balance − locked − |cross PnL|, and suggests the quantity that covers', () => {
    // 100,000 − 9,500 − 4,000 = 86,500 at 20× and 0.05 %: 86,500 / 0.0505 / 96,000 = 17.842…
    const covered = (quantity: string) => order({ side: 'BUY', quantity });
    expect(found(covered('17.842'), context())).not.toContain('fail 700017 size');
    expect(found(covered('17.843'), context())).toContain('fail 700017 size');
    expect(suggestion(covered('17.843'), context())).toBe('17.842');
  });
  it('needs no margin to reduce', () => {
    const broke = context({ account: account([position()], [asset({ balance: '0' })]) });
    expect(found(market({ side: 'SELL', reduceOnly: true, quantity: '1' }), broke)).toEqual([]);
  });
  it('keeps the position within the tier its leverage allows, and the leverage within the contract’s', () => {
    const at = (leverage: number) => context({ account: account([position({ leverage })]) });
    const named = check(order({ quantity: '1' }), at(60)).find((check) => check.state === 'fail');
    expect(named).toMatchObject({ id: 'tier-limit', code: '700016', field: 'size' });
    expect(named?.message).toContain('tier 2 allows 50×');
    const beyond = check(order({ quantity: '1' }), at(125)).find((check) => check.state === 'fail');
    expect(beyond).toMatchObject({ id: 'leverage', code: '700019', field: 'leverage' });
  });
  it('never keeps a position open that is above its tier, and says so once of an order that adds', () => {
    const large = position({ leverage: 60, quantity: '5.000', avgEntryPrice: '96000.0' });
    const where = context({ account: account([large]) });
    const close = check(market({ side: 'SELL', quantity: '1.000', reduceOnly: true }), where);
    expect(close.filter(({ state }) => state !== 'pass')).toEqual([]);
    expect(close.some(({ id }) => id === 'leverage' || id === 'tier-limit')).toBe(false);
    const add = check(order({ quantity: '1.000' }), where);
    expect(add.filter(({ state }) => state === 'fail')).toMatchObject([{ id: 'tier-limit' }]);
    expect(add.some(({ id }) => id === 'leverage')).toBe(false);
    // Above its own tier already, so no quantity fits.
    expect(suggestion(order({ quantity: '1.000' }), where)).toBeUndefined();
  });
  it('says that a contract without tiers has none', () => {
    const where = flat({ contracts: [{ ...LINEAR, riskLimitConfigs: [] }] });
    const named = check(order(), where).find(({ id }) => id === 'leverage');
    expect(named).toMatchObject({ state: 'unknown', message: 'Leverage: the contract has no risk tiers' });
  });
  it('suggests no quantity for an order that turns over, nor without its decimals', () => {
    const where = context({ account: account([position({ leverage: 60 })]) });
    const unseen = context({ ...where, specs: () => ({ ...SPECS, quantityDecimals: null }) });
    const funds = { balance: '20000', crossProfitUnreal: '0' };
    const poor = (changes: Partial<OrderContext> = {}) =>
      context({ account: account([position()], [asset(funds)]), ...changes });
    const turn = market({ side: 'SELL', quantity: '9.000' });
    for (const [request, at, failed] of [
      [turn, where, 'fail 700016 size'],
      [order({ quantity: '3.000' }), unseen, 'fail 700016 size'],
      [turn, poor(), 'fail 700017 size'],
      [order({ quantity: '9.000' }), poor({ specs: unseen.specs }), 'fail 700017 size'],
    ] as const) {
      expect(found(request, at)).toContain(failed);
      expect(suggestion(request, at)).toBeUndefined();
    }
    expect(suggestion(order({ quantity: '3.000' }), where)).toBe('0.577');
  });
  it('suggests what covers the margin alone, where the fee is unknown or a rebate', () => {
    // 86,500 at 20× and 96,000 each: 18.0208…
    for (const feeRateTaker of [null, '-0.0001']) {
      const where = context({ specs: () => ({ ...SPECS, feeRateTaker }) });
      expect(suggestion(order({ quantity: '99.000' }), where)).toBe('18.02');
    }
    const free = context({ specs: () => ({ ...SPECS, feeRateTaker: null }) });
    expect(check(order(), free).find(({ id }) => id === 'funds')?.message).toBe('Balance covers the margin');
  });
  it('keeps the position within the last tier', () => {
    const rich = flat({ account: account([], [asset({ balance: '900000000', equities: '900000000' })]) });
    expect(found(order({ quantity: '207', price: '97000' }), rich)).toEqual(['fail 700016 size']);
    expect(suggestion(order({ quantity: '207', price: '97000' }), rich)).toBe('206.185');
  });
  it('blocks nothing by a leverage that may not be yours', () => {
    const free = { locked: '0', crossMargin: '0', crossProfitUnreal: '0' };
    const where = (balance: string, kind: OrderContext['kind'] = 'live') =>
      flat({ account: account([], [asset({ ...free, balance, equities: balance })]), kind });
    // 960,000 at 20× need 48,000 and a fee of 480; at the contract's 100× 9,600.
    const big = order({ quantity: '10', price: '96000' });
    expect(found(big, where('48479'))).toEqual(['warn 700017 size', 'warn usual-size order']);
    expect(check(big, where('48479')).find(({ id }) => id === 'funds')?.message).toContain(
      'at 20×, the contract’s default; yours is unknown',
    );
    expect(found(big, where('10079'))).toContain('fail 700017 size');
    expect(found(big, where('48479', 'practice'))).toEqual(['fail 700017 size', 'warn usual-size order']);
    // Tier 4, from a value of 5,000,000, allows 10×.
    const huge = order({ quantity: '60', price: '96000' });
    expect(found(huge, where('9000000'))).toEqual(['warn 700016 size']);
    expect(found(huge, where('9000000', 'practice'))).toEqual(['fail 700016 size']);
    const shown = flat({
      account: where('9000000').account,
      openOrders: [openOrder({ side: 'BUY', reduceOnly: false })],
    });
    expect(found(huge, shown)).toContain('fail 700016 size');
  });
  it('warns only, where a default above every tier’s leverage may not be yours', () => {
    const where = (kind: OrderContext['kind']) =>
      flat({ contracts: [{ ...LINEAR, defaultLeverage: 125 }], kind });
    const leverageOf = (kind: OrderContext['kind']) =>
      check(order({ quantity: '1' }), where(kind)).find(({ id }) => id === 'leverage');
    expect(leverageOf('live')).toMatchObject({ state: 'warn', code: '700019' });
    expect(leverageOf('live')?.message).toMatch(/125× is above .* default; yours is unknown/);
    // The practice exchange uses the default.
    expect(leverageOf('practice')).toMatchObject({ state: 'fail', code: '700019' });
  });
  it('warns that the default leverage may not be yours', () => {
    const named = check(order(), flat()).find((check) => check.id === 'leverage');
    expect(named).toMatchObject({ state: 'unknown' });
  });
});

describe('the user’s limits are hard stops', () => {
  const limits = (changes: Partial<OrderContext['limits']>, more: Partial<OrderContext> = {}) =>
    flat({
      limits: {
        priceDeviationPercent: null,
        notional: null,
        equitySharePercent: null,
        referenceAgeSeconds: 60,
        ...changes,
      },
      ...more,
    });
  it('allows a price deviation of exactly the limit, either way, and no more', () => {
    const where = limits({ priceDeviationPercent: '10' });
    expect(found(order({ price: '87300' }), where)).toEqual([]);
    expect(found(order({ price: '87299.9' }), where)).toEqual(['fail limit-deviation price']);
    expect(found(order({ price: '106700.1' }), where)).toEqual(['fail limit-deviation price']);
    // Nobody who has not been in the settings knows of it: it is on from the start.
    expect(check(order({ price: '106700.1' }), where).find(({ state }) => state === 'fail')?.message).toBe(
      'Price 106700.1 is 10.01% from the reference price 97000.0; your limit is 10% (Settings › Trading safety).',
    );
    expect(found(market(), where)).toEqual([]);
    expect(suggestion(order({ price: '150000' }), where)).toBe('106700.0');
    expect(suggestion(order({ price: '1' }), where)).toBe('87300.0');
  });
  it('block on a stale or missing reference price', () => {
    const old = [{ price: '97000', source: 'own-trade' as const, at: NOW - 61_000 }];
    const where = limits({ priceDeviationPercent: '10' }, { references: old });
    expect(found(order(), where)).toEqual(['fail limit-reference reference']);
    expect(found(order(), limits({ priceDeviationPercent: '10' }, { references: [] }))).toEqual([
      'fail limit-reference reference',
    ]);
    const still = [{ price: '97000', source: 'own-trade' as const, at: NOW - 60_999 }];
    expect(found(order(), limits({ priceDeviationPercent: '10' }, { references: still }))).toEqual([]);
    expect(found(order(), limits({}, { references: old }))).toEqual([]);
    expect(found(market(), limits({}, { references: old }))).toEqual(['fail limit-reference reference']);
  });
  it.each<[string, Partial<OrderContext>, Partial<OrderContext['limits']>, string, RegExp]>([
    ['contracts', { contracts: null }, { notional: '1' }, 'limit-notional', /contracts have not been read/],
    [
      'contracts',
      { contracts: null },
      { equitySharePercent: '1' },
      'limit-equity',
      /contracts have not been/,
    ],
    ['account', { account: null }, { notional: '1' }, 'limit-notional', /account data is out of date/],
    [
      'account',
      { account: null },
      { equitySharePercent: '1' },
      'limit-equity',
      /account data is out of date/,
    ],
    ['balance', { account: account([], []) }, { equitySharePercent: '1' }, 'limit-equity', /lists no USDT/],
    [
      'open orders',
      { openOrders: null },
      { equitySharePercent: '1' },
      'limit-equity',
      /Open orders have not/,
    ],
    ['price', { references: [] }, { notional: '1' }, 'limit-notional', /No price is known/],
  ])('block opening while the %s a limit needs is unknown: %#', (_what, unread, set, id, message) => {
    const where = limits(set, unread);
    const named = check(market(), where).find((check) => check.id === id);
    expect(named).toMatchObject({ state: 'fail' });
    expect(named?.message).toMatch(message);
    const close = check(market({ side: 'SELL', reduceOnly: true }), where);
    expect(close.filter((check) => check.state === 'fail' && check.code !== '700001')).toEqual([]);
  });
  it('let an order reduce whose equity is unknown, reduce-only or not', () => {
    const { limits: set } = limits({ equitySharePercent: '1' });
    const where = context({ limits: set, account: account([position()], [asset({ equities: null })]) });
    const named = (changes: Partial<OrderRequest>) =>
      check(market({ side: 'SELL', ...changes }), where).find(({ id }) => id === 'limit-equity');
    expect(named({ quantity: '1' })).toMatchObject({ state: 'pass', message: 'Needs no margin' });
    expect(named({ quantity: '1', reduceOnly: true })?.state).toBe('pass');
    expect(named({ quantity: '3' })?.state).toBe('fail');
  });
  it('need open orders only for the leverage of what opens, where no position shows it', () => {
    const said = (changes: Partial<Position>, request: OrderRequest, more: Partial<OrderContext> = {}) => {
      const { limits: set } = limits({ equitySharePercent: '99' });
      const where = { account: account([position(changes)]), limits: set, openOrders: null, ...more };
      const named = check(request, context(where)).find(({ id }) => id === 'limit-equity');
      return `${named?.state ?? ''}: ${named?.message ?? ''}`;
    };
    const unknown = { leverage: null };
    expect(said({}, order())).toMatch(/^pass: Margin within/);
    expect(said(unknown, order())).toMatch(/^fail: .* Open orders have not been read yet/);
    expect(said(unknown, market({ side: 'SELL', quantity: '1' }))).toBe('pass: Needs no margin');
    // The other leg of a hedge may have another leverage.
    expect(said({ positionMode: 'HEDGE', side: 'SELL' }, order())).toMatch(/^fail: .* Open orders have not/);
    expect(said({ positionMode: 'HEDGE', side: 'SELL' }, order(), { openOrders: [] })).toMatch(
      /^unknown: Margin within .* at 20× \(other leg\); yours is unknown$/,
    );
    expect(said(unknown, order(), { account: null })).toMatch(/^fail: .*account data is out of date/);
  });
  it('suggest nothing without decimals, and no size of which not one unit is within the limit', () => {
    const unseen = { specs: () => ({ ...SPECS, priceDecimals: null, quantityDecimals: null }) };
    const poor = { account: account([], [asset({ locked: '0', crossProfitUnreal: '0', equities: '-5' })]) };
    for (const [request, where, failed] of [
      [order({ price: '150000' }), limits({ priceDeviationPercent: '10' }, unseen), 'limit-deviation price'],
      [order(), limits({ notional: '1000' }, unseen), 'limit-notional size'],
      [order(), limits({ notional: '95.99' }), 'limit-notional size'],
      [order(), limits({ equitySharePercent: '0.1' }, unseen), 'limit-equity size'],
      [order(), limits({ equitySharePercent: '0.1' }, poor), 'limit-equity size'],
    ] as const) {
      expect(found(request, where)).toContain(`fail ${failed}`);
      expect(suggestion(request, where)).toBeUndefined();
    }
    expect(suggestion(order(), limits({ notional: '96' }))).toBe('0.001');
  });
  it('are checked without a contract where none is needed', () => {
    const where = limits({ priceDeviationPercent: '10' }, { contracts: null });
    expect(found(order({ price: '87300' }), where)).toEqual(['unknown 700041 symbolId']);
    expect(found(order({ price: '87000' }), where)).toContain('fail limit-deviation price');
    expect(found(order(), limits({}, { contracts: null }))).toEqual(['unknown 700041 symbolId']);
  });
  it('are all that is checked of an order whose contract has not been read, besides the request', () => {
    const where = flat({ contracts: null });
    const ids = (request: OrderRequest): string[] => check(request, where).map(({ id }) => id);
    const prices = { tpPrice: '1.0', tpExecutePrice: '1.0', slPrice: '98000.0', slExecutePrice: '99000.0' };
    expect(ids(order({ price: '98000.0', tpSl: protect(prices) }))).toEqual(['open']);
    expect(ids(order({ tpSl: protect({ tpPrice: '960000.0', slPrice: '9600.0' }) }))).toEqual(['open']);
    const crosses = order({ price: '98000.0', tpSl: protect({ slPrice: '97500.0' }) });
    expect(ids(crosses)).toEqual(['open']);
    expect(ids(order({ reduceOnly: true }))).toEqual(['open']);
    expect(ids(order({ reverseOrder: true }))).toEqual(['open', 'reverse']);
  });
  it('do not report a position missing that was never read', () => {
    const close = market({ side: 'SELL', reduceOnly: true, quantity: '1' });
    expect(found(close, context({ account: null }))).toContain('unknown 700001 reduceOnly');
    expect(mayBeSent(check(close, context({ account: null })))).toBe(true);
  });
  it('never keep a position open', () => {
    const where = context({ references: [], limits: limits({ notional: '1' }).limits });
    const close = market({ side: 'SELL', reduceOnly: true, quantity: '1' });
    expect(mayBeSent(check(close, where))).toBe(true);
    expect(found(close, where)).toContain('warn limit-reference reference');
  });
  it('cover notional and share of equity, and suggest the largest size allowed', () => {
    expect(found(order(), limits({ notional: '9600' }))).toEqual([]);
    expect(found(order(), limits({ notional: '9599.99' }))).toEqual(['fail limit-notional size']);
    expect(suggestion(order(), limits({ notional: '9599.99' }))).toBe('0.099');
    // margin 480 of equity 104,000 = 0.4615 %
    expect(found(order(), limits({ equitySharePercent: '0.47' }, { kind: 'practice' }))).toEqual([]);
    // On a live connection the margin is by a leverage that may not be the user's.
    const assumed = check(order(), limits({ equitySharePercent: '0.47' })).find(
      ({ id }) => id === 'limit-equity',
    );
    expect(assumed).toMatchObject({
      state: 'unknown',
      message: expect.stringContaining('equity at 20× (contract default); yours'),
    });
    expect(found(order(), limits({ equitySharePercent: '0.46' }))).toEqual(['fail limit-equity size']);
    expect(suggestion(order(), limits({ equitySharePercent: '0.46' }))).toBe('0.099');
  });
});

describe('the stop of a limit that crosses', () => {
  // Mark 97,000, last price 97,001.
  const by = (stop: string, changes: Partial<OrderRequest> = {}, where = flat()) =>
    check(
      order({ price: '98000.0', tpSl: protect({ slPrice: stop }, 'MARK_PRICE'), ...changes }),
      where,
    ).find(({ id }) => id === 'slPrice-market');
  it('must wait: it is compared with the market it fills at', () => {
    expect(by('97500.0')).toMatchObject({
      state: 'fail',
      field: 'slPrice',
      message:
        'Stop loss 97500.0 is not below the mark 97000.0, where this order fills: it triggers at once.',
    });
    expect(by('97000.0')?.state).toBe('fail');
    expect(by('96999.9')?.state).toBe('pass');
    expect(by('97000.5', { tpSl: protect({ slPrice: '97000.5' }) })?.state).toBe('pass');
    expect(by('97001.0', { tpSl: protect({ slPrice: '97001.0' }) })).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('is not below the last price 97001.0'),
    });
    const short = { side: 'SELL', price: '96000.0' } as const;
    expect(by('96500.0', short)?.message).toContain('is not above the mark 97000.0');
    expect(by('97000.1', short)?.state).toBe('pass');
  });
  it('is not compared where it rests, is rejected for being post-only, or has no price', () => {
    expect(by('95000.0', { price: '96000.0' })).toBeUndefined();
    expect(by('97500.0', { postOnly: true })).toBeUndefined();
    expect(by('97500.0', { tpSl: undefined })).toBeUndefined();
    // Beyond its own price it is rejected for that.
    expect(by('98000.1')).toBeUndefined();
  });
  it('is only warned about by a price that is neither mark nor last', () => {
    const typed = flat({ references: [{ price: '97000.0', source: 'typed', at: NOW }] });
    expect(by('97500.0', {}, typed)).toMatchObject({ state: 'warn' });
  });
});

describe('a limit that crosses', () => {
  const message = (changes: Partial<OrderRequest>, where: OrderContext = context()) =>
    check(order(changes), where).find((check) => check.id === 'crossing');
  it('warns at the price field, naming the price it fills near', () => {
    expect(message({ price: '97250' })).toMatchObject({
      state: 'warn',
      code: null,
      field: 'price',
      message: 'Crosses the mark: fills at once as taker, near 97000.0.',
    });
    expect(message({ side: 'SELL', reduceOnly: true, price: '96000' })?.state).toBe('warn');
    // At exactly that price there is a counterparty.
    expect(message({ price: '97000.00' })?.state).toBe('warn');
    expect(message({ price: '96999.9' })).toBeUndefined();
    expect(message({ side: 'SELL', price: '97000.1' })).toBeUndefined();
  });
  it('would be rejected for being post-only', () => {
    expect(message({ postOnly: true, price: '97250' })).toMatchObject({
      code: '700011',
      message: 'Crosses the mark 97000.0: post-only would be rejected.',
    });
  });
  it('is unknown with an old price or none', () => {
    const { referenceAgeSeconds } = context().limits;
    const aged = (ms: number) =>
      context({
        references: [{ price: '97000.0', source: 'mark', at: NOW - referenceAgeSeconds * 1_000 - ms }],
      });
    expect(message({ price: '97250' }, aged(999))?.message).toMatch(/^Crosses the mark/);
    expect(message({ price: '97250' }, aged(1_000))?.message).toMatch(/^Unknown whether this crosses/);
    const old = [{ price: '97000.0', source: 'own-trade', at: NOW - 75_000 }] as const;
    expect(message({ price: '90000' }, context({ references: old }))?.message).toBe(
      'Unknown whether this crosses: the price of your last fill is 75 s old.',
    );
    expect(message({ price: '90000' }, context({ references: [] }))?.message).toBe(
      'Unknown whether this crosses: no price of this contract is known.',
    );
  });
  it('is checked at the costlier of its own and the market’s price', () => {
    const free = {
      balance: '5200',
      locked: '0',
      crossMargin: '0',
      crossProfitUnreal: '0',
      profitUnreal: '0',
    };
    const where = flat({ account: account([], [asset(free)]), kind: 'practice' });
    const dear = { quantity: '1', price: '106000' };
    expect(found(order(dear), where)).toContain('fail 700017 size');
    expect(found(order({ ...dear, price: '96900' }), where)).toEqual([]);
    // So it is where the ticket passes its preview, which is at the market's price.
    const request = order(dear);
    const passed = checkOrder({ kind: 'order', request }, where, previewOrder(request, where));
    expect(passed).toEqual(check(request, where));
  });
});

it('says why figures are missing, as the end of a sentence', () => {
  const reason = 'The rate 0.5 is not one. Read it again.';
  const checks = checkOrder({ kind: 'order', request: order() }, context(), { ok: false, reason });
  expect(checks.find(({ id }) => id === 'funds')).toMatchObject({
    state: 'unknown',
    message: 'Balance cannot be checked: The rate 0.5 is not one. Read it again',
  });
});

describe('the request alone', () => {
  const close: OrderRequest = { symbolId: 'BTC-USDT-M', side: 'SELL', type: 'MARKET', reduceOnly: true };
  const without = (field: keyof OrderRequest) => {
    const { [field]: _left, ...rest } = order();
    return rest as OrderRequest;
  };
  it.each<[OrderRequest, 'order' | 'close-all', string]>([
    [order({ symbolId: 'NO-USDT-M' }), 'order', '700041 symbolId'],
    [{ ...close, reduceOnly: false }, 'close-all', '700012 quantity'],
    [{ ...close, quantity: '1' }, 'close-all', '700012 quantity'],
    [{ ...close, reverseOrder: true }, 'close-all', '700012 quantity'],
    [close, 'order', '700004 quantity'],
    [order({ quantity: '0.000' }), 'order', '700012 quantity'],
    [without('price'), 'order', '700004 price'],
    [order({ price: '0.0' }), 'order', '700011 price'],
    [without('timeInForce'), 'order', '700009 timeInForce'],
    [market({ price: '96000' }), 'order', '700009 price'],
    [market({ price: '0' }), 'order', '700009 price'],
  ])('ends the checks where the rest computes with it: %#', (request, kind, expected) => {
    const [last, ...before] = check(request, context(), kind).toReversed();
    expect(before.filter((one) => one.state !== 'pass')).toEqual([]);
    expect(`${last?.code ?? ''} ${last?.field ?? ''}`).toBe(expected);
    expect([last?.state, last?.next === undefined]).toEqual(['fail', false]);
  });
  it('allows a whole position to be closed without a quantity', () => {
    expect(mayBeSent(check(close, context(), 'close-all'))).toBe(true);
  });
  it.each<[OrderRequest, string]>([
    [order({ reduceOnly: true, reverseOrder: true }), 'fail 700009 reverseOrder'],
    [order({ side: 'SELL', reduceOnly: true, tpSl: protect({ slPrice: '99000' }) }), 'fail 700009 tpSl'],
    [order({ tpSl: protect({ tpPrice: '97000' }, 'GUESS') }), 'fail 700009 tpSl'],
    [order({ tpSl: { tpTriggerType: 'MARK_PRICE', slTriggerType: 'NONE' } }), 'fail 700009 tpPrice'],
    [order({ tpSl: { ...protect({ tpPrice: '97000' }), slPrice: '95000' } }), 'fail 700009 slPrice'],
    [order({ tpSl: protect({}) }), 'fail 700042 tpSl'],
    [order({ side: 'SELL', tpSl: protect({ tpPrice: '0.0' }) }), 'fail 700009 tpSl'],
    [order({ tpSl: protect({ slPrice: '95000', slExecutePrice: '0' }) }), 'fail 700009 tpSl'],
    [order({ tpSl: protect({ tpPrice: '97000', slExecutePrice: '97000' }) }), 'fail 700093 slExecutePrice'],
  ])('has flags and TP/SL that go together: %#', (request, expected) => {
    expect(found(request, context())).toContain(expected);
  });
  it('names each rule once', () => {
    expect(new Set(RULES.map(([id]) => id)).size).toBe(RULES.length);
  });
});

describe('flags', () => {
  it('post-only requires a GTC limit order', () => {
    expect(found(order({ postOnly: true }))).toEqual([]);
    expect(found(order({ postOnly: true, timeInForce: 'IOC' }))).toEqual(['fail 700009 postOnly']);
    expect(found(market({ postOnly: true }))).toEqual(['fail 700009 postOnly']);
    expect(found(market({ postOnly: true, timeInForce: 'GTC' }))).toEqual(['fail 700009 postOnly']);
  });
  it('reverse is blocked on a live connection until its meaning is set', () => {
    const reverse = market({ side: 'SELL', reverseOrder: true, quantity: '1' });
    expect(found(reverse, context())).toContain('fail reverse reverseOrder');
    expect(found(reverse, context({ reverseQuantity: 'sum' }))).toEqual([]);
    expect(found(reverse, flat({ reverseQuantity: 'sum' }))).toContain('fail 700001 reverseOrder');
  });
  it('reverse is not checked further where the order is reduce-only, too', () => {
    const both = market({ side: 'SELL', reverseOrder: true, reduceOnly: true, quantity: '1' });
    expect(found(both, context())).toEqual(['fail 700009 reverseOrder']);
  });
  it('reverse is by a market order on the practice exchange, and unknown while no account is read', () => {
    const limit = order({ side: 'SELL', price: '97500.0', reverseOrder: true, quantity: '1' });
    expect(found(limit, context({ kind: 'practice' }))).toEqual(['fail reverse-market reverseOrder']);
    expect(found(limit, context({ reverseQuantity: 'sum' }))).toEqual([]);
    const reverse = market({ side: 'SELL', reverseOrder: true, quantity: '1' });
    expect(found(reverse, context({ kind: 'practice' }))).toEqual([]);
    expect(found(reverse, context({ account: null, reverseQuantity: 'sum' }))).toContain(
      'unknown 700001 reverseOrder',
    );
    const passed = check(reverse, context({ kind: 'practice' })).find(({ id }) => id === 'reverse-position');
    expect(passed).toMatchObject({ state: 'pass', message: 'Position to reverse' });
    // Nothing is said of the position of an order that is blocked before, or whose contract is unread.
    const silent = (request: OrderRequest, where: OrderContext) =>
      check(request, where).every(({ id }) => id !== 'reverse-position');
    expect([silent(reverse, context()), silent(limit, context({ kind: 'practice' }))]).toEqual([true, true]);
    const unread = flat({ contracts: null, reverseQuantity: 'sum' });
    expect(check(limit, unread).map(({ id }) => id)).toEqual(['open']);
  });
  it('reverse finds its leg in hedge mode too', () => {
    const hedged = account([position({ positionMode: 'HEDGE' })]);
    const reverse = market({ side: 'SELL', reverseOrder: true, quantity: '1' });
    const where = context({ account: hedged, reverseQuantity: 'new-position' });
    expect(found(reverse, where)).toEqual([]);
    const both = account([
      position({ positionMode: 'HEDGE' }),
      position({ positionMode: 'HEDGE', side: 'SELL', positionId: '2' }),
    ]);
    const twoLegs = check(reverse, context({ account: both, reverseQuantity: 'new-position' }));
    expect(twoLegs.filter(({ id }) => id.startsWith('reverse'))).toMatchObject([
      { id: 'reverse-hedge', state: 'warn' },
    ]);
    const own = account([position({ positionMode: 'HEDGE', side: 'SELL' })]);
    const none = found(reverse, context({ account: own, reverseQuantity: 'new-position' }));
    expect(none).toContain('fail 700001 reverseOrder');
    expect(none).not.toContain('warn reverse-hedge reverseOrder');
    expect(twoLegs.filter(({ state }) => state !== 'pass' && state !== 'unknown')).toHaveLength(1);
  });
  it('warn of more decimals than were seen, and only then', () => {
    expect(found(order({ quantity: '0.1000', price: '96000.00' }))).toEqual([]);
    expect(found(order({ quantity: '0.1001', price: '96000.05' }))).toEqual([
      'warn 700012 size',
      'warn 700011 price',
    ]);
    const one = checkOrder({ kind: 'order', request: order({ price: '96000.05' }) }, flat()).find(
      ({ state }) => state === 'warn',
    );
    expect(one?.message).toContain('more decimals than were seen in BTC-USDT-M (1)');
    expect(found(order(), flat({ specs: () => ({ ...SPECS, priceDecimals: null }) }))).toEqual([
      'unknown 700009 size',
    ]);
    const use = (changes: Partial<OrderRequest>) =>
      check(order(changes), flat()).find(({ id }) => id === 'decimals-quantity')?.suggestion?.value;
    expect([use({ quantity: '0.1009' }), use({ quantity: '0.0009' })]).toEqual(['0.100', undefined]);
    expect(found(order({ quantity: '0.1000000', price: '96000.0000' }))).toEqual([]);
    for (const odd of [{ quantity: '0.1001' }, { price: '96000.05' }])
      expect(check(order(odd), flat()).some(({ id }) => id === 'decimals')).toBe(false);
  });
});

it('never throws, however large or small the input', () => {
  const figure = fc
    .tuple(fc.stringMatching(/^[1-9]\d{0,23}$/), fc.stringMatching(/^\d{0,17}[1-9]$/), fc.boolean())
    .map(([whole, fraction, small]) => (small ? `0.${fraction}` : `${whole}.${fraction}`));
  const request = fc.record({
    symbolId: fc.constantFrom('BTC-USDT-M', 'BTC-USD-M', 'X-USDT-M'),
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    type: fc.constant('LIMIT' as const),
    timeInForce: fc.constantFrom('GTC' as const, 'IOC' as const),
    quantity: figure,
    price: figure,
    reduceOnly: fc.boolean(),
    tpSl: fc.record({
      tpTriggerType: fc.constant('MARK_PRICE'),
      tpPrice: figure,
      slTriggerType: fc.constant('MARK_PRICE'),
      slPrice: figure,
    }),
  });
  fc.assert(
    fc.property(request, fc.boolean(), (one, empty) => {
      const limits = {
        priceDeviationPercent: '10',
        notional: '5',
        equitySharePercent: '3',
        referenceAgeSeconds: 60,
      };
      for (const { message } of check(one, (empty ? flat : context)({ limits }))) {
        expect(message).not.toMatch(/undefined|NaN|\de[+-]\d/);
      }
    }),
    { numRuns: 300 },
  );
});
