/** An order as asked for: texts as received, not yet on any grid. The HTTP door makes it (http/order-body.ts). */
import type { TpSl } from './orders.ts';

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

/** A refusal: one of the interface's codes, and what was wrong in words. */
export interface Refusal {
  readonly code: string;
  readonly why: string;
}
export type Checked<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & Refusal);

export const accept = <T>(value: T): Checked<T> => ({ ok: true, value });
export const refuse = (code: string, why: string): { ok: false; code: string; why: string } => ({
  ok: false,
  code,
  why,
});
