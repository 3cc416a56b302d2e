/**
 * The building blocks of the interface's records. A record is one table of fields; its type, its validator, its
 * fast check and what the window shows of it (label, meaning) are all derived from that table, so that they
 * cannot drift apart.
 *
 * Source of every table: the interface description (spec/interface.md). Values are kept as received.
 */
import * as v from 'valibot';
import { isDecimal } from '../amount.ts';

export type FieldKind =
  | 'decimal' // STRING holding money, a price, a quantity or a rate
  | 'number' // JSON number kept as decimal text (risk tiers)
  | 'integer'
  | 'time' // INTEGER, ms since the Unix epoch
  | 'id' // 64-bit integer rendered as text
  | 'text'
  | 'choice' // open enum: known values are typed, others kept as their text
  | 'flag' // 0/1 or true/false, as the record has it
  | 'number-choice' // INTEGER with listed meanings, open
  | 'list'
  | 'object';

export interface Field<T = unknown> {
  readonly kind: FieldKind;
  /** `null` (and for decimals the empty text) is a documented value. */
  readonly optional: boolean;
  /** Values the interface names, with their meaning; others are kept and reported as schema drift. */
  readonly known: Readonly<Record<string, string>> | null;
  readonly label: string;
  readonly meaning: string;
  readonly accepts: (value: unknown) => boolean;
  /** What a valid value looks like, for messages: `plain decimal text`. */
  readonly expected: string;
  /** Never present at run time; carries the TypeScript type. */
  readonly type?: T;
}

export type FieldTable = Readonly<Record<string, Field>>;
export type RecordOf<T extends FieldTable> = {
  readonly [K in keyof T]: T[K] extends Field<infer V> ? V : never;
};

const isText = (value: unknown): value is string => typeof value === 'string';
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);
const DIGITS = /^\d{1,20}$/;

function field<T>(
  kind: FieldKind,
  expected: string,
  accepts: (value: unknown) => boolean,
  label: string,
  meaning: string,
  known: Readonly<Record<string, string>> | null = null,
): Field<T> {
  return { kind, optional: false, known, label, meaning, accepts, expected };
}

/**
 * STRING with an exact decimal. A JSON number breaks the interface's promise; one that a float would change arrives
 * from the lossless reader as its digits and is taken, a small integer is refused.
 */
export const decimal = (label: string, meaning = ''): Field<string> =>
  field('decimal', 'plain decimal text', (x) => isText(x) && isDecimal(x), label, meaning);

/** JSON number, delivered by the lossless reader as a safe integer or as decimal text. */
export const number = (label: string, meaning = ''): Field<string> =>
  field('number', 'number', (x) => isInteger(x) || (isText(x) && isDecimal(x)), label, meaning);

export const integer = (label: string, meaning = ''): Field<number> =>
  field('integer', 'integer', isInteger, label, meaning);

export const time = (label: string, meaning = ''): Field<number> =>
  field('time', 'milliseconds since 1970', (x) => isInteger(x) && x >= 0, label, meaning);

export const id = (label: string, meaning = ''): Field<string> =>
  field('id', 'digits as text', (x) => isText(x) && DIGITS.test(x), label, meaning);

/** An id or the empty text (`conditionOrderId`). */
export const idOrEmpty = (label: string, meaning = ''): Field<string> =>
  field('id', 'digits as text, or empty', (x) => isText(x) && (x === '' || DIGITS.test(x)), label, meaning);

export const text = (label: string, meaning = ''): Field<string> =>
  field('text', 'text', isText, label, meaning);

/** Open enum: any text is accepted, `known` carries the documented values. */
export const choice = (known: Readonly<Record<string, string>>, label: string, meaning = ''): Field<string> =>
  field('choice', 'text', isText, label, meaning, known);

export const numberChoice = (
  known: Readonly<Record<string, string>>,
  label: string,
  meaning = '',
): Field<number> => field('number-choice', 'integer', isInteger, label, meaning, known);

/** A yes/no that some records write as 0/1 and others as true/false (accounting.md); both are read. */
export const flag = (label: string, meaning = ''): Field<boolean | number> =>
  field(
    'flag',
    'true, false, 0 or 1',
    (x) => x === true || x === false || x === 0 || x === 1,
    label,
    meaning,
  );

/** A list whose content the interface does not show; kept as received. */
export const list = (label: string, meaning = ''): Field<readonly unknown[]> =>
  field('list', 'list', Array.isArray, label, meaning);

/** An embedded record with a table of its own. */
export const object = <T extends FieldTable>(table: T, label: string, meaning = ''): Field<RecordOf<T>> =>
  field('object', 'object', (x) => isRecord(x) && firstFault(table, x) === null, label, meaning);

/** Also accepts `null`, and the empty text where a decimal is meant ("may be empty"). */
export function optional<T>(inner: Field<T>): Field<T | null> {
  const empty = inner.kind === 'decimal';
  return {
    ...inner,
    optional: true,
    expected: `${inner.expected}, or null`,
    accepts: (value) => value === null || (empty && value === '') || inner.accepts(value),
  };
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Name of the first field of `record` that breaks its table, or `null`. */
export function firstFault(table: FieldTable, record: Readonly<Record<string, unknown>>): string | null {
  for (const name in table) if (!table[name]!.accepts(record[name])) return name;
  return null;
}

/** One-pass check of a record against its table; the hot path (0.2× of JSON.parse on 1,000 orders). */
export function recordCheck(table: FieldTable): (value: unknown) => boolean {
  const names = Object.keys(table);
  const checks = names.map((name) => table[name]!.accepts);
  return (value) => {
    if (!isRecord(value)) return false;
    for (let i = 0; i < names.length; i++) if (!checks[i]!(value[names[i]!])) return false;
    return true;
  };
}

/** Valibot schema of a record: names the faulty field and shows the value it had. */
export function recordSchema(table: FieldTable): v.GenericSchema {
  const entries = Object.fromEntries(
    Object.entries(table).map(([name, one]) => [
      name,
      v.custom<unknown>(one.accepts, (issue) => `expected ${one.expected}, received ${shown(issue.input)}`),
    ]),
  );
  return v.looseObject(entries, ({ path }) => {
    const missing = table[String(path?.at(-1)?.key)];
    return missing === undefined ? 'not a record' : `expected ${missing.expected}, received nothing`;
  });
}

/** A short, safe rendering of an untrusted value for a message. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const json = JSON.stringify(value);
  return json.length > 60 ? `${json.slice(0, 57)}…` : json;
}
