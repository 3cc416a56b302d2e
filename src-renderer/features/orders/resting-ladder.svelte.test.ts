import { render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { account, position } from '../../../tests/domain/order-samples.ts';
import { fixture, settled } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import RestingLadder from './RestingLadder.svelte';

it.each([
  ['without a position', [], 'No mark: only positions carry one, and you hold none in this contract.'],
  [
    'of a position',
    [position({ markPrice: null, lastPrice: null, profitUnreal: null })],
    'No mark: the exchange sent none with your position.',
  ],
] as const)('says why there is no mark: %s', async (_, positions, text) => {
  const { app, accountIs } = await fixture();
  accountIs(account(positions));
  render(InApp, { app, component: RestingLadder, given: { preferred: 'BTC-USDT-M' } });
  await settled();
  expect(await screen.findByText(text)).toBeDefined();
});
