/** What values of single fields mean. */
import { signOf } from '../amount.ts';
import type { Position } from './account.ts';

/** Reports whether a record has anything of a position: the API may list one of quantity 0. An unread quantity counts. */
export const isHeld = ({ quantity }: Pick<Position, 'quantity'>): boolean =>
  quantity === null || signOf(quantity) !== 0;

/** Reports whether a price field has a price: null, empty, 0 and anything below it mean none. */
export const isPrice = (text: string | null): text is string =>
  text !== null && text !== '' && !/^(?:-|0(?:\.0*)?$)/.test(text);
/** Returns the price of such a field; null if it has none. */
export const priceOrNull = (text: string | null): string | null => (isPrice(text) ? text : null);
