import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amount, multiply, print } from '../../amount.ts';
import type { HistoryOrder } from '../../exchange-api/order-history.ts';
import type { Asset, Position } from '../../exchange-api/account.ts';
import type { Alert, AlertRules, Observation } from './rules.ts';
import { type AlertState, FIRST_STATE, evaluate, type Evaluation } from './evaluate.ts';
import { observation, SET } from '../../../tests/domain/alert-samples.ts';
import { account, asset, NOW, openOrder, pastOrder, position } from '../../../tests/domain/order-samples.ts';

const MINUTE = 60_000;
/** Every rule of a lasting condition fires once each time it is raised. */
const ONCE = Object.fromEntries(
  Object.entries(SET).map(([name, rule]) => [
    name,
    'repeatMinutes' in rule ? { ...rule, repeatMinutes: null } : rule,
  ]),
) as unknown as AlertRules;
const holding = (...positions: Position[]) => ({ ...account(positions), totalEquities: '1000' });

function play(seen: readonly Observation[], rules: AlertRules = SET): Evaluation[] {
  let state: AlertState = FIRST_STATE;
  return seen.map((one) => {
    const watched = evaluate(state, one, rules);
    ({ state } = watched);
    return watched;
  });
}
const last = (seen: readonly Observation[], rules?: AlertRules): readonly Alert[] =>
  play(seen, rules).at(-1)?.alerts ?? [];
const rulesFired = (alerts: readonly Alert[]): string[] => alerts.map((one) => one.rule);
const liquidating = (liquidPrice: string, changes: Partial<Position> = {}): Observation =>
  observation({ account: holding(position({ markPrice: '100', liquidPrice, ...changes })) });

