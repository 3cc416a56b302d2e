import { render } from '@testing-library/svelte';
import type { Component } from 'svelte';
import { expect, it } from 'vitest';
import type { StatsSummary } from '../../../src-shared/ipc/archive.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { shownAs } from '../../text/shown-as.svelte.ts';
import ContractResults from './ContractResults.svelte';
import ProfitCalendar from './ProfitCalendar.svelte';
import Statistics from './Statistics.svelte';

const BTC = {
  ...{ coin: 'USDT', orders: 3, wins: 1, losses: 0, grossProfit: '5', grossLoss: '0' },
  ...{ profit: '5.00', fee: '2.25', net: '2.75', symbol: 'BTC-USDT-M' },
};
/** What its maker rebates left. */
const ETH = { ...BTC, symbol: 'ETH-USDT-M', fee: '-0.50', net: '5.50' };
const SUMMARY: StatsSummary = {
  results: [{ ...BTC, winRate: '100', profitFactor: null, drawdown: '0', contracts: [BTC, ETH] }],
  fees: [{ asset: 'BTC', amount: '0.001' }],
  funding: [],
  basis: {
    ...{ orders: 3, trades: 3, ordersComplete: true, tradesComplete: true, unsettled: 0 },
    leftOut: { orders: 0, trades: 0 },
  },
};

async function shown(component: unknown, given: Record<string, unknown>): Promise<HTMLElement> {
  const { app } = await fixture();
  return render(InApp, { app, component: component as Component, given }).container;
}

it('shows fees as what they did to the balance, like Trades, and names their coin once', async () => {
  const contracts = await shown(ContractResults, { rows: SUMMARY.results[0]?.contracts });
  const fees = [...contracts.querySelectorAll('tbody tr')].map((row) =>
    row.querySelector('td:nth-last-child(2)')?.textContent.trim(),
  );
  expect(fees.sort()).toEqual(['0.50', '−2.25']);

  const figures = (await shown(Statistics, { summary: SUMMARY, coin: 'USDT' })).querySelectorAll('dl > div');
  const texts = [...figures].map((one) => one.textContent.replace(/\s+/g, ' '));
  expect(texts.filter((text) => text.includes('Fees'))).toEqual([
    expect.stringMatching(/^ ?Fees −2\.25 ?USDT of 3 filled orders ?$/),
    expect.stringMatching(/^ ?Fees by coin, all trades −0\.001 ?BTC from 3 trades ?$/),
  ]);

  const day = { day: Date.parse('2026-11-21T00:00:00Z'), result: BTC, trades: 3, funding: null, leftOut: 0 };
  const calendar = await shown(ProfitCalendar, { days: [day], coin: 'USDT' });
  expect(calendar.querySelector('td.gain')?.getAttribute('title')).toContain('fees −2.25');
});

it('cuts the PnL of a day to the decimals of its coin, as everywhere else', async () => {
  shownAs.quoteCoins = new Set(['USDT']);
  const netIn = async (coin: string, net: string): Promise<string | undefined> => {
    const day = { day: Date.parse('2026-11-21T00:00:00Z'), trades: 3, funding: null, leftOut: 0 };
    const days = [{ ...day, result: { ...BTC, coin, net } }];
    const calendar = await shown(ProfitCalendar, { days, coin });
    return calendar.querySelector('.net')?.textContent;
  };
  expect([await netIn('USDT', '-64.559'), await netIn('BTC', '-0.000193128')]).toEqual([
    '−64.55',
    '−0.000193',
  ]);
});

it('says of a day of which no order can be read that its PnL is not known', async () => {
  const day = { day: Date.parse('2026-11-21T00:00:00Z'), trades: 3, funding: null, result: null };
  const cellOf = async (leftOut: number) => {
    const calendar = await shown(ProfitCalendar, { days: [{ ...day, leftOut }], coin: 'USDT' });
    const cell = calendar.querySelector<HTMLElement>('td[title]');
    return [cell?.querySelector('.net')?.textContent, cell?.title];
  };
  expect(await cellOf(2)).toEqual(['—', 'not known; 2 orders not in the sums']);
  expect(await cellOf(0)).toEqual([undefined, 'no filled order in USDT, 3 trades in all']);
});
