import type { Position } from '../../../src-shared/exchange-api/account.ts';
import { type DraftReading, EMPTY_DRAFT, readDraft } from '../../../src-shared/domain/order/draft.ts';
import type { OrderContext } from '../../../src-shared/domain/instrument/trading-context.ts';
import { opposite, type OrderSide } from '../../../src-shared/exchange-api/enums.ts';

/** Why a position of an unknown side cannot be closed here. */
export const unknownSideText = (side: string): string =>
  `Ballast does not know the side “${side.slice(0, 20)}”. Close it on the exchange’s website.`;

/**
 * Returns the reduce-only market order that closes `percent` of a position. 100 % has no quantity, so that the exchange
 * closes whatever is open then; a part is rounded down to the contract's step.
 */
export function closeReading(
  { symbolId }: Position,
  side: OrderSide,
  percent: string,
  context: OrderContext,
): Omit<DraftReading, 'outline'> {
  const order = { symbolId, side: opposite(side), type: 'MARKET', reduceOnly: true } as const;
  if (percent === '100') return { request: order, size: null, faults: [] };
  return readDraft({ ...EMPTY_DRAFT, ...order, sizeMode: 'share', size: percent }, context);
}
