import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { account, position } from '../../../tests/domain/order-samples.ts';
import Checks from './Checks.svelte';

it('has a danger said when it appears, and not again with its figures', async () => {
  const { app, accountIs } = await fixture();
  app.navigation.symbol = 'BTC-USDT-M';
  Object.assign(app.ticket.fields, { type: 'MARKET', size: '0.001' });
  render(InApp, { app, component: Checks });
  const status = screen.getByRole('status');
  expect(status.textContent).toBe('');
  app.ticket.fields.size = '20';
  flushSync();
  const shown = new Set<string | undefined>();
  const said = new Set<string>();
  for (const markPrice of ['96000', '94000']) {
    accountIs(account([position({ markPrice })]));
    flushSync();
    shown.add(app.ticket.checks.find((one) => one.danger)?.message);
    said.add(status.textContent);
  }
  expect([...said]).toEqual([expect.stringMatching(/^Liquidation ≈ .*% from the mark\.$/)]);
  expect(shown.size).toBe(2);
});
