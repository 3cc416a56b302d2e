/** Splits an order into what it closes and what it opens, and into the fills of both. */
import { amount, greater, print, smaller, subtract, ZERO } from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import type { Leg } from '../account/leg.ts';
import type { Fill } from '../account/symbol-after.ts';
import { closablePosition, type KnownContract } from '../instrument/trading-context.ts';
import { given } from '../numeric/decimal-input.ts';

export interface OrderEffect {
  /** The position it adds to or closes; null when it opens a new one. */
  readonly position: Position | null;
  readonly before: Leg | null;
  readonly after: Leg | null;
  /** Closed and opened quantities, `'0'` when none. Their sum is the traded quantity. */
  readonly closed: string;
  readonly opened: string;
}

/** Reports whether the position is on the other side afterwards. */
export const turnsOver = (
  effect: OrderEffect,
): effect is OrderEffect & { readonly before: Leg; readonly after: Leg } =>
  effect.before !== null && effect.after !== null && effect.before.side !== effect.after.side;

export type OrderParts = Pick<OrderEffect, 'position' | 'closed' | 'opened'>;

/**
 * Splits the order. Close-all closes the whole position. Reverse with `new-position` closes it and opens `quantity`; with
 * `sum`, `quantity` covers both, as in one-way mode (docs/accounting.md). Throws DomainError for an unreadable position.
 */
export function partsOf(
  request: OrderRequest,
  contract: KnownContract,
  reverseQuantity: 'unset' | 'new-position' | 'sum',
): OrderParts {
  const { side, quantity } = request;
  const reduceOnly = request.reduceOnly === true;
  const closing = closablePosition(contract, side, reduceOnly || request.reverseOrder === true);
  if (closing === null) {
    const same = contract.positions.find((one) => one.side === side) ?? null;
    return { position: same, closed: '0', opened: reduceOnly || quantity === undefined ? '0' : quantity };
  }
  const held = amount(given(closing, 'quantity'));
  const asked = quantity === undefined ? held : amount(quantity);
  const reverses = request.reverseOrder === true && reverseQuantity === 'new-position';
  const closed = reverses ? held : smaller(asked, held);
  const over = reverses ? asked : greater(asked, held) ? subtract(asked, held) : ZERO;
  return { position: closing, closed: print(closed), opened: print(reduceOnly ? ZERO : over) };
}

/** Returns the fills of the parts at `price`, what closes first. */
export function fillsOf(
  { side, symbolId }: OrderRequest,
  { closed, opened }: OrderParts,
  price: string,
): readonly Fill[] {
  const fill = (quantity: string, reduceOnly: boolean): Fill[] =>
    quantity === '0' ? [] : [{ id: '', symbolId, side, price, quantity, reduceOnly, locked: ZERO }];
  return [...fill(closed, true), ...fill(opened, false)];
}
