/** The progress of an order as text, for its sheet and its toast. */
import { calculated, print, significant } from '../../src-shared/amount.ts';
import type { OrderProgress, OrderStage } from '../../src-shared/domain/reconcile/progress.ts';
import type { NoticeTone } from '../state/session/notices.svelte.ts';
import { plainMoney, plainNumber } from './number-text.ts';

export const STAGE_TONES: Readonly<Record<OrderStage, NoticeTone>> = {
  written: 'info',
  sending: 'info',
  accepted: 'ok',
  resting: 'ok',
  listed: 'info',
  'partly filled': 'ok',
  filled: 'ok',
  cancelled: 'warn',
  rejected: 'error',
  'not sent': 'warn',
  unknown: 'unknown',
  dismissed: 'warn',
};

/** Returns one sentence; amounts of the account are masked while amounts are hidden. */
export function progressText({ stage, fill, matched }: OrderProgress): string {
  const how = matched ? 'Matched: ' : '';
  const filled = moneyText(fill?.quantity);
  const part = fill === null ? '' : `${filled} of ${moneyText(fill.total)}`;
  const price =
    fill === null || fill.price === null
      ? ''
      : ` at ${plainNumber(print(significant(calculated(fill.price), 12)))}`;
  const fee = fill === null ? '' : `, fee ${moneyText(fill.fee)} ${fill.feeAsset}`;
  switch (stage) {
    case 'written':
      return 'Recorded in the journal';
    case 'sending':
      return 'Sending to the exchange';
    case 'accepted':
      return matched ? 'Matched: it was placed' : 'Accepted by the exchange';
    case 'resting':
      if (fill?.quantity === null) return `${how === '' ? 'Accepted, ' : how}filled quantity unknown`;
      return how === '' ? 'Accepted, resting' : `${how}it rests`;
    case 'listed':
      return `${how}Listed ${statusText(fill?.status)}, filled ${part}`;
    case 'partly filled':
      return `${how}Partly filled, ${part}${price}, the rest is open`;
    case 'filled':
      return `${how}Filled ${fill === null ? '' : filled}${price}${fee}`;
    case 'cancelled':
      return `${how}Cancelled, filled ${part}`;
    case 'rejected':
      return 'Rejected by the exchange. Nothing was placed';
    case 'not sent':
      return 'Not sent. Nothing was placed';
    case 'unknown':
      return 'Outcome unknown. Do not send it again';
    case 'dismissed':
      return 'Dismissed by you. It was not found';
  }
}

const statusText = (status = ''): string =>
  status === '' ? 'without a status' : `with status “${status.slice(0, 40)}”`;

/** Writes an amount, or “an unknown amount” if it is missing or could not be read. */
const moneyText = (amount: string | null | undefined): string =>
  amount === null || amount === undefined ? 'an unknown amount' : plainMoney(amount);
