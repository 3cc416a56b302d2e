import { expect, it } from 'vitest';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import type { Position } from '../../exchange-api/account.ts';
import { account, asset, context, openOrder, position } from '../../../tests/domain/order-samples.ts';
import { contractOf, restingReductions, unitsOf } from './trading-context.ts';

const BTC = 'BTC-USDT-M';
const contract = (positions: readonly Position[], openOrders: readonly OpenOrder[]) =>
  contractOf(BTC, context({ account: account(positions), openOrders }))!;
const terms = (positions: readonly Position[], openOrders: readonly OpenOrder[]) => {
  const { legs } = contract(positions, openOrders);
  return [legs.BUY, legs.SELL].map(({ leverage, leverageFrom }) => `${leverage} ${leverageFrom}`);
};
const hedge = { positionMode: 'HEDGE', reduceOnly: false } as const;

it('takes leverage and modes from the contract’s own records, else only its default leverage', () => {
  const other = openOrder({
    symbolId: 'ETH-USDT-M',
    leverage: 50,
    positionMode: 'HEDGE',
    marginMode: 'ISOLATED',
  });
  expect(contract([], [other])).toMatchObject({
    hedge: null,
    leverage: '20',
    leverageFrom: 'contract default',
  });
  const own = { ...other, symbolId: BTC };
  expect(contract([], [other, own])).toMatchObject({
    hedge: true,
    leverage: '50',
    leverageFrom: 'open order',
  });
  expect(terms([position({ leverage: 10 })], [own])).toEqual(['10 position', '10 position']);
  for (const leverage of [null, 0])
    expect(terms([position({ leverage })], [{ ...own, leverage: 7 }])).toEqual([
      '7 open order',
      '7 open order',
    ]);
});

it('has the contract’s own positions that are held, and the balance of its margin coin', () => {
  const others = [
    position({ symbolId: 'ETH-USDT-M', leverage: 33 }),
    position({ quantity: '0', leverage: 9 }),
  ];
  const assets = [asset({ coin: 'BTC' }), asset()];
  const found = (positions: readonly Position[], symbolId = BTC) =>
    contractOf(symbolId, context({ account: account(positions, assets) }));
  expect(found(others)).toMatchObject({ positions: [], asset: { coin: 'USDT' }, leverage: '9' });
  expect(found([...others, position()])?.positions).toEqual([position()]);
  expect(found(others, 'BTC-USD-M')).toMatchObject({
    asset: { coin: 'BTC' },
    leverageFrom: 'contract default',
  });
  expect(found(others, 'XXX')).toBeNull();
});

it.each([
  ['CROSSED', false, 'cross'],
  ['ISOLATED', true, 'isolated'],
  ['', null, 'unknown margin mode'],
  ['PORTFOLIO', null, 'PORTFOLIO'],
])('reads the margin mode “%s” as isolated: %s', (marginMode, isolated, mode) => {
  expect(contract([position({ marginMode })], [])).toMatchObject({ isolated, mode });
});

it('takes the terms of a hedge’s leg from its position, then its order, then the other leg', () => {
  const long = position({ positionMode: 'HEDGE', leverage: 10 });
  const sell = openOrder({ ...hedge, side: 'SELL', leverage: 7 });
  expect(terms([long], [sell])).toEqual(['10 position', '7 open order']);
  // It closes the long, whose leg it is of.
  expect(terms([long], [{ ...sell, reduceOnly: true }])).toEqual(['10 position', '10 other leg']);
  expect(terms([{ ...long, leverage: null }], [{ ...sell, reduceOnly: true }])).toEqual([
    '7 open order',
    '7 other leg',
  ]);
  const short = { ...long, side: 'SELL', leverage: 5 };
  expect(contract([short], [{ ...sell, side: 'BUY' }])).toMatchObject({
    leverage: '5',
    leverageFrom: 'position',
  });
});

it('finds the resting reduce-only orders of the contract and the side', () => {
  const reducing = openOrder({ side: 'SELL', reduceOnly: true });
  const openOrders = [
    ...[reducing, { ...reducing, symbolId: 'ETH-USDT-M' }, { ...reducing, side: 'BUY' }],
    ...[
      { ...reducing, reduceOnly: false },
      { ...reducing, reduceOnly: null },
      { ...reducing, status: 'CANCELED' },
    ],
  ];
  expect(restingReductions(BTC, 'SELL', context({ openOrders }))).toEqual([reducing]);
  expect(restingReductions(BTC, 'SELL', context({ openOrders: null }))).toEqual([]);
});

it('takes one unit for one coin where no multiplier is known', () => {
  const units = (multiplier: string | null) => unitsOf({ specs: { multiplier } as never }, '0.50');
  expect([null, '1', '10'].map(units)).toEqual(['0.50', '0.50', '5']);
});
