import type { DayState } from '../../src-shared/ipc/day-limits.ts';

/** A day without limits. */
export const NO_DAY_LIMITS: DayState = {
  ...{ connectionId: 'live-1', limits: { loss: null, orders: null }, next: null },
  ...{ lifted: false, liftedAt: null, zone: 'UTC', startsAt: 0 },
  ...{ sent: 0, result: null, unknown: null, resultAt: null, others: [] },
};
