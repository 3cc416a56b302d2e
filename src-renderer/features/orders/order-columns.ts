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
import {
  amountText,
  NO_VALUE,
  shareText,
  type ShownText,
  sideText,
  withUnit,
} from '../../text/shown-text.ts';
import { momentText, momentTitle } from '../../text/time-text.ts';
import { filledShare, flagsOf, toMark } from './open-orders.ts';

export type OpenRow = Keyed<OpenOrder>;
export type HistoryRow = Keyed<HistoryOrder>;
type Cell<R> = Snippet<[row: R]>;

/** The cells drawn by components in both lists. */
export type OrderCells<O> = Readonly<
  Record<'type' | 'filled' | 'flags' | 'tags' | 'actions', Cell<Keyed<O>>>
>;
type AgeCells = Readonly<Record<'age' | 'orderId', Cell<OpenRow>>>;
type StatusCell = Readonly<Record<'status', Cell<HistoryRow>>>;

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
  coin: ({ record }) => app.specs.coinsOf(record.symbolId)?.[coin] ?? null,
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

/** The distance from the mark; without a mark, why there is none. */
function distanceCell(order: OpenOrder, marks: ReadonlyMap<string, string>): ShownText {
  const share = toMark(order, marks);
  if (share !== null) return { ...shareText(share, { signed: true }), className: 'percent t2' };
  if (order.type !== 'LIMIT' || marks.has(order.symbolId)) return NO_VALUE;
  const why = 'the exchange API gives a mark only with one';
  const title = `You hold no position in ${order.symbolId}: ${why}`;
  return { pieces: ['no mark'], className: 't3', title };
}

const timeCell = ({ settings: { timeZone } }: AppState, ms: number): ShownText => ({
  pieces: [momentText(ms, timeZone)],
  className: '',
  title: momentTitle(ms, timeZone),
});

const filledColumn = <O extends OpenOrder | HistoryOrder>(cell: Cell<Keyed<O>>): Column<Keyed<O>> => ({
  key: 'filled',
  label: 'Filled',
  decimal: true,
  align: 'left',
  value: ({ record }) => filledShare(record),
  cell,
});
const flagsColumn = <O extends OpenOrder | HistoryOrder>(cell: Cell<Keyed<O>>): Column<Keyed<O>> => ({
  key: 'flags',
  label: 'Flags',
  value: ({ record }) => flagsOf(record).join(' '),
  cell,
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

/** A side, as in every table. */
const sideCell = {
  text: ({ record }: { readonly record: { readonly side: string } }) => sideText(record.side),
};
/** An order's own price; a market order has none. */
const priceCell = (strong: boolean): Partial<Column<OrderRow>> => ({
  ...figure,
  text: ({ record: { type, price } }, { decimals }) =>
    type === 'MARKET'
      ? { pieces: ['Market'], className: 't3' }
      : amountText(price, { decimals, strong }, false),
});
type OrderRow = Keyed<{ readonly symbolId: string; readonly type: string; readonly price: string | null }>;

export const openOrderColumns = (
  app: AppState,
  cells: OrderCells<OpenOrder> & AgeCells,
  marks: () => ReadonlyMap<string, string>,
): readonly Column<OpenRow>[] => [
  open('symbolId', 'Symbol', { always: true }),
  open('side', 'Side', sideCell),
  open('type', 'Type', { minWidth: 720, cell: cells.type }),
  open('price', 'Price', priceCell(true)),
  {
    key: 'toMark',
    label: 'To mark',
    help: 'Distance from the mark price to the order price. The exchange API gives a mark only with a position',
    decimal: true,
    decimals: 2,
    value: ({ record }) => toMark(record, marks()),
    text: ({ record }) => distanceCell(record, marks()),
  },
  { ...filledColumn(cells.filled), decimals: 2 },
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
  flagsColumn(cells.flags),
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

/** A narrow table first drops what other columns or the expanded row also show. */
export const historyColumns = (
  app: AppState,
  cells: OrderCells<HistoryOrder> & StatusCell,
): readonly Column<HistoryRow>[] => [
  past('orderTime', `Created, ${app.settings.timeZone}`, {
    always: true,
    text: ({ record }) => timeCell(app, record.orderTime),
  }),
  past('symbolId', 'Symbol', { always: true }),
  past('side', 'Side', sideCell),
  past('type', 'Type', { minWidth: 1200, cell: cells.type }),
  past('price', 'Price', priceCell(false)),
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
  { ...filledColumn(cells.filled), minWidth: 920 },
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
  { ...flagsColumn(cells.flags), off: true, from: 1420 },
  tagsColumn(cells.tags, 1200),
  past('id', 'Order ID', {
    align: 'right',
    minWidth: 1360,
    text: ({ record }) => ({ pieces: [record.id], className: 't2 selectable' }),
  }),
  past('leverage', 'Leverage', { align: 'right', off: true, from: 1500 }),
  past('tradeAmount', 'Filled amount', { ...figure, off: true, from: 1600 }),
  past('mtime', 'Updated', {
    off: true,
    from: 1760,
    text: ({ record }) => timeCell(app, record.mtime),
  }),
  actionsColumn(cells.actions),
];
