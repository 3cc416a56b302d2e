import { describe, expect, it } from 'vitest';
import { readBody } from './response-parser.ts';
import { isBloated } from './reply-size.ts';
import { MAX_REPLY_BYTES } from './transport.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const order = JSON.stringify({ symbolId: 'BTC-USDT-M', text: 'a, [b] "c" {d}\\', price: '64000.5' });

describe('what a reply may hold', () => {
  it.each([
    ['10,000 records', `[${Array.from({ length: 10_000 }, () => order).join(',')}]`, false],
    ['a text of 8 MB full of brackets', `{"msg":"${'[{,\\"'.repeat(1_600_000)}"}`, false],
    ['brackets to the limit of bytes', '['.repeat(MAX_REPLY_BYTES), true],
    ['brackets that are closed again', '['.repeat(1_000_000) + ']'.repeat(1_000_000), true],
    ['too many records', `[${'{},'.repeat(400_000)}{}]`, true],
    ['too many values', `[${'1,'.repeat(1_100_000)}1]`, true],
    ['few bytes, whatever they are', '['.repeat(500_000), false],
  ])('%s: %#', (_name, text, bloated) => {
    expect(isBloated(bytes(text))).toBe(bloated);
  });

  it('a bloated reply is not parsed, and described', () => {
    const parsed: string[] = [];
    const body = readBody(bytes('['.repeat(2_000_000)), (text) => void parsed.push(text));
    expect(body).toMatchObject({ broken: 'bloated' });
    expect(parsed).toEqual([]);
  });
});
