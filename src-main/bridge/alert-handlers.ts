/** Handles the calls about alerts. */
import type { ALERT_CALLS } from '../../src-shared/ipc/alerts.ts';
import type { Handlers } from '../../src-shared/ipc/calls.ts';
import { done } from '../../src-shared/ipc/failures.ts';
import type { Alerts } from '../alerts/alerts.ts';

export const alertHandlers = (alerts: Alerts): Pick<Handlers, keyof typeof ALERT_CALLS> => ({
  'alerts.list': (input) => alerts.list(input.connectionId),
  'alerts.acknowledge': (input) => alerts.acknowledge(input.connectionId, input.id),
  'alerts.test': async () => done(await alerts.test()),
});
