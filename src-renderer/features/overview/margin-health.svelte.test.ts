import { render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { account, position } from '../../../tests/domain/order-samples.ts';
import { fixture, settled } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import MarginHealth from './MarginHealth.svelte';

it('cuts the distance to the nearest liquidation, as the tag and Positions do', async () => {
  const { app, accountIs } = await fixture();
  // 4.9966 %, which is rounded to the 5.00 % where danger ends
  accountIs(account([position({ liquidPrice: '92153.3' })]));
  const { container } = render(InApp, { app, component: MarginHealth });
  await settled();
  expect(await screen.findByText('−4.99%')).toBeDefined();
  expect(container.textContent).not.toContain('5.00%');
});

it.each([
  ['CROSSED', '0', 'the exchange reports no rate above 0'],
  // Of an equity below 0.
  ['CROSSED', '-0.1', 'the exchange reports no rate above 0'],
  ['ISOLATED', '0', 'No cross positions'],
])('says what no rate above 0 means beside a position in %s: %s', async (marginMode, rate, fact) => {
  const { app, accountIs } = await fixture();
  const held = account([position({ marginMode })]);
  accountIs({ ...held, assets: held.assets.map((one) => ({ ...one, crossedMaintainMarginRate: rate })) });
  const { container } = render(InApp, { app, component: MarginHealth });
  await settled();
  expect(container.textContent).toContain(fact);
});
