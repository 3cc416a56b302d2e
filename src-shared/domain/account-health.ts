/** How near the account is to losing a position: the worst of its cross coins and of every position. */
import { amount, calculated, divide, isPositive, ONE, print } from '../amount.ts';
import type { AccountInfo, Position } from '../interface/account.ts';
import { MARGIN_MODE, marginModeWord } from '../interface/enums.ts';
import { isolatedCover } from './alert-readings.ts';
import { distanceGrade, gradeOf, isWorse, type MarginGrade } from './margin-grade.ts';
import { liquidationDistance } from './position-figures.ts';

/** What decides the grade; shares as decimal text. */
export type HealthCause =
  | { readonly by: 'cross ratio'; readonly coin: string; readonly share: string }
  | { readonly by: 'isolated ratio' | 'distance'; readonly position: Position; readonly share: string };

export interface AccountHealth {
  readonly grade: MarginGrade;
  /** Null: nothing here can be liquidated. */
  readonly cause: HealthCause | null;
}

/** The first of the worst: cross ratios, then isolated ratios, then distances, each in the account's order. */
export function accountHealth(account: AccountInfo): AccountHealth {
  let worst: AccountHealth = { grade: 'healthy', cause: null };
  const weigh = (grade: MarginGrade, cause: HealthCause): void => {
    if (worst.cause === null || isWorse(grade, worst.grade)) worst = { grade, cause };
  };
  for (const { coin, crossedMaintainMarginRate: share } of account.assets)
    if (isPositive(amount(share))) weigh(gradeOf(amount(share)), { by: 'cross ratio', coin, share });
  for (const position of account.positions) {
    const share = isolatedRatio(position);
    if (share !== null) weigh(gradeOf(calculated(share)), { by: 'isolated ratio', position, share });
  }
  for (const position of account.positions) {
    const share = liquidationDistance(position);
    if (share !== null) weigh(distanceGrade(calculated(share)), { by: 'distance', position, share });
  }
  return worst;
}

/** Null for a cross position, or where the exchange sent no unrealised profit; 1 where nothing stands behind it. */
function isolatedRatio(position: Position): string | null {
  if (marginModeWord(position.marginMode) !== MARGIN_MODE.ISOLATED) return null;
  const cover = isolatedCover(position);
  if (cover === null || !isPositive(cover.needs)) return null;
  return print(isPositive(cover.stands) ? divide(cover.needs, cover.stands) : ONE);
}
