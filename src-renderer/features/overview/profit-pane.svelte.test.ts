import { render } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { utcDay } from '../../../src-shared/time.ts';
import { Past } from './past.svelte.ts';
import ProfitPane from './ProfitPane.svelte';

it('reads whole months for the calendar, whose sums are named by their month', async () => {
  const { app } = await fixture();
  const past = new Past(app);
  const { getByRole } = render(InApp, { app, component: ProfitPane as never, given: { past } });
  const from = (tab: string): string => {
    getByRole('tab', { name: tab }).click();
    flushSync();
    return utcDay(past.statsFrom ?? 0);
  };
  // Of 13 November.
  expect(['PnL by day', 'Calendar', 'Statistics'].map(from)).toEqual([
    '2025-10-15',
    '2025-10-01',
    '2025-10-15',
  ]);
});

it('claims nothing of orders while the history is not archived', async () => {
  const basis = { orders: 0, trades: 0, ordersComplete: false, tradesComplete: false, unsettled: 0 };
  const read = { basis: { ...basis, leftOut: { orders: 0, trades: 0 } }, days: [], results: [] };
  const { app } = await fixture();
  const past = new Past(app);
  past.daily.value = read as never;
  past.summary.value = read as never;
  const { container } = render(InApp, { app, component: ProfitPane as never, given: { past } });
  expect(container.textContent).toContain('No filled order archived in this range');
  expect(container.textContent).not.toContain('No filled order in');
});
