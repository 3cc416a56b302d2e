import { render } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { account, asset } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import Balances from './Balances.svelte';

it('shows a rate that cannot be read as received, and nothing of it once one can', async () => {
  const { app, accountIs } = await fixture();
  const unread = asset({ crossedMaintainMarginRate: null, received: { crossedMaintainMarginRate: '∞' } });
  render(InApp, { app, component: Balances });
  const shown = (): string | undefined =>
    document.querySelector('tbody [data-field="crossedMaintainMarginRate"]')?.textContent.trim();
  for (const [one, text] of [
    [unread, '∞'],
    [asset({ crossedMaintainMarginRate: '0.5' }), '0.50%'],
    [unread, '∞'],
  ] as const) {
    accountIs(account([], [one]));
    flushSync();
    await expect.poll(shown).toBe(text);
  }
});