describe('liquidation distance', () => {
  it.each([
    ['90', ['liquidation']],
    ['89.999999', []],
    ['95', ['liquidation-danger']],
    ['94.9999999', ['liquidation']],
    ['100', ['liquidation-danger']],
    ['104', ['liquidation-danger']], // passed
    ['0', []],
  ])('of a long at mark 100, liquidated at %s: %j', (price, rules) => {
    expect(rulesFired(last([liquidating(price)]))).toEqual(rules);
  });

  it.each([
    ['105', ['liquidation-danger']],
    ['110', ['liquidation']],
    ['110.0001', []],
  ])('of a short, liquidated at %s: %j', (price, rules) => {
    expect(rulesFired(last([liquidating(price, { side: 'SELL' })]))).toEqual(rules);
  });

  it('compares exactly: one part in 10^18 beyond the threshold does not fire', () => {
    const mark = '3';
    const at = (liquidPrice: string) => last([liquidating(liquidPrice, { markPrice: mark })]);
    expect(at('2.7')).toHaveLength(1);
    expect(at('2.699999999999999999')).toHaveLength(0);
  });

  it('shows the values with the exchange’s own digits', () => {
    const [alert] = last([liquidating('95.10')]);
    expect(alert).toMatchObject({
      title: 'BTC-USDT-M long: liquidation ≈ 4.90% away',
      text: 'Mark 100, liquidation at 95.10. Threshold 5%.',
      link: { symbolId: 'BTC-USDT-M' },
      key: 'liquidation-danger:BTC-USDT-M BUY 734829105562840117',
    });
  });

  it('reports a missing mark, and is not evaluated', () => {
    const [watched] = play([liquidating('99', { markPrice: null })]);
    expect(watched?.alerts).toEqual([]);
    expect(watched?.unmonitored).toEqual([
      { rule: 'liquidation-danger', why: 'BTC-USDT-M has no mark price' },
      { rule: 'liquidation', why: 'BTC-USDT-M has no mark price' },
    ]);
  });

  it('reports a position that cannot be read, and keeps its level until it can', () => {
    const near = liquidating('95');
    const unreadable = [{ record: 'position', message: 'no id', symbolId: 'BTC-USDT-M', raw: '{}' }];
    const hidden = { ...near, account: holding(), unreadable };
    const [, unread, again] = play([near, hidden, near]);
    const why = 'a record of BTC-USDT-M cannot be read';
    expect(unread?.unmonitored.map((one) => [one.rule, one.why])).toEqual(
      ['liquidation-danger', 'liquidation', 'margin-danger', 'margin'].map((rule) => [rule, why]),
    );
    expect(again?.alerts).toEqual([]);
    expect(again?.unmonitored).toEqual([]);
    const balance = [{ ...unreadable[0]!, record: 'asset', symbolId: null }];
    expect(play([{ ...near, unreadable: balance }])[0]?.unmonitored).toEqual(
      ['margin-danger', 'margin'].map((rule) => ({ rule, why: 'a record of the account cannot be read' })),
    );
  });

  it('misses no price of a position that is closed, or that nothing liquidates', () => {
    const none = { markPrice: null, liquidPrice: null };
    for (const changes of [
      { ...none, quantity: '0' },
      { markPrice: null, liquidPrice: '0' },
    ])
      expect(play([liquidating('0', changes)])[0]?.unmonitored).toEqual([]);
  });

  it('reports a missing liquidation price, not a mark', () => {
    const [watched] = play([liquidating('99', { liquidPrice: null })]);
    expect(watched?.unmonitored.map(({ why }) => why)).toEqual([
      'BTC-USDT-M has no liquidation price',
      'BTC-USDT-M has no liquidation price',
    ]);
  });

  it('fires once while the value oscillates; again only after it cleared the band', () => {
    const prices = ['95', '94.9', '95.1', '94.2', '95', '93.99', '95'];
    const rules: AlertRules = {
      ...SET,
      'liquidation-danger': { ...SET['liquidation-danger'], repeatMinutes: null },
    };
    const fired = play(
      prices.map((price, index) => ({ ...liquidating(price), now: NOW + index * 1_000 })),
      rules,
    ).map((one) => rulesFired(one.alerts).includes('liquidation-danger'));
    expect(fired).toEqual([true, false, false, false, false, false, true]);
  });

  it('never fires twice for one subject within the repeat interval, whatever the prices', () => {
    const path = fc.array(
      fc.record({
        price: fc.integer({ min: 80, max: 101 }),
        after: fc.integer({ min: 0, max: 8 * MINUTE }),
        read: fc.boolean(),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(path, (steps) => {
        let now = NOW;
        const fired = new Map<string, number>();
        const seen = steps.map(({ price, after, read }) => {
          now += after;
          return { ...(read ? liquidating(String(price)) : observation({ account: null })), now };
        });
        for (const [index, { alerts }] of play(seen).entries())
          for (const { key, rule } of alerts) {
            const before = fired.get(key);
            const at = seen[index]?.now ?? 0;
            const set = SET[rule];
            const pause = ('repeatMinutes' in set ? (set.repeatMinutes ?? 0) : 0) * MINUTE;
            if (before !== undefined) expect(at - before).toBeGreaterThanOrEqual(pause);
            fired.set(key, at);
          }
      }),
    );
  });

  it('is monotone: a nearer liquidation never fires a less severe rule', () => {
    const grade = (price: string): number => {
      const rules = rulesFired(last([liquidating(price)]));
      return rules.includes('liquidation-danger') ? 2 : rules.length;
    };
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12_000 }), fc.integer({ min: 0, max: 12_000 }), (a, more) => {
        const text = (hundredths: number) => print(multiply(amount(String(hundredths)), amount('0.01')));
        expect(grade(text(a + more))).toBeGreaterThanOrEqual(grade(text(a)));
      }),
    );
  });

  it('counts a suppressed alert as fired, so its repeat interval applies', () => {
    const at = (price: string, minute: number) => ({ ...liquidating(price), now: NOW + minute * MINUTE });
    const fired = play([at('95', 0), at('93', 29), at('93', 30)]).map((one) => rulesFired(one.alerts));
    expect(fired).toEqual([['liquidation-danger'], [], ['liquidation']]);
  });

  it('of a leg is raised once, also if the other leg has the same id and is safe', () => {
    const [near, far] = ['99', '150'].map((liquidPrice, leg) =>
      position({ markPrice: '100', liquidPrice, side: leg === 0 ? 'BUY' : 'SELL' }),
    );
    const legs = { account: account([near!, far!]) };
    const [first, second] = play([0, 2_000].map((ms) => ({ ...observation(legs), now: NOW + ms })));
    expect(rulesFired(first!.alerts)).toEqual(['liquidation-danger']);
    expect(second?.alerts).toEqual([]);
    expect(second?.raised).toHaveLength(2);
  });

  it('is no longer raised once the position is closed', () => {
    const [first, second] = play([liquidating('99'), observation({ account: holding(), now: NOW + 1_000 })]);
    expect(first?.raised).toContain('liquidation-danger:BTC-USDT-M BUY 734829105562840117');
    expect(second?.raised).toEqual([]);
  });
});

