/** Handles the calls about alerts and the webhooks they go to. */
import type { ALERT_CALLS } from '../../src-shared/ipc/alerts.ts';
import type { Handlers } from '../../src-shared/ipc/calls.ts';
import { done } from '../../src-shared/ipc/failures.ts';
import type { WEBHOOK_CALLS } from '../../src-shared/ipc/webhooks.ts';
import type { Alerts } from '../alerts/alerts.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

export const alertHandlers = (
  alerts: Alerts,
  webhooks: Webhooks,
): Pick<Handlers, keyof typeof ALERT_CALLS | keyof typeof WEBHOOK_CALLS> => ({
  'alerts.list': (input) => alerts.list(input.connectionId),
  'alerts.acknowledge': (input) => alerts.acknowledge(input.connectionId, input.id),
  'alerts.test': async () => done(await alerts.test()),
  'webhooks.list': () => webhooks.list(),
  'webhooks.add': (input) => webhooks.add(input.settings, input.secret),
  'webhooks.change': (input) => webhooks.change(input.id, input.settings, input.secret),
  'webhooks.remove': (input) => webhooks.remove(input.id, input.leaveSecret),
  'webhooks.test': (input) => webhooks.test(input.id),
});
