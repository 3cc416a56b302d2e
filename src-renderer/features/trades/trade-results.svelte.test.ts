import { render } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import type { SumGroup } from '../../../src-shared/ipc/trade-groups.ts';
import { done } from '../../../src-shared/ipc/failures.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import TradeResults from './TradeResults.svelte';

const sums = (key: string, coin: string): SumGroup => ({
  ...{ kind: 'contract', key, from: null, to: null, coin, quote: coin, trades: 1, makers: 0, symbols: [key] },
  ...{ volume: '10', fees: [{ asset: coin, amount: '0.5' }], pnl: '2', net: '1.5', bp: '1', unknown: null },
  ...{ uncovered: 0, leftOut: { trades: 0, orders: 0 }, open: 0, trips: null },
});

it('names the coin of a fee once: in its cell, not in the head of the column', async () => {
  const rows = [sums('BTC-USDT-M', 'USDT'), sums('ETH-USDT-M', 'USDT'), sums('BTC-USD-M', 'BTC')];
  const { app } = await fixture('live', {
    'trades.groups': () => done({ rows, count: 3, stored: 3, totals: [] }),
  });
  const { findByRole } = render(InApp, { app, component: TradeResults });
  const table = await findByRole('grid', { name: 'Results by contract' });
  await expect.poll(() => table.querySelectorAll('tbody tr').length).toBe(3);
  const head = (name: string): string | undefined =>
    table.querySelector(`th[data-column="${name}"]`)?.textContent.trim();
  expect([head('net'), head('fees')]).toEqual([expect.stringMatching(/^Net.*USDT$/s), 'Fees']);
  const fees = [...table.querySelectorAll('[data-fee]')].map((one) => one.textContent.trim());
  expect(fees).toEqual([
    expect.stringMatching(/^−0\.5.*USDT$/),
    expect.stringMatching(/^−0\.5.*USDT$/),
    expect.stringMatching(/^−0\.5.*BTC$/),
  ]);
});
