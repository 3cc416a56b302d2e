import { describe, expect, it } from 'vitest';
import { type Amount, amount, print, ZERO } from '../../amount.ts';
import { account, asset, context, INVERSE, LINEAR, position } from '../../../tests/domain/order-samples.ts';
import type { Asset, Position } from '../../exchange-api/account.ts';
import type { AccountContext } from '../instrument/trading-context.ts';
import { finish } from '../numeric/steps.ts';
import { Account, type CoinFigures, marginRatio, reportedRatio } from './account.ts';
import type { Figure } from './figure.ts';
import { type Fill, isolatedRatioOf } from './symbol-after.ts';

const BTC = 'BTC-USDT-M';
const fill = (side: 'BUY' | 'SELL', price: string, quantity: string, reduceOnly = false): Fill => ({
  ...{ id: '', symbolId: BTC, side, price, quantity, reduceOnly, locked: ZERO },
});
function after(fills: readonly Fill[], where: AccountContext = context()): Account {
  let found = Account.of(where);
  for (const one of fills) {
    const next = found.apply(one);
    if (typeof next === 'string') throw new Error(next);
    found = next;
  }
  return found;
}
function usdt(found: Account): CoinFigures {
  const figures = finish(found.figures('USDT'));
  if (typeof figures === 'string') throw new Error(figures);
  return figures;
}
/** The maintenance margin of figures that have one. */
function due({ maintenance }: CoinFigures): Amount {
  if (typeof maintenance === 'string') throw new Error(maintenance);
  return maintenance;
}
const held = (positions: readonly Position[], assets?: readonly Asset[]): AccountContext =>
  context({
    account: account(positions, assets),
    contracts: [LINEAR, INVERSE, { ...LINEAR, symbolId: 'ETH-USDT-M' }],
  });
const liquidations = (found: Account): readonly Figure[] => [
  ...finish(found.liquidationPrices('USDT', finish(found.figures('USDT')))).values(),
];
/** The liquidation price of the sample's position, after these fills. */
const liquidation = (where: AccountContext, fills: readonly Fill[] = []): Figure | undefined =>
  liquidations(after(fills, where).atPrices(new Map([[BTC, '96000']])))[0];

