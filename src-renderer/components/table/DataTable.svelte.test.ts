import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src-shared/ipc/default-settings.ts';
import { shownAs } from '../../text/shown-as.svelte.ts';
import { FakeTime } from '../../../tests/renderer/fake-bridge.ts';
import TableHost from '../../../tests/renderer/TableHost.svelte';

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `C${index}`,
    size: `${(index * 7) % 10}.5`,
    note: null,
  }));
const lines = (): HTMLElement[] =>
  screen.getAllByRole('row').filter((one) => one.dataset['key'] !== undefined);

describe('the table', () => {
  it('marks its sort, sorts decimals in descending order first, then reverses', async () => {
    render(TableHost, { rows: rows(5) });
    const head = screen.getByRole('button', { name: /Size/ });
    await fireEvent.click(head);
    expect(head.closest('th')?.getAttribute('aria-sort')).toBe('descending');
    expect(lines().map((one) => one.dataset['key'])).toEqual(
      ['C4', 'C1', 'C3', 'C2', 'C0'].sort(bySize).reverse(),
    );
    await fireEvent.click(head);
    expect(head.closest('th')?.getAttribute('aria-sort')).toBe('ascending');
  });

  it('has one row in the Tab order, which the arrow keys move', async () => {
    render(TableHost, { rows: rows(5) });
    expect(lines().map((one) => one.tabIndex)).toEqual([0, -1, -1, -1, -1]);
    lines()[0]!.focus();
    await fireEvent.keyDown(lines()[0]!, { key: 'ArrowDown' });
    await tick();
    expect(document.activeElement).toBe(lines()[1]);
    await fireEvent.keyDown(lines()[1]!, { key: 'End' });
    await tick();
    expect(document.activeElement).toBe(lines()[4]);
    expect(lines().map((one) => one.tabIndex)).toEqual([-1, -1, -1, -1, 0]);
  });

  it('has one Tab stop in the head: → ← move along it, ↓ into the rows', async () => {
    render(TableHost, { rows: rows(2) });
    const heads = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('th button')];
    const first = heads()[0]!;
    first.focus();
    await fireEvent.keyDown(first, { key: 'ArrowRight' });
    expect(document.activeElement).toBe(heads()[1]);
    expect(heads().filter((one) => one.tabIndex === 0)).toEqual([heads()[1]]);
    await fireEvent.keyDown(heads()[1]!, { key: 'ArrowLeft' });
    expect(document.activeElement).toBe(first);
    await fireEvent.keyDown(first, { key: 'ArrowDown' });
    expect(document.activeElement).toBe(lines()[0]);
  });

  it('expands a row by → and by the chevron, and announces it', async () => {
    render(TableHost, { rows: rows(2) });
    await fireEvent.keyDown(lines()[0]!, { key: 'ArrowRight' });
    expect(lines()[0]!.getAttribute('aria-expanded')).toBe('true');
    expect(screen.getByText('all of C0')).toBeTruthy();
    await fireEvent.keyDown(lines()[0]!, { key: 'ArrowLeft' });
    expect(screen.queryByText('all of C0')).toBeNull();
  });

  it('enters a row’s controls by → and leaves them by ← and Esc, with one Tab stop for all', async () => {
    render(TableHost, { rows: rows(2) });
    const row = lines()[0]!;
    const close = screen.getByRole('button', { name: 'Close C0' });
    const more = screen.getByRole('button', { name: 'More C0' });
    expect([close.tabIndex, more.tabIndex]).toEqual([-1, -1]);
    row.focus();
    await fireEvent.keyDown(row, { key: 'ArrowRight' });
    expect(screen.getByRole('button', { name: 'In C0' }).tabIndex).toBe(0);
    expect(document.activeElement).toBe(row);
    for (const [key, lands] of [
      ['ArrowRight', close],
      ['ArrowRight', more],
      ['ArrowRight', more],
      ['ArrowLeft', close],
      ['ArrowLeft', row],
      ['ArrowRight', close],
      ['Escape', row],
    ] as const) {
      await fireEvent.keyDown(document.activeElement!, { key });
      expect(document.activeElement, key).toBe(lands);
    }
  });

  it('draws only the rows near the view of a long table', () => {
    render(TableHost, { rows: rows(400) });
    expect(lines().length).toBeLessThanOrEqual(60);
    expect(screen.getByRole('treegrid').getAttribute('aria-rowcount')).toBe('401');
  });

  it('shows a failed read instead of an empty table', async () => {
    const failure = { kind: 'offline', message: 'Not reached.', next: 'Retry.' } as const;
    const { rerender } = render(TableHost, { rows: [], failure });
    expect(screen.getByText('Things could not be read')).toBeTruthy();
    expect(screen.queryByText('nothing here')).toBeNull();
    await rerender({ rows: [], failure: null });
    expect(screen.getByText('nothing here')).toBeTruthy();
  });

  it('pads a column to its longest fraction and shows a missing value as a dash', () => {
    render(TableHost, {
      rows: [
        { name: 'a', size: '1', note: null },
        { name: 'b', size: '0.125', note: 'x' },
      ],
    });
    const cells = [...document.querySelectorAll('td')].map((one) => one.textContent.trim());
    expect(cells).toContain('1.000');
    expect(cells).toContain('—');
  });

  it('keeps the width of the widest figure shown so far', () => {
    render(TableHost, { rows: [{ name: 'a', size: '-1042313.75', note: null }] });
    const head = document.querySelector<HTMLElement>('th[data-column="size"]');
    expect(head?.dataset['widest']).toBe('−0,000,000.00');
  });

  it('keeps a cell’s element when its text changes, flashes it briefly, and titles it under the pointer', async () => {
    const { rerender } = render(TableHost, { rows: [{ name: 'a', size: '1042313.75', note: null }] });
    const cell = document.querySelector<HTMLElement>('td > .amount')!;
    const flashed = (): (string | undefined)[] =>
      [...document.querySelectorAll('td')]
        .map((one) => one.dataset['flash'])
        .filter((one) => one !== undefined);
    expect(cell.textContent).toBe('1,042,313.75');
    await rerender({ rows: [{ name: 'a', size: '1042313.80', note: null }] });
    // Before any timer fires.
    expect(flashed()).toEqual(['']);
    await expect.poll(() => cell.textContent).toBe('1,042,313.80');
    await expect.poll(() => flashed()).toEqual([]);
    await fireEvent.pointerOver(cell);
    expect(cell.title).toBe('1042313.80');
  });

  it('hides, shows and moves columns, and remembers it', async () => {
    const { unmount } = render(TableHost, { rows: rows(2) });
    await fireEvent.click(screen.getByText('hide size'));
    expect(screen.queryByRole('button', { name: /Size/ })).toBeNull();
    unmount();
    render(TableHost, { rows: rows(2) });
    expect(screen.queryByRole('button', { name: /Size/ })).toBeNull();
  });
});

