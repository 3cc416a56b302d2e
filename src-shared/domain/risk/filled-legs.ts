/** Values the positions left by fills and finds their liquidation prices. */
import { type Amount, calculated, print, subtract } from '../../amount.ts';
import { attempt } from '../numeric/decimal-input.ts';
import { type CrossPosition, isolatedLiquidation } from '../margin/liquidation.ts';
import type { RiskTier } from '../margin/margin.ts';
import { isPrice, type KnownContract, type AccountContext, unitsOf } from '../instrument/trading-context.ts';
import { crossOf, CrossPositions } from '../position/cross-positions.ts';
import { assumedHolding, crossPosition, exposureOf, recordsOf } from '../position/resolved.ts';
import { estimated, type Figure, liquidationFigure, unknown } from '../order/figure.ts';
import { profit } from '../margin/pnl.ts';
import { requirementOfLeg, valueLeg } from '../order/valued-leg.ts';
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
  const mark = markOf(contract, context);
  const price = mark ?? leg.entryPrice;
  const valued = valueLeg(contract, leg, price, context.convention);
  const { side, entryPrice } = leg;
  const quantity = unitsOf(contract, leg.quantity);
  const gain = profit({ contractSide: contract.side, side, quantity, entryPrice, exitPrice: price });
  return {
    value: valued.value,
    basis: mark === null ? 'entry' : 'mark',
    tier: valued.tier,
    profit: print(subtract(calculated(gain), leg.excludedGain)),
    maintenance: print(requirementOfLeg(contract, valued)),
  };
}

/** Computes liquidation prices of every leg in `coin`. A text as `wallet` is the reason why it is unknown. */
export function* liquidationSteps(
  coin: string,
  filled: Filled,
  wallet: Amount | string,
  context: AccountContext,
): Steps<ReadonlyMap<HeldLeg, Figure>> {
  const { convention } = context;
  const found = new Map<HeldLeg, Figure>();
  const crossed = new Map<HeldLeg, CrossPosition>();
  for (const { contract, legs } of filled.symbols) {
    if (contract.coins.margin !== coin) continue;
    for (const leg of legs) {
      yield;
      const own = assumedHolding(contract, leg, context);
      const mark = markOf(contract, context) ?? leg.entryPrice;
      if (!contract.isolated) crossed.set(leg, crossPosition(own, mark, convention));
      else {
        const of = { ...exposureOf(own, convention), margin: print(leg.margin) };
        found.set(
          leg,
          estimated(() => liquidationFigure(isolatedLiquidation(of))),
        );
      }
    }
  }
  yield;
  const prices = crossPricesOf(coin, filled, wallet, [...crossed.values()], context);
  for (const [index, leg] of [...crossed.keys()].entries())
    found.set(leg, typeof prices === 'string' ? unknown(prices) : liquidationFigure(prices[index]));
  return found;
}

/** Returns the prices of the cross positions left, beside those of contracts without fills. */
function crossPricesOf(
  coin: string,
  filled: Filled,
  wallet: Amount | string,
  own: readonly CrossPosition[],
  context: AccountContext,
): readonly (string | null)[] | string {
  if (typeof wallet === 'string') return wallet;
  const touched = new Set(filled.symbols.map(({ contract }) => contract.config.symbolId));
  const others = (context.account?.positions ?? []).filter(({ symbolId }) => !touched.has(symbolId));
  const members = crossOf(coin, others, recordsOf(context), ({ position, entryPrice }) => {
    const { symbolId, markPrice } = position;
    return context.marks?.get(symbolId) ?? (isPrice(markPrice) ? markPrice : entryPrice);
  });
  if (typeof members === 'string') return members;
  const prices = attempt(() =>
    CrossPositions.of(members, null, context.convention).liquidationPrices(wallet, own),
  );
  return prices.ok ? prices.value : prices.reason;
}
