/** What stands in the lines of the trade log by groups. */
import type { OrderGroup, TripGroup } from '../../../src-shared/ipc/trade-groups.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';

export type Group = OrderGroup | TripGroup;
/** A line of the grouped list: a group, a trade of the open one above it, or not read yet. */
export type GroupLine =
  | {
      readonly kind: 'group';
      readonly index: number;
      readonly group: Group | undefined;
      readonly open: boolean;
    }
  | { readonly kind: 'trade'; readonly trade: Trade | undefined }
  /** The open group has more trades than are listed under it. */
  | { readonly kind: 'more'; readonly group: Group; readonly left: number };

/** The same group after others came: an order by its ID, a trip by its beginning. */
export const keyOf = (group: Group): string =>
  group.kind === 'order'
    ? `${group.symbol} ${group.orderId}`
    : `${group.symbol} ${group.opened} ${group.skip} ${group.direction}`;
