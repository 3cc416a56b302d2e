/** Finds the user's newest fill, whose price stands for the market's where the exchange API gives none. */
import { SYSTEM_SOURCE } from '../../exchange-api/enums.ts';
import type { HistoryOrder } from '../../exchange-api/order-history.ts';
import type { Trade } from '../../exchange-api/trade.ts';
import { isPrice } from '../../exchange-api/values.ts';
import type { DatedPrice } from '../instrument/reference-prices.ts';

/**
 * Returns the newest fill of a contract at a price of the market, timed by the exchange's clock; null without one. Fills
 * of the system are none: a liquidation is taken over at a price of its own.
 *
 * @param trades of the contract, newest first
 * @param orders of the contract
 */
export function newestFill(trades: readonly Trade[], orders: readonly HistoryOrder[]): DatedPrice | null {
  const system = new Set(orders.filter(isOfSystem).map(({ id }) => id));
  const trade = trades.find(({ orderId, price }) => isPrice(price) && !system.has(orderId));
  const price = trade?.price ?? null;
  let newest = trade && isPrice(price) ? { price, at: trade.tradeTime } : null;
  for (const order of orders) {
    const { avgPrice, mtime } = order;
    // Without a fill it may be 0.
    if (!isPrice(avgPrice) || isOfSystem(order) || !isUpdatedByFill(order)) continue;
    if (newest === null || mtime > newest.at) newest = { price: avgPrice, at: mtime };
  }
  return newest;
}

const isOfSystem = ({ source }: HistoryOrder): boolean => source === SYSTEM_SOURCE;

/** Reports whether the last update of an order with a fill was that fill: a resting order may be cancelled days after it. */
const isUpdatedByFill = ({ status, type, timeInForce }: HistoryOrder): boolean =>
  status === 'NEW' ||
  status === 'FILLED' ||
  type === 'MARKET' ||
  timeInForce === 'IOC' ||
  timeInForce === 'FOK';
