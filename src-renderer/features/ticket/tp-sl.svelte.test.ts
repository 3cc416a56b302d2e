import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import TpSl from './TpSl.svelte';

it.each([
  ['BUY', '99000', '95000', ['+3.13% up', '−1.04% down']],
  ['SELL', '93000', '97000', ['−3.13% up', '+1.04% down']],
  // One digit too many: whole beside its field.
  ['BUY', '990000', '9500', ['+931.3% up', '−90.10% down']],
  ['BUY', '1200000', '95000', ['>1,000% up', '−1.04% down']],
  ['SELL', '93000', '1200000', ['−3.13% up', '>1,000% down']],
] as const)('shows the distance of a take profit as a gain and of a stop as a loss: %s', async (...given) => {
  const [side, tpPrice, slPrice, shown] = given;
  const { app } = await fixture();
  app.navigation.symbol = 'BTC-USDT-M';
  Object.assign(app.ticket.fields, { side, price: '96000', size: '0.1', tpSlOn: true, tpPrice, slPrice });
  const { container } = render(InApp, { app, component: TpSl });
  const distances = [...container.querySelectorAll('.up, .down')];
  expect(
    distances.map((one) => `${one.textContent} ${one.classList.contains('up') ? 'up' : 'down'}`),
  ).toEqual(shown);
});

it('asks for a percentage only while the price it is measured from is known', async () => {
  const { app } = await fixture();
  app.navigation.symbol = 'BTC-USDT-M';
  Object.assign(app.ticket.fields, { price: '', size: '0.1', tpSlOn: true });
  render(InApp, { app, component: TpSl });
  const asked = (): string => screen.getByTestId<HTMLInputElement>('ticket-slPrice').placeholder;
  expect(asked()).toBe('Price');
  app.ticket.fields.price = '96000';
  flushSync();
  expect(asked()).toBe('Price or %');
});
