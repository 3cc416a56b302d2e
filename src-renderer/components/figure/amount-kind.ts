/**
 * The kind of an amount decides whether it can be hidden: amounts of the account can, prices and the amounts of an
 * order cannot.
 */
import { getContext, setContext } from 'svelte';
import { shownAs } from '../../text/shown-as.svelte.ts';

export type AmountKind =
  | 'account' // what the user holds, earns or risks
  | 'order' // what is about to be sent: the user has to read it first
  | 'price'; // prices, rates and limits of the exchange

const KIND = Symbol('kind of amounts');
const WHOLE = Symbol('amounts with all digits');

/** Makes `order` the default kind of the amounts in a component: in the ticket and in sheets. */
export const amountsAreOfAnOrder = (): void => {
  setContext<AmountKind>(KIND, 'order');
};
/** For a dialog, read before it is confirmed: as `amountsAreOfAnOrder`, and not even the account’s amounts are cut. */
export const amountsAreConfirmed = (): void => {
  amountsAreOfAnOrder();
  setContext(WHOLE, true);
};
/** Makes `account` the default kind, in a sheet that shows the account and sends nothing. */
export const amountsAreOfTheAccount = (): void => {
  setContext<AmountKind>(KIND, 'account');
  setContext(WHOLE, false);
};
/** Reports whether every amount of the surrounding component is shown with all its digits. */
export const wholeHere = (): boolean => getContext<boolean | undefined>(WHOLE) ?? false;
export const kindHere = (): AmountKind => getContext<AmountKind | undefined>(KIND) ?? 'account';

export const isHidden = (kind: AmountKind): boolean => kind === 'account' && shownAs.value.privacy;

/** Returns the kind by a field's name in the exchange API: `avgEntryPrice`, `feeRateMaker`, `leverage`. */
export const kindOfField = (name: string): AmountKind | undefined =>
  /price|rate|leverage/i.test(name) ? 'price' : undefined;
