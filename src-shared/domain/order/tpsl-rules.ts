/**
 * Rules on the sides of take-profit and stop-loss (docs/accounting.md, "Where the API is silent"). A long's take-profit
 * is above and its stop below the entry price, a short's the reverse, and the stop must trigger before liquidation. A
 * stop beyond the average entry is allowed: it is a break-even stop.
 */
import {
  absolute,
  type Amount,
  calculated,
  compare,
  decimalsOf,
  divide,
  greater,
  isPositive,
  negate,
  printFixed,
  subtract,
  add,
  amount,
  multiply,
} from '../../amount.ts';
import {
  type DraftField,
  leverageUnknown,
  referenceOf,
  type Suggestion,
} from '../instrument/trading-context.ts';
import { distancePercent } from '../instrument/price-deviation.ts';
import { use } from './check.ts';
import { crossingOf, PRICE_NAMES } from './crossing.ts';
import { breach, type Finding, passes, reasonOf, type RuleInput, unchecked, warns } from './rule-input.ts';
import type { OrderPreview } from './preview.ts';

type Target = 'tp' | 'sl';
/** Codes for long and short. */
type Codes = readonly [long: string, short: string];

/** What a trigger is compared with. */
interface Base {
  readonly price: string;
  /** Like `the order price`. */
  readonly name: string;
  /** Whether it replaces an unknown trigger price, so that a wrong side is only a warning. */
  readonly standsIn: boolean;
  readonly tp: Codes;
  readonly sl: Codes;
}

const ORDER: Pick<Base, Target> = { tp: ['700068', '700072'], sl: ['700070', '700074'] };
const MARK: Pick<Base, 'name' | Target> = {
  name: 'the mark price',
  tp: ['700076', '700077'],
  sl: ['700079', '700078'],
};
const CURRENT: Pick<Base, 'name' | Target> = {
  name: 'the last price',
  tp: ['700069', '700073'],
  sl: ['700071', '700075'],
};

const isLong = ({ request }: RuleInput): boolean => request.side === 'BUY';
const codeFor = (order: RuleInput, [long, short]: Codes): string => (isLong(order) ? long : short);

/** Returns which price a trigger type watches; null for another name, such as MARKET_PRICE: the API defines none. */
const sourceOf = (trigger: string): 'mark' | 'last' | null =>
  /^MARK(?!ET)/.test(trigger) ? 'mark' : trigger.startsWith('LAST') ? 'last' : null;

/**
 * Returns what a trigger is compared with: a limit order's price, or the price the trigger refers to. For trigger
 * names other than mark and last price nothing is assumed, and the reason is returned.
 */
function baseOf({ request, context }: RuleInput, target: Target): Base | string {
  if (request.price !== undefined)
    return { ...ORDER, price: request.price, name: 'the order price', standsIn: false };
  const trigger = request.tpSl?.[`${target}TriggerType` as const] ?? '';
  const source = sourceOf(trigger);
  if (source === null) return `the exchange API does not define ${trigger}.`;
  const named = source === 'mark' ? MARK : CURRENT;
  const exact = referenceOf(context, source);
  if (exact) return { ...named, price: exact.price, standsIn: false };
  const known = referenceOf(context);
  return known === null
    ? 'no price is known. Enter a reference price.'
    : { ...named, price: known.price, standsIn: true };
}

const opens = ({ preview }: RuleInput): boolean => preview === null || preview.effect.opened !== '0';

/** TP/SL protects what an order opens. */
export const tpSlProtects = (order: RuleInput): Finding | null =>
  order.request.tpSl === undefined || opens(order)
    ? null
    : breach('This order only reduces the position; TP/SL protects what an order opens. Turn TP/SL off.');

const NAMES = {
  tpPrice: 'Take profit',
  slPrice: 'Stop loss',
  tpExecutePrice: 'Take-profit order',
  slExecutePrice: 'Stop-loss order',
};
type PriceField = keyof typeof NAMES;
const targetOf = (field: PriceField): Target => (field.startsWith('tp') ? 'tp' : 'sl');

/** Whether this price belongs above its base. */
const isAbove = (order: RuleInput, field: PriceField): boolean =>
  isLong(order) === (targetOf(field) === 'tp');

/** Requires take-profit prices on the profit side of the base, above for a long, and stop prices on the other. */
export const sideOf =
  (field: PriceField) =>
  (order: RuleInput): Finding | null => {
    const price = order.request.tpSl?.[field];
    if (order.contract === null || price === undefined) return null;
    const base = baseOf(order, targetOf(field));
    const name = NAMES[field];
    if (typeof base === 'string') return unchecked(`${name} cannot be checked: ${base}`);
    const above = isAbove(order, field);
    const way = above ? 'above' : 'below';
    if (compare(amount(price), amount(base.price)) === (above ? 1 : -1))
      return passes(`${name} ${way} ${base.name}`);
    const suggestion = mirrored(order, field, price, base.price);
    return base.standsIn
      ? warns(
          `${name} should be ${way} ${base.name}, which is unknown; it is not ${way} the reference price (${base.price}).`,
          suggestion,
        )
      : breach(`${name} price must be ${way} ${base.name} (${base.price}).`, suggestion);
  };

