import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, calculated, print, ZERO } from '../../amount.ts';
import { account, asset } from '../../../tests/domain/order-samples.ts';
import {
  coinSums,
  shareOfTotal,
  totalIn,
  accountTotal,
  type PortfolioAccount,
  type TypedRates,
} from './sums.ts';

const holding = (id: string, coins: Readonly<Record<string, string | null>>): PortfolioAccount => ({
  id,
  name: id,
  account: account(
    [],
    Object.entries(coins).map(([coin, equities]) => asset({ coin, equities })),
  ),
});
const unread = (id: string): PortfolioAccount => ({ id, name: id, account: null });
const RATES: TypedRates = { BTC: { rate: '97412.5', at: 200 }, ETH: { rate: '3284.16', at: 100 } };

describe('sums over accounts', () => {
  it('are partial, whatever the coin, while a balance has no coin that can be read', () => {
    const record = { record: 'asset', message: 'no coin', symbolId: null, raw: '{}' };
    const lacking = { ...holding('a', { USDT: '1' }), unreadable: [record] };
    const accounts = [lacking, holding('b', { BTC: '2' })];
    const sums = coinSums(accounts);
    expect(sums.map(({ coin, complete }) => [coin, complete])).toEqual([
      ['BTC', false],
      ['USDT', false],
    ]);
    expect(totalIn('USDT', accounts, sums, RATES).complete).toBe(false);
    // With no coin that can be read, there is no sum to be partial.
    expect(accountTotal('USDT', { ...lacking, account: account([], []) }, RATES).complete).toBe(false);
    const other = { ...lacking, unreadable: [{ ...record, record: 'position' }] };
    expect(accountTotal('USDT', other, RATES).complete).toBe(true);
  });

  it('are exact, coin by coin, and name what each account holds', () => {
    const accounts = [
      holding('a', { USDT: '208076.87', BTC: '0.60878343' }),
      holding('b', { USDT: '84310.42000000000000000001', ETH: '4.2' }),
    ];
    expect(coinSums(accounts)).toEqual([
      { coin: 'BTC', parts: ['0.60878343', '0'], sum: '0.60878343', complete: true },
      { coin: 'ETH', parts: ['0', '4.2'], sum: '4.2', complete: true },
      {
        coin: 'USDT',
        parts: ['208076.87', '84310.42000000000000000001'],
        sum: '292387.29000000000000000001',
        complete: true,
      },
    ]);
  });

  it('leave out a coin nobody holds, but not one whose parts cancel or cannot be read', () => {
    const coins = (...accounts: PortfolioAccount[]) => coinSums(accounts).map(({ coin }) => coin);
    expect(coins(holding('a', { USDC: '0' }), holding('b', { USDC: '0.00' }))).toEqual([]);
    expect(coins(holding('a', { USDC: '-5' }), holding('b', { USDC: '5' }))).toEqual(['USDC']);
    expect(coins(holding('a', { USDC: null }))).toEqual(['USDC']);
  });

  it('are not complete while an account is not read or a figure cannot be read', () => {
    expect(coinSums([holding('a', { USDT: '1' }), unread('b')])).toEqual([
      { coin: 'USDT', parts: ['1', null], sum: '1', complete: false },
    ]);
    expect(coinSums([holding('a', { USDT: '1' }), holding('b', { USDT: null })])).toMatchObject([
      { parts: ['1', null], sum: '1', complete: false },
    ]);
  });

  it('are not known where no account says what it holds, which is not 0', () => {
    expect(coinSums([holding('a', { USDT: null }), unread('b')])).toEqual([
      { coin: 'USDT', parts: [null, null], sum: null, complete: false },
    ]);
  });
});

