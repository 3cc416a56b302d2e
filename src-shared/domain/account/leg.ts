/** A leg of a contract, held or left by fills, and its value at a price. */
import { add, type Amount, amount, calculated, multiply, print } from '../../amount.ts';
import { type KnownContract, unitsOf } from '../instrument/trading-context.ts';
import { averageEntry, type Convention, maintenanceMargin, positionValue, tierOf } from '../margin/margin.ts';
import { profit } from '../margin/pnl.ts';
import { DomainError } from '../numeric/decimal-input.ts';
import type { OrderSide } from '../../exchange-api/enums.ts';
import type { RiskTier } from '../../exchange-api/symbol-config.ts';

export interface Leg {
  readonly side: OrderSide;
  /** In the order's unit. */
  readonly quantity: string;
  readonly entryPrice: string;
}

/** Returns the gross PnL of closing the leg at `price`, in the margin coin. */
export const profitOf = (contract: KnownContract, leg: Leg, price: string): Amount =>
  calculated(
    profit({
      contractSide: contract.side,
      side: leg.side,
      quantity: unitsOf(contract, leg.quantity),
      entryPrice: leg.entryPrice,
      exitPrice: price,
    }),
  );

/** Returns a leg with more of its side, at their average entry. */
export function joined(contract: KnownContract, before: Leg, added: Leg): Leg {
  const fills = [before, added].map((leg) => [leg.quantity, leg.entryPrice] as const);
  return {
    side: before.side,
    quantity: print(add(calculated(before.quantity), calculated(added.quantity))),
    entryPrice: averageEntry({ contractSide: contract.side, fills }),
  };
}

/** A leg with its value at a price and the tier of it; no tier without a tier table. */
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

/** Returns maintenance margin and closing fee of a leg; a fee of unknown rate is 0. Throws DomainError without tiers. */
export function requirementOfLeg(contract: KnownContract, { maintenance, value }: ValuedLeg): Amount {
  if (maintenance === null) throw new DomainError('risk tiers', contract.config.symbolId, 'are missing');
  const fee = multiply(calculated(value), amount(contract.specs.feeRateTaker ?? '0'));
  return add(calculated(maintenance), fee);
}
