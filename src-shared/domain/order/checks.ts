/**
 * Runs the pre-trade checks in display order, with the exchange's codes for the same errors. The main process repeats
 * those it must enforce.
 */
import {
  add,
  amount,
  calculated,
  decimalsOf,
  divide,
  greater,
  isNegative,
  isPositive,
  multiply,
  print,
  printFixed,
  round,
  subtract,
  sum,
} from '../../amount.ts';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import { checkLimits, type LimitQuestion } from './limit-checks.ts';
import { checkTpSl } from './tpsl-checks.ts';
import { crossingOf, crossingText } from './crossing.ts';
import { fail, type OrderCheck, pass, unsure, use, warn } from './check.ts';
import {
  closablePosition,
  contractOf,
  type KnownContract,
  type OrderContext,
  referenceOf,
  restingReductions,
} from '../instrument/trading-context.ts';
import { type Figure, figureOf, known, unknown } from './figure.ts';
import { previewOrder, type OrderPreview, type PreviewAnswer } from './preview.ts';
import { priceOfOne } from './size.ts';
import type { RiskTier } from '../margin/margin.ts';
import { quantityForNotional, quantityForShare } from './sizing.ts';

/**
 * Checks a valid request. `kind` close-all has no quantity. `answer` is its preview if already computed, since that is
 * expensive.
 */
export function checkOrder(
  request: OrderRequest,
  context: OrderContext,
  answer: PreviewAnswer = previewOrder(request, context),
): OrderCheck[] {
  const contract = contractOf(request.symbolId, context);
  const open = { id: 'open', code: '700041', field: 'symbolId' } as const;
  if (context.contracts === null) {
    const limits = checkLimits(limitQuestion(request, null, answer, context));
    return [
      ...checkSending(request, context),
      unsure(open, `${UNREAD_CONTRACTS} ${request.symbolId} cannot be looked up.`),
      ...limits,
    ];
  }
  if (!contract) {
    const what = `${request.symbolId} is not in the exchange’s list of contracts.`;
    return [fail(open, `${what} Choose a listed one. Close a position in it on the exchange’s website.`)];
  }
  const judged = dearest(request, context, answer);
  const preview = judged.ok ? judged.preview : null;
  const reason = judged.ok ? '' : reasonText(judged.reason);
  return [
    ...checkSending(request, context),
    pass(open, `${request.symbolId} is open to trading`),
    ...checkFlags(request, contract, context),
    ...checkCrossing(request, context),
    ...checkDecimals(request, contract),
    ...checkClosable(request, contract, context),
    ...checkTpSl(request, preview, context),
    ...checkFunds(preview, reason),
    ...checkTier(preview, reason),
    ...checkLimits(limitQuestion(request, contract, judged, context)),
  ];
}

/** Returns the costlier preview of market price and limit: funds, tiers and limits must hold at both. */
function dearest(request: OrderRequest, context: OrderContext, answer: PreviewAnswer): PreviewAnswer {
  if (!answer.ok || answer.preview.crossing?.state !== 'crosses') return answer;
  const atLimit = previewOrder(request, context, 'limit');
  if (!atLimit.ok) return answer;
  const dearer = greater(calculated(atLimit.preview.notional), calculated(answer.preview.notional));
  return dearer ? atLimit : answer;
}

function checkCrossing(request: OrderRequest, context: OrderContext): OrderCheck[] {
  const text = crossingText(crossingOf(request, context));
  return text === null
    ? []
    : [warn({ id: 'crossing', code: request.postOnly === true ? '700011' : null, field: 'price' }, text)];
}

const reasonText = (reason: string): string =>
  /^No price is known/.test(reason) ? 'no price is known' : reason.replace(/\.$/, '');

const UNREAD_CONTRACTS = 'The exchange’s contracts have not been read yet.';

