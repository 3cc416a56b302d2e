/** Query strings as filters. A parameter that is unknown, repeated or malformed is refused by its name. */
import type { OrderFilter, TradeFilter } from '../engine/queries.ts';
import { accept, refuse } from '../engine/request.ts';
import type { Checked } from '../engine/request.ts';

export const MAX_LIMIT = 1000;
export const DEFAULT_LIMIT = 100;
export const DEFAULT_PAGE_SIZE = 50;

export interface Paging {
  readonly base: 0 | 1;
  readonly maxSize: number;
}

type Kind = 'symbol' | 'id' | 'time' | 'count' | 'side' | 'liquidity';

const SHAPES: Readonly<Record<Kind, RegExp>> = {
  symbol: /^[A-Z0-9]{1,24}-[A-Z0-9]{1,12}-M$/,
  id: /^\d{1,19}$/,
  time: /^\d{1,15}$/,
  count: /^\d{1,9}$/,
  side: /^(?:BUY|SELL)$/,
  liquidity: /^(?:MAKER|TAKER)$/,
};

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

/** 500 is the one code the read endpoints have. */
const wrong = (why: string) => refuse('500', why);

function read(query: string, fields: Readonly<Record<string, Kind>>): Checked<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!kind) return wrong(`unknown parameter ${name.slice(0, 40)}`);
    if (found.has(name)) return wrong(`parameter ${name} given twice`);
    if (!SHAPES[kind].test(value)) return wrong(`parameter ${name} is malformed`);
    found.set(name, value);
  }
  return accept(found);
}

const integer = (values: Map<string, string>, name: string): number | undefined => {
  const value = values.get(name);
  return value === undefined ? undefined : Number.parseInt(value, 10);
};

/** Only what was given: absent parameters are absent keys. */
function given<T extends Record<string, unknown>>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

export function orderFilter(query: string, endpoint: 'openOrder' | 'orderHis'): Checked<OrderFilter> {
  const values = read(query, endpoint === 'openOrder' ? OPEN_ORDERS : ORDER_HISTORY);
  if (!values.ok) return values;
  const limit = integer(values.value, 'limit') ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) return wrong(`limit must be 1 to ${MAX_LIMIT}`);
  return accept({
    ...given({
      symbolId: values.value.get('symbolId'),
      orderId: values.value.get('orderId'),
      startTime: integer(values.value, 'startTime'),
      endTime: integer(values.value, 'endTime'),
    }),
    limit,
  });
}

export function tradeFilter(query: string, paging: Paging): Checked<TradeFilter> {
  const values = read(query, TRADES);
  if (!values.ok) return values;
  const page = (integer(values.value, 'pageNumber') ?? paging.base) - paging.base;
  if (page < 0) return wrong(`pages are counted from ${paging.base}`);
  const pageSize = integer(values.value, 'pageSize') ?? Math.min(DEFAULT_PAGE_SIZE, paging.maxSize);
  if (pageSize < 1) return wrong('pageSize must be at least 1');
  return accept({
    ...given({
      orderId: values.value.get('orderId'),
      startTime: integer(values.value, 'startTime'),
      endTime: integer(values.value, 'endTime'),
      liquidity: values.value.get('liquidity'),
      side: values.value.get('side'),
      symbol: values.value.get('symbol'),
    }),
    page,
    // A larger size is served as the largest there is: the client learns it from the rows.
    pageSize: Math.min(pageSize, paging.maxSize),
  });
}
