/**
 * Defines exchange records as tables of fields, from which type, reader, fast check, label and meaning are derived
 * (source: docs/exchange-api.md). An unreadable value becomes null (text: '') and is preserved in `received`; only a
 * `required` one invalidates its record.
 */
import { isDecimal, plainDecimal } from '../amount.ts';

export type FieldKind =
  | 'decimal' // STRING holding money, a price, a quantity or a rate
  | 'number' // JSON number as decimal text (risk tiers)
  | 'integer'
  | 'time' // INTEGER, ms since the Unix epoch
  | 'id' // 64-bit integer rendered as text
  | 'text'
  | 'choice' // open enum: known values are typed, others are text
  | 'flag' // 0/1 or true/false, as received
  | 'number-choice' // INTEGER with listed meanings, open
  | 'list'
  | 'object';

/** A value as read. */
export interface Reading {
  readonly value: unknown;
  /** The received text, if it differs from what was read. */
  readonly received: string | null;
  readonly isUnreadable: boolean;
}

export interface Field<T = unknown> {
  readonly kind: FieldKind;
  /** Whether `null` is a documented value. */
  readonly optional: boolean;
  /** Whether a record without it is invalid. */
  readonly required: boolean;
  /** Documented values with their meaning; others are stored and reported as schema drift. */
  readonly known: Readonly<Record<string, string>> | null;
  /** Table of an embedded record. */
  readonly table: FieldTable | null;
  readonly label: string;
  readonly meaning: string;
  /** Reports whether the value can be used unchanged, which lets the fast pass skip `read`. */
  readonly accepts: (value: unknown) => boolean;
  /** Reads a value that `accepts` rejects. */
  readonly read: (value: unknown) => Reading;
  /** What a valid value looks like, for messages: `decimal text`. */
  readonly expected: string;
  /** Never present at run time; carries the TypeScript type. */
  readonly type?: T | undefined;
}

export type FieldTable = Readonly<Record<string, Field>>;
/** Received texts by field: unreadable ones, and values normalised on reading. */
export type Received = Readonly<Record<string, string>>;
export type RecordOf<T extends FieldTable> = {
  readonly [K in keyof T]: T[K] extends Field<infer V> ? V : never;
} & { readonly received?: Received };

const isText = (value: unknown): value is string => typeof value === 'string';
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);
const isAbsent = (value: unknown): boolean => value === null || value === '' || value === undefined;
const DIGITS = /^\d{1,20}$/;

const taken = (value: unknown, received: string | null = null): Reading => ({
  value,
  received,
  isUnreadable: false,
});
const NOT_GIVEN = taken(null);
/** Marks a value unreadable; `instead` is stored in its place. */
const unreadable = (came: unknown, instead: unknown = null): Reading => ({
  value: instead,
  received: asCame(came),
  isUnreadable: true,
});
/** Formats a received value: texts and numbers digit for digit, everything else as JSON. */
const asCame = (value: unknown): string =>
  isText(value) ? value : typeof value === 'number' ? String(value) : JSON.stringify(value);

function readDecimal(came: unknown): Reading {
  if (isAbsent(came)) return NOT_GIVEN;
  const text = typeof came === 'number' ? String(came) : came;
  const plain = isText(text) ? plainDecimal(text) : null;
  if (plain === null) return unreadable(came);
  return taken(plain, plain === text ? null : asCame(came));
}

const integerReader =
  (fits: (value: unknown) => boolean) =>
  (came: unknown): Reading => {
    if (isAbsent(came)) return NOT_GIVEN;
    const plain = isText(came) ? plainDecimal(came) : null;
    const value = Number.parseInt(plain ?? '', 10);
    return fits(value) && !/\.0*[1-9]/.test(plain ?? '') ? taken(value) : unreadable(came);
  };

function readFlag(came: unknown): Reading {
  if (isAbsent(came)) return NOT_GIVEN;
  if (came === 'true' || came === 'false') return taken(came === 'true');
  return came === '0' || came === '1' ? taken(came === '1' ? 1 : 0) : unreadable(came);
}

function readText(came: unknown): Reading {
  if (isAbsent(came)) return taken('');
  return typeof came === 'number' ? taken(String(came)) : unreadable(came, '');
}

function readId(came: unknown): Reading {
  if (isAbsent(came)) return taken('');
  const text = typeof came === 'number' ? String(came) : came;
  return isText(text) && DIGITS.test(text) ? taken(text) : unreadable(came, '');
}

interface Kind {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
  readonly read: (value: unknown) => Reading;
}

/** The latest time a date can hold, ms; a later number is no time. */
export const MAX_TIME = 8_640_000_000_000_000;
const isTime = (value: unknown): boolean => isInteger(value) && value >= 0 && value <= MAX_TIME;
const KINDS: Readonly<Record<Exclude<FieldKind, 'object' | 'number'>, Kind>> = {
  decimal: {
    expected: 'decimal text',
    accepts: (x) => x === null || (isText(x) && isDecimal(x)),
    read: readDecimal,
  },
  integer: { expected: 'integer', accepts: isInteger, read: integerReader(isInteger) },
  'number-choice': { expected: 'integer', accepts: isInteger, read: integerReader(isInteger) },
  time: { expected: 'milliseconds since 1970', accepts: isTime, read: integerReader(isTime) },
  id: { expected: 'digits as text', accepts: (x) => isText(x) && DIGITS.test(x), read: readId },
  text: { expected: 'text', accepts: isText, read: readText },
  choice: { expected: 'text', accepts: isText, read: readText },
  flag: {
    expected: 'true, false, 0 or 1',
    accepts: (x) => x === true || x === false || x === 0 || x === 1,
    read: readFlag,
  },
  list: {
    expected: 'list',
    accepts: Array.isArray,
    read: (came) => (isAbsent(came) ? taken([]) : unreadable(came, [])),
  },
};

