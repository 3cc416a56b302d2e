/** The confirmations an order needs before Send: boxes to tick and text to type. */
import { absolute, amount, calculated, less, printFixed } from '../../../src-shared/amount.ts';
import { gradeOf } from '../../../src-shared/domain/margin/severity.ts';
import type { OrderCheck } from '../../../src-shared/domain/order/check.ts';
import type { OrderPreview } from '../../../src-shared/domain/order/preview.ts';
import type { ReviewQuestion } from './review.svelte.ts';
import { percentText } from '../../text/estimate-text.ts';

export const isUnpriced = ({ id, state }: OrderCheck): boolean =>
  id === 'limit-reference' && state === 'warn';
export const isAboveLimit = ({ id, state }: OrderCheck): boolean =>
  id === 'limit-notional' && state === 'warn';

export function reviewQuestion(question: Omit<ReviewQuestion, 'ticks' | 'typed'>): ReviewQuestion {
  const { preview, checks, intent } = question;
  const ticks = preview === null ? [] : accountTicks(preview);
  const stale = checks.find(isUnpriced);
  if (stale) ticks.push(`No fresh price: ${stale.message}`);
  const aboveLimit = checks.find(isAboveLimit);
  const reverses = intent.request.reverseOrder === true;
  const word = preview?.contract.coins.base ?? intent.request.symbolId;
  const typed = aboveLimit
    ? { word, why: aboveLimit.message }
    : reverses
      ? { word, why: 'This closes the position and opens one on the other side.' }
      : null;
  return { ...question, ticks, typed };
}

/** Liquidation within this distance from the mark, percent, is graded danger (design language). */
const NEAR = amount('5');

function accountTicks({ before, after, effect, marginRatio, distance }: OrderPreview): string[] {
  const ticks: string[] = [];
  if (after?.tier && before?.tier && after.tier.level > before.tier.level && effect.opened !== '0') {
    const rate = percentText(after.tier.maintainMarginRate);
    ticks.push(`I accept tier ${String(after.tier.level)}, ${rate} maintenance`);
  }
  const ratio = marginRatio.after.value;
  if (effect.opened !== '0' && ratio !== null && gradeOf(calculated(ratio)) !== 'healthy') {
    ticks.push(`I accept a margin ratio of ≈ ${percentText(ratio, 1)}; at 100% the account is liquidated`);
  }
  const way = distance.after.value;
  if (effect.opened !== '0' && way !== null && less(absolute(calculated(way)), NEAR))
    ticks.push(`I accept liquidation ≈ ${printFixed(absolute(calculated(way)), 2, 'down')}% from the mark`);
  return ticks;
}
