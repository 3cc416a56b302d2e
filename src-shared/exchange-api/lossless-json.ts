/**
 * Parses JSON without loss: numbers a float would change become text, and repeated keys are rejected, since either
 * value could be meant. Most replies pass `JSON.parse` and a key count; only those with risky numbers, escapes or
 * another count are scanned.
 */

export class JsonError extends Error {
  override readonly name = 'JsonError';
}

export const MAX_DEPTH = 64;
const SPACED_COLON = /"\s+:/;

/**
 * Parses a reply; numbers that are not safe integers become their text, digit for digit. Throws JsonError on malformed
 * JSON, a repeated key, or more than 64 levels.
 */
export const parseLossless = (text: string): unknown => read(text, true);

/** Parses as `JSON.parse`, but rejects repeated keys. For order replies, where numbers must stay numbers. */
export const parseStrict = (text: string): unknown => read(text, false);

function read(text: string, lossless: boolean): unknown {
  const value = parse(text);
  const found = { keys: 0, loose: false };
  visit(value, 0, found);
  // A spaced colon would hide a key from the count; an escape could make two keys equal.
  const countable = !text.includes('\\') && !SPACED_COLON.test(text);
  // A key ends in `":`, so equal counts rule out repeated keys. A text can contain `":"` too, so a different count only
  // leads to the full scan.
  if (countable && look(text, lossless) === found.keys && !(lossless && found.loose)) return value;
  const exact = scan(text, lossless);
  return exact === text ? value : parse(exact);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The engine's message quotes the text, which is untrusted and may be long.
    throw new JsonError('not JSON');
  }
}

/** Counts keys and notes numbers outside objects, which `look` cannot see. */
function visit(value: unknown, depth: number, found: { keys: number; loose: boolean }): void {
  if (typeof value === 'number') found.loose = true;
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) throw new JsonError('nested too deeply');
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) visit(item, depth + 1, found);
    return;
  }
  const record = value as Readonly<Record<string, unknown>>;
  for (const key in record) {
    found.keys++;
    const item = record[key];
    if (typeof item === 'object' && item !== null) visit(item, depth + 1, found);
  }
}

/** Counts `":` in the text; −1 at the first one followed by a number a float may change. */
function look(text: string, lossless: boolean): number {
  let count = 0;
  // Searching for one character is many times faster than for two.
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    if (text.charCodeAt(at - 1) !== 34) continue;
    count++;
    if (!lossless) continue;
    let start = at + 1;
    while (isSpace(text.charCodeAt(start))) start++;
    if (isRisky(text, start, numberEnd(text, start))) return -1;
  }
  return count;
}

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Returns the index after a number: digits `+ - . e E`. */
function numberEnd(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!isDigit(code) && code !== 45 && code !== 46 && code !== 43 && code !== 101 && code !== 69) break;
  }
  return at;
}

/** Reports whether a literal has a fraction, an exponent or more than 15 digits; others are safe integers. */
function isRisky(text: string, start: number, end: number): boolean {
  if (end - start > 15) return true;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 46 || code === 101 || code === 69) return true;
  }
  return false;
}

const PLAIN_INTEGER = /^-?\d+$/;

/**
 * Scans the tokens of valid JSON once: rejects repeated keys and, if requested, quotes numbers a float would change.
 */
function scan(text: string, quote: boolean): string {
  const out: string[] = [];
  const open: (Set<string> | null)[] = []; // keys of each open object, null for an array
  let copied = 0;
  let expectKey = false;
  for (let at = 0; at < text.length;) {
    const char = text.charCodeAt(at);
    if (char === 34) {
      const end = textEnd(text, at);
      if (expectKey) {
        const keys = open.at(-1);
        const key = text.slice(at, end);
        const name = key.includes('\\') ? String(parse(key)) : key.slice(1, -1);
        if (keys?.has(name)) throw new JsonError('repeated key');
        keys?.add(name);
        expectKey = false;
      }
      at = end;
    } else if (char === 45 || isDigit(char)) {
      const end = numberEnd(text, at);
      if (quote && isRisky(text, at, end)) {
        const token = text.slice(at, end);
        if (!PLAIN_INTEGER.test(token) || !Number.isSafeInteger(JSON.parse(token))) {
          out.push(text.slice(copied, at), '"', token, '"');
          copied = end;
        }
      }
      at = end;
    } else {
      if (char === 123) {
        open.push(new Set());
        expectKey = true;
      } else if (char === 91) open.push(null);
      else if (char === 125 || char === 93) {
        open.pop();
        expectKey = false;
      } else if (char === 44) expectKey = open.at(-1) instanceof Set;
      at++;
    }
  }
  return copied === 0 ? text : out.join('') + text.slice(copied);
}

/** Returns the index after the closing quote of the string at `start`. */
function textEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 92) slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  throw new JsonError('not JSON');
}