function bySize(a: string, b: string): number {
  const size = (key: string): number => (Number.parseInt(key.slice(1), 10) * 7) % 10;
  return size(a) - size(b);
}

describe('the order of the rows', () => {
  const sized = (sizes: Readonly<Record<string, string>>) =>
    Object.entries(sizes).map(([name, size]) => ({ name, size, note: null }));
  const keys = (): (string | undefined)[] => lines().map((one) => one.dataset['key']);
  const around = (): HTMLElement => document.querySelector<HTMLElement>('.scroller')!;
  async function table() {
    const time = new FakeTime();
    const pressed: string[] = [];
    const props = { time, onpress: (name: string) => void pressed.push(name) };
    const { rerender } = render(TableHost, { rows: sized({ A: '3', B: '2', C: '1' }), ...props });
    await fireEvent.click(screen.getByRole('button', { name: /Size/ }));
    return {
      time,
      pressed,
      comes: (sizes: Readonly<Record<string, string>>) => rerender({ rows: sized(sizes), ...props }),
    };
  }

  it('is held under the pointer while figures change, and sorted again a second after the pointer left', async () => {
    const { time, comes } = await table();
    await fireEvent.pointerEnter(around());
    await comes({ A: '3', B: '9', C: '1', D: '5' });
    expect(keys()).toEqual(['A', 'B', 'C', 'D']);
    await fireEvent.pointerLeave(around());
    time.pass(900);
    await tick();
    expect(keys()).toEqual(['A', 'B', 'C', 'D']);
    time.pass(100);
    await tick();
    expect(keys()).toEqual(['B', 'D', 'A', 'C']);
  });

  it('is held while a row has the focus, which stays on that row when it is sorted', async () => {
    const { comes } = await table();
    expect(screen.queryByRole('button', { name: /Sorting paused/ })).toBeNull();
    lines()[1]!.focus();
    await comes({ A: '3', B: '9', C: '1' });
    expect(keys()).toEqual(['A', 'B', 'C']);
    await fireEvent.click(screen.getByRole('button', { name: /Sorting paused/ }));
    await tick();
    expect(keys()).toEqual(['B', 'A', 'C']);
    expect(document.activeElement).toBe(lines()[0]);
    expect(screen.queryByRole('button', { name: /Sorting paused/ })).toBeNull();
  });

  it('keeps a row under a pressed pointer, even if the row is gone meanwhile', async () => {
    const { time, pressed, comes } = await table();
    const button = screen.getByRole('button', { name: 'Close B' });
    await fireEvent.pointerDown(button);
    await comes({ C: '7', D: '8' });
    expect(keys()).toEqual(['A', 'B', 'C', 'D']);
    await fireEvent.pointerUp(button);
    await fireEvent.click(button);
    expect(pressed).toEqual(['B']);
    time.pass(0);
    await tick();
    expect(keys()).toEqual(['C', 'D']);
  });
});

