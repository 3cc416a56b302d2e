import { render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { account, position } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { shownAs } from '../../text/shown-as.svelte.ts';
import PositionStrip from './PositionStrip.svelte';

it('cuts an average entry as Positions does, which leaves its place to the liquidation price', async () => {
  shownAs.quoteCoins = new Set(['USDT']);
  const { app, accountIs } = await fixture();
  accountIs(account([position({ avgEntryPrice: '95000.12345678' })]));
  app.navigation.symbol = 'BTC-USDT-M';
  render(InApp, { app, component: PositionStrip });
  const strip = screen.getByTestId('ticket-position');
  expect(strip.querySelector('.entry .cut')?.textContent).toBe('345678');
  expect(strip.textContent).toContain('Liq 60,000.0');
});
