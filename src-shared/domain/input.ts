/**
 * Inputs of the maths: decimal texts, parsed at its door. They may be results of the maths itself (an average
 * entry of 20 digits), so the limits on texts from outside are the interface schemas' to keep.
 */
import { type Amount, AmountError, calculated, isNegative, isPositive } from '../amount.ts';

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
