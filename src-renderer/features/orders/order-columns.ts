/** Columns of open orders and of order history; both records share most of their fields' names. */
import type { Snippet } from 'svelte';
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
import { marginModeLabel } from '../../../src-shared/exchange-api/enums.ts';
import type { Received } from '../../../src-shared/exchange-api/fields.ts';
import { actionsColumn, type CellForm, type Column } from '../../components/table/columns.ts';
import type { Keyed } from '../../components/table/row-keys.ts';
import { type SizeOf, sizeText } from '../../components/figure/size-text.ts';
import type { AppState } from '../../state/app/app-state.svelte.ts';
import { amountText, type ShownText, withUnit } from '../../text/shown-text.ts';
import { timeText } from '../../text/time-text.ts';
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

/** An amount in one of the contract's coins, if it is in the configuration. */
const amountIn = (
  app: AppState,
  coin: 'quantity' | 'margin',
): Partial<Column<Keyed<{ readonly symbolId: string }>>> => ({
  ...figure,
  coin: ({ record }) => app.feeds.coinsOf(record.symbolId)?.[coin] ?? null,
  money: coin === 'margin',
});
/** A quantity in the user's unit. */
const sizeIn = <T extends { readonly symbolId: string }>(
  app: AppState,
  size: (record: T) => Pick<SizeOf, 'quantity' | 'price' | 'strong'>,
): Partial<Column<Keyed<T>>> => ({
  ...amountIn(app, 'quantity'),
  ownUnits: () => app.settings.value.sizeUnit === 'quote',
  text: ({ record }, { decimals, unit, hidden }: CellForm): ShownText =>
    sizeText(app, { symbolId: record.symbolId, decimals, unit, ...size(record) }, hidden),
});

/** The label of CROSSED or ISOLATED, with the code as title. */
const modeText = ({ record: { marginMode } }: OpenRow): ShownText => ({
  pieces: [marginModeLabel(marginMode)],
  className: '',
  title: marginMode,
});

/** The tags of a row's order; the button among its actions marks the order in a narrower table too. */
const tagsColumn = <R>(cell: Cell<R>, minWidth: number): Column<R> => ({
  key: 'tags',
  label: 'Tags',
  unsorted: true,
  minWidth,
  value: () => null,
  cell,
});

export interface OpenCells {
  readonly side: Cell<OpenRow>;
  readonly type: Cell<OpenRow>;
  readonly price: Cell<OpenRow>;
  readonly distance: Cell<OpenRow>;
  readonly filled: Cell<OpenRow>;
  readonly flags: Cell<OpenRow>;
  readonly age: Cell<OpenRow>;
  readonly tags: Cell<OpenRow>;
  readonly orderId: Cell<OpenRow>;
  readonly actions: Cell<OpenRow>;
}

export const openOrderColumns = (
  app: AppState,
  cells: OpenCells,
  toMark: (order: OpenOrder) => string | null,
): readonly Column<OpenRow>[] => [
  open('symbolId', 'Symbol', { always: true }),
  open('side', 'Side', { cell: cells.side }),
  open('type', 'Type', { minWidth: 720, cell: cells.type }),
  open('price', 'Price', { ...figure, cell: cells.price }),
  {
    key: 'toMark',
    label: 'To mark',
    help: 'Distance from the mark price to the order price. The exchange’s API gives a mark only with a position',
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
    ...sizeIn(app, ({ tradeQuantity, avgPrice }) => ({ quantity: tradeQuantity, price: avgPrice })),
    minWidth: 1100,
  }),
  open(
    'quantity',
    'Remaining',
    sizeIn(app, ({ quantity, price }) => ({ quantity, price, strong: true })),
  ),
  open('avgPrice', 'Avg fill', { ...figure, minWidth: 960 }),
  open('remainingLocked', 'Locked', { ...amountIn(app, 'margin'), minWidth: 900 }),
  { key: 'flags', label: 'Flags', value: ({ record }) => flagsOf(record).join(' '), cell: cells.flags },
  tagsColumn(cells.tags, 1180),
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
    ...sizeIn(app, ({ totalQuantity, price }) => ({ quantity: totalQuantity, price })),
    off: true,
    from: 1240,
  }),
  open('totalAmount', 'Price × quantity', { ...figure, off: true, from: 1380 }),
  open('leverage', 'Leverage', { align: 'right', off: true, from: 1460 }),
  open('marginMode', 'Margin mode', { off: true, from: 1580, text: modeText }),
  actionsColumn(cells.actions),
];

export interface HistoryCells {
  readonly time: Cell<HistoryRow>;
  readonly side: Cell<HistoryRow>;
  readonly type: Cell<HistoryRow>;
  readonly price: Cell<HistoryRow>;
  readonly filled: Cell<HistoryRow>;
  readonly status: Cell<HistoryRow>;
  readonly flags: Cell<HistoryRow>;
  readonly tags: Cell<HistoryRow>;
  readonly orderId: Cell<HistoryRow>;
  readonly actions: Cell<HistoryRow>;
}

/** A narrow table first drops what other columns or the expanded row also show. */
export const historyColumns = (app: AppState, cells: HistoryCells): readonly Column<HistoryRow>[] => [
  past('orderTime', `Created, ${app.settings.timeZone}`, { always: true, cell: cells.time }),
  past('symbolId', 'Symbol', { always: true }),
  past('side', 'Side', { cell: cells.side }),
  past('type', 'Type', { minWidth: 1200, cell: cells.type }),
  past('price', 'Price', { ...figure, cell: cells.price }),
  past('avgPrice', 'Avg fill', { ...figure, minWidth: 1010 }),
  past(
    'totalQuantity',
    'Quantity',
    sizeIn(app, ({ type, totalQuantity, avgPrice, price }) => ({
      quantity: totalQuantity,
      price: type === 'MARKET' ? avgPrice : price,
      strong: true,
    })),
  ),
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
  past('profit', 'Closed PnL', { ...amountIn(app, 'margin'), signed: true }),
  past('feeAmount', 'Fee', {
    ...figure,
    coin: ({ record }) => record.feeAssetId,
    money: true,
    minWidth: 1100,
    text: ({ record: { feeAmount, feeAssetId } }, { decimals, cut, hidden }) =>
      withUnit(amountText(feeAmount, { decimals, cut }, hidden), feeAssetId),
  }),
  {
    key: 'flags',
    label: 'Flags',
    off: true,
    from: 1420,
    value: ({ record }) => flagsOf(record).join(' '),
    cell: cells.flags,
  },
  tagsColumn(cells.tags, 1200),
  past('id', 'Order ID', { align: 'right', minWidth: 1360, cell: cells.orderId }),
  past('leverage', 'Leverage', { align: 'right', off: true, from: 1500 }),
  past('tradeAmount', 'Filled amount', { ...figure, off: true, from: 1600 }),
  past('mtime', 'Updated', {
    off: true,
    from: 1760,
    text({ record: { mtime } }) {
      const { date, clock } = timeText(mtime, app.settings.timeZone);
      return { pieces: [`${date} ${clock}`], className: '', title: String(mtime) };
    },
  }),
  actionsColumn(cells.actions),
];
