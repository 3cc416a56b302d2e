/** Margin health of one coin's cross positions, by the definitions of docs/accounting.md. */
import { amount, type Amount, print, subtract } from '../../../src-shared/amount.ts';
import { crossEquity, type RatioUnit, shareOf } from '../../../src-shared/domain/margin/ratio-unit.ts';
import type { Asset } from '../../../src-shared/exchange-api/account.ts';

export interface Health {
  readonly coin: string;
  /** As the exchange reports it. */
  readonly rate: string;
  /** The rate as a share, with liquidation at 1; null while its unit is not known. */
  readonly share: Amount | null;
  readonly maintenance: string;
  /**
   * balance − isolated margin − isolated locks + cross unrealised PnL, which the rate divides by. Calculated by
   * Ballast: ≈.
   */
  readonly crossEquity: string;
  /** Cross equity − maintenance margin: what may be lost before liquidation. Calculated by Ballast: ≈. */
  readonly buffer: string;
}

/** Returns null if a figure of the coin is missing or could not be read. */
export function healthOf(asset: Asset, unit: RatioUnit | null): Health | null {
  const equity = crossEquity(asset);
  const { crossedMaintainMargin: maintenance, crossedMaintainMarginRate: rate } = asset;
  if (equity === null || maintenance === null || rate === null) return null;
  const share = shareOf(rate, unit);
  return {
    coin: asset.coin,
    rate,
    share: share === null ? null : amount(share),
    maintenance,
    crossEquity: print(equity),
    buffer: print(subtract(equity, amount(maintenance))),
  };
}
