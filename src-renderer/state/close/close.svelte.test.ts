import { expect, it } from 'vitest';
import { account, position } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';

const other = position({ symbolId: 'BTC-USD-M', positionId: '2', side: 'SELL', quantity: '900' });
async function holding() {
  const all = await fixture('live');
  all.accountIs(account([other, position()]));
  return { ...all, close: all.app.close };
}

it('closes the position it was started for: all of it, or a share as it was asked for', async () => {
  const { close } = await holding();
  const closing = { symbolId: 'BTC-USDT-M', side: 'SELL', reduceOnly: true, type: 'MARKET' };
  close.start(position());
  // Without a quantity: all that is held when it arrives.
  expect(close.reading.request).toEqual(closing);
  expect([close.open, close.ready, close.missing]).toEqual([true, true, null]);
  close.start(position(), 'part', '25');
  expect(close.reading.request).toMatchObject({ ...closing, quantity: '0.500' });
  close.start(other, 'part');
  expect(close.reading.request).toMatchObject({ symbolId: 'BTC-USD-M', side: 'BUY', quantity: '450' });
  close.cancel();
  expect([close.open, close.position]).toEqual([false, null]);
});

it('begins with the share of each way until a size is typed or chosen, which stays', async () => {
  const { close } = await holding();
  close.start(position());
  close.choose('part');
  expect(close.size).toBe('50');
  close.choose('limit');
  expect(close.size).toBe('100');
  close.sizeByShare('40');
  close.choose('part');
  expect(close.size).toBe('40');
  close.choose('all');
  close.choose('limit');
  expect(close.size).toBe('100');
  close.start(position(), 'part', '25');
  close.choose('limit');
  expect(close.size).toBe('25');
});

it('makes the same order by quantity as by the share before', async () => {
  const { close } = await holding();
  close.start(position(), 'part', '25');
  const { request } = close.reading;
  close.sizeByQuantity();
  expect([close.sizeMode, close.size]).toEqual(['quantity', '0.500']);
  expect(close.reading.request).toEqual(request);
  close.choose('all');
  close.choose('part');
  expect(close.size).toBe('0.500');
  close.size = '';
  close.sizeByQuantity();
  expect(close.size).toBe('');
});

it('says what is missing, and what is wrong at its field', async () => {
  const { close } = await holding();
  close.start(position(), 'limit');
  expect([close.missing, close.wrongAt('price'), close.ready]).toEqual(['Enter a price', null, false]);
  close.price = '99000';
  expect([close.missing, close.ready]).toEqual([null, true]);
  close.size = '';
  expect([close.missing, close.wrongAt('size')]).toEqual(['Enter a size', null]);
  close.size = '50';
  close.price = '0';
  expect(close.missing).toBe('Fix the order to continue');
  expect([close.wrongAt('price'), close.wrongAt('size')]).toEqual([
    expect.stringContaining('must be above 0'),
    null,
  ]);
  close.price = '96000';
  expect(close.crossing).toMatchObject({ id: 'crossing', state: 'warn' });
  // A take profit that fills at once: a failed check, not a fault.
  close.choose('take-profit');
  close.price = '96000';
  expect(close.crossing).toBeNull();
  expect([close.missing, close.ready]).toEqual(['Fix the order to continue', false]);
  expect([close.wrongAt('price'), close.wrongAt('size')]).toEqual([
    expect.stringContaining('must be above the mark'),
    null,
  ]);
});

it('asks for no review of a position that is gone, has an unknown side, or while nothing may be sent', async () => {
  const { close, accountIs, app, count } = await holding();
  close.start(position());
  accountIs(account([other]));
  expect(close.checks.map(({ id }) => id)).toEqual(['gone']);
  await close.submit();
  accountIs(account([position({ side: 'NET' })]));
  close.start(position({ side: 'NET' }));
  expect(close.checks.map(({ id }) => id)).toEqual(['side']);
  await close.submit();
  accountIs(account([position()]));
  close.start(position(), 'limit');
  await close.submit();
  expect(count('orders.review')).toBe(0);
  close.start(position());
  await close.submit();
  expect(count('orders.review')).toBe(1);
  app.session.state = app.session.state && { ...app.session.state, locked: true };
  expect([close.ready, close.missing]).toEqual([false, 'Trading is locked']);
});
