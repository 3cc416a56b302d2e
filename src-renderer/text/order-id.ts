import { folded } from '../../src-shared/folded.ts';

/** Returns an order ID as typed, in ASCII digits; '' for none. */
export const typedOrderId = (text: string): string => folded(text.trim());

/** Returns what is wrong with it; null if nothing is. */
export const orderIdFault = (text: string): string | null =>
  /^\d{0,20}$/.test(typedOrderId(text)) ? null : 'Digits only, at most 20';
