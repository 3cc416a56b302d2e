import { describe, expect, it } from 'vitest';
import { amount } from '../../amount.ts';
import { contractOf, type KnownContract } from '../instrument/trading-context.ts';
import { equivalents, SIZE_MODES, type SizeQuestion, sizeOf, typedFor } from './size.ts';
import { account, asset, context, position, SPECS } from '../../../tests/domain/order-samples.ts';
import type { ContractSpecs } from '../instrument/specs.ts';

/** Free margin: 86,500 USDT (of an equity of 104,000) and 8 BTC. A long of 2.000 at 20×. */
const COINS = [
  asset(),
  asset({ coin: 'BTC', balance: '10', equities: '8', locked: '2', crossProfitUnreal: '0' }),
];

function contract(
  symbolId: 'BTC-USDT-M' | 'BTC-USD-M',
  specs: Partial<ContractSpecs> = {},
  where = account([position()], COINS),
): KnownContract {
  const found = contractOf(symbolId, context({ account: where, specs: () => ({ ...SPECS, ...specs }) }));
  if (found === null) throw new Error('not listed');
  return found;
}
const ask = (changes: Partial<SizeQuestion> = {}): SizeQuestion => ({
  contract: contract('BTC-USDT-M'),
  mode: 'notional',
  typed: '1',
  side: 'BUY',
  reduceOnly: false,
  limit: true,
  entryPrice: '97250',
  stopPrice: '95900',
  ...changes,
});
const quantityOf = (changes: Partial<SizeQuestion>): string | null => {
  const found = sizeOf(ask(changes));
  return found.ok ? found.size.quantity : null;
};
const faultOf = (changes: Partial<SizeQuestion>) => {
  const found = sizeOf(ask(changes));
  return found.ok ? null : [found.field, found.message, found.missing];
};

describe('a size in another unit', () => {
  it.each<[string, Partial<SizeQuestion>, string, readonly string[]]>([
    // 0.85 × 97250; ÷ 104000; × (1/20 + 0.0005) ÷ 865; 0.85 × (1350 + 0.0005 × 193150)
    ['a linear long', {}, '0.850', ['0.85', '82662.5', '0.7949', '4.83', '1229.59']],
    // 0.85 × (750 + 0.0005 × 195250)
    [
      'a linear short',
      { side: 'SELL', stopPrice: '98000' },
      '0.850',
      ['0.85', '82662.5', '0.7949', '4.83', '720.49'],
    ],
    // 50000 ÷ 97250; ÷ 8; × 0.0505 ÷ 0.08; 50000 × (1/95900 − 1/97250 + 0.0005 × (1/95900 + 1/97250))
    [
      'an inverse long',
      { contract: contract('BTC-USD-M') },
      '50000',
      ['50000', '0.51413882', '0.064267352186', '0.32455013', '0.007755373931'],
    ],
    [
      'an inverse short',
      { contract: contract('BTC-USD-M'), side: 'SELL', stopPrice: '98000' },
      '50000',
      ['50000', '0.51413882', '0.064267352186', '0.32455013', '0.004446907298'],
    ],
  ])('of %s gives the same order', (_what, changes, quantity, expected) => {
    expect(SIZE_MODES.map((mode) => typedFor(quantity, ask({ ...changes, mode })))).toEqual(expected);
    for (const [index, mode] of SIZE_MODES.entries())
      expect(amount(quantityOf({ ...changes, mode, typed: expected[index]! }) ?? '0')).toEqual(
        amount(quantity),
      );
  });

  it('of an order that reduces is a share of its position, of every mode and side', () => {
    const hedged = account([position({ positionMode: 'HEDGE' })], COINS);
    const short = account([position({ side: 'SELL', quantity: '4.000' })], COINS);
    for (const [own, side, typed] of [
      [account([position()], COINS), 'SELL', '25'],
      [hedged, 'SELL', '25'],
      [short, 'BUY', '12.5'],
    ] as const) {
      const reduces = {
        contract: contract('BTC-USDT-M', {}, own),
        side,
        reduceOnly: true,
        mode: 'share',
      } as const;
      expect(typedFor('0.500', ask(reduces))).toBe(typed);
      expect(quantityOf({ ...reduces, typed })).toBe('0.500');
    }
    // Another unit is that of the order alone.
    const reduces = { side: 'SELL', reduceOnly: true } as const;
    expect(typedFor('0.500', ask(reduces))).toBe('48625');
    expect(quantityOf({ ...reduces, typed: '48625' })).toBe('0.500');
  });

  it('is none where no number gives the order', () => {
    const none = (changes: Partial<SizeQuestion>, quantity = '0.500') =>
      expect(typedFor(quantity, ask(changes))).toBeNull();
    none({ mode: 'share', reduceOnly: true });
    none({ entryPrice: null });
    none({ mode: 'risk', stopPrice: null });
    none({ mode: 'risk', stopPrice: '97250' });
    none({ contract: contract('BTC-USDT-M', { quantityDecimals: null }) });
    none({ mode: 'share', contract: contract('BTC-USDT-M', {}, account([], [asset({ balance: '0' })])) });
    none({ mode: 'quantity' }, '0.0004');
    // No number of that many digits can be typed.
    none({}, '9'.repeat(22));
  });

  it('of unknown decimals is the quantity as it is', () => {
    const unseen = contract('BTC-USDT-M', { quantityDecimals: null });
    expect(typedFor('0.85012345', ask({ mode: 'quantity', contract: unseen }))).toBe('0.85012345');
  });
});

