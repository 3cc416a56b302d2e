import { absolute, amount, calculated, multiply } from '../../../src-shared/amount.ts';
import { distanceTone } from '../../text/health-text.ts';
import { NO_VALUE, shareText, type ShownText } from '../../text/shown-text.ts';
import { barWidth } from '../chart/bars.ts';

/** A distance of 25 % fills the bar. */
const TIMES = amount('4');

/**
 * Writes the signed distance from the mark to liquidation: danger below 5 % or once past it, caution below 10 %, with a
 * bar.
 */
export function distanceText(
  share: string | null,
  side: string,
  options: { readonly estimate?: boolean | undefined } = {},
): ShownText & { readonly bar: number } {
  if (share === null) return { ...NO_VALUE, className: 'percent distance', bar: 0 };
  const distance = calculated(share);
  return {
    ...shareText(share, { signed: true, distance: true, ...options }),
    className: `percent distance ${distanceTone(share, side)}`.trim(),
    bar: barWidth(multiply(absolute(distance), TIMES)),
  };
}
