import { absolute, amount, calculated, multiply, ZERO } from '../../src-shared/amount.ts';
import { distanceGrade } from '../../src-shared/domain/margin/severity.ts';
import { shareText, type ShownText } from '../text/shown-text.ts';
import { barWidth } from './bar-width.ts';

const TONES = { healthy: '', caution: ' warn', danger: ' danger' } as const;
/** A quarter fills the bar. */
const TIMES = amount('4');

/** A way to liquidation with its bar: under 5 % danger, under 10 % caution, full at 25 % (design language, Tables). */
export function distanceText(
  share: string | null,
  options: { readonly estimate?: boolean | undefined } = {},
): ShownText {
  const shown = shareText(share, { signed: true, ...options });
  const size = share === null ? null : absolute(calculated(share));
  const tone = size === null ? '' : TONES[distanceGrade(size)];
  const bar = barWidth(size === null ? ZERO : multiply(size, TIMES));
  return { ...shown, look: `percent distance${tone}`, bar };
}
