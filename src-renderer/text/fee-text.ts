/** Fees beside results. */
import { signOf } from '../../src-shared/amount.ts';

/**
 * Returns a fee's effect on the balance, as every sum and result shows it beside PnL: negative for a charge, positive for
 * a rebate. Records, and files made of them, have the opposite sign.
 */
export function feeEffect(fee: string): string {
  if (signOf(fee) === 0) return '0';
  return fee.startsWith('-') ? fee.slice(1) : `-${fee}`;
}

export const FEES_TITLE = 'Negative if charged, positive for a rebate.';
