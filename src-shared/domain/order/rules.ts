/**
 * The table of rules that an order must pass, in the order they are checked and shown. The window checks the ticket, the
 * close sheet and each row of a batch; the main process checks again before it sends. What blocks every order (lock,
 * rate limit) and the hold of an unknown outcome are in `src-main/orders/send/pre-trade-checks.ts`.
 */
import type { DraftField, OrderContext } from '../instrument/trading-context.ts';
import type { OrderCheck } from './check.ts';
import * as day from './day-rules.ts';
import { type Finding, type OrderToCheck, RuleInput } from './rule-input.ts';
import * as limits from './limit-rules.ts';
import * as margin from './margin-rules.ts';
import * as position from './position-rules.ts';
import type { PreviewResult } from './preview.ts';
import * as request from './request-rules.ts';
import * as tpSl from './tpsl-rules.ts';

/**
 * What a breach does. `blocks`: the order cannot be sent. `blocks opening`: nor can it, unless it is reduce-only, which is
 * warned about. `ends` blocks it and skips the later rules, which compute with what is missing.
 */
type Breach = 'ends' | 'blocks' | 'blocks opening' | 'warns';

/** A row of the table: id · the field it concerns · the exchange's error code · what a breach does · the rule. */
type Rule = readonly [
  id: string,
  field: DraftField,
  /** Null for a rule of Ballast or the user. */
  code: string | null | ((order: RuleInput) => string | null),
  breach: Breach,
  rule: (order: RuleInput) => Finding | null,
];

const postOnlyCode = (order: RuleInput): string | null => (order.request.postOnly === true ? '700011' : null);