describe('an account after fills', () => {
  it('is as the exchange reports it before any fill', () => {
    const found = usdt(Account.of(context()));
    const { wallet, profit, available, free } = found;
    expect([wallet, profit, available, free, due(found)].map(print)).toEqual([
      '100000',
      '4000',
      '86500',
      '86500',
      '1067',
    ]);
  });

  it('is a value: a fill leaves the account before it as it was', () => {
    const before = after([fill('BUY', '97000', '1')]);
    const figures = usdt(before);
    before.apply(fill('SELL', '97000', '3'));
    before.atPrices(new Map([[BTC, '90000']]));
    expect(usdt(before)).toEqual(figures);
    expect(before.symbol(BTC)?.held.map(({ leg }) => leg.quantity)).toEqual(['3']);
  });

  it('keeps the reported figures, whatever Ballast would calculate, and changes them by what fills', () => {
    // Reported 7 above what the formulas give: what stays keeps it, what closes fully takes it along.
    const odd = context({
      account: account(
        [position({ profitUnreal: '4007', maintainMargin: '977' })],
        [asset({ crossProfitUnreal: '4007', crossedMaintainMargin: '1074' })],
      ),
    });
    const half = usdt(after([fill('SELL', '97000', '1', true)], odd));
    expect([half.profit, due(half)].map(print)).toEqual(['2007', '540.5']);
    for (const sells of [
      [fill('SELL', '97000', '2', true)],
      [fill('SELL', '97000', '1', true), fill('SELL', '98000', '1', true)],
    ]) {
      const none = usdt(after(sells, odd));
      expect([none.profit, due(none)].map(print)).toEqual(['0', '0']);
      expect(marginRatio(none)).toEqual({ value: '0' });
    }
    // Turned over, it needs what the short of 1 needs: 0.55 % of 97,000.
    expect(print(due(usdt(after([fill('SELL', '97000', '3')], odd))))).toBe('533.5');
  });

  it('has nothing left of what the exchange rounded once the last cross position is closed', () => {
    const rounded = (maintenance: string, others: Position[] = []): CoinFigures =>
      usdt(
        after(
          [fill('SELL', '47000', '2', true)],
          context({
            account: account(
              [position({ profitUnreal: '4000', maintainMargin: '970' }), ...others],
              [asset({ crossProfitUnreal: '4000.00000001', crossedMaintainMargin: maintenance })],
            ),
          }),
        ),
      );
    const none = rounded('1067.00000001');
    expect([none.profit, due(none)].map(print)).toEqual(['0', '0']);
    expect(marginRatio({ ...none, wallet: ZERO })).toEqual({ value: '0' });
    // More than rounding: of a position that could not be read.
    expect(print(due(rounded('1067.0000001')))).toBe('0.0000001');
    const other = position({ symbolId: 'ETH-USDT-M', positionId: '2' });
    expect(print(due(rounded('1067.00000001', [other])))).toBe('0.00000001');
  });

  it('turns a position over in one fill as in two', () => {
    const once = after([fill('SELL', '96000', '5')]);
    const twice = after([fill('SELL', '96000', '2', true), fill('SELL', '96000', '3')]);
    expect(usdt(once)).toEqual(usdt(twice));
    expect(once.symbol(BTC)?.held).toEqual(twice.symbol(BTC)?.held);
  });

  it('values at other prices what it holds and nothing else', () => {
    const moved = usdt(Account.of(context()).atPrices(new Map([[BTC, '96000']])));
    // 2 × −1,000; 2 × 96,000 at 0.5 % and 0.05 %.
    expect([moved.wallet, moved.profit, due(moved)].map(print)).toEqual(['100000', '2000', '1056']);
    const same = usdt(after([]).atPrices(new Map([[BTC, '97000.0']])));
    expect(same).toEqual(usdt(Account.of(context())));
  });

  it('says why a fill or a coin cannot be calculated', () => {
    const { account: none } = context({ account: account([position({ margin: null })], []) });
    const where = context({ account: none });
    expect(Account.of(where).apply(fill('BUY', '97000', '1'))).toContain('margin');
    expect(Account.of(where).apply({ ...fill('BUY', '1', '1'), symbolId: 'XXX' })).toBe(
      'XXX cannot be calculated.',
    );
    expect(finish(Account.of(where).figures('USDT'))).toBe('No USDT in the account.');
    const short = held([position({ side: 'SELL', margin: null })]);
    expect(Account.of(short).apply(fill('BUY', '97000', '1'))).toContain('margin');
  });

  it('lets the other leg of a hedge be filled beside one that cannot be read', () => {
    const hedge = { positionMode: 'HEDGE' } as const;
    const unread = position({ ...hedge, side: 'SELL', margin: null, positionId: '2' });
    const where = context({ account: account([position(hedge), unread]) });
    const found = after([fill('BUY', '97000', '1')], where);
    expect(print(usdt(found).profit)).toBe('4000');
    expect(Account.of(where).apply(fill('SELL', '97000', '1'))).toContain('margin');
    // One of an unknown side may be either leg.
    const odd = context({ account: account([position({ ...unread, side: 'BOTH' })]) });
    for (const side of ['BUY', 'SELL'] as const)
      expect(Account.of(odd).apply(fill(side, '97000', '1'))).toContain('side is unknown');
    const prices = finish(found.liquidationPrices('USDT', usdt(found)));
    expect([...prices.values()]).toHaveLength(1);
    expect(amount(found.symbol(BTC)?.held[0]?.leg.quantity ?? '0')).toEqual(amount('3'));
  });

  it('keeps coins apart', () => {
    const inverse = position({ symbolId: 'BTC-USD-M', positionId: '2', quantity: '2000' });
    const coin = asset({ coin: 'BTC', balance: '3', crossProfitUnreal: '0' });
    const where = held([position(), inverse], [coin, asset()]);
    const own = [fill('BUY', '97000', '1')];
    const both = after([...own, { ...fill('SELL', '97000', '1000'), symbolId: 'BTC-USD-M' }], where);
    expect(both.changed().length).toBe(2);
    expect(both.changed('BTC').map(({ contract }) => contract.config)).toEqual([INVERSE]);
    expect(usdt(both)).toEqual(usdt(after(own, where)));
    expect(liquidations(both)).toEqual(liquidations(after(own, where)));
  });

  it('takes the margin of isolated positions from the wallet, and leaves their PnL to them', () => {
    const isolated = { marginMode: 'ISOLATED' } as const;
    const usdtOf = asset({ isolatedMargin: '9500', crossProfitUnreal: '0', crossedMaintainMargin: '0' });
    const found = usdt(after([fill('BUY', '97000', '1')], held([position(isolated)], [usdtOf])));
    // Fee 48.5; margin 9,500 and 97,000 / 20.
    expect([found.wallet, found.available].map(print)).toEqual(['85601.5', '85601.5']);
    expect([found.profit, due(found)].map(print)).toEqual(['0', '0']);
  });

  it('liquidates an isolated position by its own margin, and names each contract of an unknown mode', () => {
    const eth = { symbolId: 'ETH-USDT-M', positionId: '2' } as const;
    const modes = (btc: string, other: string) =>
      liquidations(
        after(
          [fill('BUY', '97000', '1'), { ...fill('BUY', '97000', '1'), symbolId: 'ETH-USDT-M' }],
          held([position({ marginMode: btc }), position({ ...eth, marginMode: other })]),
        ),
      );
    const [alone, cross] = modes('ISOLATED', 'CROSSED').map(({ value }) => Number(value));
    // 3 × entry 95,666.67 less 14,350 of margin, at 1 % (tier 2) and 0.05 %.
    expect(alone).toBeCloseTo((3 * 95_666.666_667 - 14_350) / (3 * (1 - 0.0105)), 1);
    expect(cross).toBeLessThan(70_000);
    expect(modes('X', 'Y').map(({ reason }) => reason)).toEqual([
      expect.stringContaining(BTC),
      expect.stringContaining('ETH-USDT-M'),
    ]);
    expect(modes('ISOLATED', 'Y').map(({ value }) => value === null)).toEqual([false, true]);
  });

  it('gives a leg that nothing changed the digits of its entry value', () => {
    const entry = (avgEntryPrice: string, entryValue: string | null) =>
      held([position({ avgEntryPrice, entryValue })]);
    const exact = liquidation(entry('95000.05', null));
    expect(exact?.value).toMatch(/^\d/);
    expect(liquidation(entry('95000.1', '190000.10'))).toEqual(exact);
    expect(liquidation(entry('95000.1', null))).not.toEqual(exact);
    // Once it has changed, its entry is the average of the rounded one.
    const fills = [fill('SELL', '95000.1', '1', true)];
    expect(liquidation(entry('95000.1', '190000.10'), fills)).toEqual(
      liquidation(entry('95000.1', null), fills),
    );
  });

  it('counts the coin’s other cross positions at their mark, else at their last price', () => {
    const eth = (changes: Partial<Position>) =>
      liquidation(held([position(), position({ symbolId: 'ETH-USDT-M', positionId: '2', ...changes })]));
    const alone = liquidation(held([position()]));
    const beside = eth({ markPrice: '94000', lastPrice: '1' });
    // A long at a loss of 2,000 leaves less for the other.
    expect(Number(beside?.value)).toBeGreaterThan(Number(alone?.value));
    expect(eth({ markPrice: null, lastPrice: '94000' })).toEqual(beside);
    expect(eth({ markPrice: null, lastPrice: null })?.reason).toContain('ETH-USDT-M has no mark price');
  });

  it('values a leg whose PnL is not reported at the mark, and without one at its entry', () => {
    const profit = (changes: Partial<Position>) =>
      Account.of(held([position({ profitUnreal: null, ...changes })]))
        .symbol(BTC)
        ?.held.map((one) => print(one.profit));
    expect(profit({})).toEqual(['4000']);
    expect(profit({ markPrice: null })).toEqual(['0']);
  });

  it('moves a PnL without a mark from the entry, and leaves a reported one', () => {
    const profit = (profitUnreal: string | null, fills: readonly Fill[] = []) =>
      after(fills, held([position({ markPrice: null, profitUnreal })]))
        .atPrices(new Map([[BTC, '96000']]))
        .symbol(BTC)
        ?.held.map((one) => print(one.profit));
    expect([profit(null), profit('4000')]).toEqual([['2000'], ['4000']]);
    const turned = [fill('SELL', '97000', '3')];
    expect(profit('4000', turned)).toEqual(['1000']);
  });

  it('counts a fill that finds nothing to close, which changes nothing', () => {
    const flat = after([fill('SELL', '97000', '1', true)], held([]));
    expect(flat.symbol(BTC)).toMatchObject({ orders: 1, held: [] });
    expect(usdt(flat)).toEqual(usdt(Account.of(held([]))));
    expect(usdt(after([fill('SELL', '97000', '0', true)]))).toEqual(usdt(Account.of(context())));
  });

  it('knows no maintenance margin of a contract without tiers, or that was not read, but all else', () => {
    const untiered = context({ contracts: [{ ...LINEAR, riskLimitConfigs: [] }] });
    const buys = [fill('BUY', '97000', '1')];
    const found = usdt(after(buys, untiered));
    expect(found).toEqual({ ...usdt(after(buys)), maintenance: 'risk tiers are missing: BTC-USDT-M' });
    expect(marginRatio(found)).toEqual({ value: null, reason: found.maintenance });
    // What closes fully goes with what was reported of it.
    expect(print(due(usdt(after([fill('SELL', '97000', '2')], untiered))))).toBe('0');
    const unread = held([position()], [asset({ crossedMaintainMargin: null })]);
    expect(usdt(after(buys, unread))).toMatchObject({
      ...usdt(after(buys)),
      maintenance: expect.stringContaining('USDT crossedMaintainMargin') as string,
    });
  });

  it('ignores the prices of contracts it does not list, and knows no coin before it was read', () => {
    const moved = Account.of(context()).atPrices(new Map([['XXX', '1']]));
    expect([moved.symbol('XXX'), moved.changed()]).toEqual([null, []]);
    expect(finish(Account.of(context({ account: null })).figures('USDT'))).toBe('No USDT in the account.');
  });
});

