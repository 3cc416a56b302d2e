import { absolute, amount, calculated, compare, less, multiply, ZERO } from '../../src-shared/amount.ts';
import { shareText, type ShownText } from '../text/shown-text.ts';
import { barWidth } from './bar-width.ts';

const DANGER = amount('0.05');
const CAUTION = amount('0.1');
/** A quarter fills the bar. */
const TIMES = amount('4');

/** A way to liquidation with its bar: under 5 % danger, under 10 % caution, full at 25 % (design language, Tables). */
export function distanceText(
  share: string | null,
  options: { readonly estimate?: boolean | undefined } = {},
): ShownText {
  const shown = shareText(share, { signed: true, ...options });
  const size = share === null ? null : absolute(calculated(share));
  const tone = size === null || compare(size, CAUTION) >= 0 ? '' : less(size, DANGER) ? ' danger' : ' warn';
  const bar = barWidth(size === null ? ZERO : multiply(size, TIMES));
  return { ...shown, look: `percent distance${tone}`, bar };
}