describe('margin ratio', () => {
  /** Maintenance margin is `share` of a cross equity of 1; the exchange reports it as `rate`. */
  const of = (share: string, rate = share, changes: Partial<Observation> = {}) => {
    const none = { isolatedMargin: '0', isolatedLocked: '0', crossProfitUnreal: '0' };
    const margin = { crossedMaintainMargin: share, crossedMaintainMarginRate: rate };
    const one = account([], [asset({ balance: '1', ...none, ...margin })]);
    const [watched] = play([observation({ account: { ...one, totalEquities: '1000' }, ...changes })]);
    return watched!;
  };
  const at = (share: string, rate = share) => rulesFired(of(share, rate).alerts);
  it.each([
    ['0.4999999999', []],
    ['0.5', ['margin']],
    ['0.7999999', ['margin']],
    ['0.8', ['margin-danger']],
    ['1.2', ['margin-danger']],
  ])('of %s: %j', (rate, rules) => {
    expect(at(rate)).toEqual(rules);
  });

  it('reads 100 as 100% where margin and equity show that unit', () => {
    expect(at('0.019', '1.9')).toEqual([]);
    expect(at('0.81', '81')).toEqual(['margin-danger']);
  });

  it('is not evaluated while its unit is unknown, and reports it', () => {
    const unclear = of('0.05', '0.9');
    expect(rulesFired(unclear.alerts)).toEqual([]);
    expect(unclear.unmonitored.map(({ rule }) => rule)).toEqual(['margin-danger', 'margin']);
    expect(unclear.unmonitored[0]?.why).toContain('(1 or 100 for 100%)');
    expect(rulesFired(of('0.05', '0.9', { ratioUnit: '1' }).alerts)).toEqual(['margin-danger']);
    expect(rulesFired(of('0.05', '0.9', { ratioUnit: '100' }).alerts)).toEqual([]);
  });

  it.each([
    [null, '1'],
    ['0', '1'],
    ['-0.00005', '1'],
    ['-0.00005', undefined],
    ['0.01', undefined],
  ] as const)('fires when no equity is left, with a rate of %s in the unit %s', (rate, ratioUnit) => {
    const margin = { crossedMaintainMargin: '5', crossedMaintainMarginRate: rate };
    const one = { ...account([], [asset({ balance: '-100000', ...margin })]), totalEquities: '1000' };
    const [danger] = last([observation({ account: one, ...(ratioUnit && { ratioUnit }) })]);
    expect(danger).toMatchObject({ rule: 'margin-danger', title: 'USDT margin ratio beyond 100%' });
  });

  it('goes by the sign of the rate where the coin’s figures say otherwise, or nothing', () => {
    const with1 = (changes: Partial<Asset>) => {
      const one = { ...account([], [asset(changes)]), totalEquities: '1000' };
      return rulesFired(last([observation({ account: one, ratioUnit: '1' })]));
    };
    expect(with1({ crossedMaintainMarginRate: '-0.01' })).toEqual(['margin-danger']);
    expect(with1({ crossedMaintainMarginRate: '0.6', balance: '-100000' })).toEqual(['margin']);
    expect(with1({ crossedMaintainMarginRate: '0', crossedMaintainMargin: null, balance: '0' })).toEqual([]);
    expect(with1({ crossedMaintainMarginRate: null, balance: null })).toEqual([]);
  });
});

