/** Calls about alerts. */
import type { ALERT_CALLS } from '../../src-shared/contract/alerts.ts';
import type { Handlers } from '../../src-shared/contract/calls.ts';
import { done } from '../../src-shared/contract/failures.ts';
import type { Alerts } from '../alerts/alerts.ts';

export const alertHandlers = (alerts: Alerts): Pick<Handlers, keyof typeof ALERT_CALLS> => ({
  'alerts.list': (input) => alerts.list(input.connectionId),
  'alerts.acknowledge': (input) => alerts.acknowledge(input.connectionId, input.id),
  'alerts.test': async () => done(await alerts.test()),
});
