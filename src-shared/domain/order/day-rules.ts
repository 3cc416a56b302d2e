/**
 * Rules of the user's daily limits: the largest loss and the most opening orders. A limit that is met blocks what may
 * open until midnight; closing is never blocked. A loss that is not known warns: a lost read must not lock anybody out.
 * No message has an amount: the loss and its limit are the account's, and may be hidden.
 */
import {
  amount,
  calculated,
  greaterOrEqual,
  isPositive,
  multiply,
  negate,
  type Amount,
} from '../../amount.ts';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import type { DayUsage, OrderContext } from '../instrument/trading-context.ts';
import { breach, type Finding, passes, type RuleInput, unchecked, warns } from './rule-input.ts';

/** `near`: 80 % or more is used. */
export type LimitState = 'free' | 'near' | 'met' | 'unknown';

/** Reports whether an order counts as opening: closing what is held is only certain if it is reduce-only. */
export const countsAsOpening = ({ reduceOnly }: OrderRequest): boolean => reduceOnly !== true;

/** Returns the context with `ahead` more opening orders: the rows of a batch before this one. */
export function withAhead(context: OrderContext, ahead: number): OrderContext {
  const { day } = context;
  return ahead === 0 || day === null ? context : { ...context, day: { ...day, sent: day.sent + ahead } };
}

/** Returns how much of the loss limit is used; null without one. What is known decides, even if it is not all. */
export function lossState({ limits, result, unknown }: DayUsage): LimitState | null {
  if (limits.loss === null) return null;
  const used = result === null ? null : stateOf(negate(calculated(result)), amount(limits.loss.amount));
  return used === 'met' || unknown === null ? (used ?? 'unknown') : 'unknown';
}

/** Returns how many of the opening orders are used; null without a limit. */
export const ordersState = ({ limits, sent }: DayUsage): LimitState | null =>
  limits.orders === null ? null : stateOf(amount(String(sent)), amount(String(limits.orders)));

function stateOf(used: Amount, limit: Amount): LimitState {
  if (greaterOrEqual(used, limit)) return 'met';
  return greaterOrEqual(multiply(used, FIVE), multiply(limit, FOUR)) ? 'near' : 'free';
}
const [FOUR, FIVE] = [amount('4'), amount('5')];

export function dayLossWithin(order: RuleInput): Finding | null {
  const { day } = order.context;
  if (day === null || day.limits.loss === null || !mayOpen(order)) return null;
  switch (lossState(day)) {
    case 'met':
      return met(day, 'Today’s loss has reached your limit');
    case 'near':
      return warns('Today’s loss is at 80% or more of your limit.');
    case 'unknown':
      return unchecked(`Today’s loss is not checked against your limit. ${day.unknown ?? ''}`);
    default:
      return passes('Today’s loss within your limit');
  }
}

export function dayOrdersWithin(order: RuleInput): Finding | null {
  const { day } = order.context;
  if (day === null || day.limits.orders === null || !mayOpen(order)) return null;
  const limit = `${String(day.limits.orders)} opening orders a day`;
  switch (ordersState(day)) {
    case 'met':
      return met(day, `Your limit of ${limit} is reached`);
    case 'near':
      return warns(`${String(day.sent)} of your ${limit} are used.`);
    default:
      return passes(`Within your limit of ${limit}`);
  }
}

const met = ({ lifted, zone }: DayUsage, what: string): Finding =>
  lifted
    ? warns(`${what}; you lifted it until midnight (${zone}).`)
    : breach(
        `${what}. Opening orders are blocked until midnight (${zone}).`,
        'Closing with reduce-only is always possible.',
      );

/** Reports whether the order may open, by the position as last read. Without a preview it may. */
const mayOpen = (order: RuleInput): boolean =>
  countsAsOpening(order.request) &&
  (order.preview === null || isPositive(amount(order.preview.effect.opened)));
