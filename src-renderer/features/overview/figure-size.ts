/** Measures how wide a large figure is, so that its font size can be made to fit. */
import type { CoinDecimals } from '../../text/shown-as.svelte.ts';
import { numberText } from '../../text/number-text.ts';

// Inter 600 with tabular figures, measured: a digit or sign, and a comma or point, in em.
const DIGIT = 0.66;
const MARK = 0.31;
/** `Amount` with `large` sets the decimals at this size, relative to the figure. */
const FINE = 0.66;

/** Width of a figure as `<Amount large>` shows it, em. */
export function emsOf(text: string | null, signed = false, cut: CoinDecimals | null = null): number {
  // Space for a text instead of a figure.
  if (text === null) return 8;
  const { sign, groups, fraction } = numberText(text, { signed, cut });
  const whole = (groups.join('').length + sign.length) * DIGIT + (groups.length - 1) * MARK;
  const decimals = fraction === '' ? 0 : (fraction.length - 1) * DIGIT + MARK;
  return whole + decimals * (fraction.length > 5 ? FINE : 1);
}