export const RULES: readonly Rule[] = [
  ['open', 'symbolId', '700041', 'ends', position.listed],
  ['close-all', 'quantity', '700012', 'ends', request.closeAllShape],
  ['quantity-missing', 'quantity', '700004', 'ends', request.quantityGiven],
  ['quantity', 'quantity', '700012', 'ends', request.quantityPositive],
  ['price-missing', 'price', '700004', 'ends', request.limitPriceGiven],
  ['price', 'price', '700011', 'ends', request.limitPricePositive],
  ['time-in-force', 'timeInForce', '700009', 'ends', request.timeInForceGiven],
  ['market-price', 'price', '700009', 'ends', request.marketPriceAbsent],
  ['post-only', 'postOnly', '700009', 'blocks', request.postOnlyRests],
  ['reverse-reduces', 'reverseOrder', '700009', 'blocks', request.reverseOpens],
  ['reverse', 'reverseOrder', null, 'blocks', position.reverseDefined],
  ['tpSl-reduces', 'tpSl', '700009', 'blocks', request.tpSlOpens],
  ['tp-trigger', 'tpSl', '700009', 'blocks', request.triggerKnown('tp')],
  ['tp-price', 'tpPrice', '700009', 'blocks', request.triggerPriced('tp')],
  ['sl-trigger', 'tpSl', '700009', 'blocks', request.triggerKnown('sl')],
  ['sl-price', 'slPrice', '700009', 'blocks', request.triggerPriced('sl')],
  ['tpSl', 'tpSl', '700042', 'blocks', request.tpSlGiven],
  ['tpSl-positive', 'tpSl', '700009', 'blocks', request.tpSlPositive],
  ['unread-record', 'symbolId', null, 'blocks', position.recordsRead],
  ['reverse-market', 'reverseOrder', null, 'blocks', position.reverseAtMarket],
  ['reverse-position', 'reverseOrder', '700001', 'blocks', position.positionToReverse],
  // Before every other warning: an order that fills at once is not the one it looks like.
  ['crossing', 'price', postOnlyCode, 'warns', position.crossing],
  ['reverse-hedge', 'reverseOrder', null, 'warns', position.reversesOneLeg],
  ['take-profit', 'price', null, 'blocks', position.takeProfitRests],
  ['decimals-quantity', 'size', '700012', 'warns', position.quantityDecimals],
  ['decimals-price', 'price', '700011', 'warns', position.priceDecimals],
  ['decimals', 'size', '700009', 'warns', position.decimalsKnown],
  ['position', 'reduceOnly', '700001', 'blocks', position.positionToReduce],
  ['closable', 'size', '700022', 'blocks', position.positionCovers],
  ['resting-reductions', 'size', '700022', 'warns', position.restingLeave],
  ['tpSl-shrinks', 'tpSl', null, 'warns', tpSl.tpSlProtects],
  ['tpPrice-base', 'tpPrice', tpSl.triggerCode('tp'), 'blocks', tpSl.sideOf('tpPrice')],
  ['slPrice-base', 'slPrice', tpSl.triggerCode('sl'), 'blocks', tpSl.sideOf('slPrice')],
  ['slPrice-market', 'slPrice', null, 'blocks', tpSl.stopWaits],
  ['slPrice-liquidation', 'slPrice', tpSl.liquidationCode, 'blocks', tpSl.stopBeforeLiquidation],
  ['tpPrice-average', 'tpPrice', tpSl.tpAverageCode, 'blocks', tpSl.averageSide('tp')],
  ['slPrice-average', 'slPrice', tpSl.slAverageCode, 'warns', tpSl.averageSide('sl')],
  ['tpExecutePrice-base', 'tpExecutePrice', tpSl.tpExecuteCode, 'blocks', tpSl.sideOf('tpExecutePrice')],
  ['slExecutePrice-base', 'slExecutePrice', tpSl.slExecuteCode, 'blocks', tpSl.sideOf('slExecutePrice')],
  ['slExecutePrice-trigger', 'slExecutePrice', null, 'warns', tpSl.stopOrderFills],
  ['take-profit-far', 'price', null, 'warns', tpSl.takeProfitDistance],
  ['tpPrice-far', 'tpPrice', null, 'warns', tpSl.distanceOf('tpPrice')],
  ['slPrice-far', 'slPrice', null, 'warns', tpSl.distanceOf('slPrice')],
  ['tpExecutePrice-far', 'tpExecutePrice', null, 'warns', tpSl.distanceOf('tpExecutePrice')],
  ['slExecutePrice-far', 'slExecutePrice', null, 'warns', tpSl.distanceOf('slExecutePrice')],
  ['funds', 'size', '700017', 'blocks', margin.balanceCovers],
  ['tier-limit', 'size', '700016', 'blocks', margin.tierHolds],
  ['leverage', 'leverage', '700019', 'blocks', margin.leverageAllowed],
  ['turns-over', 'size', null, 'warns', position.sideKept],
  ['tpSl-kept', 'order', null, 'warns', position.protectionKept],
  ['usual-size', 'order', null, 'warns', limits.sizeUsual],
  ['limit-reference', 'reference', null, 'blocks opening', limits.referenceFresh],
  ['limit-deviation', 'price', null, 'blocks', limits.deviationWithin],
  ['limit-notional', 'size', null, 'blocks opening', limits.notionalWithin],
  ['limit-equity', 'size', null, 'blocks', limits.shareWithin],
  ['day-loss', 'account', null, 'blocks', day.dayLossWithin],
  ['day-orders', 'account', null, 'blocks', day.dayOrdersWithin],
];

/**
 * Checks an order by every rule. Pass `result`, its preview, if it is already computed: that is expensive. Never throws
 * for an order that matches the request schema.
 */
export function checkOrder(order: OrderToCheck, context: OrderContext, result?: PreviewResult): OrderCheck[] {
  const input = new RuleInput(order, context, result);
  const checks: OrderCheck[] = [];
  for (const rule of RULES) {
    const check = checkOf(rule, input);
    if (check === null) continue;
    checks.push(check);
    const [, , , breach] = rule;
    if (breach === 'ends' && check.state === 'fail') break;
  }
  return checks;
}

function checkOf([id, field, code, breach, rule]: Rule, order: RuleInput): OrderCheck | null {
  const finding = rule(order);
  if (finding === null) return null;
  const { state, message, next, suggestion } = finding;
  return {
    id,
    code: typeof code === 'function' ? code(order) : code,
    field,
    state: state === 'breach' ? stateOf(breach, order) : state,
    message,
    ...(next === undefined ? {} : { next }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

const stateOf = (breach: Breach, { request: { reduceOnly } }: RuleInput): OrderCheck['state'] =>
  breach === 'warns' || (breach === 'blocks opening' && reduceOnly === true) ? 'warn' : 'fail';
