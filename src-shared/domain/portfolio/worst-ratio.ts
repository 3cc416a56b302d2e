/** Finds an account's worst margin ratio, among its cross coins and its isolated positions. */
import { calculated, greater, isPositive } from '../../amount.ts';
import type { AccountInfo } from '../../exchange-api/account.ts';
import { isEquityUsedUp } from '../alerts/conditions.ts';
import { type RatioUnit, ratioUnits, shareOf } from '../margin/ratio-unit.ts';
import { isolatedRatio } from '../risk/account-health.ts';

export interface WorstRatio {
  /** Null if no ratio above 0 is known. */
  readonly share: string | null;
  /** The coin, or the contract of the isolated position. */
  readonly of: string | null;
  /** Coins and contracts whose ratio is not known; any of them may be worse. */
  readonly unrated: readonly string[];
}

/** @param setting the connection's unit of rates, where the figures do not show it */
export function worstRatio(account: AccountInfo, setting: RatioUnit | undefined): WorstRatio {
  const { unit } = ratioUnits(account, setting).margin;
  const unrated: string[] = [];
  let worst: { readonly share: string; readonly of: string } | null = null;
  const consider = (share: string | null | undefined, of: string): void => {
    if (share === undefined) unrated.push(of);
    else if (share !== null && isPositive(calculated(share)))
      if (worst === null || greater(calculated(share), calculated(worst.share))) worst = { share, of };
  };
  for (const asset of account.assets) {
    const share = shareOf(asset.crossedMaintainMarginRate, unit);
    consider(isEquityUsedUp(asset, share) ? '1' : (share ?? undefined), asset.coin);
  }
  for (const position of account.positions) consider(isolatedRatio(position), position.symbolId);
  return { share: null, of: null, ...(worst as WorstRatio | null), unrated };
}
