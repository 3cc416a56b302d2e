/**
 * Extends risk tiers with computed columns: maintenance margin at the top, the size that fills it, and where position
 * and draft are. Ballast's own values, marked ≈ in the window.
 */
import { amount, calculated, isPositive, less, print, round } from '../../amount.ts';
import type { RiskTier, SymbolConfig } from '../../exchange-api/symbol-config.ts';
import { sideOf } from './currencies.ts';
import { DomainError } from '../numeric/decimal-input.ts';
import { type Convention, maintenanceMargin, quantityWorth, tierOf } from '../margin/margin.ts';
import { quotient } from '../numeric/quotient.ts';

/** A tier relative to the position: below it, containing it, or reached by the draft. */
export type TierUse =
  | { readonly kind: 'passed' }
  /** Position value ÷ the tier's top. */
  | { readonly kind: 'position'; readonly share: string }
  | { readonly kind: 'draft'; readonly higher: boolean };

export interface TierLine {
  readonly tier: RiskTier;
  /** In the margin coin, by the connection's tier convention. */
  readonly maintenanceAtTop: string;
  /** In the order's unit; null without a price. */
  readonly topQuantity: string | null;
  readonly use: TierUse | null;
}

export interface TierInput {
  readonly config: SymbolConfig;
  readonly convention: Convention;
  readonly price: string | null;
  /** Base coin (inverse: quote units) that one of the order's units stands for; null for 1. */
  readonly multiplier: string | null;
  /** Values in the margin coin; null without a position or a draft. */
  readonly position: string | null;
  readonly draft: string | null;
}

export type TierResult =
  | { readonly ok: true; readonly lines: readonly TierLine[] }
  /** The tiers cannot be calculated: unknown contract side or an invalid list. */
  | { readonly ok: false; readonly reason: string };

const QUANTITY_DECIMALS = 10;

/** Returns a contract's tiers with the computed columns, or why they cannot be calculated. */
export function tierLines(input: TierInput): TierResult {
  const { config, convention, price, multiplier, position, draft } = input;
  const tiers = config.riskLimitConfigs;
  const side = sideOf(config);
  if (side === null) return { ok: false, reason: `unknown contract side ${config.contractSide}` };
  try {
    const held = position === null ? null : tierOf(position, tiers);
    const drafted = draft === null ? null : tierOf(draft, tiers);
    const use = (tier: RiskTier): TierUse | null => {
      if (position !== null && tier === held) {
        const top = calculated(tier.maxPositionValue);
        return { kind: 'position', share: quotient(calculated(position), top, 6) };
      }
      if (tier === drafted)
        return { kind: 'draft', higher: held === null || tiers.indexOf(held) < tiers.indexOf(tier) };
      return held !== null && tiers.indexOf(tier) < tiers.indexOf(held) ? { kind: 'passed' } : null;
    };
    const quantity = (top: string): string | null => {
      if (price === null || !isPositive(amount(price))) return null;
      const exact = quantityWorth(side, amount(top), amount(price), calculated(multiplier ?? '1'));
      // Rounded down: a size rounded up would be in the next tier.
      return print(round(exact, QUANTITY_DECIMALS, 'down'));
    };
    const lines = tiers.map((tier) => ({
      tier,
      maintenanceAtTop: maintenanceMargin({ positionValue: tier.maxPositionValue, tiers, convention }),
      topQuantity: quantity(tier.maxPositionValue),
      use: use(tier),
    }));
    return { ok: true, lines };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { ok: false, reason: error.message };
  }
}

/** Returns the largest position value. Tiers apply per leg, so in hedge mode the larger leg determines the tier. */
export function largestValue(values: readonly string[]): string | null {
  let largest: string | null = null;
  for (const value of values)
    if (largest === null || less(calculated(largest), calculated(value))) largest = value;
  return largest;
}
