import { render } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { fixture } from '../../tests/renderer/app-fixture.ts';
import InApp from '../../tests/renderer/InApp.svelte';
import { account, asset } from '../../tests/domain/order-samples.ts';
import AccountFigures from './AccountFigures.svelte';

it.each([
  ['is not tagged for a ratio, which shows itself', { crossedMaintainMarginRate: '0.86' }, ''],
  [
    'is tagged where no equity is left, which has no ratio',
    { crossedMaintainMarginRate: '-5' },
    'USDT used up',
  ],
  ['is tagged where not everything is known', { crossedMaintainMarginRate: null }, 'Not rated'],
])('%s', async (_, rate, tag) => {
  const { app, accountIs } = await fixture();
  accountIs(account([], [asset({ crossedMaintainMargin: '90000', ...rate })]));
  const { container } = render(InApp, { app, component: AccountFigures });
  expect(container.querySelector('.near')?.textContent.trim() ?? '').toBe(tag);
});
