/** What speaks for a candidate without deciding anything: its trades, and how the position has changed. */
import type { SeenOrder } from '../../../src-shared/domain/reconcile/listed-orders.ts';
import { add, amount, isZero, print, ZERO } from '../../../src-shared/amount.ts';
import type { TradesQuery } from '../../../src-shared/exchange-api/endpoints.ts';
import type { TradePage } from '../../../src-shared/exchange-api/trade.ts';
import { politely, type Answer, type ListPorts } from './order-lists.ts';

/** Trades are asked for few: the more candidates, the less they tell. */
const MOST_ASKED = 3;

export interface HintPorts extends Pick<ListPorts, 'limiter' | 'clock'> {
  readonly client: { trades(query: TradesQuery): Promise<Answer<TradePage>> };
}

export async function tradeHints(ports: HintPorts, candidates: readonly SeenOrder[]): Promise<string[]> {
  const hints: string[] = [];
  for (const { orderId, tradeQuantity } of candidates.slice(0, MOST_ASKED)) {
    if (tradeQuantity === null || isZero(amount(tradeQuantity))) continue;
    const listed = `the order says ${tradeQuantity} filled`;
    const answer = await politely(ports, () => ports.client.trades({ orderId }));
    if (!answer.ok) {
      hints.push(`Trades of ${orderId}: not read; ${listed}`);
      continue;
    }
    const own = answer.data.data;
    const unread = own.filter((one) => one.executedQty === null).length;
    const total = own.reduce((sum, one) => add(sum, amount(one.executedQty ?? '0')), ZERO);
    hints.push(
      own.length === 0
        ? `Trades of ${orderId}: none; ${listed}`
        : `Trades of ${orderId}: ${own.length}, ${print(total)} in all${unread === 0 ? '' : ` without ${unread} that cannot be read`}; ${listed}`,
    );
  }
  return hints;
}

/** Both in words, as read before the send and now; null when one was not known. */
export function positionHint(before: string | null | undefined, now: string | null): string | null {
  if (before === undefined || before === null || now === null) return null;
  return before === now ? `Position still ${now}` : `Position was ${before}, is ${now}`;
}
