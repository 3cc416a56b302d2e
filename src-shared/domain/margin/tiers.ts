/** Parses risk tiers once per list: parsing costs more than the calculations (bench `risk`). */
import { type Amount, add, equal, lessOrEqual, multiply, print, subtract, ZERO } from '../../amount.ts';
import { DomainError, notNegative } from '../numeric/decimal-input.ts';
import type { Fraction } from '../numeric/fraction.ts';

/** The fields of a risk tier the formulas use. Values in the margin coin, the rate a share. */
export interface TierBounds {
  readonly minPositionValue: string;
  readonly maxPositionValue: string;
  readonly maintainMarginRate: string;
}

export interface TierRow {
  readonly max: Amount;
  readonly rate: Amount;
  /** Deduction of the marginal convention from `rate × value`, so that no border jumps. */
  readonly deduction: Amount;
}

export type TierTable = readonly [TierRow, ...TierRow[]];

/** Cache by the list, which must not be changed in place. */
const parsed = new WeakMap<readonly TierBounds[], TierTable>();

/**
 * Returns the tiers as amounts, lowest first. Throws DomainError if there are none, one is empty, or they are not
 * contiguous, as the exchange API documents. Values in the margin coin. Source: docs/accounting.md, "Risk tiers".
 */
export function tierTable(tiers: readonly TierBounds[]): TierTable {
  const known = parsed.get(tiers);
  if (known) return known;
  const table = parse(tiers);
  parsed.set(tiers, table);
  return table;
}

function parse(tiers: readonly TierBounds[]): TierTable {
  const rows: TierRow[] = [];
  let before: TierRow | undefined;
  for (const tier of tiers) {
    const min = notNegative('minPositionValue', tier.minPositionValue);
    const max = notNegative('maxPositionValue', tier.maxPositionValue);
    const rate = notNegative('maintainMarginRate', tier.maintainMarginRate);
    if (lessOrEqual(max, min)) {
      throw new DomainError('maxPositionValue', tier.maxPositionValue, `must be above ${print(min)}`);
    }
    if (before && !equal(min, before.max)) {
      throw new DomainError('minPositionValue', tier.minPositionValue, `must equal ${print(before.max)}`);
    }
    // d(i) = d(i−1) + min(i) × (rate(i) − rate(i−1)): phemex.com help, "USDT-M leverage, IM and MM".
    const deduction = before ? add(before.deduction, multiply(min, subtract(rate, before.rate))) : ZERO;
    before = { max, rate, deduction };
    rows.push(before);
  }
  const [first, ...rest] = rows;
  if (!first) throw new DomainError('tiers', 'none are known', 'are needed');
  return [first, ...rest];
}

/**
 * Returns the index of the tier that contains `value` (≥ 0): min < v ≤ max, 0 in the first, anything above the last in
 * the last (docs/accounting.md).
 */
export function tierIndex(table: TierTable, value: Fraction): number {
  const last = table.length - 1;
  const found = table.findIndex((row) => lessOrEqual(value.numerator, multiply(row.max, value.denominator)));
  return found < 0 ? last : found;
}

/** Returns the row at `index`, from `tierIndex` or one step from it. */
export function rowAt(table: TierTable, index: number): TierRow {
  const row = table[index];
  if (!row) throw new RangeError(`no tier at ${String(index)} of ${String(table.length)}`);
  return row;
}
