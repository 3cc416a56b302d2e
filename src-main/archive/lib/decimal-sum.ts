/**
 * An exact sum of decimal texts: safe integers by number of decimals, flushed to a bigint in time. Used for every
 * stored trade; as `Amount`s it took a fifth of the time to store.
 */
import { AmountError, calculated } from '../../../src-shared/amount.ts';
import { byText } from '../../../src-shared/by-text.ts';
import type { AssetAmount } from '../../../src-shared/domain/history/trade-stats.ts';
import { SCALE, unitsText } from './decimal-column.ts';

/** Texts up to this length are below 10^14, so adding one never leaves the safe integers. */
const SHORT = 14;
const FLUSH_AT = 2 ** 52;
const [MINUS, POINT, ZERO_CODE] = [45, 46, 48];
/** Value of the last of that many decimals, in 10^-40. */
const UNITS = Array.from({ length: SCALE + 1 }, (_, decimals) => 10n ** BigInt(SCALE - decimals));

function unitsOf(text: string): bigint {
  calculated(text);
  const [whole = '', fraction = ''] = text.split('.');
  if (fraction.length > SCALE) throw new AmountError(`too many decimals: ${text.slice(0, 60)}`);
  return BigInt(whole + fraction.padEnd(SCALE, '0'));
}

export class DecimalSum {
  /** By the number of decimals: the sum in units of the last one. */
  readonly #pending: number[] = [];
  #flushed: bigint;

  /** @param from initial value, as for `add` */
  constructor(from = '0') {
    this.#flushed = unitsOf(from);
  }

  /** Adds a decimal of at most 40 decimals. Throws AmountError for anything else. */
  add(text: string): void {
    const negative = text.charCodeAt(0) === MINUS;
    let value = 0;
    let point = text.length;
    let plain = text.length <= SHORT;
    const first = negative ? 1 : 0;
    for (let at = first; plain && at < text.length; at++) {
      const digit = text.charCodeAt(at) - ZERO_CODE;
      if (digit >= 0 && digit <= 9) value = value * 10 + digit;
      else if (text.charCodeAt(at) === POINT && point === text.length && at > first) point = at;
      else plain = false;
    }
    if (!plain || point === text.length - 1 || text === '' || text === '-') {
      this.#flushed += unitsOf(text);
      return;
    }
    const pending = this.#pending;
    const decimals = Math.max(0, text.length - 1 - point);
    while (pending.length <= decimals) pending.push(0);
    pending[decimals]! += negative ? -value : value;
    if (Math.abs(pending[decimals]!) >= FLUSH_AT) this.#flush(decimals);
  }

  /** Returns the sum as plain decimal text without trailing zeros. */
  text(): string {
    for (let decimals = 0; decimals < this.#pending.length; decimals++)
      if (this.#pending[decimals] !== 0) this.#flush(decimals);
    return unitsText(this.#flushed);
  }

  #flush(decimals: number): void {
    this.#flushed += BigInt(this.#pending[decimals]!) * UNITS[decimals]!;
    this.#pending[decimals] = 0;
  }
}

/** Exact sums by asset, as of fees. */
export class AssetSums {
  readonly #sums = new Map<string, DecimalSum>();

  add(asset: string, text: string): void {
    const sum = this.#sums.get(asset) ?? new DecimalSum();
    sum.add(text);
    this.#sums.set(asset, sum);
  }

  /** By name. */
  list(): AssetAmount[] {
    return [...this.#sums]
      .sort(byText(([asset]) => asset))
      .map(([asset, sum]) => ({ asset, amount: sum.text() }));
  }
}
