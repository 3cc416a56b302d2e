import { expect, it, onTestFinished } from 'vitest';
import { shownAs } from '../../text/shown-as.svelte.ts';
import { amountWidth, columnsIn, longestUnit, unitPlace } from './group-heads.ts';

it('leaves the place of the longest unit, and of a cut amount’s tail, so that digits end alike', () => {
  const unit = longestUnit(['BTC', undefined, 'USDT', 'ETH']);
  expect(unit).toBe('USDT');
  expect(longestUnit([undefined])).toBe('');
  expect(unitPlace(unit)).toBe('30px');
  shownAs.quoteCoins = new Set(['USDT']);
  onTestFinished(() => {
    shownAs.quoteCoins = new Set();
  });
  const money = { unit, money: 'USDT' };
  expect(amountWidth('-0.28', money)).toBe(amountWidth('-0.19', money));
  expect(amountWidth('-0.28', money)).toBe(amountWidth('-0.283', money));
});

it('leaves out optional columns in their order until the others fit', () => {
  const all = ['Time', 'Net PnL', 'Trades', 'Notes'].map(
    (label) => ({ label, column: null, right: false, size: [100, 1] }) as const,
  );
  const labels = (width: number): string =>
    columnsIn(all, ['Net PnL', 'Trades'], width)
      .map(({ label }) => label)
      .join();
  expect(labels(416)).toBe('Time,Net PnL,Trades,Notes');
  expect(labels(415)).toBe('Time,Trades,Notes');
  expect(labels(315)).toBe('Time,Notes');
  expect(labels(0)).toBe('Time,Notes');
});