describe('a margin ratio', () => {
  it('of an isolated leg starts from the requirement reported for it', () => {
    const ratio = (changes: Partial<Position>, fills: readonly Fill[] = []): number => {
      const where = held([position({ marginMode: 'ISOLATED', ...changes })]);
      const state = after(fills, where).symbol(BTC);
      const leg = state?.held[0];
      return state && leg ? Number(isolatedRatioOf(state, leg, 'flat').value) : NaN;
    };
    // Computed 1,067 and reported 1,167, of 9,500 and a PnL of 4,000; one sold takes half of the computed along.
    const odd = { maintainMargin: '1070' };
    const sell = fill('SELL', '97000', '1', true);
    expect(ratio(odd)).toBeCloseTo(1167 / 13_500, 8);
    expect(ratio(odd, [sell])).toBeCloseTo((1167 - 533.5) / 6750, 8);
    // Not reported, or opened by the fill: computed.
    expect(ratio({ maintainMargin: null }, [sell])).toBeCloseTo(533.5 / 6750, 8);
    expect(ratio(odd, [fill('SELL', '97000', '3')])).toBeCloseTo(533.5 / 4850, 8);
  });

  it('is 0 without cross positions, whatever the equity', () => {
    const none = { ...usdt(Account.of(context())), wallet: amount('-1'), profit: ZERO };
    expect(marginRatio({ ...none, maintenance: ZERO })).toEqual({ value: '0' });
    expect(marginRatio(none)).toMatchObject({ value: null });
  });

  it('is reported as a share or in percent, and unknown without its unit', () => {
    const of = (rate: string | null, unit: AccountContext['marginUnit']) =>
      reportedRatio(asset({ crossedMaintainMarginRate: rate }), unit);
    expect([of('0.25', '1'), of('25', '100')]).toEqual([{ value: '0.25' }, { value: '0.25' }]);
    expect(of('0.25', null).reason).toContain('unit of the margin ratio is unknown');
    expect(of(null, '1').value).toBeNull();
    expect(of(null, '1').reason).not.toContain('unit');
  });
});
