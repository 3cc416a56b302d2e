/** Reads the JSON of a request exactly: a number stays its digits, a repeated key is rejected. */
import { plainDecimal, sendable } from '../../src-shared/amount.ts';
import { isRecord } from '../../src-shared/exchange-api/fields.ts';
import { parseStrict } from '../../src-shared/exchange-api/lossless-json.ts';

/** A number literal of the body. */
export class JsonNumber {
  readonly literal: string;

  constructor(literal: string) {
    this.literal = literal;
  }

  /** Plain decimal text; `null` for a number over 24 digits before or 18 after the point. */
  get decimal(): string | null {
    const plain = plainDecimal(this.literal);
    return plain === null || sendable(plain.replace('-', '')) === null ? null : plain;
  }
}

export type Json = null | boolean | string | JsonNumber | Json[] | JsonObject;
export type JsonObject = Map<string, Json>;

/** The text a value was read from, which TypeScript's library does not know yet. */
interface Source {
  readonly source: string;
}

/** Throws JsonError for anything but exactly one JSON value. */
export function readJson(text: string): Json {
  parseStrict(text);
  const exact = (_key: string, value: unknown, { source }: Source): unknown => {
    if (typeof value === 'number') return new JsonNumber(source);
    return isRecord(value) ? new Map(Object.entries(value)) : value;
  };
  return JSON.parse(text, exact as Parameters<typeof JSON.parse>[1]) as Json;
}