/** Returns the inputs of the limit checks. Each value that cannot be computed carries the reason. */
function limitQuestion(
  request: OrderRequest,
  contract: KnownContract | null,
  answer: PreviewAnswer,
  context: OrderContext,
): LimitQuestion {
  const preview = answer.ok ? answer.preview : null;
  const unread =
    contract === null
      ? UNREAD_CONTRACTS
      : context.account === null
        ? 'The account data is out of date.'
        : answer.ok
          ? null
          : answer.reason;
  const figure = (value: string | undefined): Figure =>
    unread === null && value !== undefined ? known(value) : unknown(unread ?? '');
  // Leverage belongs to the symbol: without a position, a resting order may show it.
  const leverageUnread = contract?.leverageFrom === 'contract default' && context.openOrders === null;
  const asset = contract?.asset ?? null;
  const coin = contract?.coins.margin ?? '';
  return {
    request,
    limits: context.limits,
    reference: referenceOf(context),
    notional: figure(preview?.notional),
    initialMargin:
      unread === null && leverageUnread && preview?.initialMargin !== '0'
        ? unknown('Open orders have not been read yet; their leverage may differ.')
        : figure(preview?.initialMargin),
    equity:
      unread !== null
        ? unknown(unread)
        : asset === null
          ? unknown(`The account lists no ${coin}.`)
          : figureOf(asset, 'equities'),
    marginCoin: coin,
    contractSide: contract?.side ?? null,
    unitPrice: contract && preview && priceOfOne(contract, preview.price),
    quantityDecimals: contract?.specs.quantityDecimals ?? null,
    priceDecimals: contract?.specs.priceDecimals ?? null,
    now: context.now,
  };
}

/** Reports whether no check failed, so the order can be reviewed. */
export const mayBeSent = (checks: readonly OrderCheck[]): boolean =>
  checks.every((check) => check.state !== 'fail');

function checkSending({ symbolId }: OrderRequest, { sendingOff, unreadable }: OrderContext): OrderCheck[] {
  const checks: OrderCheck[] = [];
  if (sendingOff !== null)
    checks.push(fail({ id: 'sending', code: null, field: 'account' }, `${sendingOff}.`));
  const unread = unreadable?.find((one) => one.symbolId === symbolId);
  if (unread) {
    const message =
      `The exchange lists a record of ${symbolId} (${unread.record}) that cannot be read: ${unread.message}. ` +
      'Trade this contract on the exchange’s website.';
    checks.push(fail({ id: 'unread-record', code: null, field: 'symbolId' }, message));
  }
  return checks;
}

function checkFlags(request: OrderRequest, contract: KnownContract, context: OrderContext): OrderCheck[] {
  const checks: OrderCheck[] = [];
  if (request.postOnly === true) {
    const check = { id: 'post-only', code: '700009', field: 'postOnly' } as const;
    if (request.type !== 'LIMIT' || request.timeInForce !== 'GTC') {
      checks.push(fail(check, 'Post-only requires a GTC limit order. Turn it off, or choose Limit and GTC.'));
    }
  }
  if (request.reverseOrder !== true) return checks;
  const check = { id: 'reverse', code: null, field: 'reverseOrder' } as const;
  if (request.reduceOnly === true) {
    checks.push(fail(check, 'An order cannot be both reverse and reduce-only. Choose one.'));
  } else if (context.kind === 'live' && context.reverseQuantity === 'unset') {
    const message =
      'Reverse is off: the exchange API does not define its quantity. ' +
      'Ask the exchange, then set it in the connection (Settings).';
    checks.push(fail(check, message));
  } else if (context.kind === 'practice' && request.type !== 'MARKET') {
    checks.push(fail(check, 'The practice exchange reverses by market orders only. Choose Market.'));
  } else if (context.account === null) {
    const message = 'Position data is out of date, so the position to reverse is unknown.';
    checks.push(unsure({ ...check, code: '700001' }, message));
  } else if (closablePosition(contract, request.side, true) === null) {
    const message = `There is no position on the other side to reverse.`;
    checks.push(fail({ ...check, code: '700001' }, message));
  } else if (contract.positions.some((one) => one.side === request.side)) {
    const message =
      'Both legs are open. The exchange API does not define what a reverse order does to the leg on its own side.';
    checks.push(warn({ ...check, id: 'reverse-hedge' }, message));
  } else checks.push(pass(check, 'Position to reverse'));
  return checks;
}

