/** Estimates the liquidation price of the position after an order, by docs/accounting.md. */
import { add, type Amount, calculated, print } from '../../amount.ts';
import { contractsBySymbol } from '../instrument/currencies.ts';
import { excessOf, type Requirement, requirementAt } from '../position/requirement.ts';
import { DomainError } from '../numeric/decimal-input.ts';
import { exposureOf, knownPosition, mayBeCrossOf } from '../position/resolved.ts';
import { crossLiquidation, type CrossPosition, isolatedLiquidation } from '../margin/liquidation.ts';
import type { AccountAfter } from './account-after.ts';
import { isPrice, type KnownContract, type OrderContext, unitsOf } from '../instrument/trading-context.ts';
import type { OrderEffect } from './fill-effect.ts';
import { type Figure, known, NO_LIQUIDATION, unknown } from './figure.ts';

export interface LiquidationQuestion {
  readonly contract: KnownContract;
  readonly effect: OrderEffect;
  readonly account: AccountAfter;
  readonly markPrice: string;
  readonly context: OrderContext;
}

/**
 * Returns the price, `NO_LIQUIDATION` if none liquidates it, or what is unknown. An unknown fee rate counts as 0, which
 * the preview shows at the fee.
 */
export function liquidationAfter(question: LiquidationQuestion): Figure {
  const { contract, effect, account, context } = question;
  const leg = effect.after;
  if (leg === null) return unknown('Closed');
  const feeRate = closingRate(contract.specs.feeRateTaker, context);
  const own = {
    contractSide: contract.side,
    ...leg,
    quantity: unitsOf(contract, leg.quantity),
    tiers: contract.config.riskLimitConfigs,
    convention: context.convention,
  };
  try {
    if (contract.isolated) {
      return figure(isolatedLiquidation({ ...own, margin: account.posted, feeRate }));
    }
    if (account.walletBalance === null) return unknown(`No ${contract.coins.margin} in the account.`);
    const others = otherPositions(question);
    if (typeof others === 'string') return unknown(others);
    const mine: CrossPosition = {
      ...own,
      symbolId: contract.config.symbolId,
      markPrice: question.markPrice,
      feeRate,
    };
    const [price = null] = crossLiquidation({
      walletBalance: print(add(calculated(account.walletBalance), others.excess)),
      positions: [mine, ...others.legs],
      feeRate,
    });
    return figure(price);
  } catch (error) {
    // Exchange records can be invalid for the formulas, such as tiers with a gap or a mark of 0.
    if (error instanceof DomainError) return unknown(error.message);
    throw error;
  }
}

const closingRate = (taker: string | null, { closingFee }: OrderContext): string =>
  closingFee === false ? '0' : (taker ?? '0');

const figure = (price: string | null): Figure => (price === null ? unknown(NO_LIQUIDATION) : known(price));

interface Others {
  /** The symbol's own other leg, which moves with its price. */
  readonly legs: readonly CrossPosition[];
  /** Excess of the other symbols' positions, constant while this symbol moves. */
  readonly excess: Amount;
}

/** Returns the coin's other cross positions, or why one of them cannot be valued. */
function otherPositions({ contract, effect, context, markPrice }: LiquidationQuestion): Others | string {
  const legs: CrossPosition[] = [];
  const requirements: Requirement[] = [];
  const bySymbol = contractsBySymbol(context.contracts);
  const estimates = {
    contractOf: (symbolId: string) => bySymbol.get(symbolId),
    specs: context.specs,
    ...(context.closingFee === undefined ? {} : { closingFee: context.closingFee }),
  };
  for (const position of context.account?.positions ?? []) {
    if (position === effect.position) continue;
    if (!mayBeCrossOf(contract.coins.margin, position, estimates.contractOf)) continue;
    const one = knownPosition(position, estimates);
    if (typeof one === 'string') return one;
    const { symbolId } = position;
    if (symbolId === contract.config.symbolId)
      legs.push({ ...exposureOf(one, context.convention), symbolId, markPrice, feeRate: one.feeRate });
    else {
      const mark = [position.markPrice, position.lastPrice].find(isPrice);
      if (mark === undefined) return `${symbolId} has no mark price.`;
      requirements.push(requirementAt(one, mark, context.convention));
    }
  }
  return { legs, excess: excessOf(requirements) };
}
