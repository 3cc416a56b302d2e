/**
 * Parses the decimal inputs of the formulas. They may be calculated values (an average entry of 20 digits), so limits
 * on external text belong to the exchange API schemas.
 */
import { type Amount, AmountError, amount, calculated, isNegative, isPositive } from '../../amount.ts';
import type { Received } from '../../exchange-api/fields.ts';

/** An input outside a formula's domain. `field` is its name, `value` the text as given. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly field: string;
  readonly value: string;

  constructor(field: string, value: string, fault: string) {
    super(`${field} ${fault}: ${value.slice(0, 60)}`);
    this.field = field;
    this.value = value;
  }
}

/** Parses a plain decimal of either sign. */
export function decimal(field: string, text: string): Amount {
  try {
    return calculated(text);
  } catch (error) {
    if (error instanceof AmountError) throw new DomainError(field, text, 'is not a plain decimal');
    throw error;
  }
}

/** Parses a plain decimal above 0. */
export function positive(field: string, text: string): Amount {
  const value = decimal(field, text);
  if (!isPositive(value)) throw new DomainError(field, text, 'must be above 0');
  return value;
}

/** Parses a plain decimal of 0 or above. */
export function notNegative(field: string, text: string): Amount {
  const value = decimal(field, text);
  if (isNegative(value)) throw new DomainError(field, text, 'must not be below 0');
  return value;
}

interface Named {
  readonly received?: Received;
  readonly symbolId?: string;
  readonly coin?: string;
}

/** Returns a field required by a calculation. Throws DomainError if it is missing or unreadable. */
export function given<R extends Named, K extends keyof R & string>(record: R, name: K): NonNullable<R[K]> {
  const value = record[name];
  if (value !== null && value !== undefined) return value;
  const field = `${record.symbolId ?? record.coin ?? ''} ${name}`.trim();
  const came = record.received?.[name];
  if (came === undefined) throw new DomainError(field, 'the exchange left it empty', 'is not given');
  throw new DomainError(field, came, 'cannot be calculated with');
}

/** Returns the field as an amount. */
export const givenAmount = <R extends Named, K extends keyof R & string>(
  record: R & { readonly [P in K]: string | null },
  name: K,
): Amount => amount(given(record, name));

export type Attempt<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/**
 * Runs `work`, turning DomainError into a reason: exchange records can be invalid for the formulas, such as tiers with
 * a gap or an entry of 0.
 */
export function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    if (error instanceof DomainError) return { ok: false, reason: error.message };
    throw error;
  }
}
