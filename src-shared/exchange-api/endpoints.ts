/** The seven endpoints: method, path, parameters, limits. The path contains the version. */

/** Results per call of open orders and order history. Always sent, since the default is not documented. */
export const MAX_RESULTS = 1000;

/** Limits are round numbers, which reveals an exchange that returns fewer rows than requested. */
const ROUND = 50;

/** Reports whether a list may be cut: at the requested limit, or at a round number, the exchange's own cap. */
export const mayBeLimited = (rows: number): boolean =>
  rows >= MAX_RESULTS || (rows >= ROUND && rows % ROUND === 0);

/** Page sizes of trades, tried in this order until one is served: the maximum is not documented. */
export const PAGE_SIZES = [1000, 500, 200, 100, 50, 20] as const;

export const ENDPOINTS = {
  placeOrder: { method: 'POST', path: '/ftapi/v1/order', parameters: [] },
  placeBatch: { method: 'POST', path: '/ftapi/v1/batchOrders', parameters: [] },
  account: { method: 'GET', path: '/ftapi/v1/account/info', parameters: [] },
  openOrders: { method: 'GET', path: '/ftapi/v1/openOrder', parameters: ['symbolId', 'orderId', 'limit'] },
  orderHistory: {
    method: 'GET',
    path: '/ftapi/v1/orderHis',
    parameters: ['symbolId', 'orderId', 'startTime', 'endTime', 'limit'],
  },
  symbolConfig: { method: 'GET', path: '/ftapi/v1/symbolConfig', parameters: [] },
  trades: {
    method: 'GET',
    path: '/stapi/v1/trades',
    parameters: ['orderId', 'startTime', 'endTime', 'liquidity', 'side', 'symbol', 'pageNumber', 'pageSize'],
  },
} as const;

export type EndpointName = keyof typeof ENDPOINTS;
/** Endpoints that only read. No other request may be repeated. */
export type ReadEndpoint = Exclude<EndpointName, 'placeOrder' | 'placeBatch'>;

export interface OpenOrdersQuery {
  readonly symbolId?: string;
  readonly orderId?: string;
  readonly limit?: number;
}
export interface OrderHistoryQuery extends OpenOrdersQuery {
  /** Milliseconds since the epoch. */
  readonly startTime?: number;
  readonly endTime?: number;
}
export interface TradesQuery {
  readonly orderId?: string;
  readonly startTime?: number;
  readonly endTime?: number;
  readonly liquidity?: string;
  readonly side?: string;
  readonly symbol?: string;
  /** Whether it counts from 0 or 1 is not documented. */
  readonly pageNumber?: number;
  readonly pageSize?: number;
}
