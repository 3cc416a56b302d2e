/**
 * The kind of an amount decides whether it is hidden: amounts of the account are, prices and an order's own are
 * not.
 */
import { getContext, setContext } from 'svelte';
import { shownAs } from '../text/shown-as.svelte.ts';

export type AmountKind =
  | 'account' // what the user has, earned or risks
  | 'order' // what is about to be sent: it has to be read before it is
  | 'price'; // prices, rates, limits of the exchange

const KIND = Symbol('kind of amounts');

/** In the ticket and in sheets: amounts without a kind of their own are the order's. */
export const amountsAreOfAnOrder = (): void => {
  setContext<AmountKind>(KIND, 'order');
};
/** In a sheet that shows the account and sends nothing. */
export const amountsAreOfTheAccount = (): void => {
  setContext<AmountKind>(KIND, 'account');
};
export const kindHere = (): AmountKind => getContext<AmountKind | undefined>(KIND) ?? 'account';

/** Whether an amount of this kind is to be hidden now. */
export const isHidden = (kind: AmountKind): boolean => kind === 'account' && shownAs.value.privacy;

/** By a field's name in the exchange API: `avgEntryPrice`, `feeRateMaker`, `leverage`. */
export const kindOfField = (name: string): AmountKind | undefined =>
  /price|rate|leverage/i.test(name) ? 'price' : undefined;
