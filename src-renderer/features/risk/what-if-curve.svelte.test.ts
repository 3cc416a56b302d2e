import { render } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';
import { account, position } from '../../../tests/domain/order-samples.ts';
import { fixture, settled } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import SizeLiquidation from './SizeLiquidation.svelte';

it('lists each size of a position of a few lots once', async () => {
  // The chart waits for it; happy-dom has none.
  vi.stubGlobal('requestIdleCallback', () => 0);
  vi.stubGlobal('cancelIdleCallback', () => undefined);
  const { app, accountIs } = await fixture();
  accountIs(
    account([position({ quantity: '0.002', entryValue: '194', marginMode: 'ISOLATED', margin: '20' })]),
  );
  const { container } = render(InApp, { app, component: SizeLiquidation });
  await settled();
  const sizes = [...container.querySelectorAll('tbody td:first-child')].map((cell) => cell.textContent);
  expect(sizes).toEqual(['0.001', '0.002', '0.003', '0.004']);
});
