/** Stores the exchange's ids, digit for digit. */

/** The largest signed 64-bit integer. */
const LARGEST_INTEGER = '9223372036854775807';
const ID_DIGITS = 20;
const DIGITS = /^\d{1,20}$/;

/**
 * Returns the stored form of an id: an INTEGER where exact. Other digits (beyond 64 signed bits, leading zeros) and an
 * empty id become `<padded to 20 digits>/<as received>`, which SQLite sorts after integers and by value; any other text
 * becomes `/<as received>`.
 */
export function storedId(id: string): bigint | string {
  const { length } = LARGEST_INTEGER;
  if (id !== '' && !DIGITS.test(id)) return `/${id.toWellFormed()}`;
  const fits = id.length < length || (id.length === length && id <= LARGEST_INTEGER);
  return fits && (!id.startsWith('0') || id === '0') && id !== ''
    ? BigInt(id)
    : `${id.padStart(ID_DIGITS, '0')}/${id}`;
}

/** Returns the received id of a stored text. */
export const idOfStored = (stored: string): string => stored.slice(stored.indexOf('/') + 1);

/** Returns SQL for the received id, from a column of stored ids. */
export const idText = (column: string): string =>
  `CASE typeof(${column}) WHEN 'integer' THEN CAST(${column} AS TEXT) ELSE substr(${column}, instr(${column}, '/') + 1) END`;

/** Returns the stored forms of ids as a JSON array; a 64-bit integer keeps its digits. */
export const idsAsJson = (ids: ReadonlySet<string>): string =>
  `[${Array.from(ids, storedId)
    .map((id) => (typeof id === 'bigint' ? String(id) : JSON.stringify(id)))
    .join()}]`;
