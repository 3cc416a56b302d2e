/** Reads the inputs of a what-if from the account once: the coin's balance and cross positions, the symbol's own legs. */
import { add, type Amount, sum } from '../../amount.ts';
import type { Asset, Position } from '../../exchange-api/account.ts';
import { isIsolated, type OrderSide, isLongOrShort } from '../../exchange-api/enums.ts';
import { attempt, givenAmount } from '../numeric/decimal-input.ts';
import { crossOf, CrossPositions, walletOf } from '../position/cross-positions.ts';
import type { EstimateContext } from '../position/resolved.ts';
import type { Convention } from '../margin/margin.ts';
import { type KnownContract, unknownSide } from '../instrument/trading-context.ts';
import { markOf } from '../position/metrics.ts';

/** Inputs that stay constant while the what-if is edited. */
export interface WhatIfContext {
  readonly contract: KnownContract;
  readonly markPrice: string;
  readonly convention: Convention;
  readonly closingFee: boolean;
  /** Returns the symbol's legs that are replaced; a hedge's other leg stays. */
  readonly replaced: (side: OrderSide) => readonly Position[];
  /** Returns balance − isolated margins of the others − isolated locks; null without the coin in the account. */
  readonly wallet: (side: OrderSide) => Amount | null;
  /** The coin's cross positions, of which the symbol's own legs move. */
  readonly held: CrossPositions;
  readonly asset: Asset | null;
}

/** Reads the inputs, or returns why the account cannot be calculated. */
export function prepareWhatIf(
  contract: KnownContract,
  markPrice: string,
  context: EstimateContext,
): WhatIfContext | string {
  const { asset } = contract;
  const { symbolId } = contract.config;
  const { convention, closingFee } = context;
  const members = crossOf(contract.coins.margin, context.account.positions, context, ({ position }) =>
    position.symbolId === symbolId ? markPrice : markOf(position),
  );
  if (typeof members === 'string') return members;
  const odd = contract.positions.find((one) => !isLongOrShort(one.side));
  if (odd !== undefined) return unknownSide(odd.side);
  const held = attempt(() => CrossPositions.of(members, symbolId, convention));
  if (!held.ok) return held.reason;
  const replaced = (side: OrderSide): readonly Position[] =>
    contract.hedge === true ? contract.positions.filter((one) => one.side === side) : contract.positions;
  const wallet = (side: OrderSide): Amount | null => {
    if (asset === null) return null;
    const freed = replaced(side)
      .filter(isIsolated)
      .map((one) => givenAmount(one, 'margin'));
    return add(walletOf(asset), sum(freed));
  };
  return {
    contract,
    markPrice,
    convention,
    closingFee,
    replaced,
    wallet,
    held: held.value,
    asset,
  };
}
