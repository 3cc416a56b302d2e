/**
 * Checks the sides of take-profit and stop-loss (docs/accounting.md, "Where the API is silent"). A long's take-profit
 * is above and its stop below the entry price, a short's the reverse, and the stop must trigger before liquidation. A
 * stop beyond the average entry is allowed: it is a break-even stop.
 */
import {
  type Amount,
  calculated,
  compare,
  decimalsOf,
  divide,
  isPositive,
  printFixed,
  subtract,
  add,
  amount,
  multiply,
} from '../../amount.ts';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import { fail, type OrderCheck, pass, unsure, use, warn } from './check.ts';
import {
  type DraftField,
  type OrderContext,
  referenceOf,
  type Suggestion,
} from '../instrument/trading-context.ts';
import type { OrderPreview } from './preview.ts';

/** Codes for long and short. */
type Codes = readonly [long: string, short: string];

interface Base {
  readonly price: string;
  /** Like `the order price`. */
  readonly name: string;
  /** Whether it replaces an unknown trigger price, so that a wrong side is only a warning. */
  readonly standsIn: boolean;
  readonly tp: Codes;
  readonly sl: Codes;
}

/** Checks the TP/SL of an order that opens; empty without one. */
export function checkTpSl(
  request: OrderRequest,
  preview: OrderPreview | null,
  context: OrderContext,
): OrderCheck[] {
  const { tpSl } = request;
  if (!tpSl) return [];
  const tp = baseOf(request, tpSl.tpTriggerType, context);
  const sl = baseOf(request, tpSl.slTriggerType, context);
  const side = new Relations(request.side === 'BUY', preview?.contract.specs.priceDecimals ?? null);
  // TP/SL protects what an order opens, and this one only reduces.
  const opens = preview === null || preview.effect.opened !== '0';
  const checks: OrderCheck[] = opens ? [] : [warn(SHRINKS, SHRINKS_TEXT)];
  if (tpSl.tpPrice !== undefined) checks.push(side.beyond('tpPrice', 'Take profit', tpSl.tpPrice, tp));
  if (tpSl.slPrice !== undefined) {
    checks.push(side.before('slPrice', 'Stop loss', tpSl.slPrice, sl));
    if (opens) checks.push(side.liquidation(tpSl.slPrice, sl, preview));
  }
  const average = averageOf(preview);
  if (average !== null && tpSl.tpPrice !== undefined) checks.push(side.average('tp', tpSl.tpPrice, average));
  if (average !== null && tpSl.slPrice !== undefined) checks.push(side.average('sl', tpSl.slPrice, average));
  const executed = (base: Base | string): Base | string =>
    typeof base === 'string'
      ? base
      : {
          ...base,
          tp: request.type === 'LIMIT' ? OPEN_TP : LATEST_TP,
          sl: request.type === 'LIMIT' ? OPEN_SL : LATEST_SL,
        };
  if (tpSl.tpExecutePrice !== undefined) {
    checks.push(side.beyond('tpExecutePrice', 'Take-profit order', tpSl.tpExecutePrice, executed(tp)));
  }
  if (tpSl.slExecutePrice !== undefined) {
    checks.push(side.before('slExecutePrice', 'Stop-loss order', tpSl.slExecutePrice, executed(sl)));
  }
  return checks;
}

const SHRINKS = { id: 'tpSl-shrinks', code: null, field: 'tpSl' } as const;
const SHRINKS_TEXT = 'This order only reduces the position; TP/SL is meant for what an order opens.';

const OPEN_TP: Codes = ['700089', '700091'];
const OPEN_SL: Codes = ['700093', '700095'];
const LATEST_TP: Codes = ['700096', '700097'];
const LATEST_SL: Codes = ['700098', '700099'];

const MARK: Pick<Base, 'name' | 'tp' | 'sl'> = {
  name: 'the mark price',
  tp: ['700076', '700077'],
  sl: ['700079', '700078'],
};
const CURRENT: Pick<Base, 'name' | 'tp' | 'sl'> = {
  name: 'the last price',
  tp: ['700069', '700073'],
  sl: ['700071', '700075'],
};

/**
 * Returns what a trigger is compared with: a limit order's price, or the price the trigger refers to. For trigger
 * names other than mark and last price nothing is assumed, and the reason is returned.
 */
function baseOf(request: OrderRequest, trigger: string, context: OrderContext): Base | string {
  if (request.price !== undefined) {
    return {
      price: request.price,
      name: 'the order price',
      standsIn: false,
      tp: ['700068', '700072'],
      sl: ['700070', '700074'],
    };
  }
  const source = trigger.startsWith('MARK') ? 'mark' : trigger.startsWith('LAST') ? 'last' : null;
  if (source === null) return `the exchange API does not define ${trigger}.`;
  const named = source === 'mark' ? MARK : CURRENT;
  const exact = referenceOf(context, source);
  if (exact) return { ...named, price: exact.price, standsIn: false };
  const known = referenceOf(context);
  return known === null
    ? 'no price is known. Enter a reference price.'
    : { ...named, price: known.price, standsIn: true };
}

/** Returns the average entry after the fill if the order adds to a position; a new one's is the order price. */
const averageOf = (preview: OrderPreview | null): string | null =>
  preview?.before && preview.after && preview.effect.closed === '0' ? preview.after.leg.entryPrice : null;

