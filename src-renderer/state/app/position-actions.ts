/** What can be done with an open position. Nothing here sends: each opens the sheet, which reviews. */
import type { Position } from '../../../src-shared/exchange-api/account.ts';
import { amount, multiply, print, sendable } from '../../../src-shared/amount.ts';
import {
  isLongOrShort,
  opposite,
  type OrderContext,
} from '../../../src-shared/domain/instrument/trading-context.ts';
import type { AppState } from '../../state/app/app-state.svelte.ts';
import type { TicketSeed } from '../../state/session/navigation.svelte.ts';

export const canAct = (position: Position): boolean => isLongOrShort(position.side);

export function closePosition(app: AppState, position: Position): void {
  app.close.start(position, 'all');
}
export function takeProfit(app: AppState, position: Position): void {
  app.close.start(position, 'take-profit');
}

/** The order that turns a position round, or why none is offered. */
export function reversalOf(
  position: Position,
  reverseQuantity: OrderContext['reverseQuantity'],
): { readonly seed: TicketSeed } | { readonly off: string } {
  const { symbolId, side, quantity } = position;
  if (!isLongOrShort(side)) return { off: 'its side is not known' };
  if (reverseQuantity === 'unset') return { off: 'set what its quantity means in the connection' };
  if (quantity === null) return { off: 'its quantity cannot be read' };
  const held = sendable(quantity);
  if (held === null) return { off: 'its quantity has more digits than can be sent' };
  const size = reverseQuantity === 'sum' ? print(multiply(amount(held), amount('2'))) : held;
  return { seed: { symbolId, side: opposite(side), type: 'MARKET', quantity: size, reverseOrder: true } };
}
