import { describe, expect, it } from 'vitest';
import type { OrderProgress } from '../../src-shared/domain/reconcile/progress.ts';
import { progressText } from './progress-text.ts';

const listed = (status: string, quantity: string | null = '0.2'): OrderProgress => ({
  stage: 'listed',
  matched: false,
  fill: { quantity, total: '1.5', price: '138.4', fee: '0', feeAsset: 'USDT', status, profit: null, at: 5 },
});

describe('the progress of an order of another status', () => {
  it('names the status as received, and what was filled', () => {
    expect(progressText(listed('EXPIRED'))).toBe('Listed with status “EXPIRED”, filled 0.2 of 1.5');
    expect(progressText(listed('', null))).toBe('Listed without a status, filled an unknown amount of 1.5');
  });
});

it('says of a partly filled order that the rest is open, before what was filled', () => {
  const partly = { ...listed('OPEN'), stage: 'partly filled' } as const;
  expect(progressText(partly)).toBe('Partly filled, 0.2 of 1.5 at 138.4, the rest is open');
});

it('names nobody who cancelled or matched an order: that may have been the user', () => {
  const cancelled = { ...listed('CANCELED'), stage: 'cancelled' } as const;
  expect(progressText(cancelled)).toBe('Cancelled, filled 0.2 of 1.5');
  expect(progressText({ ...cancelled, matched: true })).toBe('Matched: Cancelled, filled 0.2 of 1.5');
});