describe('margin ratio of an isolated position', () => {
  /** Requires 80 including a fee of 5, against `margin` and a PnL of −20. */
  const isolated = (margin: string, changes: Partial<Position> = {}): Position =>
    position({
      marginMode: 'ISOLATED',
      liquidPrice: '0',
      maintainMargin: '75',
      closedFee: '5',
      margin,
      profitUnreal: '-20',
      ...changes,
    });
  const seen = (one: Position): Observation => observation({ account: holding(one) });

  it.each([
    ['180.0000001', []],
    ['180', ['margin']],
    ['120.0000001', ['margin']],
    ['120', ['margin-danger']],
    ['20', ['margin-danger']], // nothing left
    ['3', ['margin-danger']],
  ])('with a margin of %s: %j', (margin, rules) => {
    expect(rulesFired(last([seen(isolated(margin))]))).toEqual(rules);
  });

  it('uses and shows its own fields, and links to its symbol', () => {
    expect(last([seen(isolated('120'))])[0]).toMatchObject({
      title: 'BTC-USDT-M long: margin ratio ≈ 80.00%',
      text: 'Isolated: maintenance margin 75 and closing fee 5 against margin 120 and unrealised PnL −20. Threshold 80%.',
      link: { symbolId: 'BTC-USDT-M' },
      key: 'margin-danger:BTC-USDT-M BUY 734829105562840117',
    });
    expect(last([seen(isolated('20'))])[0]?.title).toBe('BTC-USDT-M long: margin ratio ≈ beyond 100%');
  });

  it('does not rate a cross position, which its coin covers', () => {
    expect(last([seen(isolated('20', { marginMode: 'CROSSED' }))])).toEqual([]);
  });

  it('reports a missing unrealised PnL, and is not evaluated', () => {
    const [watched] = play([seen(isolated('20', { profitUnreal: null }))]);
    expect(watched?.alerts).toEqual([]);
    expect(watched?.unmonitored.map(({ why }) => why)).toEqual([
      'BTC-USDT-M has no unrealised PnL',
      'BTC-USDT-M has no unrealised PnL',
    ]);
  });
});

describe('a level', () => {
  const near = liquidating('95');
  const unreadable = [{ record: 'position', message: 'no id', symbolId: 'BTC-USDT-M', raw: '{}' }];
  it.each([
    ['lasts while the account is not read', observation({ account: null }), []],
    ['lasts while a record cannot be read', { ...near, account: holding(), unreadable }, []],
    ['ends with its position', { ...near, account: holding() }, ['liquidation-danger']],
  ])('%s', (_, between, again) => {
    expect(rulesFired(last([near, between, near], ONCE))).toEqual(again);
  });

  it('leaves its repeat interval to a position that comes again, for a day', () => {
    const day = 24 * 60;
    const rules = { ...SET, 'liquidation-danger': { ...SET['liquidation-danger'], repeatMinutes: 2 * day } };
    const at = (one: Observation, minutes: number) => ({ ...one, now: NOW + minutes * MINUTE });
    const gone = { ...near, account: holding() };
    expect(last([near, at(gone, 1), at(near, day - 1)], rules)).toEqual([]);
    expect(rulesFired(last([near, at(gone, day), at(near, day + 1)], rules))).toEqual(['liquidation-danger']);
  });
});