class Relations {
  readonly #long: boolean;
  readonly #decimals: number | null;

  constructor(long: boolean, priceDecimals: number | null) {
    this.#long = long;
    this.#decimals = priceDecimals;
  }

  /** Checks that a price is on the profit side of the base: above for a long. */
  beyond(field: 'tpPrice' | 'tpExecutePrice', name: string, price: string, base: Base | string): OrderCheck {
    return this.#relation(field, name, price, base, 'tp', this.#long);
  }

  /** Checks that a price is on the losing side of the base: below for a long. */
  before(field: 'slPrice' | 'slExecutePrice', name: string, price: string, base: Base | string): OrderCheck {
    return this.#relation(field, name, price, base, 'sl', !this.#long);
  }

  #relation(
    field: DraftField,
    name: string,
    price: string,
    base: Base | string,
    kind: 'tp' | 'sl',
    above: boolean,
  ): OrderCheck {
    if (typeof base === 'string') {
      return unsure({ id: `${field}-base`, code: null, field }, `${name} cannot be checked: ${base}`);
    }
    const check = { id: `${field}-base`, code: base[kind][this.#long ? 0 : 1], field };
    const way = above ? 'above' : 'below';
    const ok = compare(amount(price), amount(base.price)) === (above ? 1 : -1);
    if (ok) return pass(check, `${name} ${way} ${base.name}`);
    if (base.standsIn) {
      const message = `${name} should be ${way} ${base.name}, which is unknown; it is not ${way} the reference price (${base.price}).`;
      return warn(check, message, this.#mirrored(field, price, base.price));
    }
    const message = `${name} price must be ${way} ${base.name} (${base.price}).`;
    return fail(check, message, this.#mirrored(field, price, base.price));
  }

  /** Returns the same distance on the correct side. */
  #mirrored(field: DraftField, price: string, base: string): Suggestion | undefined {
    const other = subtract(multiply(amount(base), amount('2')), amount(price));
    if (!isPositive(other) || compare(other, amount(base)) === 0) return undefined;
    return use(field, printFixed(other, this.#digits(price, base)));
  }

  /** Returns the decimals of the given prices, at most those of the contract. */
  #digits(...prices: readonly string[]): number {
    return Math.min(this.#decimals ?? 18, Math.max(...prices.map(decimalsOf)));
  }

  /** Checks that the stop triggers before liquidation: above it for a long. */
  liquidation(stop: string, base: Base | string, preview: OrderPreview | null): OrderCheck {
    // The exchange knows an existing position's liquidation price; a new one's is estimated, as here.
    const [long, short] = averageOf(preview) === null ? ['700057', '700058'] : ['700081', '700080'];
    const check = { id: 'slPrice-liquidation', code: this.#long ? long : short, field: 'slPrice' } as const;
    const way = this.#long ? 'above' : 'below';
    const price = preview?.liquidation.after;
    if (!price) return unsure(check, 'Stop loss against liquidation cannot be checked: no price is known.');
    if (price.value === null) {
      return preview.noLiquidation
        ? pass(check, 'Stop loss: no price liquidates this position')
        : unsure(check, `Stop loss against liquidation cannot be checked: ${price.reason}`);
    }
    if (compare(amount(stop), calculated(price.value)) === (this.#long ? 1 : -1)) {
      return pass(check, `Stop loss ${way} liquidation`);
    }
    const decimals = this.#digits(stop, preview.markPrice);
    const shown = printFixed(calculated(price.value), decimals, this.#long ? 'ceil' : 'floor');
    return fail(
      check,
      `Stop-loss price must be ${way} the estimated liquidation price (≈ ${shown}).`,
      typeof base === 'string'
        ? undefined
        : this.#between(calculated(price.value), amount(base.price), decimals),
    );
  }

  /** Returns a price one tenth of the way from liquidation to entry. */
  #between(liquidation: Amount, entry: Amount, decimals: number): Suggestion | undefined {
    if (compare(entry, liquidation) !== (this.#long ? 1 : -1)) return undefined;
    const step = divide(subtract(entry, liquidation), amount('10'));
    return use('slPrice', printFixed(add(liquidation, step), decimals, this.#long ? 'ceil' : 'floor'));
  }

  average(which: 'tp' | 'sl', price: string, average: string): OrderCheck {
    const take = which === 'tp';
    const codes: Codes = take ? ['700044', '700043'] : ['700046', '700045'];
    const field: DraftField = take ? 'tpPrice' : 'slPrice';
    const check = { id: `${field}-average`, code: codes[this.#long ? 0 : 1], field };
    const name = take ? 'Take profit' : 'Stop loss';
    const above = take === this.#long;
    const way = above ? 'above' : 'below';
    const entry = calculated(average);
    if (compare(amount(price), entry) === (above ? 1 : -1))
      return pass(check, `${name} ${way} the average entry`);
    const shown = printFixed(entry, this.#decimals ?? decimalsOf(price));
    const message = `${name} is not ${way} the position’s average entry after the fill (≈ ${shown})`;
    return take
      ? fail(check, `${message}. Move it, or take profit with a reduce-only limit order.`)
      : warn(check, `${message}: it locks in profit or breaks even; the exchange may reject it.`);
  }
}