/** Checks decimals. Those seen are a lower bound, so more are only a warning: the exchange may allow a finer step. */
function checkDecimals(request: OrderRequest, { specs, config }: KnownContract): OrderCheck[] {
  const check = { id: 'decimals', code: '700009', field: 'size' } as const;
  const finer: OrderCheck[] = [];
  const unseen: string[] = [];
  for (const [field, target, name, text, decimals] of [
    ['size', 'quantity', 'Quantity', request.quantity, specs.quantityDecimals],
    ['price', 'price', 'Price', request.price, specs.priceDecimals],
  ] as const) {
    if (text === undefined) continue;
    if (decimals === null) unseen.push(name.toLowerCase());
    else if (decimalsOf(significantPart(text)) > decimals) {
      const cut = printFixed(amount(text), decimals, 'down');
      const message = `${name} ${text} has more than the ${String(decimals)} decimals seen in ${config.symbolId}; the exchange may reject it.`;
      const named = {
        ...check,
        id: `decimals-${target}`,
        field,
        code: target === 'price' ? '700011' : '700012',
      };
      finer.push(warn(named, message, isPositive(amount(cut)) ? use(target, cut) : undefined));
    }
  }
  if (finer.length > 0) return finer;
  if (unseen.length > 0) {
    return [unsure(check, `Decimals of ${unseen.join(' and ')} are not known for ${config.symbolId} yet`)];
  }
  return [pass(check, 'Price and quantity decimals')];
}

/** Removes trailing zeros: `0.8500` fits two decimals. */
const significantPart = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

function checkClosable(request: OrderRequest, contract: KnownContract, context: OrderContext): OrderCheck[] {
  if (request.reduceOnly !== true) return [];
  const gone = { id: 'position', code: '700001', field: 'reduceOnly' } as const;
  if (context.account === null) {
    return [unsure(gone, 'Position data is out of date, so the position to close is unknown.')];
  }
  const position = closablePosition(contract, request.side, true);
  if (position === null) {
    const side = request.side === 'BUY' ? 'short' : 'long';
    return [fail(gone, `There is no ${side} ${request.symbolId} position to reduce.`)];
  }
  const check = { id: 'closable', code: '700022', field: 'size' } as const;
  // The exchange closes the whole position without a quantity.
  if (request.quantity === undefined && position.quantity === null) return [pass(gone, 'Position to close')];
  const size = figureOf(position, 'quantity');
  if (size.value === null) return [fail(check, `${size.reason}. Close all of it instead.`)];
  const held = amount(size.value);
  const unit = contract.coins.quantity;
  if (request.quantity !== undefined && greater(amount(request.quantity), held)) {
    const message = `Quantity ${request.quantity} is more than the position's ${size.value} ${unit}.`;
    return [fail(check, message, use('quantity', size.value, unit))];
  }
  const resting = restingReductions(request.symbolId, request.side, context);
  const unread = resting.find((one) => one.quantity === null);
  if (unread) {
    const text = `The quantity of resting reduce-only orders is unknown: ${figureOf(unread, 'quantity').reason ?? ''}.`;
    return [unsure(check, text)];
  }
  const reserved = sum(resting.map((one) => amount(one.quantity ?? '0')));
  const asked = request.quantity === undefined ? held : amount(request.quantity);
  if (isPositive(reserved) && greater(add(asked, reserved), held)) {
    const message = `Resting reduce-only orders already cover ${print(reserved)} of ${size.value} ${unit}; the exchange may reject this one.`;
    const left = subtract(held, reserved);
    return [warn(check, message, isPositive(left) ? use('quantity', print(left), unit) : undefined)];
  }
  return [pass(check, 'Position covers the quantity')];
}

