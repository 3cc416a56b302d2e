/** Breaks margin ratios down per coin: the requirement by position, and the cross equity. */
import { add, amount, calculated, isPositive, isZero, print, round, subtract, sum } from '../../amount.ts';
import type { AccountInfo, Asset, Position } from '../../exchange-api/account.ts';
import { isIsolated } from '../../exchange-api/enums.ts';
import type { SymbolConfig } from '../../exchange-api/symbol-config.ts';
import { type AccountHealth, accountHealth, isolatedRatio } from './account-health.ts';
import { isolatedCover, reportedRequirement } from '../margin/isolated-cover.ts';
import { coinsOf } from '../instrument/currencies.ts';
import type { MultiplierOf } from '../instrument/specs.ts';
import { isHeld } from '../../exchange-api/values.ts';
import { liquidationDistance, type PositionTier, positionTier } from '../position/metrics.ts';
import { crossEquity, type RatioUnit, shareOf } from '../margin/ratio-unit.ts';
import { ratioOf } from '../numeric/quotient.ts';

/** One position's part; values are null if missing, unreadable or not calculable. */
export interface MarginPart {
  readonly position: Position;
  /** Margin coin of the contract; null if the contract is unknown. */
  readonly coin: string | null;
  /** Ballast's valuation at the mark. */
  readonly valuation: PositionTier | null;
  /** Sum of maintenance margin and closing fee as reported. */
  readonly both: string | null;
}

export interface CrossPart extends MarginPart {
  /** Share of what the exchange reports or, if more, all parts require; computed by Ballast, null unless they are known. */
  readonly share: string | null;
}

export interface IsolatedPart extends MarginPart {
  /** Sum of margin and unrealised PnL. */
  readonly behind: string | null;
  /** `both` ÷ `behind`, a share computed by Ballast. */
  readonly ratio: string | null;
  /** Signed share from mark to liquidation price. */
  readonly distance: string | null;
  /** Grade of this position alone. */
  readonly health: AccountHealth;
}

/** A coin's cross margin; its other values are in the asset record. */
export interface CoinMargin {
  readonly asset: Asset;
  /** The exchange's rate as a share; null while its unit is unknown. */
  readonly share: string | null;
  /** Cross equity (`crossEquity`), computed by Ballast. */
  readonly equity: string | null;
  /** Maintenance ÷ equity, a share computed by Ballast; null unless the equity is above 0. */
  readonly ratio: string | null;
  readonly parts: readonly CrossPart[];
  /** Reported maintenance margin minus the parts; null if 0 or not comparable. */
  readonly rest: string | null;
}

export interface MarginBreakdown {
  /** Coins with cross positions or a cross requirement, also an unreadable one, in the account's order. */
  readonly coins: readonly CoinMargin[];
  readonly isolated: readonly IsolatedPart[];
  /** Cross positions of unknown contracts, whose coin is therefore unknown. */
  readonly unplaced: readonly Position[];
}

/**
 * @param unit the rate that means 100 % for coins; null while unknown
 * @param multiplierOf returns the multiplier of a contract
 */
export function marginBreakdown(
  account: AccountInfo,
  contracts: ReadonlyMap<string, SymbolConfig>,
  unit: RatioUnit | null,
  multiplierOf: MultiplierOf,
): MarginBreakdown {
  const parts = account.positions
    .filter(isHeld)
    .map((position) => partOf(position, contracts.get(position.symbolId), multiplierOf(position.symbolId)));
  const cross = parts.filter(({ position }) => !isIsolated(position));
  return {
    coins: account.assets
      .filter((asset) => isRequired(asset) || cross.some(({ coin }) => coin === asset.coin))
      .map((asset) => coinMargin(asset, cross, unit)),
    isolated: parts
      .filter(({ position }) => isIsolated(position))
      .map((part) => isolatedPart(part, account, unit)),
    unplaced: cross.filter(({ coin }) => coin === null).map(({ position }) => position),
  };
}

const isRequired = ({ crossedMaintainMargin: needed, crossedMaintainMarginRate: rate }: Asset): boolean =>
  [needed, rate].some((one) => one === null || !isZero(amount(one)));

function partOf(
  position: Position,
  contract: SymbolConfig | undefined,
  multiplier: string | null | undefined,
): MarginPart {
  const requirement = reportedRequirement(position);
  return {
    position,
    coin: contract === undefined ? null : coinsOf(contract).margin,
    valuation: positionTier(position, contract, multiplier),
    both: requirement === null ? null : print(requirement),
  };
}

function coinMargin(asset: Asset, cross: readonly MarginPart[], unit: RatioUnit | null): CoinMargin {
  const { coin, crossedMaintainMargin: maintenance, crossedMaintainMarginRate: rate } = asset;
  const equity = crossEquity(asset);
  const mine = cross.filter((one) => one.coin === coin);
  const sums = mine.map(({ both }) => both).filter((one) => one !== null);
  const whole = sum(sums.map((one) => calculated(one)));
  const isWhole = sums.length === mine.length;
  const rest = isWhole && maintenance !== null ? subtract(amount(maintenance), whole) : null;
  // What the parts do not explain has a share, too.
  const all = rest !== null && isPositive(rest) ? add(whole, rest) : whole;
  return {
    asset,
    share: shareOf(rate, unit),
    equity: equity === null ? null : print(equity),
    ratio: equity === null || maintenance === null ? null : ratioOf(amount(maintenance), equity),
    parts: mine.map((part) => ({
      ...part,
      share: isWhole && part.both !== null ? ratioOf(calculated(part.both), all) : null,
    })),
    rest: rest === null || isZero(rest) ? null : print(rest),
  };
}

function isolatedPart(part: MarginPart, account: AccountInfo, unit: RatioUnit | null): IsolatedPart {
  const { position } = part;
  const cover = isolatedCover(position);
  const ratio = isolatedRatio(position) ?? null;
  return {
    ...part,
    behind: cover === null ? null : print(cover.equity),
    ratio: ratio === null ? null : print(round(calculated(ratio), 10, 'half-up')),
    distance: liquidationDistance(position),
    health: accountHealth({ ...account, assets: [], positions: [position] }, unit),
  };
}
