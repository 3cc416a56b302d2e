import { afterEach, describe, expect, it } from 'vitest';
import type { Position } from '../../exchange-api/account.ts';
import { account, INVERSE, LINEAR, position } from '../../../tests/domain/order-samples.ts';
import { sharedContracts } from './shared-contracts.ts';
import type { PortfolioAccount } from './sums.ts';

const leg = (side: string, quantity: string | null, changes: Partial<Position> = {}): Position =>
  position({ symbolId: 'BTC-USDT-M', side, quantity, markPrice: '100', entryValue: null, ...changes });
const holder = (id: string, positions: readonly Position[] | null): PortfolioAccount => ({
  id,
  name: id,
  account: positions === null ? null : account([...positions], []),
});
const configs = new Map([LINEAR, INVERSE].map((one) => [one.symbolId, one]));
/** By account. */
let own: Readonly<Record<string, string>> = {};
afterEach(() => void (own = {}));
const shared = (...accounts: PortfolioAccount[]) =>
  sharedContracts(
    accounts,
    (id) => configs.get(id),
    ({ id }) =>
      () =>
        own[id],
  );

describe('one contract in several accounts', () => {
  it('is netted with shorts below 0, and grossed whichever side', () => {
    expect(shared(holder('a', [leg('BUY', '9.850')]), holder('b', [leg('SELL', '4')]))).toEqual([
      {
        symbolId: 'BTC-USDT-M',
        parts: ['9.85', '-4'],
        net: '5.85',
        gross: '13.85',
        sides: 'opposite',
        complete: true,
        value: { amount: '585', coin: 'USDT' },
      },
    ]);
  });

  it('counts both legs of an account in hedge mode', () => {
    const hedged = holder('a', [leg('BUY', '5'), leg('SELL', '2', { positionId: '2' })]);
    expect(shared(hedged, holder('b', [leg('BUY', '1')]))).toMatchObject([
      { parts: ['3', '1'], net: '4', gross: '8', sides: 'opposite' },
    ]);
  });

  it('is valued by the multiplier of each account: the user’s before that of its position', () => {
    const tenfold = leg('BUY', '3', { avgEntryPrice: '101', entryValue: '3030' });
    const two = [holder('a', [leg('BUY', '1')]), holder('b', [tenfold])] as const;
    const value = () => shared(...two)[0]?.value?.amount;
    // The multiplier that one position shows holds for the other account too.
    expect(value()).toBe('4000');
    own = { a: '0.1' };
    expect(value()).toBe('3010');
    own = { b: '0.1' };
    expect(value()).toBe('40');
    expect(shared(holder('a', [leg('BUY', '1')]), holder('b', [leg('SELL', '4')]))[0]?.value?.amount).toBe(
      '-30',
    );
  });

  it('is listed only if two accounts hold it', () => {
    expect(shared(holder('a', [leg('BUY', '1'), leg('SELL', '1')]), holder('b', []))).toEqual([]);
    // The API may list one of quantity 0, which nobody holds.
    expect(shared(holder('a', [leg('BUY', '1')]), holder('b', [leg('BUY', '0.000')]))).toEqual([]);
  });

  it('is not complete while an account or a quantity is not known', () => {
    const two = [holder('a', [leg('BUY', '1')]), holder('b', [leg('BUY', '2')])];
    expect(shared(...two, holder('c', null))).toMatchObject([
      { parts: ['1', '2', null], net: '3', sides: 'same', complete: false },
    ]);
    expect(shared(...two, holder('c', [leg('BUY', null)]))).toMatchObject([{ net: '3', complete: false }]);
    expect(shared(...two, holder('c', [leg('FLAT', '1')]))).toMatchObject([{ net: '3', complete: false }]);
    expect(shared(...two, holder('c', []))).toMatchObject([{ parts: ['1', '2', '0'], complete: true }]);
    const isComplete = (record: string, symbolId: string | null) =>
      shared(...two, { ...holder('c', []), unreadable: [{ record, message: '', symbolId, raw: '' }] })[0]
        ?.complete;
    expect(isComplete('position', null)).toBe(false);
    expect(isComplete('position', 'BTC-USDT-M')).toBe(false);
    expect(isComplete('position', 'ETH-USDT-M')).toBe(true);
    expect(isComplete('asset', null)).toBe(true);
  });

  it('has no value without a mark or a known contract; an inverse quantity is one already', () => {
    const unmarked = { markPrice: null };
    const both = (changes: Partial<Position>) =>
      shared(holder('a', [leg('BUY', '1', changes)]), holder('b', [leg('BUY', '2', changes)]))[0]?.value;
    expect(both(unmarked)).toBeNull();
    expect(both({ symbolId: 'NEW-USDT-M' })).toBeNull();
    expect(both({ ...unmarked, symbolId: 'BTC-USD-M' })).toEqual({ amount: '3', coin: 'USD' });
  });
});
