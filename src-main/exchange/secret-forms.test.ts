import { describe, expect, it } from 'vitest';
import { createParser, createQuote } from './response-parser.ts';
import { secretForms } from './secret-forms.ts';

const secret = 'Kanari+en/3f"9\\c1<e5&b8=d2%4a Gelb';
const quote = createQuote({ key: 'the key', secret: 'another', headers: { 'X-PASSPHRASE': secret } });
const echoes: readonly (readonly [how: string, text: string])[] = [
  ['as it is', `You sent ${secret}.`],
  ['its headers as JSON', JSON.stringify({ 'x-passphrase': secret })],
  ['that as a JSON string', JSON.stringify(JSON.stringify({ 'x-passphrase': secret }))],
  ['an address', `/retry?passphrase=${encodeURIComponent(secret)}&n=1`],
  ['a form', new URLSearchParams({ passphrase: secret }).toString()],
  ['a page', `<b>Kanari+en/3f&quot;9\\c1&lt;e5&amp;b8=d2%4a Gelb</b>`],
  ['base64', `Basic ${Buffer.from(secret).toString('base64')}`],
  ['hex', Buffer.from(secret).toString('hex')],
];

describe('a secret repeated by a server', () => {
  it.each(echoes)('is removed from its text: %s', (_how, text) => {
    const quoted = quote(text);
    expect(quoted).toContain('[removed]');
    expect(quoted).not.toMatch(/Kanari|Gelb|S2FuYXJp|4b616e617269/);
  });
  it('is removed from base64 and base64url', () => {
    const odd = 'Kanari???>>>~~~Gel';
    const bytes = Buffer.from(odd);
    const both = [bytes.toString('base64'), bytes.toString('base64url')];
    expect(both[0]).not.toBe(both[1]);
    const redact = createQuote({ key: 'the key', secret: odd });
    for (const one of both) expect(redact(`Basic ${one}`)).toBe('Basic [removed]');
  });
  it('is removed from records if it is long enough, and never from a figure', () => {
    const read = (value: string) =>
      createParser({ key: 'the key', secret: value })(
        JSON.stringify({ text: `of ${value}`, [value]: 1, figure: `-${value}.5`, list: [value] }),
      );
    expect(read('abcdefgh')).toEqual({
      text: 'of [removed]',
      '[removed]': 1,
      figure: '-[removed].5',
      list: ['[removed]'],
    });
    expect(read('abcdefg')).toMatchObject({ text: 'of abcdefg', list: ['abcdefg'] });
    expect(read('12345678')).toMatchObject({
      text: 'of [removed]',
      figure: '-12345678.5',
      list: ['12345678'],
    });
  });
  it('has no empty form, which would match everywhere', () => {
    expect(secretForms('abcdef')).not.toContain('');
  });
});
