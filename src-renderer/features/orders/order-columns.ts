/** Columns of open orders and of order history; both records share most of their fields' names. */
import type { Snippet } from 'svelte';
import type { ContractCoins } from '../../../src-shared/domain/instrument/currencies.ts';
import {
  type OpenOrder,
  type OpenOrderField,
  openOrderFields,
} from '../../../src-shared/exchange-api/open-order.ts';
import {
  type HistoryOrder,
  type HistoryOrderField,
  orderHistoryFields,
} from '../../../src-shared/exchange-api/order-history.ts';
import type { Received } from '../../../src-shared/exchange-api/fields.ts';
import { actionsColumn, type Column } from '../../components/columns.ts';
import type { Keyed } from '../../components/row-keys.ts';
import { filledShare, flagsOf } from './open-orders.ts';

export type OpenRow = Keyed<OpenOrder>;
export type HistoryRow = Keyed<HistoryOrder>;
type Cell<R> = Snippet<[row: R]>;

const byContract = (row: { readonly record: { readonly symbolId: string } }): string => row.record.symbolId;

function column<T extends { readonly symbolId: string; readonly received?: Received }>(
  name: keyof T & string,
  label: string,
  help: string,
  more: Partial<Column<Keyed<T>>> = {},
): Column<Keyed<T>> {
  return {
    key: name,
    label,
    field: name,
    ...(help === '' ? {} : { help }),
    value: ({ record }) => plain(record[name]),
    received: ({ record }) => record.received?.[name],
    ...more,
  };
}
/** Returns the value to sort by and to watch for changes; objects and flags have cells of their own. */
const plain = (value: unknown): string | number | null =>
  typeof value === 'string' || typeof value === 'number' ? value : null;

const open = (name: OpenOrderField, label: string, more: Partial<Column<OpenRow>> = {}): Column<OpenRow> =>
  column<OpenOrder>(name, label, openOrderFields[name].meaning, more);
const past = (
  name: HistoryOrderField,
  label: string,
  more: Partial<Column<HistoryRow>> = {},
): Column<HistoryRow> => column<HistoryOrder>(name, label, orderHistoryFields[name].meaning, more);
const figure = { decimal: true, scaleBy: byContract } as const;

/** Returns a contract's coins; null if it is not in the configuration. */
export type CoinsOf = (symbolId: string) => ContractCoins | null;
/** An amount in one of the contract's coins. */
const amountIn = (
  coin: 'quantity' | 'margin',
  coinsOf: CoinsOf,
): Partial<Column<Keyed<{ readonly symbolId: string }>>> => ({
  ...figure,
  coin: ({ record }) => coinsOf(record.symbolId)?.[coin] ?? null,
  money: coin === 'margin',
});

export interface OpenCells {
  readonly side: Cell<OpenRow>;
  readonly type: Cell<OpenRow>;
  readonly price: Cell<OpenRow>;
  readonly distance: Cell<OpenRow>;
  readonly traded: Cell<OpenRow>;
  readonly remaining: Cell<OpenRow>;
  readonly total: Cell<OpenRow>;
  readonly filled: Cell<OpenRow>;
  readonly flags: Cell<OpenRow>;
  readonly age: Cell<OpenRow>;
  readonly orderId: Cell<OpenRow>;
  readonly actions: Cell<OpenRow>;
}