describe('the total in one unit', () => {
  const total = (accounts: readonly PortfolioAccount[], rates: TypedRates = RATES) =>
    totalIn('USDT', accounts, coinSums(accounts), rates);

  it('is exact and no estimate while only the unit is held', () => {
    expect(total([holding('a', { USDT: '1.1' }), holding('b', { USDT: '2.2' })])).toEqual({
      value: '3.3',
      estimate: false,
      leftOut: [],
      typed: null,
      complete: true,
    });
  });

  it('converts at the typed rates, and says how old they are', () => {
    expect(total([holding('a', { USDT: '100', BTC: '2', ETH: '1' })])).toEqual({
      value: '198209.16',
      estimate: true,
      leftOut: [],
      typed: { oldest: 100, newest: 200 },
      complete: true,
    });
  });

  it('names the coins without a rate, and is not complete without them', () => {
    expect(total([holding('a', { USDT: '100', XYZ: '2' })])).toMatchObject({
      value: '100',
      leftOut: ['XYZ'],
      complete: false,
    });
    expect(total([holding('a', { XYZ: '2' })])).toMatchObject({ value: null, complete: false });
    // A coin named as a property every object has is no rate.
    expect(total([holding('a', { constructor: '2' })])).toMatchObject({ leftOut: ['constructor'] });
  });

  it('has no value where no coin of an account could be read, and needs no rate for it', () => {
    expect(total([holding('a', { USDT: null })])).toMatchObject({
      value: null,
      leftOut: [],
      complete: false,
    });
    expect(total([holding('a', { USDT: null, BTC: '2' })])).toMatchObject({
      value: '194825',
      complete: false,
    });
    expect(accountTotal('USDT', holding('a', { USDT: null }), {}).value).toBeNull();
  });

  it('has no value before an account is read, and is 0 for empty ones', () => {
    expect(total([unread('a')])).toMatchObject({ value: null, complete: false });
    expect(total([holding('a', {})])).toMatchObject({ value: '0', complete: true });
  });
});

const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 18 }))
  .map(([units, scale]) => {
    const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
    const at = digits.length - scale;
    return `${units < 0n ? '-' : ''}${digits.slice(0, at)}${scale === 0 ? '' : `.${digits.slice(at)}`}`;
  });
const coin = fc.constantFrom('USDT', 'BTC', 'ETH', 'XYZ');
const holder = fc.option(fc.dictionary(coin, fc.option(decimal, { freq: 20 })), { freq: 5 });
const accountsOf = fc
  .array(holder, { minLength: 1, maxLength: 6 })
  .map((all) => all.map((coins, at) => (coins === null ? unread(`${at}`) : holding(`${at}`, coins))));
const sumOf = (texts: readonly (string | null)[]): string =>
  print(texts.reduce((sum, text) => (text === null ? sum : add(sum, calculated(text))), ZERO));

describe('whatever the accounts hold', () => {
  it('each sum is that of its parts, and the total that of the accounts', () => {
    fc.assert(
      fc.property(accountsOf, (accounts) => {
        const sums = coinSums(accounts);
        for (const one of sums)
          expect(one.sum).toBe(one.parts.every((part) => part === null) ? null : sumOf(one.parts));
        const total = totalIn('USDT', accounts, sums, RATES);
        const rows = accounts.map((one) => accountTotal('USDT', one, RATES).value);
        expect(total.value ?? '0').toBe(sumOf(rows));
      }),
    );
  });

  it('a sum is complete only if every account and every figure is in it', () => {
    fc.assert(
      fc.property(accountsOf, (accounts) => {
        const sums = coinSums(accounts);
        const total = totalIn('USDT', accounts, sums, RATES);
        const isPartial =
          accounts.some(({ account: one }) => one === null) ||
          accounts.some(({ account: one }) => one?.assets.some(({ equities }) => equities === null)) ||
          sums.some((one) => one.coin === 'XYZ');
        expect(total.complete).toBe(!isPartial);
        for (const one of sums) expect(one.complete).toBe(one.parts.every((part) => part !== null));
      }),
    );
  });

  it('the shares of accounts that hold something add up to 1, within their rounding', () => {
    expect([shareOfTotal('58.2', '100'), shareOfTotal('41.8', '100')]).toEqual(['0.582', '0.418']);
    expect([shareOfTotal(null, '100'), shareOfTotal('1', '0'), shareOfTotal('1', '-5')]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
