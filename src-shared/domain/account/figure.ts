/** Defines preview values: a value, or the reason why there is none. */
import { type Amount, print, round } from '../../amount.ts';
import { attempt, given } from '../numeric/decimal-input.ts';

/** A value, or why there is none. */
export type Figure =
  { readonly value: string; readonly reason?: never } | { readonly value: null; readonly reason: string };
export const known = (value: string): Figure => ({ value });
export const unknown = (reason: string): Figure => ({ value: null, reason });

/** Returns a value of a record, or that it is missing or unreadable. */
export function figureOf<R extends object, K extends keyof R & string>(
  record: R & { readonly [P in K]: string | null },
  name: K,
): Figure {
  return estimated(() => known(given(record, name)));
}

/** Returns the figure of `work`, or why it cannot be calculated. */
export function estimated(work: () => Figure): Figure {
  const found = attempt(work);
  return found.ok ? found.value : unknown(found.reason);
}

export interface Change {
  readonly before: Figure;
  readonly after: Figure;
}

/** Reason for a missing margin ratio when no equity would be left: worse than any ratio. */
export const EQUITY_USED_UP = 'The coin’s equity would be used up.';

/** Reason for a liquidation price that does not exist, as opposed to an unknown one. */
export const NO_LIQUIDATION = 'No liquidation';

/** Returns a liquidation price as a figure. */
export const liquidationFigure = (price: string | null | undefined): Figure =>
  price === null || price === undefined ? unknown(NO_LIQUIDATION) : known(price);

/** Prints an estimate with at most 8 decimals, as many as a rounded average entry supports. */
export const shown = (value: Amount): string => print(round(value, 8, 'half-up'));
