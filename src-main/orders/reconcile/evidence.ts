/** Collects evidence for candidates that decides nothing: their trades and the change of the position. */
import type { SeenOrder } from '../../../src-shared/domain/reconcile/listed-orders.ts';
import { isHeld } from '../../../src-shared/exchange-api/values.ts';
import { isLongOrShort, sideWord } from '../../../src-shared/exchange-api/enums.ts';
import type { Position } from '../../../src-shared/exchange-api/account.ts';
import { add, amount, isZero, print, ZERO } from '../../../src-shared/amount.ts';
import type { TradesQuery } from '../../../src-shared/exchange-api/endpoints.ts';
import type { TradePage } from '../../../src-shared/exchange-api/trade.ts';
import { readWithinLimit, type ListReply, type ListPorts } from './order-lists.ts';

/** Trades are read for few candidates: with many they distinguish nothing. */
const MAX_CANDIDATES_READ = 3;

export interface EvidencePorts extends Pick<ListPorts, 'limiter'> {
  readonly client: { trades(query: TradesQuery): Promise<ListReply<TradePage>> };
}

/** Returns a sentence for each candidate with a fill: what its trades add up to, beside what the order says. */
export async function tradeEvidence(
  ports: EvidencePorts,
  candidates: readonly SeenOrder[],
): Promise<string[]> {
  const lines: string[] = [];
  for (const { orderId, tradeQuantity } of candidates.slice(0, MAX_CANDIDATES_READ)) {
    if (tradeQuantity === null || isZero(amount(tradeQuantity))) continue;
    const listed = `filled per order: ${tradeQuantity}`;
    const reply = await readWithinLimit(ports.limiter, () => ports.client.trades({ orderId }));
    if (!reply.ok) {
      lines.push(`Trades of order ${orderId} could not be read; ${listed}`);
      continue;
    }
    const own = reply.data.data;
    // The exchange chooses the page's size: its default is not documented, and a chosen one may be refused.
    const where = reply.data.total > reply.meta.listed ? ' on the only page read' : '';
    const unread = own.filter((one) => one.executedQty === null).length;
    const total = own.reduce((sum, one) => add(sum, amount(one.executedQty ?? '0')), ZERO);
    lines.push(
      own.length === 0
        ? `Trades of order ${orderId}: none${where}; ${listed}`
        : `Trades of order ${orderId}: ${own.length}${where}, total ${print(total)}${unread === 0 ? '' : ` without ${unread} that cannot be read`}; ${listed}`,
    );
  }
  return lines;
}

/** Returns a symbol's positions as text; null if a side or a quantity is unknown. */
export function positionText(listed: readonly Position[]): string | null {
  const held = listed.filter(isHeld);
  if (held.some(({ side, quantity }) => quantity === null || !isLongOrShort(side))) return null;
  return held.map(({ side, quantity }) => `${sideWord(side)} ${quantity}`).join(', ') || 'flat';
}

/** Compares the position's text before the send with now; null if either is unknown. */
export function positionEvidence(before: string | null | undefined, now: string | null): string | null {
  if (before === undefined || before === null || now === null) return null;
  return before === now ? `Position unchanged: ${now}` : `Position changed from ${before} to ${now}`;
}
