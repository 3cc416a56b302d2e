/**
 * Inputs of the maths: decimal texts, parsed at its door. They may be results of the maths itself (an average
 * entry of 20 digits), so the limits on texts from outside are the interface schemas' to keep.
 */
import { type Amount, AmountError, amount, calculated, isNegative, isPositive } from '../../amount.ts';
import type { Received } from '../../exchange-api/fields.ts';

/** An input the maths has no answer for. `field` is the input's name, `value` the text as given. */
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

/** A plain decimal of either sign. */
export function decimal(field: string, text: string): Amount {
  try {
    return calculated(text);
  } catch (error) {
    if (error instanceof AmountError) throw new DomainError(field, text, 'is not a plain decimal');
    throw error;
  }
}

/** A plain decimal above 0. */
export function positive(field: string, text: string): Amount {
  const value = decimal(field, text);
  if (!isPositive(value)) throw new DomainError(field, text, 'must be above 0');
  return value;
}

/** A plain decimal of 0 or above. */
export function notNegative(field: string, text: string): Amount {
  const value = decimal(field, text);
  if (isNegative(value)) throw new DomainError(field, text, 'must not be below 0');
  return value;
}

/** A figure of a record that was not given, or could not be read. */
export class UnreadError extends DomainError {}

interface Named {
  readonly received?: Received;
  readonly symbolId?: string;
  readonly coin?: string;
}

/** A field of a record that something is calculated from. Throws UnreadError where it is not given or was not read. */
export function given<R extends Named, K extends keyof R & string>(record: R, name: K): NonNullable<R[K]> {
  const value = record[name];
  if (value !== null && value !== undefined) return value;
  const field = `${record.symbolId ?? record.coin ?? ''} ${name}`.trim();
  const came = record.received?.[name];
  if (came === undefined) throw new UnreadError(field, 'the exchange left it empty', 'is not given');
  throw new UnreadError(field, came, 'cannot be calculated with');
}

/** `given` as a number. */
export const givenAmount = <R extends Named, K extends keyof R & string>(
  record: R & { readonly [P in K]: string | null },
  name: K,
): Amount => amount(given(record, name));

export type Answer<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** Records of an exchange can be what the maths has no answer for: tiers with a hole, an entry of 0, text for a figure. */
export function attempt<T>(work: () => T): Answer<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    if (error instanceof DomainError) return { ok: false, reason: error.message };
    throw error;
  }
}