function checkFunds(preview: OrderPreview | null, reason: string): OrderCheck[] {
  const check = { id: 'funds', code: '700017', field: 'size' } as const;
  if (preview === null) return [unsure(check, `Balance cannot be checked: ${reason}`)];
  if (preview.effect.opened === '0') return [pass(check, 'Reduces: needs no margin')];
  const { contract } = preview;
  const freeMargin = preview.freeMargin.before;
  if (freeMargin.value === null) return [unsure(check, `Balance cannot be checked: ${freeMargin.reason}`)];
  const { opened, closed } = preview.effect;
  const fee = preview.feeTaker.value ?? '0';
  const openingFee = divide(multiply(calculated(fee), amount(opened)), add(amount(opened), amount(closed)));
  const needed = add(calculated(preview.initialMargin), openingFee);
  const { margin: coin } = contract.coins;
  if (!greater(needed, calculated(freeMargin.value))) {
    return [pass(check, fee === '0' ? 'Balance covers the margin' : 'Balance covers margin and fee')];
  }
  const needs = isPositive(openingFee) ? 'Margin and fee need' : 'Margin needs';
  const message = `${needs} ${print(round(needed, 8, 'ceil'))} ${coin}; free margin is ${shownFreeMargin(freeMargin.value)} ${coin}.`;
  return [fail(check, message, affordable(preview, freeMargin.value))];
}

const shownFreeMargin = (text: string): string => (isNegative(calculated(text)) ? 'nothing' : text);

/** Returns the largest quantity the balance covers, for an order that only opens. */
function affordable(preview: OrderPreview, freeMargin: string) {
  const { contract, effect } = preview;
  const { quantityDecimals: decimals, feeRateTaker } = contract.specs;
  if (decimals === null || effect.closed !== '0') return undefined;
  const quantity = quantityForShare({
    contractSide: contract.side,
    freeMargin,
    share: '1',
    leverage: contract.leverage,
    price: priceOfOne(contract, preview.price),
    feeRate: feeRateTaker === null || feeRateTaker.startsWith('-') ? '0' : feeRateTaker,
    decimals,
  });
  return isPositive(amount(quantity)) ? use('quantity', quantity, contract.coins.quantity) : undefined;
}

function checkTier(preview: OrderPreview | null, reason: string): OrderCheck[] {
  const leverage = { id: 'leverage', code: '700019', field: 'leverage' } as const;
  if (preview === null) return [unsure(leverage, `Leverage cannot be checked: ${reason}`)];
  const { contract, after, effect } = preview;
  if (!after || effect.opened === '0') return [];
  if (!after.tier) return [unsure(leverage, 'Leverage: the contract has no risk tiers')];
  const { tier } = after;
  const last = contract.config.riskLimitConfigs.at(-1);
  const limit = { id: 'tier-limit', code: '700016', field: 'size' } as const;
  if (last && greater(calculated(after.value), amount(last.maxPositionValue))) {
    const message = `The position would be above the contract’s largest size of ${last.maxPositionValue} ${contract.coins.margin}.`;
    return [fail(limit, message, withinLast(preview, last.maxPositionValue))];
  }
  const tiers = contract.config.riskLimitConfigs;
  const allows = (one: RiskTier): boolean => !greater(amount(contract.leverage), amount(one.maxLeverage));
  if (!tiers.some(allows)) {
    const message = `Leverage ${contract.leverage}× is above what the contract allows. Lower it on the exchange’s website.`;
    return [fail(leverage, message)];
  }
  if (!allows(tier)) {
    const message = `At ${contract.leverage}× the position would be too large: tier ${String(tier.level)} allows ${tier.maxLeverage}×. Lower the quantity, or the leverage on the exchange’s website.`;
    return [fail(limit, message, withinLast(preview, tiers.findLast(allows)?.maxPositionValue ?? '0'))];
  }
  const text = `Leverage ${contract.leverage}× within tier ${String(tier.level)} limit ${tier.maxLeverage}×`;
  if (contract.leverageFrom === 'contract default') {
    return [
      unsure(leverage, `${text}; ${contract.leverage}× is the contract’s default; your setting is unknown`),
    ];
  }
  return [pass(leverage, text)];
}

function withinLast(preview: OrderPreview, most: string) {
  const { contract, before, effect, markPrice } = preview;
  const decimals = contract.specs.quantityDecimals;
  if (decimals === null || effect.closed !== '0') return undefined;
  const headroom = subtract(amount(most), calculated(before?.value ?? '0'));
  if (!isPositive(headroom)) return undefined;
  const quantity = quantityForNotional({
    contractSide: contract.side,
    notional: print(headroom),
    price: priceOfOne(contract, markPrice),
    decimals,
  });
  return isPositive(amount(quantity)) ? use('quantity', quantity, contract.coins.quantity) : undefined;
}
