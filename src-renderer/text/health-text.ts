/** Texts of an account's grade and its cause. */
import { absolute, calculated, isPositive, print } from '../../src-shared/amount.ts';
import { distanceGrade, headroomOf } from '../../src-shared/domain/margin/severity.ts';
import type { AccountHealth, HealthCause } from '../../src-shared/domain/risk/account-health.ts';
import { plainDistance, plainPercent } from './number-text.ts';

/** The class of a figure with this grade. */
export const GRADE_TONES = { healthy: '', caution: 'warn', danger: 'danger' } as const;
/** The class of a distance to liquidation, as a share; '' for one that is not known. */
export const distanceTone = (share: string | null, side: string): string =>
  share === null ? '' : GRADE_TONES[distanceGrade(calculated(share), side)];

/** Says how far a position is from liquidation: `9.39% from liquidation`. */
export const liquidationAway = (share: string, side: string): string =>
  isPositive(headroomOf(calculated(share), side))
    ? `${plainDistance(print(absolute(calculated(share))), false)} from liquidation`
    : 'past its liquidation price';

const GRADES = { healthy: 'Healthy', caution: 'Caution', danger: 'Danger' } as const;

export function gradeText({ grade, cause }: AccountHealth): string {
  if (grade === null) return 'Not rated';
  if (grade === 'healthy' || cause === null) return GRADES[grade];
  return `${GRADES[grade]}: ${'position' in cause ? cause.position.symbolId : `cross ${cause.coin}`}`;
}

/** Returns the cause and how near it is, short enough for a tag. */
export function nearText({ grade, cause }: AccountHealth): string {
  if (grade === null || cause === null) return 'Not rated';
  if (cause.by === 'equity') return `${cause.coin} used up`;
  const share = cause.by === 'distance' ? plainDistance(cause.share) : plainPercent(cause.share);
  return `${'position' in cause ? cause.position.symbolId : cause.coin} ${share}`;
}

export function healthText({ grade, cause, unknown }: AccountHealth): string {
  const gaps = unknownText(unknown);
  if (grade === null) return `Not rated: ${gaps}`;
  const decided = cause === null ? 'Nothing can be liquidated' : causeText(cause);
  return gaps === '' ? decided : `${decided}. Not known: ${gaps}`;
}

function unknownText([first, ...more]: readonly string[]): string {
  if (first === undefined) return '';
  return more.length === 0 ? first : `${first}, and ${more.length} more`;
}

function causeText(cause: HealthCause): string {
  if (cause.by === 'equity') return `The cross equity of ${cause.coin} is used up`;
  const share = plainPercent(print(absolute(calculated(cause.share))));
  if (cause.by === 'cross ratio') return `${cause.coin} cross margin ratio ${share}`;
  const { symbolId } = cause.position;
  if (cause.by === 'isolated ratio') return `${symbolId} isolated margin ratio ≈ ${share}`;
  return `${symbolId} is ${liquidationAway(cause.share, cause.position.side)}`;
}

/** The name of an isolated position's margin ratio, or of the one its coin's cross positions share. */
export const ratioLabel = (coin: string, isIsolated: boolean): string =>
  isIsolated ? 'Margin ratio, isolated' : `${coin} cross ratio`;
