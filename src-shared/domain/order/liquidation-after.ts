/** Estimates the liquidation price of the position after an order, by docs/accounting.md. */
import { calculated } from '../../amount.ts';
import { isPrice, type KnownContract, type OrderContext } from '../instrument/trading-context.ts';
import { isolatedLiquidation } from '../margin/liquidation.ts';
import { crossOf, CrossPositions } from '../position/cross-positions.ts';
import { assumedHolding, crossPosition, exposureOf, recordsOf } from '../position/resolved.ts';
import type { AccountAfter } from './account-after.ts';
import { estimated, type Figure, liquidationFigure, unknown } from './figure.ts';
import type { OrderEffect } from './fill-effect.ts';

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
  const { contract, effect, account, markPrice, context } = question;
  if (effect.after === null) return unknown('Closed');
  const own = assumedHolding(contract, effect.after, context);
  const { convention } = context;
  return estimated(() => {
    if (contract.isolated)
      return liquidationFigure(
        isolatedLiquidation({ ...exposureOf(own, convention), margin: account.posted }),
      );
    const coin = contract.coins.margin;
    if (account.walletBalance === null) return unknown(`No ${coin} in the account.`);
    const { symbolId } = contract.config;
    const others = (context.account?.positions ?? []).filter((one) => one !== effect.position);
    const members = crossOf(coin, others, recordsOf(context), ({ position }) =>
      position.symbolId === symbolId
        ? markPrice
        : ([position.markPrice, position.lastPrice].find(isPrice) ?? null),
    );
    if (typeof members === 'string') return unknown(members);
    const mine = crossPosition(own, markPrice, convention);
    const held = CrossPositions.of(members, symbolId, convention);
    return liquidationFigure(held.liquidationPrices(calculated(account.walletBalance), [mine])[0]);
  });
}
