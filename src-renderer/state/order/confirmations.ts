/** The confirmations an order needs before Send: boxes to tick and text to type. */
import { calculated, isPositive } from '../../../src-shared/amount.ts';
import { gradeOf, headroomGrade, printDistance } from '../../../src-shared/domain/margin/severity.ts';
import type { OrderCheck } from '../../../src-shared/domain/order/check.ts';
import { higherTier, type OrderPreview } from '../../../src-shared/domain/order/preview.ts';
import { orderRisk } from '../../../src-shared/domain/order/risk.ts';
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

function accountTicks(preview: OrderPreview): string[] {
  const risk = orderRisk([preview]);
  if (risk === null) return [];
  const { ratio, distance } = risk;
  const ticks: string[] = [];
  const tier = higherTier(preview)?.to;
  if (tier) {
    const rate = percentText(tier.maintainMarginRate);
    ticks.push(`I accept tier ${tier.level}, ${rate} maintenance`);
  }
  return [...ticks, ...ratioTicks(ratio), ...nearTicks(distance)];
}

/** @param ratio a share; null if unknown */
export function ratioTicks(ratio: string | null, where = ''): string[] {
  if (ratio === null || gradeOf(calculated(ratio)) === 'healthy') return [];
  return [`I accept a margin ratio of ≈ ${percentText(ratio, 1)}${where}; liquidation is at 100%`];
}

/** @param distance left to liquidation, a share; null without a liquidation price */
export function nearTicks(distance: string | null, of = ''): string[] {
  if (distance === null || headroomGrade(calculated(distance)) !== 'danger') return [];
  return isPositive(calculated(distance))
    ? [`I accept liquidation${of} ≈ ${printDistance(calculated(distance))}% from the mark`]
    : [`I accept that the mark is past the liquidation price${of}`];
}
