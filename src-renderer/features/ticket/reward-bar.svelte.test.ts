import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import RewardBar from './RewardBar.svelte';

/** Places of the labels of each row, in percent of the line. */
async function rows(tpPrice: string, slPrice: string): Promise<number[][]> {
  const { app } = await fixture();
  app.navigation.symbol = 'BTC-USDT-M';
  Object.assign(app.ticket.fields, { price: '96000.0', size: '0.100', tpSlOn: true, tpPrice, slPrice });
  flushSync();
  const result = app.ticket.preview;
  if (result?.ok !== true) throw new Error('no preview');
  const given = { preview: result.preview, tp: tpPrice, sl: slPrice };
  render(InApp, { app, component: RewardBar, given });
  const labels = [...screen.getByRole('img').querySelectorAll<HTMLElement>(':scope > span')];
  const row = (above: boolean): number[] =>
    labels
      .filter((one) => one.classList.contains('above') === above)
      .map((one) => Number.parseFloat(one.style.left))
      .toSorted((a, b) => a - b);
  return [row(true), row(false)];
}

it.each([
  ['96100.0', '95900.0'],
  ['400000.0', '95900.0'],
  ['96100.0', '60100.0'],
])('keeps the labels of a row apart, with a take profit at %s and a stop at %s', async (tp, sl) => {
  for (const row of await rows(tp, sl)) {
    expect(row).toHaveLength(2);
    expect((row[1] ?? 0) - (row[0] ?? 0)).toBeGreaterThanOrEqual(55);
  }
});
