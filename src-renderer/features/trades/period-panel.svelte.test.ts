import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import PeriodPanel from './PeriodPanel.svelte';

// It is 13 November 2025.
it.each([
  ['30d', 'October 2025', 'November 2025', '2025-11-13'],
  ['year', 'October 2025', 'November 2025', '2025-11-13'],
  ['last-month', 'October 2025', 'November 2025', '2025-10-31'],
  ['last-year', 'December 2024', 'January 2025', '2024-12-31'],
] as const)(
  'opens where the period %s ends, in no month that is yet to come',
  async (preset, ...expected) => {
    const { app } = await fixture();
    app.tradeLog.fields.usePreset(preset);
    const { container } = render(InApp, { app, component: PeriodPanel as never, given: { close: () => {} } });
    const months = [...container.querySelectorAll('.month .title')].map((one) => one.textContent.trim());
    const stop = container.querySelector('[data-day][tabindex="0"]')?.getAttribute('data-day');
    expect([...months, stop]).toEqual(expected);
  },
);

it('goes through its presets by the arrow keys and by their first letters', async () => {
  const { app } = await fixture();
  render(InApp, { app, component: PeriodPanel as never, given: { close: () => {} } });
  const name = (): string => document.activeElement?.textContent.trim() ?? '';
  screen.getByRole('button', { name: /^Today/ }).focus();
  for (const [key, to] of [
    ['ArrowDown', /^Last 7 days/],
    ['End', /^All/],
    ['ArrowUp', /^Last year/],
    ['t', /^Today/],
  ] as const) {
    await fireEvent.keyDown(document.activeElement!, { key });
    expect(name(), key).toMatch(to);
  }
});
