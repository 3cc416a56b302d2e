import { render } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';
import { LINEAR } from '../../../tests/domain/order-samples.ts';
import { feed } from '../../../tests/renderer/fake-bridge.ts';
import { fixture, settled } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import Risk from './Risk.svelte';

it.each([
  [1000, '1,000×'],
  [null, '—'],
])('writes a default leverage of %s', async (defaultLeverage, shown) => {
  // The chart waits for it; happy-dom has none.
  vi.stubGlobal('requestIdleCallback', () => 0);
  vi.stubGlobal('cancelIdleCallback', () => undefined);
  const { app, push } = await fixture();
  const contracts = feed([{ ...LINEAR, defaultLeverage }], 9);
  push('feed', { connectionId: 'live-1', name: 'contracts', feed: contracts });
  app.navigation.symbol = 'BTC-USDT-M';
  const { container } = render(InApp, { app, component: Risk });
  await settled();
  expect(container.querySelector('[data-field="defaultLeverage"]')?.textContent).toBe(shown);
});