describe('stale data', () => {
  it('is reported for every rule it stops; only the stale-data rule fires', () => {
    const [, old] = play([
      liquidating('80'),
      observation({
        account: null,
        accountOld: 'the account was read 70 s ago',
        accountAgeMs: 70_000,
        now: NOW + 70_000,
      }),
    ]);
    expect(rulesFired(old?.alerts ?? [])).toEqual(['stale']);
    expect(old?.unmonitored.map((one) => one.rule)).toEqual([
      'liquidation-danger',
      'liquidation',
      'margin-danger',
      'margin',
      'equity',
    ]);
  });

  it('keeps levels: the first reading afterwards fires nothing again', () => {
    const fired = play([
      liquidating('95'),
      observation({ account: null, now: NOW + 1_000 }),
      { ...liquidating('95'), now: NOW + 2_000 },
    ]).map((one) => one.alerts.length);
    expect(fired).toEqual([1, 0, 0]);
  });

  it('fires at the set age, once per repeat interval', () => {
    const age = (seconds: number) =>
      observation({ account: null, accountAgeMs: seconds * 1_000, now: NOW + seconds * 1_000 });
    const fired = play([59, 60, 61, 60 + 30 * 60 - 1, 60 + 30 * 60].map(age)).map((one) => one.alerts.length);
    expect(fired).toEqual([0, 1, 0, 0, 1]);
  });
});

describe('equity', () => {
  const equityAt = (equity: string, minutes: number): Observation =>
    observation({ account: { ...account([]), totalEquities: equity }, now: NOW + minutes * MINUTE });
  it('fires when it falls by exactly the threshold within the window', () => {
    expect(last([equityAt('1000', 0), equityAt('900.01', 30)])).toEqual([]);
    expect(last([equityAt('1000', 0), equityAt('900', 30)])[0]).toMatchObject({
      rule: 'equity',
      title: 'Equity fell ≈ 10.00% within 1 hour',
    });
  });
  it('fires when it rises, measured from the low of the window', () => {
    expect(last([equityAt('1000', 0), equityAt('950', 10), equityAt('1045', 20)])[0]?.text).toContain(
      'From 950 to 1045.',
    );
  });
  it('ignores values from before the window', () => {
    expect(last([equityAt('1000', 0), equityAt('900', 61)])).toEqual([]);
  });
  it('is not evaluated without a positive value', () => {
    const [watched] = play([equityAt('0', 0)]);
    expect(watched?.unmonitored).toEqual([{ rule: 'equity', why: 'the account has no positive equity' }]);
  });
  it('keeps its level while it cannot be read', () => {
    const unread = observation({ account: { ...account([]), totalEquities: null }, now: NOW + 2 * MINUTE });
    const watched = play([equityAt('1000', 0), equityAt('900', 1), unread, equityAt('899', 3)], ONCE);
    expect(watched.map((one) => rulesFired(one.alerts))).toEqual([[], ['equity'], [], []]);
    expect(watched[2]?.unmonitored).toEqual([{ rule: 'equity', why: 'the total equity cannot be read' }]);
  });
});

