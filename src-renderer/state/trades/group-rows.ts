/** The lines of the grouped trade log. */
import { isEmptyNote, type OrderNote } from '../../../src-shared/domain/history/order-notes.ts';
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

/** An order or a round trip, which can have notes. */
export type Listed = OrderGroup | TripGroup;
export type Group = Listed | SumGroup;
/** What a note is shown for: a listed group, or the order of a trade. */
export type Noted = TripGroup | Pick<OrderGroup, 'kind' | 'symbol' | 'orderId' | 'last' | 'noted'>;
/** A line of the grouped list: a group, an entry of the expanded group above it, or the count of its unlisted entries. */
export type GroupLine =
  | {
      readonly kind: 'group';
      readonly index: number;
      readonly group: Group | undefined;
      readonly open: boolean;
    }
  /** A trade of an expanded order or round trip; undefined until it is read. */
  | { readonly kind: 'trade'; readonly trade: Trade | undefined }
  /** A group within a group: a round trip of a contract, or a contract of a day or a month. */
  | { readonly kind: 'part'; readonly part: Group }
  /** The expanded group has `left` more entries than are listed. */
  | { readonly kind: 'more'; readonly group: Group; readonly left: number };

export const isSum = (group: Group): group is SumGroup =>
  group.kind !== 'order' && group.kind !== 'round-trip';

/** Identifies a group when the list is read again: an order by its ID, a round trip by its start. */
export const keyOf = (group: Group): string =>
  group.kind === 'order'
    ? `${group.symbol} ${group.orderId}`
    : group.kind === 'round-trip'
      ? `${group.symbol} ${group.opened} ${group.skip} ${group.direction}`
      : `${group.key} ${group.coin ?? group.symbols.join()} ${group.quote}`;

/** Returns the order that a group's own note is kept with: of a round trip, the one that opened it. */
export const notedOrder = (group: Noted): string =>
  group.kind === 'order' ? group.orderId : group.firstOrder;

/** Returns the group with an order's note as it is now, if that is one of its orders as far as is known here. */
function withNote<G extends Listed>(group: G, note: OrderNote): G {
  const at = group.noted.findIndex(({ orderId }) => orderId === note.orderId);
  if (at < 0 && notedOrder(group) !== note.orderId) return group;
  const before = group.noted.slice(0, Math.max(at, 0));
  const after = group.noted.slice(at + 1);
  return { ...group, noted: [...before, ...(isEmptyNote(note) ? [] : [note]), ...after] };
}

/** Returns the group with these notes as they are now; the same group if none is of its orders. */
export const withNotes = <G extends Listed>(group: G, notes: readonly OrderNote[]): G =>
  notes.reduce(withNote, group);

/** Contracts of a group. */
export const symbolsOf = (group: Group): readonly string[] => (isSum(group) ? group.symbols : [group.symbol]);

const hasColumn = (by: TradeGrouping, column: GroupColumn): boolean =>
  (GROUP_COLUMNS[by] as readonly GroupColumn[]).includes(column);
/** Returns the requested sort, or the default if this grouping does not have its column. */
export function sortIn(by: TradeGrouping, requested: GroupSort | null): GroupSort {
  if (requested !== null && hasColumn(by, requested.column)) return requested;
  return { column: by === 'contract' ? 'volume' : by === 'tag' ? 'trips' : 'time', descending: true };
}
/**
 * Returns the sort after a click on a column: the same column reverses it, figures and times start with the largest.
 */
export const nextGroupSort = (now: GroupSort, column: GroupColumn): GroupSort => ({
  column,
  descending:
    now.column === column ? !now.descending : column !== 'symbol' && column !== 'side' && column !== 'tag',
});
