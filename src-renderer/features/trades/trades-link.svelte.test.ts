import { render } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import Trades from './Trades.svelte';

it('follows a link to a contract, also while the screen is open', async () => {
  // The chart waits for it; happy-dom has none.
  vi.stubGlobal('requestIdleCallback', () => 0);
  vi.stubGlobal('cancelIdleCallback', () => undefined);
  const { app } = await fixture('live');
  const { fields } = app.tradeLog;
  const follow = (link: Parameters<typeof app.navigation.go>[1]): unknown => {
    app.navigation.go('trades', link);
    flushSync();
    return [fields.values.symbols, fields.values.orderId];
  };
  app.navigation.go('trades', { symbolId: 'BTC-USDT-M' });
  render(InApp, { app, component: Trades });
  flushSync();
  expect([...fields.values.symbols]).toEqual(['BTC-USDT-M']);
  expect(follow({ symbolId: 'ETH-USDT-M', orderId: '7' })).toEqual([['ETH-USDT-M'], '7']);
  expect(follow({ orderId: '8' })).toEqual([[], '8']);
  expect(app.navigation.link).toBeNull();
  // What is typed stays.
  fields.values.symbols = ['BTC-USDT-M'];
  expect(follow(null)).toEqual([['BTC-USDT-M'], '8']);
});
