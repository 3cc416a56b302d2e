/** Values the positions left by fills and finds their liquidation prices. */
import { add, type Amount, amount, calculated, multiply, print, subtract } from '../../amount.ts';
import { attempt } from '../numeric/decimal-input.ts';
import { crossLiquidation, type CrossPosition, isolatedLiquidation } from '../margin/liquidation.ts';
import { maintenanceMargin, positionValue, type RiskTier, tierOf } from '../margin/margin.ts';
import { isPrice, type KnownContract, type AccountContext, unitsOf } from '../instrument/trading-context.ts';
import { exposureOf, knownPosition, mayBeCrossOf } from '../position/resolved.ts';
import { contractsBySymbol } from '../instrument/currencies.ts';
import { type Figure, known, NO_LIQUIDATION, unknown } from '../order/figure.ts';
import { profit } from '../margin/pnl.ts';
import { type Filled, type HeldLeg, markOf } from './fills.ts';
import type { Steps } from '../numeric/steps.ts';

export interface LegValuation {
  readonly value: string;
  readonly basis: 'mark' | 'entry';
  readonly tier: RiskTier | null;
  readonly profit: string;
  /** Maintenance margin and closing fee. */
  readonly maintenance: string;
}

/** Values a leg at its symbol's mark, else at its entry. Excludes `excludedGain` from the PnL. */
export function valuationOf(contract: KnownContract, leg: HeldLeg, context: AccountContext): LegValuation {
  const { convention } = context;
  const mark = markOf(contract, context);
  const price = mark ?? leg.entryPrice;
  const contractSide = contract.side;
  const quantity = unitsOf(contract, leg.quantity);
  const value = positionValue({ contractSide, quantity, price });
  const tiers = contract.config.riskLimitConfigs;
  const margin = tiers.length === 0 ? '0' : maintenanceMargin({ positionValue: value, tiers, convention });
  const fee = multiply(calculated(value), amount(contract.specs.feeRateTaker ?? '0'));
  return {
    value,
    basis: mark === null ? 'entry' : 'mark',
    tier: tiers.length === 0 ? null : tierOf(value, tiers),
    profit: print(
      subtract(
        calculated(
          profit({ contractSide, side: leg.side, quantity, entryPrice: leg.entryPrice, exitPrice: price }),
        ),
        leg.excludedGain,
      ),
    ),
    maintenance: print(add(calculated(margin), fee)),
  };
}

/** Computes liquidation prices of every leg in `coin`. A text as `wallet` is the reason why it is unknown. */
export function* liquidationSteps(
  coin: string,
  filled: Filled,
  wallet: Amount | string,
  context: AccountContext,
): Steps<ReadonlyMap<HeldLeg, Figure>> {
  const found = new Map<HeldLeg, Figure>();
  const crossed: { leg: HeldLeg | null; position: CrossPosition }[] = [];
  const bySymbol = contractsBySymbol(context.contracts);
  const records = { ...context, contractOf: (symbolId: string) => bySymbol.get(symbolId) };
  let doubt = typeof wallet === 'string' ? wallet : null;
  for (const { contract, legs } of filled.symbols) {
    if (contract.coins.margin !== coin) continue;
    for (const leg of legs) {
      yield;
      const exposure = crossPositionOf(contract, leg, context);
      if (!contract.isolated) crossed.push({ leg, position: exposure });
      else {
        const price = attempt(() => isolatedLiquidation({ ...exposure, margin: print(leg.margin) }));
        found.set(leg, price.ok ? figure(price.value) : unknown(price.reason));
      }
    }
  }
  for (const other of context.account?.positions ?? []) {
    yield;
    if (filled.symbols.some(({ contract }) => contract.config.symbolId === other.symbolId)) continue;
    if (!mayBeCrossOf(coin, other, records.contractOf)) continue;
    const one = knownPosition(other, records);
    if (typeof one === 'string') doubt ??= one;
    else {
      const { symbolId, markPrice } = other;
      const mark = context.marks?.get(symbolId) ?? (isPrice(markPrice) ? markPrice : one.entryPrice);
      const exposure = exposureOf(one, context.convention);
      crossed.push({ leg: null, position: { ...exposure, symbolId, markPrice: mark, feeRate: one.feeRate } });
    }
  }
  const positions = crossed.map(({ position }) => position);
  const prices =
    typeof wallet === 'string' || doubt !== null
      ? null
      : attempt(() => crossLiquidation({ walletBalance: print(wallet), positions, feeRate: '0' }));
  for (const [index, { leg }] of crossed.entries()) {
    if (leg === null) continue;
    found.set(leg, prices?.ok ? figure(prices.value[index]) : unknown(prices?.reason ?? doubt ?? ''));
  }
  return found;
}

const crossPositionOf = (
  contract: KnownContract,
  leg: Pick<HeldLeg, 'side' | 'quantity' | 'entryPrice'>,
  context: AccountContext,
) => ({
  symbolId: contract.config.symbolId,
  contractSide: contract.side,
  side: leg.side,
  quantity: unitsOf(contract, leg.quantity),
  entryPrice: leg.entryPrice,
  markPrice: markOf(contract, context) ?? leg.entryPrice,
  tiers: contract.config.riskLimitConfigs,
  convention: context.convention,
  feeRate: context.closingFee === false ? '0' : (contract.specs.feeRateTaker ?? '0'),
});

const figure = (price: string | null | undefined): Figure =>
  price === null || price === undefined ? unknown(NO_LIQUIDATION) : known(price);
