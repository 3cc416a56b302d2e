/** Liquidation price of the position an order leaves behind: Ballast's estimate by accounting.md's rule. */
import type { Position } from '../interface/account.ts';
import { marginModeWord } from '../interface/enums.ts';
import { coinsOf, sideOf } from './contract-coins.ts';
import { DomainError } from './input.ts';
import { crossLiquidation, type CrossPosition, isolatedLiquidation } from './liquidation.ts';
import type { AccountAfter } from './order-account.ts';
import { isLongOrShort, isPrice, type KnownContract, type OrderContext, unitsOf } from './order-context.ts';
import type { OrderEffect } from './order-effect.ts';
import { type Figure, known, NO_LIQUIDATION, unknown } from './order-figures.ts';

export interface LiquidationQuestion {
  readonly contract: KnownContract;
  readonly effect: OrderEffect;
  readonly account: AccountAfter;
  readonly markPrice: string;
  readonly context: OrderContext;
}

/**
 * The price, or why there is none: `NO_LIQUIDATION` where no price liquidates it, else what is not known. An
 * unknown fee rate counts as 0, which the preview says at the fee.
 */
export function liquidationAfter(question: LiquidationQuestion): Figure {
  const { contract, effect, account, context } = question;
  const leg = effect.after;
  if (leg === null) return unknown('Closed');
  const feeRate = closingRate(contract.facts.feeRateTaker, context);
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
      walletBalance: account.walletBalance,
      positions: [mine, ...others],
      feeRate,
    });
    return figure(price);
  } catch (error) {
    // Records of an exchange can be what the maths has no answer for: tiers with a hole, a mark of 0.
    if (error instanceof DomainError) return unknown(error.message);
    throw error;
  }
}

const closingRate = (taker: string | null, { closingFee }: OrderContext): string =>
  closingFee === false ? '0' : (taker ?? '0');

const figure = (price: string | null): Figure => (price === null ? unknown(NO_LIQUIDATION) : known(price));

/** The coin's other cross positions, or the reason why one of them can't be valued. */
function otherPositions({
  contract,
  effect,
  context,
  markPrice,
}: LiquidationQuestion): CrossPosition[] | string {
  const others: CrossPosition[] = [];
  for (const position of context.account?.positions ?? []) {
    if (position === effect.position || marginModeWord(position.marginMode) !== 'Cross') continue;
    const config = context.contracts?.find((one) => one.symbolId === position.symbolId);
    const contractSide = config && sideOf(config);
    if (!config || !contractSide) return `${position.symbolId} is open but not in the configuration.`;
    if (coinsOf(config).margin !== contract.coins.margin) continue;
    const facts = context.facts(position.symbolId);
    const same = position.symbolId === contract.config.symbolId;
    const mark = same ? markPrice : priceOf(position);
    if (mark === null) return `${position.symbolId} has no mark price.`;
    if (!isLongOrShort(position.side)) return `${position.symbolId} has an unknown side.`;
    others.push({
      symbolId: position.symbolId,
      contractSide,
      side: position.side,
      quantity: unitsOf({ facts }, position.quantity),
      entryPrice: position.avgEntryPrice,
      markPrice: mark,
      tiers: config.riskLimitConfigs,
      convention: context.convention,
      ...(facts.feeRateTaker === null ? {} : { feeRate: closingRate(facts.feeRateTaker, context) }),
    });
  }
  return others;
}

const priceOf = (position: Position): string | null =>
  [position.markPrice, position.lastPrice].find(isPrice) ?? null;
