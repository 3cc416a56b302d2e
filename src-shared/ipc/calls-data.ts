/** Defines the calls about all stored data. */
import * as v from 'valibot';
import { call, nothing, whole } from './call.ts';

export const DATA_CALLS = {
  /** Opens the profile folder. */
  'data.showFolder': call(nothing).returns<null>(),
  /** Number of orders of unknown outcome in all connections: removing the journal also ends their reconciliation. */
  'data.unknownOrders': call(nothing).returns<number>(),
  /**
   * Removes all connections, secrets, archives, the journal, settings and logs, then exits. Blocked while an order is
   * being sent or when more are of unknown outcome than the user confirmed. `leaveSecrets` allows it without the
   * keychain.
   */
  'data.removeAll': call(
    v.strictObject({ leaveSecrets: v.boolean(), shownUnknown: whole(0) }),
  ).returns<null>(),
} as const;
