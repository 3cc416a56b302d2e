/**
 * JSON in, nothing lost: numbers that a float would change arrive as their text, and a repeated key is refused
 * (which of the two values counts would be a guess, and an attacker's or a broken proxy's choice).
 *
 * Most replies carry neither, so the text is looked at first and goes to `JSON.parse` as it is; only a reply with
 * a risky number (risk tiers) or with escapes is scanned. Measured: scan + parse 1.5× of `JSON.parse`, a reviver
 * with `context.source` 6×.
 */

export class JsonError extends Error {
  override readonly name = 'JsonError';
}

const MAX_DEPTH = 64;

/** A number literal, outside of text, with a fraction, an exponent or more than 15 digits. */
const RISKY_NUMBER = /(?:^|[:,[])\s*-?\d+(?:[.eE]|\d{15})/;
const SPACED_COLON = /"\s+:/;

/**
 * Parses a reply; number literals that are not safe integers come back as their text, digit for digit.
 * Throws JsonError on malformed JSON, a repeated key, or more than 64 levels.
 */
export function parseLossless(text: string): unknown {
  if (RISKY_NUMBER.test(text)) return parse(scan(text, true));
  return parseStrict(text);
}

/** As `JSON.parse`, but refuses repeated keys. For replies to orders, where numbers must keep their type. */
export function parseStrict(text: string): unknown {
  // Without escapes and spaced colons every key ends in `":`, so equal counts prove that none is repeated.
  if (text.includes('\\') || SPACED_COLON.test(text)) return parse(scan(text, false));
  const value = parse(text);
  // A text that starts with a colon (`":"`) counts too, so a difference is only a reason to look closely.
  if (countKeys(value) !== countOf(text, '":')) scan(text, false);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The engine's message quotes the text, which is untrusted and may be long.
    throw new JsonError('not JSON');
  }
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  return count;
}

function countKeys(root: unknown): number {
  let count = 0;
  const stack: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MAX_DEPTH) throw new JsonError('nested too deeply');
    if (Array.isArray(value)) {
      for (const item of value as unknown[])
        if (typeof item === 'object') stack.push({ value: item, depth: depth + 1 });
    } else {
      for (const key of Object.keys(value)) {
        count++;
        const item = (value as Record<string, unknown>)[key];
        if (typeof item === 'object') stack.push({ value: item, depth: depth + 1 });
      }
    }
  }
  return count;
}

const STRING = /"(?:[^"\\]|\\.)*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Walks the tokens once: finds repeated keys and, if asked, quotes numbers a float would change. */
function scan(text: string, quote: boolean): string {
  const out: string[] = [];
  const open: (Set<string> | null)[] = []; // the keys of each open object, null for an array
  let copied = 0;
  let expectKey = false;
  for (let at = 0; at < text.length;) {
    const char = text.charCodeAt(at);
    if (char === 34) {
      STRING.lastIndex = at;
      const token = STRING.exec(text)?.[0];
      if (token === undefined) throw new JsonError('not JSON');
      if (expectKey) {
        const key = parse(token) as string;
        const keys = open.at(-1);
        if (keys?.has(key)) throw new JsonError('repeated key');
        keys?.add(key);
        expectKey = false;
      }
      at += token.length;
    } else if (char === 45 || (char >= 48 && char <= 57)) {
      NUMBER.lastIndex = at;
      const token = NUMBER.exec(text)?.[0];
      // A number in a key's place would become a key by being quoted.
      if (token === undefined || expectKey) throw new JsonError('not JSON');
      if ((quote && !Number.isSafeInteger(JSON.parse(token))) || (quote && /[.eE]/.test(token))) {
        out.push(text.slice(copied, at), '"', token, '"');
        copied = at + token.length;
      }
      at += token.length;
    } else {
      if (char === 123 || char === 91) {
        if (open.length >= MAX_DEPTH) throw new JsonError('nested too deeply');
        open.push(char === 123 ? new Set() : null);
        expectKey = char === 123;
      } else if (char === 125 || char === 93) {
        open.pop();
        expectKey = false;
      } else if (char === 44) expectKey = open.at(-1) instanceof Set;
      at++;
    }
  }
  return copied === 0 ? text : out.join('') + text.slice(copied);
}