/**
 * Warns of a stop-loss order at a price that its trigger has not reached, as above it where a long is closed: it rests
 * while the market moves away, and the position stays open.
 */
export function stopOrderFills(order: RuleInput): Finding | null {
  const { slPrice: trigger, slExecutePrice: price } = order.request.tpSl ?? {};
  if (order.contract === null || trigger === undefined || price === undefined) return null;
  const long = isLong(order);
  if (compare(amount(price), amount(trigger)) !== (long ? 1 : -1)) return null;
  // The rule above has said more.
  if (sideOf('slExecutePrice')(order)?.state === 'breach') return null;
  const [way, moves] = long ? ['above', 'falls'] : ['below', 'rises'];
  return breach(
    `Stop-loss order price ${price} is ${way} its trigger price ${trigger}: while the price ${moves} on, the order rests and closes nothing.`,
    use('slExecutePrice', trigger),
  );
}

/** A price further from its base than this has more likely a digit too many or too few. */
const FAR_PERCENT = amount('50');

/** Warns of a price on the right side of its base, but far from it. */
function warnsIfFar(name: string, price: string, base: Pick<Base, 'price' | 'name'>, above: boolean) {
  const apart = calculated(distancePercent(price, base.price));
  if (!greater(above ? apart : negate(apart), FAR_PERCENT)) return null;
  const way = above ? 'above' : 'below';
  return warns(
    `${name} price ${price} is ${printFixed(absolute(apart), 0)}% ${way} ${base.name} (${base.price}). Check its digits.`,
  );
}

/** Returns the rule that warns of a price of TP/SL far from its base. */
export const distanceOf =
  (field: PriceField) =>
  (order: RuleInput): Finding | null => {
    const price = order.request.tpSl?.[field];
    const base = baseOf(order, targetOf(field));
    if (order.contract === null || price === undefined || typeof base === 'string') return null;
    const name = base.standsIn ? 'the reference price' : base.name;
    return warnsIfFar(NAMES[field], price, { price: base.price, name }, isAbove(order, field));
  };

/** Warns of a take-profit from the close sheet far from the reference price. */
export function takeProfitDistance({ request, context, takesProfit }: RuleInput): Finding | null {
  const base = referenceOf(context);
  if (!takesProfit || base === null || request.price === undefined) return null;
  const name = `the ${PRICE_NAMES[base.source]}`;
  // Selling closes a long, which profits above.
  return warnsIfFar(NAMES.tpPrice, request.price, { price: base.price, name }, request.side === 'SELL');
}

/** Returns the code for a trigger price on the wrong side. */
export const triggerCode =
  (target: Target) =>
  (order: RuleInput): string | null => {
    const base = baseOf(order, target);
    return typeof base === 'string' ? null : codeFor(order, base[target]);
  };

/** Returns the code for an order price on the wrong side, which differs for limit and market orders. */
const executeCode =
  (target: Target, atLimit: Codes, atMarket: Codes) =>
  (order: RuleInput): string | null =>
    typeof baseOf(order, target) === 'string'
      ? null
      : codeFor(order, order.request.type === 'LIMIT' ? atLimit : atMarket);
export const tpExecuteCode = executeCode('tp', ['700089', '700091'], ['700096', '700097']);
export const slExecuteCode = executeCode('sl', ['700093', '700095'], ['700098', '700099']);

/** Returns the same distance on the correct side; no stop that liquidation comes before. */
function mirrored(order: RuleInput, field: DraftField, price: string, base: string): Suggestion | undefined {
  const other = subtract(multiply(amount(base), amount('2')), amount(price));
  if (!isPositive(other) || compare(other, amount(base)) === 0) return undefined;
  const liquidation = field === 'slPrice' ? order.preview?.liquidation.after.value : null;
  if (liquidation && compare(other, calculated(liquidation)) !== (isLong(order) ? 1 : -1)) return undefined;
  return use(field, printFixed(other, digits(order, price, base)));
}

/** Returns the decimals of the given prices, at most those of the contract. */
const digits = ({ preview }: RuleInput, ...prices: readonly string[]): number =>
  Math.min(preview?.contract.specs.priceDecimals ?? 18, Math.max(...prices.map(decimalsOf)));

/**
 * Requires the stop of a limit order that crosses to wait: the order fills at the market and not at its own price, where a
 * stop beyond the market triggers at once. Only a warning if neither mark nor last price is known.
 */
