import { render, screen, within } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import ShockTable from './ShockTable.svelte';

it.each([600, 1_200])(
  'has as many columns in the row of an underlying as in its head, %d px wide',
  async (space) => {
    const { app } = await fixture();
    const rows = [{ kind: 'group', coin: 'BTC', count: 2, move: '-10', pnl: '-20' }];
    render(InApp, { app, component: ShockTable as never, given: { rows, coin: 'USDT', space } });
    const cells = within(screen.getAllByRole('row')[1]!).getAllByRole('gridcell');
    const columns = cells.reduce((sum, one) => sum + Number(one.getAttribute('aria-colspan') ?? 1), 0);
    expect(columns).toBe(screen.getAllByRole('columnheader').length);
  },
);