describe('amounts of several coins', () => {
  const mixed = [
    { name: 'A', size: '-50', note: null, coin: 'USDT' },
    { name: 'B', size: '-0.009', note: null, coin: 'BTC' },
    { name: 'C', size: '20', note: null, coin: 'USDT' },
  ];
  it('are sorted by coin first, and only those not in the most frequent coin show it', async () => {
    render(TableHost, { rows: mixed });
    const head = screen.getByRole('button', { name: /Size/ });
    await fireEvent.click(head);
    const keys = (): (string | undefined)[] => lines().map((one) => one.dataset['key']);
    expect(keys()).toEqual(['C', 'A', 'B']);
    await fireEvent.click(head);
    expect(keys()).toEqual(['A', 'C', 'B']);
    const texts = lines().map((one) => one.textContent);
    expect(texts[2]).toContain('BTC');
    expect(texts.join('')).not.toContain('USDT');
    // The head names the coin of the others.
    expect(head.closest('th')?.textContent).toMatch(/USDT$/);
  });
  it('say in the head what one is of where it is a multiple of a coin, even the only one', () => {
    render(TableHost, { rows: [{ name: 'A', size: '2', note: null, coin: '×10 SOL' }] });
    expect(screen.getByRole('columnheader', { name: /Size/ }).textContent).toContain('×10 SOL');
    expect(lines()[0]!.textContent).not.toContain('SOL');
  });

  it('say nothing in the head where all rows have one coin, or none is the most frequent', async () => {
    const { rerender } = render(TableHost, { rows: mixed.slice(1) });
    const head = screen.getByRole('button', { name: /Size/ }).closest('th');
    expect(head?.textContent).not.toMatch(/USDT|BTC/);
    await rerender({ rows: [mixed[0]!, mixed[2]!] });
    expect(head?.textContent).not.toMatch(/USDT|BTC/);
  });
});

describe('a column of money', () => {
  const rows = [
    { name: 'A', size: '21181.198', note: null, coin: 'USDT' },
    { name: 'B', size: '4640.6', note: null, coin: 'USDT' },
  ];
  const seen = (): (string | undefined)[] =>
    lines().map((line) => {
      const cell = line.querySelector('td:nth-child(3)')?.cloneNode(true) as HTMLElement;
      for (const cut of cell.querySelectorAll('.cut')) cut.remove();
      return cell.textContent;
    });
  it('is cut to its coin’s decimals, even if those become known later, and shown whole if the user chooses so', async () => {
    render(TableHost, { rows, money: true });
    expect(seen()).toEqual(['21,181.198', '4,640.600']);
    shownAs.quoteCoins = new Set(['USDT']);
    await tick();
    await expect.poll(() => seen()).toEqual(['21,181.19', '4,640.60']);
    expect(lines()[0]?.textContent).toContain('21,181.198');
    shownAs.value = { ...DEFAULT_SETTINGS, precision: 'received' };
    await expect.poll(() => seen()).toEqual(['21,181.198', '4,640.600']);
  });
  it('reserves width in its head for the visible digits only', async () => {
    shownAs.quoteCoins = new Set(['USDT']);
    render(TableHost, { rows, money: true });
    await tick();
    const head = document.querySelector<HTMLElement>('th[data-column="size"]');
    expect(head?.dataset['widest']).toBe('00,000.00');
  });
});
