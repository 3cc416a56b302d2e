import { expect, it } from 'vitest';
import { account, position } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import { Positions } from './positions.svelte.ts';

it('keeps a position’s row object if a poll did not change it, and replaces it otherwise', async () => {
  const { app, push } = await fixture('live');
  const list = new Positions(app);
  const at = { receivedAt: 1, age: 0, latencyMs: 1, failure: null, failingSince: null };
  const poll = (serial: number, mark: string): void => {
    const positions = [
      position({ positionId: '1', markPrice: mark }),
      position({ positionId: '2', markPrice: '5' }),
    ];
    push('feed', {
      connectionId: 'live-1',
      name: 'account',
      feed: { ...at, serial, value: account(positions) },
    });
  };
  const end = $effect.root(() => {
    $effect(() => void list.rows);
  });
  poll(101, '4');
  const [moved, still] = list.rows;
  poll(102, '4.5');
  expect(list.rows[0]).not.toBe(moved);
  expect(list.rows[0]?.position.markPrice).toBe('4.5');
  expect(list.rows[1]).toBe(still);
  end();
});

it('lists no position of quantity 0, but knows its mark', async () => {
  const { app, accountIs } = await fixture('live');
  const flat = position({ symbolId: 'ETH-USDT-M', quantity: '0.000', markPrice: '3000', positionId: '0' });
  accountIs(account([flat, position()]));
  const list = new Positions(app);
  expect(list.rows.map(({ position: { symbolId } }) => symbolId)).toEqual(['BTC-USDT-M']);
  expect(list.count('all')).toBe(1);
  expect([...app.feeds.positionsBySymbol.keys()]).toEqual(['BTC-USDT-M']);
  expect(app.feeds.marks.get('ETH-USDT-M')).toBe('3000');
  expect(app.specs.references('ETH-USDT-M')[0]).toMatchObject({ price: '3000', source: 'mark' });
  // One that cannot be read may be held.
  accountIs(account([{ ...flat, quantity: null }]));
  expect(list.count('all')).toBe(1);
});
