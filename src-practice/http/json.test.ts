import { describe, expect, it } from 'vitest';
import { JsonError } from '../../src-shared/exchange-api/lossless-json.ts';
import { JsonNumber, readJson } from './json.ts';

describe('exact JSON', () => {
  it('keeps every digit of a number', () => {
    for (const [literal, decimal] of [
      ['0.10', '0.10'],
      ['9007199254740993', '9007199254740993'],
      ['0.000000000000000001', '0.000000000000000001'],
      ['1e-8', '0.00000001'],
      ['1.0E7', '10000000'],
      ['1e300', null],
    ] as const) {
      const value = readJson(literal);
      expect(value).toBeInstanceOf(JsonNumber);
      expect(value instanceof JsonNumber && value.decimal).toBe(decimal);
    }
  });

  it('reads what JSON.parse reads', () => {
    const text = '{"a": [true, false, null, "x\\n\\u00e9\\"", {}], "b":\t{ "c" : [] } }';
    expect(readJson(text)).toEqual(
      new Map<string, unknown>([
        ['a', [true, false, null, 'x\né"', new Map()]],
        ['b', new Map([['c', []]])],
      ]),
    );
  });

  it('rejects repeated keys and everything that is not JSON', () => {
    for (const text of [
      '',
      '{"a":1,"a":2}',
      '{"a":1,"\\u0061":2}',
      '{"a":1,}',
      '[1,]',
      '[1 2]',
      '{"a" 1}',
      '{a:1}',
      '01',
      '+1',
      '.5',
      '1.',
      'NaN',
      "'a'",
      '"a\nb"',
      '"\\x"',
      '1 2',
      '['.repeat(70) + ']'.repeat(70),
    ]) {
      expect(() => readJson(text), text).toThrow(JsonError);
    }
  });
});