export const openOrderColumns = (
  cells: OpenCells,
  toMark: (order: OpenOrder) => string | null,
  coinsOf: CoinsOf,
): readonly Column<OpenRow>[] => [
  open('symbolId', 'Symbol', { always: true }),
  open('side', 'Side', { cell: cells.side }),
  open('type', 'Type', { cell: cells.type }),
  open('price', 'Price', { ...figure, cell: cells.price }),
  {
    key: 'toMark',
    label: 'To mark',
    help: 'Distance from the mark price to the order price',
    decimal: true,
    decimals: 2,
    value: ({ record }) => toMark(record),
    cell: cells.distance,
  },
  {
    key: 'filled',
    label: 'Filled',
    decimal: true,
    decimals: 2,
    align: 'left',
    value: ({ record }) => filledShare(record),
    cell: cells.filled,
  },
  open('tradeQuantity', 'Qty filled', {
    ...amountIn('quantity', coinsOf),
    minWidth: 800,
    cell: cells.traded,
  }),
  open('quantity', 'Remaining', { ...amountIn('quantity', coinsOf), cell: cells.remaining }),
  open('avgPrice', 'Avg fill', { ...figure, minWidth: 960 }),
  open('remainingLocked', 'Locked', { ...amountIn('margin', coinsOf), minWidth: 900 }),
  { key: 'flags', label: 'Flags', value: ({ record }) => flagsOf(record).join(' '), cell: cells.flags },
  // Sorted like an age: the newest order has the latest time.
  {
    key: 'age',
    label: 'Age',
    align: 'right',
    field: 'ctime',
    value: ({ record }) => (record.ctime === null ? null : -record.ctime),
    cell: cells.age,
  },
  open('orderId', 'Order ID', { align: 'right', minWidth: 1010, cell: cells.orderId }),
  open('totalQuantity', 'Quantity', {
    ...amountIn('quantity', coinsOf),
    off: true,
    from: 1240,
    cell: cells.total,
  }),
  open('totalAmount', 'Price × quantity', { ...figure, off: true, from: 1380 }),
  open('leverage', 'Leverage', { align: 'right', off: true, from: 1460 }),
  open('marginMode', 'Margin mode', { off: true, from: 1580 }),
  actionsColumn(cells.actions),
];

export interface HistoryCells {
  readonly time: Cell<HistoryRow>;
  readonly side: Cell<HistoryRow>;
  readonly type: Cell<HistoryRow>;
  readonly price: Cell<HistoryRow>;
  readonly total: Cell<HistoryRow>;
  readonly filled: Cell<HistoryRow>;
  readonly status: Cell<HistoryRow>;
  readonly flags: Cell<HistoryRow>;
  readonly fee: Cell<HistoryRow>;
  readonly orderId: Cell<HistoryRow>;
  readonly actions: Cell<HistoryRow>;
}

/** A narrow table first drops what other columns or the expanded row also show. */
export const historyColumns = (
  cells: HistoryCells,
  zone: string,
  coinsOf: CoinsOf,
): readonly Column<HistoryRow>[] => [
  past('orderTime', `Created, ${zone}`, { always: true, cell: cells.time }),
  past('symbolId', 'Symbol', { always: true }),
  past('side', 'Side', { cell: cells.side }),
  past('type', 'Type', { minWidth: 1200, cell: cells.type }),
  past('price', 'Price', { ...figure, cell: cells.price }),
  past('avgPrice', 'Avg fill', { ...figure, minWidth: 1010 }),
  past('totalQuantity', 'Quantity', { ...amountIn('quantity', coinsOf), cell: cells.total }),
  {
    key: 'filled',
    label: 'Filled',
    decimal: true,
    align: 'left',
    minWidth: 920,
    value: ({ record }) => filledShare(record),
    cell: cells.filled,
  },
  past('status', 'Status', { cell: cells.status }),
  past('profit', 'Closed PnL', { ...amountIn('margin', coinsOf), signed: true }),
  past('feeAmount', 'Fee', {
    ...figure,
    coin: ({ record }) => record.feeAssetId,
    minWidth: 1100,
    cell: cells.fee,
  }),
  {
    key: 'flags',
    label: 'Flags',
    off: true,
    from: 1420,
    value: ({ record }) => flagsOf(record).join(' '),
    cell: cells.flags,
  },
  past('id', 'Order ID', { align: 'right', minWidth: 1360, cell: cells.orderId }),
  past('leverage', 'Leverage', { align: 'right', off: true, from: 1500 }),
  past('tradeAmount', 'Filled amount', { ...figure, off: true, from: 1600 }),
  past('mtime', 'Updated', { off: true, from: 1760 }),
  actionsColumn(cells.actions),
];
