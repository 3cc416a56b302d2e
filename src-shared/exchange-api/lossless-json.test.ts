import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonError, parseLossless, parseStrict } from './lossless-json.ts';

/** JSON text with numbers of any size, and the expected value: numbers a float would change become text. */
interface Case {
  readonly text: string;
  readonly value: unknown;
}
const space = fc.constantFrom('', '', ' ', '\n\t');
const literal = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.nat(), fc.bigInt({ min: 1n, max: 10n ** 30n })),
    fc.constantFrom('', '', '.0', '.50', '.123456789012345678', 'e5', 'E-7', '.1e+3'),
  )
  .map(([sign, digits, rest]): Case => {
    const text = `${sign}${digits}${rest}`;
    const exact = rest === '' && Number.isSafeInteger(Number(text));
    return { text, value: exact ? Number(text) : text };
  });
const leaf = fc.oneof(
  literal,
  fc.string().map((value): Case => ({ text: JSON.stringify(value), value })),
  // Strings that look like what the scanner searches for.
  fc
    .constantFrom('":', '{"a":1.5}', '\\', '"', ',1.5', ':123456789012345678901', '\u2028')
    .map((value): Case => ({ text: JSON.stringify(value), value })),
  fc.constantFrom(true, false, null).map((value): Case => ({ text: String(value), value })),
);
const { tree } = fc.letrec<{ tree: Case }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.tuple(space, fc.array(tie('tree'), { maxLength: 5 })).map(([gap, items]): Case => ({
      text: `[${gap}${items.map((item) => item.text).join(`${gap},${gap}`)}${gap}]`,
      value: items.map((item) => item.value),
    })),
    fc
      .tuple(
        space,
        fc.uniqueArray(fc.tuple(fc.string(), tie('tree')), { selector: ([key]) => key, maxLength: 5 }),
      )
      .map(([gap, entries]): Case => ({
        text: `{${entries.map(([key, item]) => `${gap}${JSON.stringify(key)}${gap}:${gap}${item.text}`).join(',')}${gap}}`,
        value: Object.fromEntries(entries.map(([key, item]) => [key, item.value])),
      })),
  ),
}));

describe('parseLossless', () => {
  it('keeps every digit a float would change, and parses everything else like JSON.parse', () => {
    fc.assert(
      fc.property(tree, ({ text, value }) => void expect(parseLossless(text)).toEqual(value)),
      { numRuns: 3000 },
    );
  });

  it('accepts exactly what JSON.parse accepts', () => {
    const noise = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"a"',
        '"b"',
        '1',
        '-',
        '1.5',
        '01',
        '1.',
        'e5',
        ' ',
        'true',
        'NaN',
        '\\',
        '"',
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(noise, (parts) => {
        const text = parts.join('');
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        for (const parse of [parseLossless, parseStrict]) {
          let error: unknown = null;
          try {
            parse(text);
          } catch (thrown) {
            error = thrown;
          }
          if (!valid) expect(error, text).toBeInstanceOf(JsonError);
          else if (error !== null) expect(error, text).toMatchObject({ message: 'repeated key' });
        }
      }),
      { numRuns: 20_000 },
    );
    expect(() => parseLossless('{"a":1.5,2.5:1}')).toThrow('not JSON');
  });
});

describe('repeated keys', () => {
  it.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":{"c":[{"d":1,"d":2}]}}',
    '{"a" : 1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"a":"\\"","a":2}',
    '{"a":1.5,"a":1.5}',
    '{"__proto__":1,"__proto__":2}',
  ])('are rejected: %s', (text) => {
    expect(() => parseStrict(text)).toThrow('repeated key');
    expect(() => parseLossless(text)).toThrow('repeated key');
  });

  it.each([
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":2}]',
    '{"a":"\\"a\\":1","b":[{"a":1.5}],"c":{"a":1}}',
    '{"a":":y"}',
    '{":":1}',
  ])('are not seen in %s', (text) => {
    expect(parseStrict(text)).toEqual(JSON.parse(text));
    expect(() => parseLossless(text)).not.toThrow();
  });

  it('are found wherever they are', () => {
    fc.assert(
      fc.property(tree, fc.string(), fc.boolean(), ({ text }, key, last) => {
        const name = JSON.stringify(key);
        const twice = `{${name}:1,"other${name.slice(1)}:${text},${name}:${last ? '2' : '1.5'}}`;
        expect(() => parseLossless(twice)).toThrow('repeated key');
        expect(() => parseStrict(twice)).toThrow('repeated key');
      }),
    );
  });
});

it('rejects nesting deep enough to exhaust a parser', () => {
  for (const open of ['[', '{"a":'])
    for (const inner of ['1', '1.5', '"\\n"']) {
      const text = open.repeat(80) + inner + (open === '[' ? ']' : '}').repeat(80);
      expect(() => parseLossless(text)).toThrow('too deeply');
    }
});

it('never quotes the text it rejects', () => {
  try {
    parseLossless('{"secret": canary}');
    expect.unreachable();
  } catch (error) {
    expect(String(error)).toBe('JsonError: not JSON');
  }
});
