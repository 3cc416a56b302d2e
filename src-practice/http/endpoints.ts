/** The seven endpoints: what each does with the engine. */
import type { Engine } from '../engine/engine.ts';
import type { Checked } from '../engine/request.ts';
import { failure, success } from './envelope.ts';
import type { Reply } from './envelope.ts';
import { readBatch, readOrder } from './order-body.ts';
import { orderFilter, tradeFilter } from './params.ts';
import type { Paging } from './params.ts';

export const ENDPOINTS = [
  'order',
  'batchOrders',
  'account',
  'openOrder',
  'orderHis',
  'symbolConfig',
  'trades',
] as const;
export type EndpointName = (typeof ENDPOINTS)[number];

export interface Call {
  readonly engine: Engine;
  /** Milliseconds of the exchange's clock at arrival. */
  readonly at: number;
  readonly query: string;
  readonly body: string;
  readonly paging: Paging;
  /** Rows younger than this many milliseconds are not shown yet; 0 without such a fault. */
  readonly unseenMs: number;
}

/** What is visible yet: rows up to `unseenMs` before now. */
function seen<F extends { readonly endTime?: number }>(filter: F, { at, unseenMs }: Call): F {
  if (unseenMs === 0) return filter;
  return { ...filter, endTime: Math.min(filter.endTime ?? at, at - unseenMs) };
}

interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly handle: (call: Call) => Reply;
}

const answer = <T>(checked: Checked<T>, data: (value: T) => string): Reply =>
  checked.ok ? success(data(checked.value)) : failure(checked.code, checked.why);

/** Endpoints without parameters refuse any. */
const bare = (call: Call, data: () => string): Reply =>
  call.query === '' ? success(data()) : failure('500', 'this endpoint has no parameters');

export const TABLE: Readonly<Record<EndpointName, Endpoint>> = {
  order: {
    method: 'POST',
    path: '/ftapi/v1/order',
    handle: ({ engine, at, body }) => {
      const request = readOrder(body);
      return answer(request.ok ? engine.placeOrder(at, request.value) : request, (id) => `"${id}"`);
    },
  },
  batchOrders: {
    method: 'POST',
    path: '/ftapi/v1/batchOrders',
    handle: ({ engine, at, body }) => {
      const requests = readBatch(body);
      return answer(requests.ok ? engine.placeBatch(at, requests.value) : requests, () => 'true');
    },
  },
  account: {
    method: 'GET',
    path: '/ftapi/v1/account/info',
    handle: (call) => bare(call, () => call.engine.account(call.at)),
  },
  openOrder: {
    method: 'GET',
    path: '/ftapi/v1/openOrder',
    handle: (call) =>
      answer(orderFilter(call.query, 'openOrder'), (filter) =>
        call.engine.openOrders(call.at, seen(filter, call)),
      ),
  },
  orderHis: {
    method: 'GET',
    path: '/ftapi/v1/orderHis',
    handle: (call) =>
      answer(orderFilter(call.query, 'orderHis'), (filter) =>
        call.engine.orderHistory(call.at, seen(filter, call)),
      ),
  },
  symbolConfig: {
    method: 'GET',
    path: '/ftapi/v1/symbolConfig',
    handle: (call) => bare(call, () => call.engine.symbolConfig(call.at)),
  },
  trades: {
    method: 'GET',
    path: '/stapi/v1/trades',
    handle: (call) =>
      answer(tradeFilter(call.query, call.paging), (filter) =>
        call.engine.trades(call.at, seen(filter, call)),
      ),
  },
};

export function endpointAt(path: string): EndpointName | null {
  return ENDPOINTS.find((name) => TABLE[name].path === path) ?? null;
}
