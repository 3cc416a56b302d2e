import { render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import type { SumGroup } from '../../../src-shared/ipc/trade-groups.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { shownAs } from '../../text/shown-as.svelte.ts';
import NetDays from './NetDays.svelte';

const day = (key: string, net: string | null): SumGroup => ({
  ...{
    kind: 'day',
    key,
    coin: 'USDT',
    quote: 'USDT',
    from: null,
    to: null,
    trades: 1,
    makers: 0,
    symbols: [],
  },
  ...{ volume: '1', fees: [{ asset: 'USDT', amount: '0.5' }], pnl: net, net, bp: null, unknown: null },
  ...{ uncovered: 0, leftOut: { trades: 0, orders: 0 }, open: 0, trips: null },
});

it('writes days in the chosen format', async () => {
  const { app } = await fixture();
  shownAs.value = { ...shownAs.value, dateFormat: 'day-first' };
  const days = [day('2026-11-02', '1'), day('2026-11-01', '4')];
  render(InApp, { app, component: NetDays as never, given: { days, coin: 'USDT' } });
  const slot = document.querySelector<HTMLElement>('.slot');
  expect([slot?.title.slice(0, 15), slot?.textContent.trim()]).toEqual(['01.11.2026: net', '01.11.']);
  const rows = [...screen.getByRole('table').querySelectorAll('tbody th')];
  expect(rows.map((row) => row.textContent)).toEqual(['01.11.2026', '02.11.2026']);
});

it('draws a day whose net is not known as unknown, and says so, not as 0', async () => {
  const { app } = await fixture();
  shownAs.quoteCoins = new Set(['USDT']);
  const days = [day('2026-11-03', '0'), day('2026-11-02', null), day('2026-11-01', '4')];
  render(InApp, { app, component: NetDays as never, given: { days, coin: 'USDT' } });
  const unknown = [...document.querySelectorAll<HTMLElement>('.slot')].map((one) => [
    one.classList.contains('unknown'),
    one.title.includes('net not known'),
  ]);
  expect(unknown).toEqual([
    [false, false],
    [true, true],
    [false, false],
  ]);
  const rows = [...screen.getByRole('table').querySelectorAll('tbody tr')];
  expect(rows.map((row) => row.textContent)).toEqual([
    '2026-11-01+4.00−0.50',
    '2026-11-02not known−0.50',
    '2026-11-030−0.50',
  ]);
  expect(screen.getByRole('region').textContent).toContain('not known');
});
