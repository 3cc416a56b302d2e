/** Checks the types of SQLite's values, which STRICT tables guarantee. */
import type { SQLOutputValue } from 'node:sqlite';

export function asText(value: SQLOutputValue | undefined): string {
  if (typeof value !== 'string') throw new TypeError(`expected text in the archive, found ${typeof value}`);
  return value;
}

export function asInteger(value: SQLOutputValue | undefined): number {
  if (typeof value !== 'number')
    throw new TypeError(`expected a number in the archive, found ${typeof value}`);
  return value;
}

/** For an aggregate of no rows, and a column that may be NULL. */
export const asIntegerOrNull = (value: SQLOutputValue | undefined): number | null =>
  value === undefined || value === null ? null : asInteger(value);

export function asBytes(value: SQLOutputValue | undefined): Uint8Array {
  if (!(value instanceof Uint8Array))
    throw new TypeError(`expected bytes in the archive, found ${typeof value}`);
  return value;
}