describe('fills', () => {
  const filled = (tradeQuantity: string, seconds: number, more: Partial<Observation> = {}): Observation =>
    observation({ openOrders: [openOrder({ tradeQuantity })], now: NOW + seconds * 1_000, ...more });
  const ended = pastOrder({ id: '9', tradeQuantity: '2.000', mtime: NOW + 5_000 });

  it('from before the first read do not fire', () => {
    expect(last([filled('0.5', 0)])).toEqual([]);
    expect(
      last([observation({ history: null }), observation({ history: [ended], now: NOW + 6_000 })]),
    ).toEqual([]);
  });
  it('fire per order, collected during the repeat interval', () => {
    const watched = play([
      filled('0', 0),
      filled('0.5', 1),
      filled('0.7', 2),
      filled('0.9', 60),
      filled('0.9', 61),
    ]);
    expect(watched.map((one) => one.alerts.map((alert) => alert.title))).toEqual([
      [],
      ['Sold 0.5 of 1.500 BTC-USDT-M'],
      [],
      [],
      ['Sold 0.9 of 1.500 BTC-USDT-M'],
    ]);
  });
  it('of a market order are found in the order history', () => {
    expect(last([filled('0', 0), filled('0', 6, { history: [ended] })])[0]).toMatchObject({
      title: 'Bought 2.000 BTC-USDT-M',
      text: 'Average price 95000.',
      link: { orderId: '9' },
    });
  });
  it('of an order whose quantity cannot be read fire, too', () => {
    const unread = { ...ended, totalQuantity: null };
    expect(last([filled('0', 0), filled('0', 6, { history: [unread] })])[0]?.title).toBe(
      'Bought 2.000 of — BTC-USDT-M',
    );
  });
  it('noticed late, as after sleep, say when the order was last updated', () => {
    const [alert] = last([filled('0', 0), filled('0', 3_605, { history: [ended] })]);
    expect(alert?.text).toBe('Average price 95000. Last order update: 2025-11-13 02:13:25 UTC.');
  });
  it('of an order that ended before watching began do not fire, however late it is listed', () => {
    const old = { ...ended, mtime: NOW - 60_000 };
    expect(last([filled('0', 0), filled('0', 6, { history: [old] })])).toEqual([]);
  });
});

