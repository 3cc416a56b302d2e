/** Risk tiers parsed once a list: parsing costs more than the sums made with them (bench `risk`). */
import { type Amount, add, equal, lessOrEqual, multiply, print, subtract, ZERO } from '../../amount.ts';
import { DomainError, notNegative } from '../numeric/decimal-input.ts';
import type { Fraction } from '../numeric/fraction.ts';

/** What the maths reads of a risk tier of the interface. Values are in the margin coin, the rate a share. */
export interface TierBounds {
  readonly minPositionValue: string;
  readonly maxPositionValue: string;
  readonly maintainMarginRate: string;
}

export interface TierRow {
  readonly max: Amount;
  readonly rate: Amount;
  /** What the marginal convention takes off `rate × value`, so that no border jumps. */
  readonly deduction: Amount;
}

export type TierTable = readonly [TierRow, ...TierRow[]];

/** Keyed by the list itself, which must not be changed in place: the parsed table would be the old one. */
const parsed = new WeakMap<readonly TierBounds[], TierTable>();

/**
 * Tiers as amounts, lowest first. Throws DomainError when there are none, one ends where it starts or before,
 * or one does not start where the one before ends (the interface says they are contiguous). Values in the margin coin.
 * Source: docs/accounting.md, "Risk tiers".
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
  if (!first) throw new DomainError('tiers', '[]', 'must hold at least one tier');
  return [first, ...rest];
}

/**
 * Index of the tier that contains `value` (≥ 0): min < v ≤ max, 0 in the first, beyond the last in the last
 * (docs/accounting.md).
 */
export function tierIndex(table: TierTable, value: Fraction): number {
  const last = table.length - 1;
  const found = table.findIndex((row) => lessOrEqual(value.numerator, multiply(row.max, value.denominator)));
  return found < 0 ? last : found;
}

/** The row at `index`, which came from `tierIndex` or a step beside it. */
export function rowAt(table: TierTable, index: number): TierRow {
  const row = table[index];
  if (!row) throw new RangeError(`no tier at ${String(index)} of ${String(table.length)}`);
  return row;
}
