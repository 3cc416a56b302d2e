import { render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { account, position } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import Now from './Now.svelte';

it('says which of TP and SL do not cover all of the position', async () => {
  const { app, accountIs } = await fixture();
  const order = (kind: string, triggerPrice: string, quantity: string) => ({ kind, triggerPrice, quantity });
  const orders = [order('TAKE_PROFIT', '99000', '2.000'), order('STOP_LOSS', '90000', '0.500')];
  accountIs(account([position({ tpSlOrders: orders })]));
  app.navigation.symbol = 'BTC-USDT-M';
  render(InApp, { app, component: Now });
  const line = screen.getByText('TP / SL').nextElementSibling;
  expect(line?.textContent.replaceAll(/\s+/g, ' ').trim()).toBe('99,000 / 90,000 for 25%');
});
