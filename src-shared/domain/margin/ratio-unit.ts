/**
 * Detects whether an exchange's rates use 1 or 100 for 100 %, which is not documented, by comparing them with margin
 * and equity. Unknown without evidence or with conflicting evidence.
 */
import {
  absolute,
  add,
  amount,
  type Amount,
  greaterOrEqual,
  isPositive,
  isZero,
  lessOrEqual,
  multiply,
  print,
  round,
  subtract,
} from '../../amount.ts';
import type { AccountInfo, Asset, Position } from '../../exchange-api/account.ts';
import { isIsolated } from '../../exchange-api/enums.ts';
import { isolatedCover } from './isolated-cover.ts';

/** The rate that means 100 %. */
export type RatioUnit = '1' | '100';
export interface RatioFinding {
  readonly unit: RatioUnit | null;
  /** `figures`: detected; `setting`: no evidence, so the connection's setting is used. */
  readonly source: 'figures' | 'setting' | 'none';
}
export interface RatioUnits {
  /** `crossedMaintainMarginRate`, of coins and in the totals. */
  readonly margin: RatioFinding;
  /** `marginRate` of isolated positions. */
  readonly isolated: RatioFinding;
  /** `profitUnrealRate`. */
  readonly profit: RatioFinding;
}

/** Tolerated factor between a rate and our value: exchanges define margin and equity differently. */
const FACTOR = amount('3');
const HUNDRED = amount('100');
const HUNDREDTH = amount('0.01');
/** Most decimals `amount` parses. */
const MOST_DECIMALS = 40;

/** Detects the units; `setting` is used where the account shows no evidence. */
export function ratioUnits(account: AccountInfo | null, setting?: RatioUnit): RatioUnits {
  const assets = account?.assets ?? [];
  const positions = account?.positions ?? [];
  return {
    margin: finding(assets, coinEvidence, setting),
    isolated: finding(positions, isolatedEvidence, setting),
    profit: finding(positions, profitEvidence, setting),
  };
}

/** Converts a rate to a share, 1 for 100 %; null if the rate is missing or its unit unknown. Zero needs no unit. */
export function shareOf(rate: string | null, unit: RatioUnit | null): string | null {
  if (rate === null || unit === '1') return rate;
  const value = amount(rate);
  if (isZero(value)) return rate;
  return unit === null ? null : print(round(multiply(value, HUNDREDTH), MOST_DECIMALS, 'half-even'));
}

/** Returns why `shareOf` cannot give an asset's rate. */
export const unratedText = ({ coin, crossedMaintainMarginRate: rate }: Asset): string =>
  rate === null
    ? `the margin ratio of ${coin} cannot be read`
    : `the unit of the margin ratio of ${coin} is unknown (1 or 100 for 100%)`;

/** `unclear`: neither matches. Null: no evidence. */
type Evidence = RatioUnit | 'unclear' | null;

/** Stops at the first record that is unclear or contradicts the ones before it. */
function finding<R>(
  records: readonly R[],
  evidence: (record: R) => Evidence,
  setting: RatioUnit | undefined,
): RatioFinding {
  let unit: Evidence = null;
  for (const record of records) {
    const shown = evidence(record);
    if (shown === null || shown === unit) continue;
    unit = unit === null ? shown : 'unclear';
    if (unit === 'unclear') break;
  }
  if (unit !== null && unit !== 'unclear') return { unit, source: 'figures' };
  return setting === undefined ? { unit: null, source: 'none' } : { unit: setting, source: 'setting' };
}

function evidenceOf(rate: string | null, part: Amount | null, whole: Amount | null): Evidence {
  if (rate === null || part === null || whole === null) return null;
  if (!isPositive(whole) || isZero(part)) return null;
  const reported = absolute(amount(rate));
  // A rate cut to 0 by few decimals shows nothing.
  if (isZero(reported)) return null;
  // The rate times the whole is compared with the part: a division for each of 200 positions takes longer.
  const expected = absolute(part);
  const rated = multiply(reported, whole);
  const isNear = (value: Amount): boolean =>
    greaterOrEqual(multiply(rated, FACTOR), value) && lessOrEqual(rated, multiply(value, FACTOR));
  return isNear(expected) ? '1' : isNear(multiply(expected, HUNDRED)) ? '100' : 'unclear';
}

/**
 * Returns a coin's cross equity: balance − isolated margin − isolated locks + cross unrealised PnL
 * (docs/accounting.md); null if one is missing.
 */
export function crossEquity(asset: Asset): Amount | null {
  const { balance, isolatedMargin, isolatedLocked, crossProfitUnreal } = asset;
  if (balance === null || isolatedMargin === null || isolatedLocked === null || crossProfitUnreal === null)
    return null;
  const isolated = add(amount(isolatedMargin), amount(isolatedLocked));
  return add(subtract(amount(balance), isolated), amount(crossProfitUnreal));
}

const coinEvidence = (asset: Asset): Evidence =>
  evidenceOf(asset.crossedMaintainMarginRate, given(asset.crossedMaintainMargin), crossEquity(asset));

const given = (text: string | null): Amount | null => (text === null ? null : amount(text));

function isolatedEvidence(position: Position): Evidence {
  if (!isIsolated(position)) return null;
  const cover = isolatedCover(position);
  return cover === null ? null : evidenceOf(position.marginRate, cover.requirement, cover.equity);
}

const profitEvidence = ({ profitUnrealRate, profitUnreal, margin }: Position): Evidence =>
  evidenceOf(profitUnrealRate, given(profitUnreal), given(margin));
