import { expect, it, onTestFinished } from 'vitest';
import { shownAs } from '../../text/shown-as.svelte.ts';
import { amountWidth, longestUnit, unitPlace } from './group-heads.ts';

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
