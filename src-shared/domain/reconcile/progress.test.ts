import { describe, expect, it } from 'vitest';
import type { HistoryOrder } from '../../exchange-api/order-history.ts';
import { isSettled, progressOf, type SentOrder } from './progress.ts';
import { openOrder } from '../../../tests/domain/order-samples.ts';

const past = (changes: Partial<HistoryOrder>): HistoryOrder =>
  ({
    id: '9',
    status: 'FILLED',
    tradeQuantity: '1.500',
    totalQuantity: '1.500',
    avgPrice: '138.4',
    feeAmount: '0.1',
    feeAssetId: 'USDT',
    mtime: 5,
    ...changes,
  }) as HistoryOrder;
const open = openOrder({ orderId: '9', tradeQuantity: '0', status: 'OPEN' });
const accepted = { state: 'accepted', orderId: '9' } as const;

describe('the progress of an order', () => {
  it('is its intent’s state until its id is known', () => {
    expect(progressOf({ state: 'sending', orderId: null }, [open], []).stage).toBe('sending');
    expect(progressOf({ state: 'unknown', orderId: null }, [open], []).stage).toBe('unknown');
    expect(progressOf({ state: 'rejected', orderId: null }, [], []).stage).toBe('rejected');
    expect(progressOf({ state: 'unknown', orderId: '9' }, [open], [past({})])).toMatchObject({ fill: null });
    const settled = (state: SentOrder['state']) => isSettled(progressOf({ state, orderId: null }, [], []));
    expect((['recorded', 'sending', 'accepted', 'unknown'] as const).some(settled)).toBe(false);
    expect((['rejected', 'not-sent', 'dismissed'] as const).every(settled)).toBe(true);
  });
  it('goes from accepted through resting and partly filled to filled, whatever other orders are listed', () => {
    const others = {
      open: openOrder({ orderId: '8', tradeQuantity: '0.7' }),
      past: past({ id: '8', status: 'CANCELED' }),
    };
    const progress = (resting: typeof open | null, ended: HistoryOrder | null) =>
      progressOf(
        accepted,
        [others.open, ...(resting === null ? [] : [resting])],
        [others.past, ...(ended === null ? [] : [ended])],
      );
    const stages = [
      progress(null, null),
      progress(open, null),
      progress({ ...open, tradeQuantity: '0.2', avgPrice: '7' }, null),
      progress(null, past({ profit: '3' })),
      progress(null, past({ status: 'CANCELED', tradeQuantity: '0' })),
    ];
    expect(stages.map(({ fill }) => fill && [fill.quantity, fill.price, fill.profit])).toEqual([
      null,
      // Nothing was filled: whatever the average price is, it is none.
      ['0', null, null],
      ['0.2', '7', null],
      ['1.500', '138.4', '3'],
      ['0', null, null],
    ]);
    expect(stages.map((one) => one.stage)).toEqual([
      'accepted',
      'resting',
      'partly filled',
      'filled',
      'cancelled',
    ]);
    expect(stages.map(isSettled)).toEqual([false, true, true, true, true]);
  });
  it('prefers the history to an older list of open orders', () => {
    expect(progressOf(accepted, [open], [past({})]).stage).toBe('filled');
  });
  it('does not call an order of the history with another status resting', () => {
    for (const status of ['EXPIRED', '', 'constructor'])
      expect(progressOf(accepted, [], [past({ status, tradeQuantity: '0.2' })])).toMatchObject({
        stage: 'listed',
        fill: { status, quantity: '0.2' },
      });
    // The list of open orders is where an order rests, whatever its status is called.
    expect(progressOf(accepted, [{ ...open, status: 'LIVE' }], []).stage).toBe('resting');
    expect(progressOf(accepted, [], [past({ status: 'NEW', tradeQuantity: '0' })]).stage).toBe('resting');
  });
  it('reports unread values as unknown', () => {
    const { stage, fill } = progressOf(accepted, [{ ...open, tradeQuantity: null, mtime: null }], []);
    expect([stage, fill?.quantity, fill?.at]).toEqual(['resting', null, null]);
    expect(progressOf(accepted, [], [past({ tradeQuantity: null })])).toMatchObject({
      stage: 'filled',
      fill: { quantity: null, price: '138.4' },
    });
  });
  it('reports that it was matched', () => {
    const matched = (state: SentOrder['state']) => progressOf({ state, orderId: '9' }, [], []).matched;
    expect((['accepted', 'matched', 'matched-by-user'] as const).map(matched)).toEqual([false, true, true]);
    expect(progressOf({ state: 'matched', orderId: '9' }, [open], [])).toMatchObject({
      stage: 'resting',
      matched: true,
    });
    expect(progressOf({ state: 'dismissed', orderId: null }, [], []).stage).toBe('dismissed');
  });
});
