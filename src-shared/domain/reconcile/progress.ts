/** Determines a sent order's progress at the exchange from the lists that show it. */
import { calculated, isPositive } from '../../amount.ts';
import type { HistoryOrder } from '../../exchange-api/order-history.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import type { OrderState } from './lifecycle.ts';

/** A `cancelled` order may be partly filled. `listed`: in the order history, with a status the API does not list. */
export type OrderStage =
  | 'written'
  | 'sending'
  | 'accepted'
  | 'resting'
  | 'listed'
  | 'partly filled'
  | 'filled'
  | 'cancelled'
  | 'rejected'
  | 'not sent'
  | 'unknown'
  | 'dismissed';

export interface OrderProgress {
  readonly stage: OrderStage;
  /** Matched by reconciliation, inferred or chosen by the user, because the reply was lost. */
  readonly matched: boolean;
  /** Values as received, null if missing or unreadable; null before a list shows the order. */
  readonly fill: {
    readonly quantity: string | null;
    readonly total: string | null;
    readonly price: string | null;
    readonly fee: string | null;
    readonly feeAsset: string;
    readonly status: string;
    /** Closed PnL in the margin coin, of an order in the history that closed something. */
    readonly profit: string | null;
    /** Exchange clock in ms. */
    readonly at: number | null;
  } | null;
}

export interface SentOrder {
  readonly state: OrderState;
  readonly orderId: string | null;
}

const WITHOUT_ID: Readonly<Record<OrderState, OrderStage>> = {
  drafted: 'written',
  blocked: 'not sent',
  recorded: 'written',
  sending: 'sending',
  accepted: 'accepted',
  rejected: 'rejected',
  'not-sent': 'not sent',
  unknown: 'unknown',
  matched: 'accepted',
  'matched-by-user': 'accepted',
  dismissed: 'dismissed',
};

/** Prefers the history: a finished order may still be in an older list of open ones. */
export function progressOf(
  sent: SentOrder,
  openOrders: readonly OpenOrder[],
  history: readonly HistoryOrder[],
): OrderProgress {
  const { state, orderId } = sent;
  const matched = state === 'matched' || state === 'matched-by-user';
  const stage = WITHOUT_ID[state];
  if (orderId === null || stage !== 'accepted') return { stage, matched, fill: null };
  const past = history.find((one) => one.id === orderId);
  const record = past ?? openOrders.find((one) => one.orderId === orderId);
  if (record === undefined) return { stage, matched, fill: null };
  const any = record.tradeQuantity !== null && isPositive(calculated(record.tradeQuantity));
  return {
    stage: stageOf(record.status, any, past !== undefined),
    matched,
    fill: {
      quantity: record.tradeQuantity,
      total: record.totalQuantity,
      price: any || record.tradeQuantity === null ? record.avgPrice : null,
      fee: record.feeAmount,
      feeAsset: record.feeAssetId,
      status: record.status,
      profit: past?.profit ?? null,
      at: record.mtime,
    },
  };
}

function stageOf(status: string, any: boolean, isPast: boolean): OrderStage {
  if (status === 'FILLED') return 'filled';
  if (status === 'CANCELED') return 'cancelled';
  if (isPast && status !== 'NEW') return 'listed';
  return any ? 'partly filled' : 'resting';
}

/** Reports whether the order rests or is over. */
export const isSettled = ({ stage }: OrderProgress): boolean =>
  stage !== 'written' && stage !== 'sending' && stage !== 'accepted' && stage !== 'unknown';
