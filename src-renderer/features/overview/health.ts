/** Margin health of one coin's cross positions, by the definitions of accounting.md. */
import { add, amount, print, subtract } from '../../../src-shared/amount.ts';
import { gradeOf, type MarginGrade } from '../../../src-shared/domain/margin-grade.ts';
import type { Asset } from '../../../src-shared/interface/account.ts';

export interface Health {
  readonly coin: string;
  /** As the exchange reports it; at 1 it liquidates. */
  readonly rate: string;
  readonly maintenance: string;
  /** balance − isolated margin − isolated locks + cross unrealised: the rate's divisor. Ours: ≈. */
  readonly crossEquity: string;
  /** Cross equity − maintenance margin: what may be lost before liquidation. Ours: ≈. */
  readonly buffer: string;
  readonly grade: MarginGrade;
}

/** Null where a figure of the coin was not given or could not be read. */
export function healthOf(asset: Asset): Health | null {
  const { isolatedMargin, isolatedLocked, balance, crossProfitUnreal } = asset;
  const { crossedMaintainMargin: maintenance, crossedMaintainMarginRate: rate } = asset;
  if (isolatedMargin === null || isolatedLocked === null || balance === null) return null;
  if (crossProfitUnreal === null || maintenance === null || rate === null) return null;
  const isolated = add(amount(isolatedMargin), amount(isolatedLocked));
  const equity = add(subtract(amount(balance), isolated), amount(crossProfitUnreal));
  return {
    coin: asset.coin,
    rate,
    maintenance,
    crossEquity: print(equity),
    buffer: print(subtract(equity, amount(maintenance))),
    grade: gradeOf(amount(rate)),
  };
}
