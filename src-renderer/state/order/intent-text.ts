/** Texts of an intent, read from the exact bytes that were sent. */
import { isDecimal } from '../../../src-shared/amount.ts';
import { shown } from '../../../src-shared/exchange-api/fields.ts';
import { parseLossless } from '../../../src-shared/exchange-api/lossless-json.ts';
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';
import type { OrderState } from '../../../src-shared/domain/reconcile/lifecycle.ts';
import { plainMoney, plainNumber, maskedText } from '../../text/number-text.ts';
import type { NoticeTone } from '../session/notices.svelte.ts';

/** Returns a field of a one-order body as text; numbers digit for digit. */
function fieldOf(body: string, name: string): string | null {
  try {
    const value = parseLossless(body);
    if (typeof value !== 'object' || value === null) return null;
    const one: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
    if (typeof one === 'string') return one;
    return typeof one === 'number' || typeof one === 'boolean' ? String(one) : null;
  } catch {
    return null; // bodies of older versions that are not JSON are shown elsewhere, as they are
  }
}

/** Formats a decimal with `as`; text of an older version that is no decimal is shown as it is. */
const written = (text: string, as: (decimal: string) => string): string =>
  isDecimal(text) ? as(text) : maskedText(text);

/** “Buy 0.850 BTC-USDT-M at 97,250.0”, “Close all of SOL-USDT-M”; without the quantity while amounts are hidden. */
export function intentSentence(record: IntentRecord): string {
  if (record.kind === 'close-all') return `Close all of ${record.symbolId}`;
  const quantity = fieldOf(record.body, 'quantity');
  const price = fieldOf(record.body, 'price');
  const verb = record.side === 'BUY' ? 'Buy' : 'Sell';
  const where =
    record.type === 'LIMIT'
      ? ` at ${price === null ? shown(undefined) : written(price, plainNumber)}`
      : ' at market';
  return `${verb} ${quantity === null ? '' : `${written(quantity, plainMoney)} `}${record.symbolId}${where}`;
}

/** “BTC-USDT-M buys”: the orders that an unknown outcome or a damaged line holds. */
export const heldText = ({
  symbolId,
  side,
}: {
  readonly symbolId: string;
  readonly side: string | null;
}): string => (side === null ? symbolId : `${symbolId} ${side === 'BUY' ? 'buys' : 'sells'}`);

/** Label and tone of each state. Unknown is never called failed. */
export const STATE_LABELS: Readonly<
  Record<OrderState, { readonly label: string; readonly tone: NoticeTone }>
> = {
  drafted: { label: 'Draft', tone: 'info' },
  blocked: { label: 'Blocked by Ballast', tone: 'error' },
  recorded: { label: 'Recorded', tone: 'info' },
  sending: { label: 'Sending', tone: 'info' },
  accepted: { label: 'Accepted', tone: 'ok' },
  rejected: { label: 'Rejected', tone: 'error' },
  'not-sent': { label: 'Not sent', tone: 'warn' },
  unknown: { label: 'Outcome unknown', tone: 'unknown' },
  matched: { label: 'Matched', tone: 'info' },
  'matched-by-user': { label: 'Matched by you', tone: 'info' },
  dismissed: { label: 'Dismissed', tone: 'warn' },
};
