/** What stands in the lines of the trade log in groups. */
import {
  GROUP_COLUMNS,
  type GroupColumn,
  type GroupSort,
  type OrderGroup,
  type SumGroup,
  type TradeGrouping,
  type TripGroup,
} from '../../../src-shared/ipc/trade-groups.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';

export type Group = OrderGroup | TripGroup | SumGroup;
/** A line of the grouped list: a group, what stands under the open one above it, or not read yet. */
export type GroupLine =
  | {
      readonly kind: 'group';
      readonly index: number;
      readonly group: Group | undefined;
      readonly open: boolean;
    }
  /** A trade of an order or a round trip. */
  | { readonly kind: 'trade'; readonly trade: Trade | undefined }
  /** A round trip of a contract; a contract of a day or a month. */
  | { readonly kind: 'part'; readonly part: Group }
  /** The open group has more than is listed under it. */
  | { readonly kind: 'more'; readonly group: Group; readonly left: number };

export const isSum = (group: Group): group is SumGroup =>
  group.kind !== 'order' && group.kind !== 'round-trip';

/** The same group after others came: an order by its ID, a trip by its beginning. */
export const keyOf = (group: Group): string =>
  group.kind === 'order'
    ? `${group.symbol} ${group.orderId}`
    : group.kind === 'round-trip'
      ? `${group.symbol} ${group.opened} ${group.skip} ${group.direction}`
      : `${group.key} ${group.coin ?? group.symbols.join()} ${group.quote}`;

/** Contracts in it. */
export const symbolsOf = (group: Group): readonly string[] => (isSum(group) ? group.symbols : [group.symbol]);

export const hasColumn = (by: TradeGrouping, column: GroupColumn): boolean =>
  (GROUP_COLUMNS[by] as readonly GroupColumn[]).includes(column);
/** What the sort asked for is in this grouping: one it has no column for waits for the next that has. */
export function sortIn(by: TradeGrouping, requested: GroupSort | null): GroupSort {
  if (requested !== null && hasColumn(by, requested.column)) return requested;
  return { column: by === 'contract' ? 'volume' : 'time', descending: true };
}
/** By a column; again by the same one turns it round. Figures and times begin with the largest. */
export const nextGroupSort = (now: GroupSort, column: GroupColumn): GroupSort => ({
  column,
  descending: now.column === column ? !now.descending : column !== 'symbol' && column !== 'side',
});