describe('a contract with a multiplier', () => {
  it('counts its units: a linear one of 0.001 BTC, an inverse one of 100 USD', () => {
    const linear = contract('BTC-USDT-M', { multiplier: '0.001', quantityDecimals: 0 });
    const inverse = contract('BTC-USD-M', { multiplier: '100', quantityDecimals: 0 });
    expect(quantityOf({ contract: linear, typed: '97250' })).toBe('1000');
    expect(quantityOf({ contract: inverse, typed: '0.5', entryPrice: '50000' })).toBe('250');
    const question = {
      limit: true,
      side: 'BUY',
      reduceOnly: false,
      entryPrice: '50000',
      stopPrice: null,
    } as const;
    expect(equivalents('250', { ...question, contract: inverse })).toEqual({
      notional: '0.5',
      timesEquity: '0.0625',
    });
    // Until it is known it is taken for 1.
    expect(quantityOf({ contract: contract('BTC-USDT-M', { multiplier: null }), typed: '97250' })).toBe(
      '1.000',
    );
  });

  it('has its stop named as it was typed', () => {
    const own = contract('BTC-USDT-M', { multiplier: '0.001' });
    expect(faultOf({ contract: own, mode: 'risk', typed: '100', stopPrice: '98000' })?.[1]).toBe(
      'Stop loss 98000 must be below the entry price of a buy.',
    );
  });
});

it('pays no fee where the rate is a rebate or unknown', () => {
  for (const feeRateTaker of ['-0.0001', null, '0']) {
    const own = { contract: contract('BTC-USDT-M', { feeRateTaker }) };
    // 86500 × 20 ÷ 97250, and 1350 ÷ (97250 − 95900).
    expect(quantityOf({ ...own, mode: 'share', typed: '100' })).toBe('17.789');
    expect(quantityOf({ ...own, mode: 'risk', typed: '1350' })).toBe('1.000');
  }
});

it('closes all of a position whose quantity has more places than can be sent', () => {
  const padded = account([position({ quantity: `2.5${'0'.repeat(20)}` })], COINS);
  const all = { side: 'SELL', reduceOnly: true, mode: 'share', typed: '100' } as const;
  expect(quantityOf({ ...all, contract: contract('BTC-USDT-M', {}, padded) })).toBe('2.500');
});

describe('a size that cannot be calculated', () => {
  it.each<[string, Partial<SizeQuestion>, readonly [string, string, boolean]]>([
    [
      'a share above 100',
      { mode: 'share', typed: '100.1' },
      ['size', 'Share 100.1% must not be above 100%.', false],
    ],
    ['a limit without a price', { entryPrice: null }, ['price', 'Price is missing.', true]],
    [
      'a market order without one',
      { entryPrice: null, limit: false },
      ['reference', 'No price is known. Enter a reference price, or size by quantity.', true],
    ],
    [
      'a risk without a stop',
      { mode: 'risk', stopPrice: null },
      ['slPrice', 'Size by risk needs a stop loss: turn on TP/SL and enter one.', true],
    ],
    [
      'a stop on the wrong side of a sell',
      { mode: 'risk', side: 'SELL' },
      ['slPrice', 'Stop loss 95900 must be above the entry price of a sell.', false],
    ],
    [
      'a share of no position',
      { mode: 'share', reduceOnly: true },
      ['reduceOnly', 'There is no position on the other side to take a share of.', false],
    ],
    [
      'a share of a coin that the account does not list',
      { mode: 'share', contract: contract('BTC-USDT-M', {}, account([], [])) },
      ['size', 'There is no USDT balance known. Size by quantity.', false],
    ],
  ])('says why: %s', (_what, changes, fault) => {
    expect(faultOf(changes)).toEqual(fault);
  });
});
