/** Reads query strings as filters. An unknown, repeated or malformed parameter is rejected by name. */
import type { OrderFilter, TradeFilter } from '../engine/queries.ts';
import { accept, reject } from '../engine/request.ts';
import type { Checked } from '../engine/request.ts';
import type { Habits } from '../habits.ts';
import type { Handled } from './envelope.ts';
import type { Names } from './names.ts';

const MAX_LIMIT = 1000;

/** What a query depends on. */
export interface Reading {
  readonly habits: Habits;
  readonly names: Names;
}

const SHAPES = {
  symbol: /^[A-Z0-9]{1,24}-[A-Z0-9]{1,12}-M$/,
  id: /^\d{1,19}$/,
  time: /^\d{1,15}$/,
  count: /^\d{1,9}$/,
  side: /^(?:BUY|SELL)$/,
  liquidity: /^(?:MAKER|TAKER)$/,
};
type Kind = keyof typeof SHAPES;
const LONG_ID = /^\d{1,20}$/;

/** Names of other habits have no fixed shape: a name unknown to this exchange matches nothing. */
function isWellFormed(kind: Kind, value: string, habits: Habits): boolean {
  if (kind === 'id' && habits['order-ids'] === 'unsigned') return LONG_ID.test(value);
  const named = habits['contract-names'] !== 'upper' || habits['trade-symbols'] !== 'contract';
  if (kind === 'symbol' && named) return value.length <= 60;
  if (kind === 'liquidity' && habits.liquidity !== 'MAKER') return value.length <= 60;
  return SHAPES[kind].test(value);
}

const OPEN_ORDERS: Readonly<Record<string, Kind>> = { symbolId: 'symbol', orderId: 'id', limit: 'count' };
const ORDER_HISTORY: Readonly<Record<string, Kind>> = { ...OPEN_ORDERS, startTime: 'time', endTime: 'time' };
const TRADES: Readonly<Record<string, Kind>> = {
  orderId: 'id',
  startTime: 'time',
  endTime: 'time',
  liquidity: 'liquidity',
  side: 'side',
  symbol: 'symbol',
  pageNumber: 'count',
  pageSize: 'count',
};

/** The read endpoints have only code 500. */
const wrong = (why: string) => reject('500', why);

function read(
  query: string,
  fields: Readonly<Record<string, Kind>>,
  habits: Habits,
): Checked<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!kind) return wrong(`unknown parameter ${name.slice(0, 40)}`);
    if (found.has(name)) return wrong(`parameter ${name} given twice`);
    if (!isWellFormed(kind, value, habits)) return wrong(`parameter ${name} is malformed`);
    found.set(name, value);
  }
  return accept(found);
}

const integer = (values: Map<string, string>, name: string): number | undefined => {
  const value = values.get(name);
  return value === undefined ? undefined : Number.parseInt(value, 10);
};

/** Drops undefined values: absent parameters are absent keys. */
function given<T extends Record<string, unknown>>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** The first and last millisecond listed. */
function period(values: Map<string, string>, { 'time-bounds': bounds }: Habits) {
  const start = integer(values, 'startTime');
  const end = integer(values, 'endTime');
  const opens = bounds === 'both' || bounds === 'start' ? 0 : 1;
  const closes = bounds === 'both' || bounds === 'end' ? 0 : 1;
  return given({
    startTime: start === undefined ? undefined : start + opens,
    endTime: end === undefined ? undefined : end - closes,
  });
}

/** Builds a filter; `name` translates a client's value to the engine's. */
function filter(
  values: Map<string, string>,
  field: string,
  { filters }: Habits,
  name: (value: string) => string = (value) => value,
): string | undefined {
  const value = values.get(field);
  const isSymbol = field === 'symbolId' || field === 'symbol';
  if (value === undefined || filters === 'ignored' || (filters === 'symbol-ignored' && isSymbol))
    return undefined;
  return name(value);
}

export function orderFilter(
  query: string,
  endpoint: 'openOrder' | 'orderHis',
  { habits, names }: Reading,
): Checked<OrderFilter> {
  const values = read(query, endpoint === 'openOrder' ? OPEN_ORDERS : ORDER_HISTORY, habits);
  if (!values.ok) return values;
  const limit = integer(values.value, 'limit') ?? Number.parseInt(habits['limit-default'], 10);
  if (limit < 1 || limit > MAX_LIMIT) return wrong(`limit must be 1 to ${MAX_LIMIT}`);
  return accept({
    ...given({
      symbolId: filter(values.value, 'symbolId', habits, (name) => names.contractIn(name)),
      orderId: filter(values.value, 'orderId', habits, (id) => names.orderIdIn(id)),
    }),
    ...period(values.value, habits),
    limit,
  });
}

/** Rows of a page, or the reason for a rejection. The API does not state the largest size. */
function pageSize(values: Map<string, string>, habits: Habits): Handled<number> {
  const most = Number.parseInt(habits['page-size'], 10);
  const requested =
    integer(values, 'pageSize') ?? Math.min(Number.parseInt(habits['page-default'], 10), most);
  if (requested < 1) return wrong('pageSize must be at least 1');
  if (requested <= most || habits['page-too-large'] === 'clamped') return accept(Math.min(requested, most));
  const tooLarge = wrong(`pageSize must be at most ${most}`);
  return habits['page-too-large'] === 'refused' ? tooLarge : { ...tooLarge, status: 400 };
}

export function tradeFilter(query: string, { habits, names }: Reading): Handled<TradeFilter> {
  const values = read(query, TRADES, habits);
  if (!values.ok) return values;
  const base = Number.parseInt(habits['page-base'], 10);
  const page = (integer(values.value, 'pageNumber') ?? base) - base;
  const before = habits['page-outside'];
  if (page < 0 && (before === 'refused' || before === 'refused-before'))
    return wrong(`pages are counted from ${base}`);
  const size = pageSize(values.value, habits);
  if (!size.ok) return size;
  return accept({
    ...given({
      orderId: filter(values.value, 'orderId', habits, (id) => names.orderIdIn(id)),
      liquidity: filter(values.value, 'liquidity', habits, (word) => names.liquidityIn(word)),
      side: filter(values.value, 'side', habits),
      symbol: filter(values.value, 'symbol', habits, (name) => names.tradeSymbolIn(name)),
    }),
    ...period(values.value, habits),
    page,
    pageSize: size.value,
  });
}
