import { TIME_IN_FORCE, type TimeInForce } from '../../../src-shared/exchange-api/enums.ts';

/** To choose from, each with what it means as title. */
export const TIMES_IN_FORCE = (['GTC', 'IOC', 'FOK'] as const satisfies readonly TimeInForce[]).map(
  (value) => ({ value, label: value, title: TIME_IN_FORCE[value] }),
);
