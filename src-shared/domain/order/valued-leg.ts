/** Values the leg of a contract that is held, or left by fills. */
import { add, type Amount, amount, calculated, multiply } from '../../amount.ts';
import { type KnownContract, unitsOf } from '../instrument/trading-context.ts';
import {
  type Convention,
  maintenanceMargin,
  positionValue,
  type RiskTier,
  tierOf,
} from '../margin/margin.ts';
import type { Leg } from './fill-effect.ts';

/** A position of the symbol: quantity, value at mark, tier; no tier without a tier table. */
export interface ValuedLeg {
  readonly leg: Leg;
  readonly value: string;
  readonly tier: RiskTier | null;
  readonly maintenance: string | null;
}

/** Values a leg at `price`. */
export function valueLeg(
  contract: KnownContract,
  leg: Leg,
  price: string,
  convention: Convention,
): ValuedLeg {
  const quantity = unitsOf(contract, leg.quantity);
  const value = positionValue({ contractSide: contract.side, quantity, price });
  const tiers = contract.config.riskLimitConfigs;
  if (tiers.length === 0) return { leg, value, tier: null, maintenance: null };
  const maintenance = maintenanceMargin({ positionValue: value, tiers, convention });
  return { leg, value, tier: tierOf(value, tiers), maintenance };
}

/** Returns maintenance margin and closing fee of a leg; without tiers or fee rate that part is 0. */
export const requirementOfLeg = (contract: KnownContract, { maintenance, value }: ValuedLeg): Amount =>
  add(
    calculated(maintenance ?? '0'),
    multiply(calculated(value), amount(contract.specs.feeRateTaker ?? '0')),
  );
