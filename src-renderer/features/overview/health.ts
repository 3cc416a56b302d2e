/** Margin health of one coin's cross positions, by the definitions of accounting.md. */
import { add, amount, print, subtract } from '../../../src-shared/amount.ts';
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
}

export function healthOf(asset: Asset): Health {
  const isolated = add(amount(asset.isolatedMargin), amount(asset.isolatedLocked));
  const equity = add(subtract(amount(asset.balance), isolated), amount(asset.crossProfitUnreal));
  return {
    coin: asset.coin,
    rate: asset.crossedMaintainMarginRate,
    maintenance: asset.crossedMaintainMargin,
    crossEquity: print(equity),
    buffer: print(subtract(equity, amount(asset.crossedMaintainMargin))),
  };
}
