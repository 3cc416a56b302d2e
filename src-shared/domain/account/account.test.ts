import { describe, expect, it } from 'vitest';
import { amount, print, ZERO } from '../../amount.ts';
import { account, asset, context, position } from '../../../tests/domain/order-samples.ts';
import type { AccountContext } from '../instrument/trading-context.ts';
import { finish } from '../numeric/steps.ts';
import { Account, type CoinFigures, marginRatio } from './account.ts';
import type { Fill } from './symbol-after.ts';

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

describe('an account after fills', () => {
  it('is as the exchange reports it before any fill', () => {
    const { wallet, profit, available, free, maintenance } = usdt(Account.of(context()));
    expect([wallet, profit, available, free, maintenance].map(print)).toEqual([
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
    expect([half.profit, half.maintenance].map(print)).toEqual(['2007', '540.5']);
    for (const sells of [
      [fill('SELL', '97000', '2', true)],
      [fill('SELL', '97000', '1', true), fill('SELL', '98000', '1', true)],
    ]) {
      const none = usdt(after(sells, odd));
      expect([none.profit, none.maintenance].map(print)).toEqual(['0', '0']);
      expect(marginRatio(none)).toEqual({ value: '0' });
    }
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
    expect([moved.wallet, moved.profit, moved.maintenance].map(print)).toEqual(['100000', '2000', '1056']);
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
});
