/** An order as requested: texts as received, not yet on any grid. Made by http/order-body.ts. */
import type { Side } from './book.ts';
import { printLots } from './contracts.ts';
import type { TpSl } from './orders.ts';
import type { Market } from './world.ts';

export interface OrderRequest {
  readonly symbolId: string;
  readonly side: string;
  readonly type: string;
  readonly timeInForce: string | null;
  /** Plain decimal texts. */
  readonly quantity: string | null;
  readonly price: string | null;
  readonly reduceOnly: boolean;
  readonly postOnly: boolean;
  readonly reverseOrder: boolean;
  readonly tpSl: TpSl | null;
}

/** Writes an order of `lots`: at market, unless `terms` say otherwise. */
export const orderRequest = (
  { contract }: Market,
  side: Side,
  lots: number,
  terms: Partial<OrderRequest> = {},
): OrderRequest => ({
  symbolId: contract.symbolId,
  side: side === 1 ? 'BUY' : 'SELL',
  type: 'MARKET',
  timeInForce: null,
  quantity: printLots(contract, lots),
  price: null,
  reduceOnly: false,
  postOnly: false,
  reverseOrder: false,
  tpSl: null,
  ...terms,
});

/** A rejection: one of the API's codes, and the reason as text. */
export interface Rejection {
  readonly code: string;
  readonly why: string;
}
export type Checked<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & Rejection);

export const accept = <T>(value: T): Checked<T> => ({ ok: true, value });
export const reject = (code: string, why: string): { ok: false; code: string; why: string } => ({
  ok: false,
  code,
  why,
});
