/**
 * Compares the two JSON readers with the engine's (whether it is JSON) and a simple recursive one (numbers digit
 * for digit, repeated keys, depth), which is slow and shares no code with them.
 */
import { JsonError, parseLossless, parseStrict } from '../../src-shared/exchange-api/lossless-json.ts';
import { damaged, fuzz, must, type SeededRandom, type Fuzzed } from './seeded-random.ts';

const SPACES = ['', '', '', ' ', '\n', '\t ', '\r\n'];
const NUMBERS = [
  '0',
  '-0',
  '1.0',
  '1e3',
  '1E-7',
  '0.1',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '123456789012345',
  '734829105569914880',
  '1e400',
  '0.30000000000000004',
  '5e-324',
];
const KEYS = ['code', 'data', 'a', 'b', '__proto__', 'constructor', '', ':', '":', 'a\\"', '\\u0061'];

function json(random: SeededRandom, depth: number): string {
  const space = (): string => random.one(SPACES);
  switch (depth <= 0 ? random.below(4) : random.below(7)) {
    case 0:
      return random.one(['true', 'false', 'null']);
    case 1:
      return random.one(NUMBERS);
    case 2:
      return `${random.often(30) ? '-' : ''}${1 + random.below(9)}${random.digits(0, 20)}${random.often(30) ? `.${random.digits(1, 20)}` : ''}`;
    case 3:
      return JSON.stringify(random.text(12));
    case 4:
      return `[${space()}${Array.from({ length: random.below(4) }, () => json(random, depth - 1)).join(`${space()},${space()}`)}${space()}]`;
    default: {
      const members = Array.from(
        { length: random.below(5) },
        () =>
          `"${random.often(70) ? random.one(KEYS) : random.digits(1, 6)}"${space()}:${space()}${json(random, depth - 1)}`,
      );
      return `{${space()}${members.join(`${space()},${space()}`)}${space()}}`;
    }
  }
}

interface Parsed {
  readonly value: unknown;
  readonly repeated: boolean;
  readonly depth: number;
}

/** Reads valid JSON. `exact`: numbers that a float or a safe integer can't hold stay text. */
function parsed(text: string, exact: boolean): Parsed {
  let at = 0;
  let repeated = false;
  let deepest = 0;
  const skip = (): void => {
    while (' \n\r\t'.includes(text[at] ?? '?')) at++;
  };
  const string = (): string => {
    const start = at++;
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    return JSON.parse(text.slice(start, ++at)) as string;
  };
  const value = (depth: number): unknown => {
    deepest = Math.max(deepest, depth);
    skip();
    const char = text[at];
    if (char === '"') return string();
    if (char === '{' || char === '[') {
      at++;
      const record: [string, unknown][] = [];
      const close = char === '{' ? '}' : ']';
      for (skip(); text[at] !== close; skip()) {
        if (text[at] === ',') at++;
        skip();
        let key = '';
        if (char === '{') {
          key = string();
          skip();
          at++;
        }
        if (char === '{' && record.some(([one]) => one === key)) repeated = true;
        record.push([key, value(depth + 1)]);
      }
      at++;
      return char === '{' ? Object.fromEntries(record) : record.map(([, one]) => one);
    }
    const literal = /^(?:true|false|null|[-+.\deE]+)/.exec(text.slice(at, at + 500))?.[0] ?? '';
    at += literal.length;
    if (/^[tfn]/.test(literal)) return JSON.parse(literal) as unknown;
    const kept = exact && !(/^-?\d+$/.test(literal) && Number.isSafeInteger(JSON.parse(literal)));
    return kept ? literal : (JSON.parse(literal) as unknown);
  };
  return { value: value(0), repeated, depth: deepest };
}

const same = (a: unknown, b: unknown): boolean => {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  const keys = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === Object.keys(b).length &&
    keys.every(
      (key) =>
        Object.hasOwn(b, key) &&
        same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
    )
  );
};

function outcome(read: (text: string) => unknown, text: string): { value: unknown } | null {
  try {
    return { value: read(text) };
  } catch (error) {
    must(error instanceof JsonError, 'threw something else:', text, String(error));
    return null;
  }
}

export const fuzzJson = (inputs: number, from = 1): Fuzzed =>
  fuzz(inputs, from, (random) => {
    const deep = random.often(5) ? 60 + random.below(10) : 0;
    const right = '['.repeat(deep) + json(random, 4) + ']'.repeat(deep);
    const text = random.often(60) ? right : damaged(right, random);
    const strict = outcome(parseStrict, text);
    const lossless = outcome(parseLossless, text);
    let valid = true;
    try {
      JSON.parse(text);
    } catch {
      valid = false;
    }
    if (!valid) {
      must(strict === null && lossless === null, 'accepted, though not JSON:', text);
      return 'refused';
    }
    const plain = parsed(text, false);
    // A container at the 64th level is one too many.
    if (plain.repeated || plain.depth > 64) {
      must(strict === null && lossless === null, 'accepted, though ambiguous or too deep:', text);
      return 'refused';
    }
    if (strict === null && lossless === null && plain.depth === 64) return 'refused';
    must(strict !== null && lossless !== null, 'rejected, though valid:', text);
    must(same(strict.value, plain.value), 'read with another value:', text, strict.value);
    must(same(lossless.value, parsed(text, true).value), 'digits lost:', text, lossless.value);
    return 'accepted';
  });
