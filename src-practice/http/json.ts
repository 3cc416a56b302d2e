/**
 * Reads the JSON of a request exactly: a number stays its digits, a repeated key is rejected. Small and slow on
 * purpose; request bodies are short.
 */
import { plainDecimal, sendable } from '../../src-shared/amount.ts';

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

export class JsonFault extends Error {
  override readonly name = 'JsonFault';
}

const MAX_DEPTH = 16;
const TOKEN =
  /[ \t\r\n]*(?:([{}[\]:,])|("(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))/y;

/** Throws JsonFault for anything but exactly one JSON value. */
export function readJson(text: string): Json {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class Reader {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  value(depth: number): Json {
    if (depth > MAX_DEPTH) throw new JsonFault('nested too deeply');
    const [, mark, quoted, number, word] = this.token();
    if (mark === '{') return this.object(depth);
    if (mark === '[') return this.array(depth);
    if (quoted !== undefined) return unquote(quoted);
    if (number !== undefined) return new JsonNumber(number);
    if (word === undefined) throw new JsonFault(`unexpected ${mark ?? 'end'}`);
    return word === 'null' ? null : word === 'true';
  }

  end(): void {
    if (!/^[ \t\r\n]*$/.test(this.text.slice(this.at))) throw new JsonFault('text after the value');
  }

  private token(): RegExpExecArray {
    TOKEN.lastIndex = this.at;
    const match = TOKEN.exec(this.text);
    if (!match) throw new JsonFault(`not JSON at character ${this.at}`);
    this.at = TOKEN.lastIndex;
    return match;
  }

  /** Consumes `mark` if it is the next token. */
  private takes(mark: string): boolean {
    const before = this.at;
    if (this.token()[1] === mark) return true;
    this.at = before;
    return false;
  }

  private object(depth: number): JsonObject {
    const object: JsonObject = new Map();
    if (this.takes('}')) return object;
    for (;;) {
      const quoted = this.token()[2];
      if (quoted === undefined || !this.takes(':')) throw new JsonFault(`not JSON at character ${this.at}`);
      const key = unquote(quoted);
      if (object.has(key)) throw new JsonFault('repeated key');
      object.set(key, this.value(depth + 1));
      if (this.takes('}')) return object;
      if (!this.takes(',')) throw new JsonFault(`not JSON at character ${this.at}`);
    }
  }

  private array(depth: number): Json[] {
    const array: Json[] = [];
    if (this.takes(']')) return array;
    for (;;) {
      array.push(this.value(depth + 1));
      if (this.takes(']')) return array;
      if (!this.takes(',')) throw new JsonFault(`not JSON at character ${this.at}`);
    }
  }
}

/** Decodes a string. `JSON.parse` handles the escapes and rejects bare control characters. */
function unquote(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch (error) {
    if (error instanceof SyntaxError) throw new JsonFault('not JSON: a text with control characters');
    throw error;
  }
}
