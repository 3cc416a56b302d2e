/** Computes what an order does to its position when it fills completely at one price. */
import { given } from '../numeric/decimal-input.ts';
import { add, amount, greater, isPositive, print, smaller, subtract, ZERO } from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import { averageEntry, type OrderSide } from '../margin/margin.ts';
import { closablePosition, type KnownContract } from '../instrument/trading-context.ts';

export interface Leg {
  readonly side: OrderSide;
  readonly quantity: string;
  readonly entryPrice: string;
}

export interface OrderEffect {
  /** The position it adds to or closes; null when it opens a new one. */
  readonly position: Position | null;
  readonly before: Leg | null;
  readonly after: Leg | null;
  /** Closed and opened quantities, `'0'` when none. Their sum is the traded quantity. */
  readonly closed: string;
  readonly opened: string;
}

/**
 * Computes the effect at `price`. Close-all closes the whole position. Reverse with `new-position` closes it and opens
 * `quantity`; with `sum`, `quantity` covers both, as in one-way mode (docs/accounting.md). Throws DomainError for an
 * unreadable position.
 */
export function effectOf(
  request: OrderRequest,
  contract: KnownContract,
  price: string,
  reverseQuantity: 'unset' | 'new-position' | 'sum',
): OrderEffect {
  const closing = closablePosition(
    contract,
    request.side,
    request.reduceOnly === true || request.reverseOrder === true,
  );
  if (closing) return closes(request, closing, price, reverseQuantity);
  const { side, quantity } = request;
  const same = contract.positions.find((one) => one.side === side) ?? null;
  const before = same && legOf(side, same);
  const opened = request.reduceOnly === true || quantity === undefined ? '0' : quantity;
  if (opened === '0') return { position: same, before, after: before, closed: '0', opened };
  const added: Leg = { side, quantity: opened, entryPrice: price };
  return {
    position: same,
    before,
    after: before ? joined(contract, before, added) : added,
    closed: '0',
    opened,
  };
}

const legOf = (side: OrderSide, position: Position): Leg => ({
  side,
  quantity: given(position, 'quantity'),
  entryPrice: given(position, 'avgEntryPrice'),
});

function closes(
  request: OrderRequest,
  position: Position,
  price: string,
  reverseQuantity: 'unset' | 'new-position' | 'sum',
): OrderEffect {
  const side: OrderSide = request.side === 'BUY' ? 'SELL' : 'BUY';
  const before = legOf(side, position);
  const held = amount(before.quantity);
  const asked = request.quantity === undefined ? held : amount(request.quantity);
  const reverses = request.reverseOrder === true && reverseQuantity === 'new-position';
  const closed = reverses ? held : smaller(asked, held);
  const opened =
    request.reduceOnly === true
      ? ZERO
      : reverses
        ? asked
        : greater(asked, held)
          ? subtract(asked, held)
          : ZERO;
  const left = subtract(held, closed);
  const after: Leg | null = isPositive(opened)
    ? { side: request.side, quantity: print(opened), entryPrice: price }
    : isPositive(left)
      ? { ...before, quantity: print(left) }
      : null;
  return { position, before, after, closed: print(closed), opened: print(opened) };
}

/** Returns a leg with more of its side, at their average entry. */
export function joined(contract: KnownContract, before: Leg, added: Leg): Leg {
  const fills = [before, added].map((leg) => [leg.quantity, leg.entryPrice] as const);
  return {
    side: before.side,
    quantity: print(add(amount(before.quantity), amount(added.quantity))),
    entryPrice: averageEntry({ contractSide: contract.side, fills }),
  };
}