const field = <T>(
  kind: keyof typeof KINDS,
  label: string,
  meaning: string,
  known: Readonly<Record<string, string>> | null = null,
): Field<T> => ({
  ...{ kind, optional: false, required: false, known, table: null, label, meaning },
  ...KINDS[kind],
});

/** Text with an exact decimal; null if missing or not calculable. */
export const decimal = (label: string, meaning = ''): Field<string | null> =>
  field('decimal', label, meaning);

/** JSON number, returned by the lossless reader as a safe integer or decimal text. */
export const number = (label: string, meaning = ''): Field<string | null> => ({
  ...field('decimal', label, meaning),
  kind: 'number',
  expected: 'number',
});

export const integer = (label: string, meaning = ''): Field<number | null> =>
  field('integer', label, meaning);

export const time = (label: string, meaning = ''): Field<number | null> => field('time', label, meaning);

/** Id of an order or a position: digits. Every other id is text. */
export const id = (label: string, meaning = ''): Field<string> => field('id', label, meaning);

export const text = (label: string, meaning = ''): Field<string> => field('text', label, meaning);

/** Open enum: any text is accepted, `known` lists the documented values. */
export const choice = (known: Readonly<Record<string, string>>, label: string, meaning = ''): Field<string> =>
  field('choice', label, meaning, known);

export const numberChoice = (
  known: Readonly<Record<string, string>>,
  label: string,
  meaning = '',
): Field<number | null> => field('number-choice', label, meaning, known);

/** Flag that some records write as 0/1 and others as true/false (docs/accounting.md). */
export const flag = (label: string, meaning = ''): Field<boolean | number | null> =>
  field('flag', label, meaning);

/** A list whose content is not documented; stored as received. */
export const list = (label: string, meaning = ''): Field<readonly unknown[]> => field('list', label, meaning);

/** An embedded record with its own table. */
export function object<T extends FieldTable>(
  table: T,
  label: string,
  meaning = '',
): Field<RecordOf<T> | null> {
  const check = recordCheck(table);
  const names = Object.keys(table).length;
  return {
    ...{ kind: 'object', optional: false, required: false, known: null, table, label, meaning },
    expected: 'object',
    accepts: (x) => x === null || (check(x) && Object.keys(x as object).length === names),
    read(came) {
      if (isAbsent(came)) return NOT_GIVEN;
      return isRecord(came) ? taken(readRecord(table, came).record) : unreadable(came);
    },
  };
}

/** Makes `null` a valid value of a field. */
export function optional<T>(inner: Field<T>): Field<T | null> {
  return {
    ...inner,
    optional: true,
    expected: `${inner.expected}, or null`,
    accepts: (value) => value === null || inner.accepts(value),
    read: (came) => (isAbsent(came) ? NOT_GIVEN : inner.read(came)),
  };
}

/** Marks a field without which the record is invalid. */
export const required = <T>(inner: Field<T>): Field<NonNullable<T>> => ({
  ...inner,
  type: undefined,
  required: true,
  accepts: (value) => value !== null && value !== '' && inner.accepts(value),
});

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a one-pass check of a record against its table. Hot path: 0.2× of JSON.parse on 1,000 orders. */
export function recordCheck(table: FieldTable): (value: unknown) => boolean {
  const names = Object.keys(table);
  const checks = names.map((name) => table[name]!.accepts);
  return (value) => {
    if (!isRecord(value)) return false;
    for (let i = 0; i < names.length; i++) if (!checks[i]!(value[names[i]!])) return false;
    return true;
  };
}

export interface RecordReading {
  readonly record: Readonly<Record<string, unknown>>;
  /** Fields that could not be read. */
  readonly unreadable: readonly string[];
  /** The first required field that is missing or unreadable, or null. */
  readonly fault: string | null;
}

/** Reads a record field by field; an unreadable value affects only its field. */
export function readRecord(table: FieldTable, source: Readonly<Record<string, unknown>>): RecordReading {
  const record: Record<string, unknown> = {};
  const received: Record<string, string> = {};
  const unread: string[] = [];
  let fault: string | null = null;
  for (const [name, one] of Object.entries(table)) {
    const came = Object.hasOwn(source, name) ? source[name] : undefined;
    if (one.accepts(came)) {
      record[name] = came;
      continue;
    }
    const reading = one.read(came);
    record[name] = reading.value;
    if (reading.received !== null) received[name] = reading.received;
    if (reading.isUnreadable) unread.push(name);
    if (one.required && (reading.value === null || reading.value === '')) fault ??= name;
  }
  if (Object.keys(received).length > 0) record['received'] = received;
  return { record, unreadable: unread, fault };
}

/** Formats an untrusted value for a message, short and safe. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const json = JSON.stringify(value);
  return json.length > 60 ? `${json.slice(0, 57)}…` : json;
}
