/** Daily limits over an order service in memory, with a result and a zone that the test sets. */
import type { DayState } from '../../src-shared/ipc/day-limits.ts';
import { DayLimits } from '../../src-main/orders/day/day-limits.ts';
import { NO_DAY_LIMITS, type StoredDayLimits } from '../../src-main/orders/day/stored.ts';
import { fixture } from './scripted-order-service.ts';

export async function dayFixture(stored: StoredDayLimits = NO_DAY_LIMITS) {
  const orders = await fixture();
  orders.now = Date.parse('2026-11-21T09:00Z');
  const self = {
    zone: 'UTC',
    result: '0',
    unknown: null as string | null,
    full: false,
    stored,
    open: 'practice' as string | null,
    account: 'https://exchange.example one' as string | null,
    /** Reads of the day's result: its day, and what is called after it. */
    refreshed: [] as { readonly startsAt: number; readonly changed: () => void }[],
    shown: [] as DayState[],
    log: [] as string[],
  };
  const limits = new DayLimits(
    {
      file: {
        write(value) {
          if (self.full) return Promise.reject(new Error('no space'));
          self.stored = value;
          return Promise.resolve();
        },
      },
      journal: orders.journal,
      results: {
        refresh: (_id, startsAt, changed) => self.refreshed.push({ startsAt, changed }),
        of: (_id, _startsAt, coin) => ({
          ...{ result: coin === 'USDT' ? self.result : null, unknown: self.unknown },
          ...{ resultAt: orders.now, others: [] },
        }),
      },
      clock: { now: () => orders.now },
      timeZone: () => self.zone,
      openId: () => self.open,
      accountOf: () => self.account,
      clockOffsetMs: () => 0,
      changed: (state) => self.shown.push(state),
      overridden: (what, connectionId) => self.log.push(`${what} ${connectionId}`),
      unwritten: () => self.log.push('unwritten'),
    },
    stored,
  );
  orders.day = () => limits.usage('practice');
  return Object.assign(self, { orders, limits });
}