describe('a position closed by the exchange', () => {
  const order = pastOrder({
    id: '77',
    positionId: '5',
    source: 2,
    side: 'SELL',
    symbolId: 'SOL-USDT-M',
    marginMode: 'ISOLATED',
    totalQuantity: '32.0',
    tradeQuantity: '32.0',
    avgPrice: '130.0900000000000000001',
    profit: '-459.84',
    mtime: NOW + 5_000,
  });
  const start = observation({});
  const after = (changes: Partial<HistoryOrder> = {}, more: Partial<Observation> = {}): Observation =>
    observation({ history: [{ ...order, ...changes }], now: NOW + 6_000, ...more });

  it('fires at once as an event of its own with its loss, not as a fill', () => {
    const [alert, ...others] = last([start, after()]);
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      rule: 'liquidated',
      key: 'liquidated:77',
      title: 'SOL-USDT-M long liquidated · 32.0 at 130.09 · −459.84 USDT',
      link: { symbolId: 'SOL-USDT-M', orderId: '77', positionId: '5' },
    });
  });
  it('is reported though the open orders listed it, too, or first', () => {
    const open = [openOrder({ orderId: '77', symbolId: 'SOL-USDT-M', side: 'SELL', tradeQuantity: '32.0' })];
    const openFirst = after({}, { openOrders: open, history: [], now: NOW + 5_000 });
    expect(rulesFired(last([start, after({}, { openOrders: open })]))).toEqual(['liquidated']);
    expect(rulesFired(last([start, openFirst, after()]))).toEqual(['liquidated']);
    expect(last([start, openFirst, after(), after({}, { now: NOW + 9_000 })])).toEqual([]);
    // It was listed at the start, where something else changed after it.
    const other = pastOrder({ id: '8', mtime: NOW + 6_000 });
    const begun = observation({ openOrders: open, history: [other], now: NOW + 7_000 });
    expect(rulesFired(last([begun, after({}, { now: NOW + 8_000 })]))).toEqual(['liquidated']);
  });
  it('is reported whatever time another order of the list has', () => {
    const odd = pastOrder({ id: '8', mtime: 8_640_000_000_000_000 });
    const first = observation({ history: [odd] });
    expect(rulesFired(last([first, after({}, { history: [odd, order] })]))).toEqual(['liquidated']);
  });
  it('is reported once, however often the list is read', () => {
    expect(play([start, after(), after({}, { now: NOW + 9_000 })]).at(-1)?.alerts).toEqual([]);
  });
  it('reports how many orders still rest there', () => {
    const openOrders = [
      openOrder({ symbolId: 'SOL-USDT-M' }),
      openOrder({ symbolId: 'SOL-USDT-M', status: 'CANCELED' }),
      openOrder({ symbolId: 'ETH-USDT-M' }),
      openOrder({ symbolId: 'ETH-USDT-M' }),
    ];
    expect(last([start, after({}, { openOrders })])[0]?.text).toContain(
      '1 resting order remains on SOL-USDT-M',
    );
  });
  it('is reported once with dashes for figures that cannot be read', () => {
    const unread = { tradeQuantity: null, profit: null };
    const [, first, again] = play([start, after(unread), after(unread, { now: NOW + 9_000 })]);
    expect(first?.alerts.map((one) => one.title)).toEqual([
      'SOL-USDT-M long liquidated · — at 130.09 · — USDT',
    ]);
    expect(again?.alerts).toEqual([]);
  });
  it('names no price where there is none', () => {
    const title = last([start, after({ avgPrice: '0' })])[0]?.title;
    expect(title).toBe('SOL-USDT-M long liquidated · 32.0 · −459.84 USDT');
  });
  it('has no sign before a PnL of 0', () => {
    expect(last([start, after({ profit: '0.00' })])[0]?.title).toContain('· 0 USDT');
  });
  it('is reported even from before the first read, up to a week old', () => {
    expect(rulesFired(last([after()]))).toEqual(['liquidated']);
    expect(last([after({ mtime: NOW - 8 * 24 * 60 * MINUTE })])).toEqual([]);
    // The alert's own time is when it was noticed.
    expect(last([after({ mtime: NOW - 2 * 24 * 60 * MINUTE })])[0]?.text).toMatch(
      /Last order update: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\.$/,
    );
    expect(last([after()])[0]?.text).not.toContain('UTC');
  });
  it('is not reported again after a restart, even when the first read has no history', () => {
    const logged: AlertState = {
      ...FIRST_STATE,
      levels: new Map([['liquidated:77', { raised: true, lastFiredAt: NOW - 30 * 60 * MINUTE }]]),
    };
    const waiting = evaluate(logged, observation({ history: null }), SET);
    expect(evaluate(waiting.state, after(), SET).alerts).toEqual([]);
  });
  it('of a delivery contract is a delivery right after its hour, and a liquidation at any other time', () => {
    const delivered = { symbolId: 'BTC1225-USDT-M', orderTime: Date.UTC(2026, 11, 25, 8, 0, 1) };
    expect(rulesFired(last([start, after(delivered)]))).toEqual(['delivered']);
    for (const orderTime of [Date.UTC(2026, 11, 25, 8, 1, 1), Date.UTC(2026, 11, 24, 8, 0, 1)])
      expect(rulesFired(last([start, after({ ...delivered, orderTime })]))).toEqual(['liquidated']);
  });
});

describe('an unknown outcome', () => {
  const unknown = [
    { id: 'intent-1', intentId: 'intent-1', symbolId: 'BTC-USDT-M', label: 'Buy BTC-USDT-M, limit' },
  ];
  it('fires at once, and again while it lasts, whether the account can be read or not', () => {
    const seen = [0, 1, 15].map((minutes) =>
      observation({ unknown, account: null, now: NOW + minutes * MINUTE }),
    );
    expect(play(seen).map((one) => rulesFired(one.alerts))).toEqual([['unknown'], [], ['unknown']]);
  });
  it('clears once the outcome is known', () => {
    const [, after] = play([observation({ unknown }), observation({ now: NOW + 1_000 })]);
    expect(after?.raised).toEqual([]);
  });
});

describe('a rule that is off', () => {
  it('fires nothing, and starts from unraised when switched on again', () => {
    const off: AlertRules = { ...SET, liquidation: { ...SET.liquidation, on: false } };
    const first = evaluate(FIRST_STATE, liquidating('92'), off);
    expect(first.alerts).toEqual([]);
    expect(rulesFired(evaluate(first.state, { ...liquidating('92'), now: NOW + 1 }, SET).alerts)).toEqual([
      'liquidation',
    ]);
  });
});
