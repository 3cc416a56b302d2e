import { fireEvent, render, screen } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { expect, it } from 'vitest';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import VirtualRows from './VirtualRows.svelte';

const text = (words: string) => createRawSnippet(() => ({ render: () => `<span>${words}</span>` }));
const GIVEN = {
  ...{ label: 'Trades', count: 1_000, gridTemplate: '1fr', onwindow: () => undefined },
  ...{ head: text('Price'), row: text('1') },
};

it('is read in the order of its rows, wherever its slots are in the page', async () => {
  const { app } = await fixture();
  render(InApp, { app, component: VirtualRows as never, given: GIVEN });
  const grid = screen.getByRole('grid');
  const read = (): number[] => {
    const ids = grid.querySelector('[aria-owns]')?.getAttribute('aria-owns')?.split(' ') ?? [];
    return ids.map((id) => Number(document.getElementById(id)?.getAttribute('aria-rowindex')));
  };
  const first = read()[0];
  expect(first).toBe(2);
  grid.scrollTop = 21 * 28;
  await fireEvent.scroll(grid);
  const rows = [...grid.querySelectorAll('[data-index]')].map((one) =>
    Number(one.getAttribute('aria-rowindex')),
  );
  expect(rows).not.toEqual(rows.toSorted((one, other) => one - other));
  expect(read()).toEqual(rows.toSorted((one, other) => one - other));
});

it('says which rows are opened, and what is below them', async () => {
  const { app } = await fixture();
  const expanded = (index: number): boolean | undefined => [false, true][index];
  render(InApp, { app, component: VirtualRows as never, given: { ...GIVEN, count: 3, expanded } });
  const rows = [...screen.getByRole('treegrid').querySelectorAll('[data-index]')];
  expect(rows.map((one) => [one.getAttribute('aria-expanded'), one.getAttribute('aria-level')])).toEqual([
    ['false', '1'],
    ['true', '1'],
    [null, '2'],
  ]);
});
