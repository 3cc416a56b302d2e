import { expect, it } from 'vitest';
import { worstState } from './worst.ts';

const unread = [{ rule: 'liquidation-danger', why: 'the account has not been read yet' }] as const;

it('is the most severe of what is open, active and not monitored', () => {
  expect(worstState([], [], [])).toEqual({ level: 'ok', text: 'No active alerts' });
  expect(worstState([], [], unread)).toEqual({
    level: 'unmonitored',
    text: 'Not monitored: liquidation distance, danger',
  });
  expect(worstState([{ rule: 'fills' }], ['stale:account', 'margin:USDT', 'margin:BTC'], unread)).toEqual({
    level: 'caution',
    text: 'Active: margin ratio, caution; stale data',
  });
  expect(worstState([], ['margin:USDT', 'margin-danger:USDT'], [])).toEqual({
    level: 'critical',
    text: 'Active: margin ratio, danger',
  });
  expect(worstState([{ rule: 'liquidated' }], [], [])).toEqual({
    level: 'critical',
    text: 'A critical alert to acknowledge',
  });
  expect(worstState([{ rule: 'unknown' }, { rule: 'liquidated' }], [], []).text).toBe(
    '2 critical alerts to acknowledge',
  );
});
it('does not count a rule that is less than critical and cannot be evaluated', () => {
  expect(worstState([], [], [{ rule: 'equity', why: 'no samples yet' }]).level).toBe('ok');
});