export function stopWaits(order: RuleInput): Finding | null {
  const { request, context } = order;
  const stop = request.tpSl?.slPrice;
  if (order.contract === null || stop === undefined) return null;
  const crossing = crossingOf(request, context);
  if (crossing?.state !== 'crosses' || crossing.postOnly) return null;
  const source = sourceOf(request.tpSl?.slTriggerType ?? '');
  const market = (source && referenceOf(context, source)) ?? crossing.near;
  const way = isLong(order) ? 'below' : 'above';
  const name = `the ${PRICE_NAMES[market.source]}`;
  const isBeyond = (price: string): boolean =>
    compare(amount(stop), amount(price)) !== (isLong(order) ? -1 : 1);
  if (!isBeyond(market.price)) return passes(`Stop loss ${way} ${name}`);
  // The rule above has said so.
  if (isBeyond(request.price ?? market.price)) return null;
  const text = `Stop loss ${stop} is not ${way} ${name} ${market.price}, where this order fills: it triggers at once.`;
  return market.source === 'mark' || market.source === 'last' ? breach(text) : warns(text);
}

/** Requires the stop to trigger before liquidation: above it for a long. */
export function stopBeforeLiquidation(order: RuleInput): Finding | null {
  const { contract, preview, request } = order;
  const stop = request.tpSl?.slPrice;
  if (contract === null || stop === undefined || !opens(order)) return null;
  const way = isLong(order) ? 'above' : 'below';
  if (preview === null)
    return unchecked(`Stop loss against liquidation cannot be checked: ${reasonOf(order)}.`);
  const price = preview.liquidation.after;
  if (price.value === null)
    return preview.noLiquidation
      ? passes('Stop loss: no price liquidates this position')
      : unchecked(`Stop loss against liquidation cannot be checked: ${price.reason}`);
  const liquidation = calculated(price.value);
  if (compare(amount(stop), liquidation) === (isLong(order) ? 1 : -1))
    return passes(`Stop loss ${way} liquidation`);
  const decimals = digits(order, stop, preview.markPrice);
  const shown = printFixed(liquidation, decimals, isLong(order) ? 'ceil' : 'floor');
  const base = baseOf(order, 'sl');
  const text = `Stop-loss price must be ${way} the estimated liquidation price (≈ ${shown}${fillText(preview)}).`;
  const suggestion =
    typeof base === 'string' ? undefined : between(order, liquidation, amount(base.price), decimals);
  // Cross, all of the wallet is behind the position: no leverage takes the price further away.
  return order.isLeverageAssumed && contract.isolated === true
    ? warns(
        `${text} That is at ${contract.leverage}× isolated, the contract’s default; ${leverageUnknown(contract)}.`,
        suggestion,
      )
    : breach(text, suggestion);
}

/** Names the price of a limit that crosses where its own is counted, the dearer: the ticket shows figures near the market. */
const fillText = ({ crossing, priceFrom, price }: OrderPreview): string =>
  crossing?.state === 'crosses' && !crossing.postOnly && priceFrom === 'order price'
    ? `, if all fills at ${price}`
    : '';

/** The exchange knows an existing position's liquidation price; a new one's is estimated, as here. */
export const liquidationCode = (order: RuleInput): string =>
  codeFor(order, averageOf(order.preview) === null ? ['700057', '700058'] : ['700081', '700080']);

/** Returns a price one tenth of the way from liquidation to entry. */
function between(
  order: RuleInput,
  liquidation: Amount,
  entry: Amount,
  decimals: number,
): Suggestion | undefined {
  if (compare(entry, liquidation) !== (isLong(order) ? 1 : -1)) return undefined;
  const step = divide(subtract(entry, liquidation), amount('10'));
  return use('slPrice', printFixed(add(liquidation, step), decimals, isLong(order) ? 'ceil' : 'floor'));
}

/** Returns the average entry after the fill if the order adds to a position; a new one's is the order price. */
const averageOf = (preview: OrderPreview | null): string | null =>
  preview?.before && preview.after && preview.effect.closed === '0' ? preview.after.leg.entryPrice : null;

export const tpAverageCode = (order: RuleInput): string => codeFor(order, ['700044', '700043']);
export const slAverageCode = (order: RuleInput): string => codeFor(order, ['700046', '700045']);

/** Compares a trigger with the position's average entry after the fill. */
export const averageSide =
  (target: Target) =>
  (order: RuleInput): Finding | null => {
    const price = order.request.tpSl?.[`${target}Price` as const];
    if (order.contract === null || price === undefined) return null;
    const average = averageOf(order.preview);
    if (average === null) return null;
    const name = NAMES[`${target}Price` as const];
    const above = (target === 'tp') === isLong(order);
    const way = above ? 'above' : 'below';
    const entry = calculated(average);
    if (compare(amount(price), entry) === (above ? 1 : -1)) return passes(`${name} ${way} the average entry`);
    const shown = printFixed(entry, order.contract.specs.priceDecimals ?? decimalsOf(price));
    const text = `${name} is not ${way} the position’s average entry after the fill (≈ ${shown})`;
    return breach(
      target === 'tp'
        ? `${text}. Move it, or take profit with a reduce-only limit order.`
        : `${text}: it locks in profit or breaks even; the exchange may reject it.`,
    );
  };
