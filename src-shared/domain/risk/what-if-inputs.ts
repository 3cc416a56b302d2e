/**
 * Reads the inputs of a what-if from the account once: the coin's balance, the requirement of other cross positions,
 * and the symbol's own legs.
 */
import { add, type Amount, calculated, subtract, sum } from '../../amount.ts';
import type { Asset, Position } from '../../exchange-api/account.ts';
import { marginModeLabel } from '../../exchange-api/enums.ts';
import { type Requirement, requirementAt } from '../position/requirement.ts';
import { DomainError, givenAmount } from '../numeric/decimal-input.ts';
import { type EstimateContext, type KnownPosition, knownPosition, mayBeCrossOf, walletOf } from '../position/resolved.ts';
import type { Convention, OrderSide } from '../margin/margin.ts';
import type { KnownContract } from '../instrument/trading-context.ts';
import { markOf } from '../position/metrics.ts';

/** Inputs that stay constant while the what-if is edited. */
export interface WhatIfContext {
  readonly contract: KnownContract;
  readonly markPrice: string;
  readonly convention: Convention;
  readonly feeRate: string;
  /** Returns the symbol's legs that are replaced; a hedge's other leg stays. */
  readonly replaced: (side: OrderSide) => readonly Position[];
  /** Returns balance − isolated margins of the others − isolated locks; null without the coin in the account. */
  readonly wallet: (side: OrderSide) => Amount | null;
  /** Unrealised PnL − maintenance − fee of the coin's cross positions of other symbols, at their marks. */
  readonly excess: Amount;
  /** Their maintenance and fees, and their unrealised PnL. */
  readonly needs: Amount;
  readonly profits: Amount;
  /** The symbol's own cross legs, which move with its price. */
  readonly legs: readonly KnownPosition[];
  readonly asset: Asset | null;
}

/** Reads the inputs, or returns why the account cannot be calculated. */
export function prepareWhatIf(
  contract: KnownContract,
  markPrice: string,
  context: EstimateContext,
): WhatIfContext | string {
  try {
    return basisOf(contract, markPrice, context);
  } catch (error) {
    // Exchange records can be invalid for the formulas, such as tiers with a gap or an entry of 0.
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}

function basisOf(
  contract: KnownContract,
  markPrice: string,
  context: EstimateContext,
): WhatIfContext | string {
  const { asset, coins } = contract;
  const { convention } = context;
  const legs: KnownPosition[] = [];
  const requirements: Requirement[] = [];
  for (const position of context.account.positions) {
    if (!mayBeCrossOf(coins.margin, position, context.contractOf)) continue;
    const one = knownPosition(position, context);
    if (typeof one === 'string') return one;
    if (position.symbolId === contract.config.symbolId) {
      legs.push(one);
      continue;
    }
    const mark = markOf(position);
    if (mark === null) return `${position.symbolId} has no mark price.`;
    requirements.push(requirementAt(one, mark, convention));
  }
  const needs = sum(requirements.map(({ due }) => due));
  const profits = sum(requirements.map(({ gain }) => gain));
  const replaced = (side: OrderSide): readonly Position[] =>
    contract.hedge === true ? contract.positions.filter((one) => one.side === side) : contract.positions;
  const wallet = (side: OrderSide): Amount | null => {
    if (asset === null) return null;
    const freed = replaced(side)
      .filter((one) => marginModeLabel(one.marginMode) === 'Isolated')
      .map((one) => givenAmount(one, 'margin'));
    return add(calculated(walletOf(asset)), sum(freed));
  };
  const feeRate = context.closingFee === false ? '0' : (contract.specs.feeRateTaker ?? '0');
  return {
    contract,
    markPrice,
    convention,
    feeRate,
    replaced,
    wallet,
    excess: subtract(profits, needs),
    needs,
    profits,
    legs,
    asset,
  };
}
