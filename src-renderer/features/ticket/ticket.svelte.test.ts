import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { account, asset, position } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import Ticket from './Ticket.svelte';

it('groups the digits of the size on the button that reviews it', async () => {
  const { app, accountIs } = await fixture();
  const held = { quantity: '2400', avgEntryPrice: '60000.0', entryValue: '0.04', markPrice: '97000.0' };
  const free = { balance: '5', locked: '0', crossProfitUnreal: '0', available: '5' };
  accountIs(account([position({ symbolId: 'BTC-USD-M', ...held })], [asset({ coin: 'BTC', ...free })]));
  app.navigation.symbol = 'BTC-USD-M';
  Object.assign(app.ticket.fields, { price: '96000', size: '31995' });
  flushSync();
  render(InApp, { app, component: Ticket });
  const button = screen.getByTestId('ticket-review');
  expect(button.textContent.replaceAll(/\s+/g, ' ')).toContain('Review buy · 31,995 USD');
});
