/** Computes the PnL of a position between two prices. */
import { multiply, subtract } from '../../amount.ts';
import { fraction, printFraction, whole } from '../numeric/fraction.ts';
import { positive } from '../numeric/decimal-input.ts';
import type { ContractSide, OrderSide } from '../../exchange-api/enums.ts';

/**
 * Returns the gross PnL (before fees and funding) of closing `quantity` at `exitPrice`. Linear long: quantity × (exit −
 * entry). Inverse long: quantity × (1/entry − 1/exit). Short: the negative. Throws DomainError for inputs not above 0.
 * Source: help.bybit.com, "P&L calculations"; deribit.com docs, example futures.
 */
export function profit(input: {
  contractSide: ContractSide;
  side: OrderSide;
  quantity: string;
  entryPrice: string;
  exitPrice: string;
}): string {
  const quantity = positive('quantity', input.quantity);
  const entry = positive('entryPrice', input.entryPrice);
  const exit = positive('exitPrice', input.exitPrice);
  const gain = multiply(quantity, input.side === 'BUY' ? subtract(exit, entry) : subtract(entry, exit));
  // 1/entry − 1/exit = (exit − entry) / (entry × exit): one division instead of two.
  return printFraction(
    input.contractSide === 'FORWARD' ? whole(gain) : fraction(gain, multiply(entry, exit)),
  );
}

/**
 * Returns the unrealised PnL at `markPrice` of what a fill opens, at most 0: an order priced better than the mark fills
 * only once the market reaches its price, so a gain at today's mark never exists. Inputs and failures as `profit`.
 */
export function openedProfit(input: {
  contractSide: ContractSide;
  side: OrderSide;
  quantity: string;
  entryPrice: string;
  markPrice: string;
}): string {
  const atMark = profit({ ...input, exitPrice: input.markPrice });
  return atMark.startsWith('-') ? atMark : '0';
}
