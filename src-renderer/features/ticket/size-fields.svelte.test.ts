import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { account, asset, position } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import SizeFields from './SizeFields.svelte';

it('stay usable while a part of the free margin cannot be read', async () => {
  const { app, accountIs } = await fixture();
  accountIs(account([position()], [asset({ balance: null })]));
  app.navigation.symbol = 'BTC-USDT-M';
  render(InApp, { app, component: SizeFields });
  expect(screen.getByTestId('ticket-size')).toBeTruthy();
  expect(screen.getByTitle('Balance − locked − |cross unrealised PnL|').textContent).toContain('—');
});

it('names the coin whose equity a size is a multiple of', async () => {
  const { app } = await fixture();
  app.navigation.symbol = 'BTC-USDT-M';
  render(InApp, { app, component: SizeFields });
  expect(
    screen.getByTitle('Size by times the equity in USDT; other coins do not count (Alt 3)'),
  ).toBeTruthy();
});

it('says in which unit the size is', async () => {
  const { app } = await fixture();
  app.navigation.symbol = 'BTC-USDT-M';
  render(InApp, { app, component: SizeFields });
  const unit = (): string | null | undefined => {
    const id = screen.getByTestId('ticket-size').getAttribute('aria-describedby');
    return document.getElementById(id ?? '')?.textContent;
  };
  expect(unit()).toBe('BTC');
  app.ticket.fields.sizeMode = 'notional';
  flushSync();
  expect(unit()).toBe('USDT');
});
