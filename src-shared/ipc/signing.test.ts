import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { SIGNING_PRESETS, signingProfileSchema, unknownPlaceholders, type PresetName } from './signing.ts';

const { profile } = SIGNING_PRESETS.practice;
const message = (change: object): string =>
  v.safeParse(signingProfileSchema, { ...profile, ...change }).issues?.[0].message ?? '';

describe('signing profiles', () => {
  it.each(Object.keys(SIGNING_PRESETS) as PresetName[])('the preset %s passes its own schema', (name) => {
    expect(v.safeParse(signingProfileSchema, SIGNING_PRESETS[name].profile).success).toBe(true);
  });

  it('names an unknown placeholder and lists the known ones', () => {
    expect(unknownPlaceholders('{timestamp}{stamp}')).toEqual(['stamp']);
    expect(message({ template: '{timestamp}{stamp}' })).toMatch(/\{stamp\}.*\{timestamp\}/);
  });

  it.each(['Content-Length', 'host', 'bad name', 'a\r\nb', ''])('rejects the header %j', (name) => {
    expect(message({ keyHeader: name })).not.toBe('');
  });

  it('rejects a header value that would split the request', () => {
    expect(message({ headers: [{ name: 'X-A', value: 'a\r\nX-B: b', secret: false }] })).toMatch(/control/);
  });
});
