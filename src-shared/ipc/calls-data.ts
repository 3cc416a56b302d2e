/** Everything Ballast keeps on this computer: its part of the bridge's table. */
import * as v from 'valibot';
import { call, nothing } from './call.ts';

export const DATA_CALLS = {
  /** Shows the folder that has all of it. */
  'data.showFolder': call(nothing).answers<null>(),
  /** How many orders are of unknown outcome, of all connections: their journal would go, and the search with it. */
  'data.unknownOrders': call(nothing).answers<number>(),
  /**
   * Removes every connection with its secret, every archive, the journal, settings and logs, says so, and ends the app.
   * Refused while an order is on its way, or when more are of unknown outcome than the person was told.
   * `leaveSecrets`: also where the keychain cannot be asked to forget one.
   */
  'data.removeAll': call(
    v.strictObject({
      leaveSecrets: v.boolean(),
      toldUnknown: v.pipe(v.number(), v.integer(), v.minValue(0)),
    }),
  ).answers<null>(),
} as const;
