/** Recognises orders by which the exchange closes a position: liquidations and settlements of delivery contracts. */
import { calculated, isPositive } from '../../amount.ts';
import { SYSTEM_SOURCE } from '../../exchange-api/enums.ts';
import type { HistoryOrder } from '../../exchange-api/order-history.ts';
import { HOUR_MS } from '../../time.ts';
import { isPrice } from '../../exchange-api/values.ts';

export type SystemCloseKind = 'liquidation' | 'delivery';

/** An order of the system, with values as received; null if missing or unreadable. */
export interface SystemClose {
  readonly kind: SystemCloseKind;
  readonly orderId: string;
  /** `0` if the exchange names no position. */
  readonly positionId: string;
  readonly symbolId: string;
  /** Side of the order: SELL closes a long. */
  readonly side: string;
  readonly quantity: string | null;
  /** Average price, else the order's; null where both are missing or 0. */
  readonly price: string | null;
  /** Closed PnL before fees, in `coin`. */
  readonly profit: string | null;
  readonly coin: string;
  readonly marginMode: string;
  /** ms */
  readonly at: number;
}

/** Matches `BTC1225-USDT-M` and `BTC-1225-USDT-M`: month and day of delivery, after the year if that is given. */
const DELIVERY_NAME = /^[^-]*?[^-\d]-?(?:(?:20)?(\d\d))?(\d\d)(\d\d)-/u;
/** A settlement follows its full hour; a liquidation can happen at any time. */
const SETTLED_WITHIN_MS = 60_000;

/**
 * Returns what the system closed by an order; null for others or without a fill. An unreadable filled quantity counts
 * as filled. The API gives deliveries the same source as liquidations: only a close right after a full hour of the
 * symbol's delivery day counts as one.
 */
export function systemCloseOf(order: HistoryOrder): SystemClose | null {
  if (order.source !== SYSTEM_SOURCE) return null;
  if (order.tradeQuantity !== null && !isPositive(calculated(order.tradeQuantity))) return null;
  const { id, positionId, symbolId, side, tradeQuantity, avgPrice, price, profit, marginMode, mtime } = order;
  return {
    kind: isDelivery(symbolId, order.orderTime) ? 'delivery' : 'liquidation',
    orderId: id,
    positionId,
    symbolId,
    side,
    quantity: tradeQuantity,
    price: [avgPrice, price].find(isPrice) ?? null,
    profit,
    // Margin and PnL share a coin; an order that locked nothing may name none.
    coin: order.lockAssetId === '' ? order.feeAssetId : order.lockAssetId,
    marginMode,
    at: mtime,
  };
}

function isDelivery(symbolId: string, at: number): boolean {
  const [, year, month, day] = DELIVERY_NAME.exec(symbolId) ?? [];
  if (month === undefined || day === undefined || at % HOUR_MS >= SETTLED_WITHIN_MS) return false;
  const date = new Date(at).toISOString();
  return date.slice(5, 10) === `${month}-${day}` && date.slice(2, 4) === (year ?? date.slice(2, 4));
}
