/** The seven endpoints and their engine calls. */
import type { Engine } from '../engine/engine.ts';
import type { TradeFilter } from '../engine/queries.ts';
import { reject } from '../engine/request.ts';
import type { Habits } from '../habits.ts';
import type { Handled } from './envelope.ts';
import type { Names } from './names.ts';
import { readBatch, readOrder } from './order-body.ts';
import { orderFilter, tradeFilter } from './params.ts';
import type { Presenter } from './present.ts';

/** An engine and its habits; a restart replaces both. */
export interface Served {
  readonly engine: Engine;
  readonly habits: Habits;
  readonly names: Names;
  readonly presenter: Presenter;
}
export interface Call extends Served {
  /** Milliseconds of the exchange's clock at arrival. */
  readonly at: number;
  readonly query: string;
  readonly body: string;
  /** Rows newer than this many milliseconds are hidden; 0 without such a fault. */
  readonly unseenMs: number;
}

/** Restricts a filter to rows up to `unseenMs` before now. */
function seen<F extends { readonly endTime?: number }>(filter: F, { at, unseenMs }: Call): F {
  if (unseenMs === 0) return filter;
  return { ...filter, endTime: Math.min(filter.endTime ?? at, at - unseenMs) };
}

interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON text of `data`. */
  readonly handle: (call: Call) => Handled<string>;
}

const reply = <T>(checked: Handled<T>, data: (value: T) => string): Handled<string> =>
  checked.ok ? { ok: true, value: data(checked.value) } : checked;

/** Endpoints without parameters reject any. */
const bare = (call: Call, data: () => string): Handled<string> =>
  call.query === '' ? { ok: true, value: data() } : reject('500', 'this endpoint has no parameters');

/** Beyond any last page. */
const NO_PAGE = 1_000_000_000;

/** Reads a page of trades. Pages outside the list, below 0 or after the last, follow the habits. */
function tradePage({ engine, at, habits }: Call, filter: TradeFilter): Handled<string> {
  const outside = habits['page-outside'];
  const page = (number: number): Handled<string> => ({
    ok: true,
    value: engine.trades(at, { ...filter, page: number }),
  });
  if (filter.page < 0) return page(outside === 'nearest' ? 0 : NO_PAGE);
  if (outside === 'empty' || outside === 'refused-before') return page(filter.page);
  const last = Math.max(0, engine.tradePages(at, filter) - 1);
  if (filter.page > last && outside === 'refused') return reject('500', 'there is no such page');
  return page(Math.min(filter.page, last));
}

export const TABLE = {
  order: {
    method: 'POST',
    path: '/ftapi/v1/order',
    handle: ({ engine, at, body, names, habits, presenter }) => {
      const request = readOrder(body, { habits, names });
      return reply(request.ok ? engine.placeOrder(at, request.value) : request, (id) => presenter.placed(id));
    },
  },
  batchOrders: {
    method: 'POST',
    path: '/ftapi/v1/batchOrders',
    handle: ({ engine, at, body, names, habits }) => {
      const requests = readBatch(body, { habits, names });
      return reply(requests.ok ? engine.placeBatch(at, requests.value) : requests, () => 'true');
    },
  },
  account: {
    method: 'GET',
    path: '/ftapi/v1/account/info',
    handle: (call) => bare(call, () => call.presenter.data('account', call.engine.account(call.at))),
  },
  openOrder: {
    method: 'GET',
    path: '/ftapi/v1/openOrder',
    handle: (call) =>
      reply(orderFilter(call.query, 'openOrder', call), (filter) =>
        call.presenter.data('openOrder', call.engine.openOrders(call.at, seen(filter, call))),
      ),
  },
  orderHis: {
    method: 'GET',
    path: '/ftapi/v1/orderHis',
    handle: (call) =>
      reply(orderFilter(call.query, 'orderHis', call), (filter) =>
        call.presenter.data('orderHis', call.engine.orderHistory(call.at, seen(filter, call))),
      ),
  },
  symbolConfig: {
    method: 'GET',
    path: '/ftapi/v1/symbolConfig',
    handle: (call) =>
      bare(call, () => call.presenter.data('symbolConfig', call.engine.symbolConfig(call.at))),
  },
  trades: {
    method: 'GET',
    path: '/stapi/v1/trades',
    handle: (call) => {
      const filter = tradeFilter(call.query, call);
      if (!filter.ok) return filter;
      return reply(tradePage(call, seen(filter.value, call)), (text) => call.presenter.data('trades', text));
    },
  },
} satisfies Readonly<Record<string, Endpoint>>;
export type EndpointName = keyof typeof TABLE;
export const ENDPOINTS = Object.keys(TABLE) as readonly EndpointName[];

export function endpointAt(path: string): EndpointName | null {
  return ENDPOINTS.find((name) => TABLE[name].path === path) ?? null;
}
