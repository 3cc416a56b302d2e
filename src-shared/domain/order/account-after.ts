/**
 * Computes the coin's account after an order has filled completely, by docs/accounting.md: balance, locked margin and
 * unrealised PnL of the asset record.
 */
import { givenAmount } from '../numeric/decimal-input.ts';
import {
  absolute,
  add,
  type Amount,
  amount,
  calculated,
  divide,
  isPositive,
  isZero,
  multiply,
  print,
} from '../../amount.ts';
import { subtract, sum, ZERO } from '../../amount.ts';
import type { Asset } from '../../exchange-api/account.ts';
import { type KnownContract, type OrderContext, unitsOf } from '../instrument/trading-context.ts';
import type { OrderEffect } from './fill-effect.ts';
import { type Change, EQUITY_USED_UP, type Figure, figureOf, known, unknown } from './figure.ts';
import { openedProfit, profit } from '../margin/pnl.ts';
import { shareOf } from '../margin/ratio-unit.ts';
import { freeMargin } from './sizing.ts';
import { requirementOfLeg, type ValuedLeg } from './valued-leg.ts';

export interface AccountQuestion {
  readonly contract: KnownContract;
  readonly marginUnit: OrderContext['marginUnit'];
  readonly effect: OrderEffect;
  readonly before: ValuedLeg | null;
  readonly after: ValuedLeg | null;
  /** Fill price, and the price positions are valued at. */
  readonly price: string;
  readonly markPrice: string;
  /** Initial margin of what opens. */
  readonly margin: string;
  /** Taker fee of the fill; null while the rate is unknown. */
  readonly fee: string | null;
}

export interface AccountAfter {
  readonly marginRatio: Change;
  readonly available: Change;
  /** balance − locked − |crossProfitUnreal|: what a new order may use. */
  readonly freeMargin: Change;
  readonly equity: Figure;
  /** Margin posted for the position afterwards. */
  readonly posted: string;
  /** balance − isolatedMargin − isolatedLocked afterwards; null without the coin's asset record. */
  readonly walletBalance: string | null;
}

export function accountAfter(question: AccountQuestion): AccountAfter {
  const { contract, effect } = question;
  const released = releasedMargin(effect);
  const added = calculated(question.margin);
  const posted = add(
    subtract(effect.position === null ? ZERO : givenAmount(effect.position, 'margin'), released),
    added,
  );
  const { asset } = contract;
  if (asset === null) {
    const none = unknown(`No ${contract.coins.margin} in the account.`);
    const change = { before: none, after: none };
    return {
      marginRatio: change,
      available: change,
      freeMargin: change,
      equity: none,
      posted: print(posted),
      walletBalance: null,
    };
  }
  const cross = !contract.isolated;
  const moved = subtract(added, released);
  const profit = cross ? changeOfProfit(question) : ZERO;
  const after = assetAfter(asset, {
    balance: subtract(closedProfit(contract, effect, question.price), calculated(question.fee ?? '0')),
    locked: moved,
    isolated: cross ? ZERO : moved,
    profit,
  });
  const due = givenAmount(asset, 'crossedMaintainMargin');
  const maintenance = cross ? add(due, changeOfMaintenance(question)) : due;
  return {
    marginRatio: {
      before: reportedRatio(asset, question.marginUnit),
      after: marginRatio(maintenance, add(after.wallet, after.profit)),
    },
    available: {
      before: figureOf(asset, 'available'),
      after: known(print(subtract(after.unlocked, after.profit))),
    },
    freeMargin: { before: known(freeMargin(asset)), after: known(print(after.free)) },
    equity: figureOf(asset, 'equities'),
    posted: print(posted),
    walletBalance: print(after.wallet),
  };
}

/** What fills change of a coin's asset record. */
export interface AssetChange {
  readonly balance: Amount;
  readonly locked: Amount;
  /** The part of `locked` that is isolated. */
  readonly isolated: Amount;
  readonly profit: Amount;
}

/** Returns the record after the change, the rest of it as reported. Throws DomainError for an unread field. */
export function assetAfter(asset: Asset, change: AssetChange) {
  const balance = add(givenAmount(asset, 'balance'), change.balance);
  const profit = add(givenAmount(asset, 'crossProfitUnreal'), change.profit);
  const isolated = sum([
    givenAmount(asset, 'isolatedMargin'),
    change.isolated,
    givenAmount(asset, 'isolatedLocked'),
  ]);
  const unlocked = subtract(balance, add(givenAmount(asset, 'locked'), change.locked));
  const wallet = subtract(balance, isolated);
  return { profit, wallet, unlocked, free: subtract(unlocked, absolute(profit)) };
}

/** Returns the exchange's own margin ratio, as a share. */
export function reportedRatio(asset: Asset, unit: OrderContext['marginUnit']): Figure {
  const rate = figureOf(asset, 'crossedMaintainMarginRate');
  if (rate.value === null) return rate;
  const share = shareOf(rate.value, unit ?? null);
  return share === null
    ? unknown('The unit of the margin rate is unknown (1 or 100 for 100%). Set it in the connection.')
    : known(share);
}

/**
 * Returns crossedMaintainMargin ÷ cross equity; `0` without cross positions (docs/accounting.md). Exact, or as `printed`
 * prints it.
 */
export function marginRatio(maintenance: Amount, equity: Amount, printed = print): Figure {
  if (!isPositive(maintenance)) return known('0');
  if (!isPositive(equity)) return unknown(EQUITY_USED_UP);
  return known(printed(divide(maintenance, equity)));
}

/** Returns the posted margin released, pro rata of the quantity closed. */
function releasedMargin({ position, closed }: OrderEffect): Amount {
  if (position === null || closed === '0' || isZero(givenAmount(position, 'quantity'))) return ZERO;
  return divide(multiply(givenAmount(position, 'margin'), amount(closed)), givenAmount(position, 'quantity'));
}

/** Returns the gross PnL at `price` of the part of the position that closes. */
export function closedProfit(
  contract: KnownContract,
  effect: Pick<OrderEffect, 'before' | 'closed'>,
  price: string,
): Amount {
  if (effect.before === null || effect.closed === '0') return ZERO;
  const { side, entryPrice } = effect.before;
  const quantity = unitsOf(contract, effect.closed);
  return calculated(profit({ contractSide: contract.side, side, quantity, entryPrice, exitPrice: price }));
}

/** Computes the change by closing and opening parts at their own entries: an average entry is rounded. */
function changeOfProfit({ contract, effect, after, price, markPrice }: AccountQuestion): Amount {
  // A position that closes fully is removed with the exchange's own value, so nothing remains of it.
  const reported = after === null ? effect.position?.profitUnreal : null;
  if (reported !== null && reported !== undefined && reported !== '') {
    return subtract(ZERO, amount(reported));
  }
  const opened =
    after === null || isZero(amount(effect.opened))
      ? ZERO
      : calculated(
          openedProfit({
            contractSide: contract.side,
            side: after.leg.side,
            quantity: unitsOf(contract, effect.opened),
            entryPrice: price,
            markPrice,
          }),
        );
  return subtract(opened, closedProfit(contract, effect, markPrice));
}

function changeOfMaintenance({ contract, effect, before, after }: AccountQuestion): Amount {
  const of = (valued: ValuedLeg | null): Amount => (valued ? requirementOfLeg(contract, valued) : ZERO);
  const { position } = effect;
  if (after === null && position !== null && position.closedFee !== null && position.closedFee !== '') {
    return subtract(ZERO, add(givenAmount(position, 'maintainMargin'), amount(position.closedFee)));
  }
  return subtract(of(after), of(before));
}
