import { describe, expect, it } from 'vitest';
import { connectionFile, readConnectionFile } from './connection-file.ts';
import type { ConnectionSettings } from './connections.ts';
import { SIGNING_PRESETS } from './signing.ts';

const settings: ConnectionSettings = {
  name: 'Meridian',
  baseUrl: 'https://api.meridian.example',
  apiKey: 'mk_canary_key',
  signing: {
    ...SIGNING_PRESETS.prehash.profile,
    headers: [{ name: 'ACCESS-PASSPHRASE', value: 'canary-passphrase', secret: true }],
  },
  pageUrl: null,
  triggerTypes: ['MARK_PRICE'],
  refusalCodes: ['40001'],
  reverseQuantity: 'sum',
  convention: 'marginal',
  readOnly: true,
  pace: 'gentle',
};
const faultOf = (text: string): string => {
  const read = readConnectionFile(text);
  return read.ok ? 'read' : `${read.failure.field ?? ''}: ${read.failure.message} ${read.failure.next}`;
};
const changed = (change: object, part: object = {}): string => {
  const file = JSON.parse(connectionFile(settings)) as { settings: object };
  return JSON.stringify({ ...file, ...part, settings: { ...file.settings, ...change } });
};

describe('a connection as a file', () => {
  it('does not say that the account is in Portfolio', () => {
    expect(connectionFile({ ...settings, portfolio: true })).toBe(connectionFile(settings));
  });

  it('survives a round trip, without key and secrets', () => {
    const text = connectionFile(settings);
    expect(text).not.toContain('canary');
    const read = readConnectionFile(text);
    expect(read).toEqual({
      ok: true,
      data: {
        ...settings,
        apiKey: '',
        signing: {
          ...settings.signing,
          headers: [{ name: 'ACCESS-PASSPHRASE', value: '', secret: true }],
        },
      },
    });
  });

  it.each([
    ['not JSON', 'file: This is not a JSON object'],
    ['[]', 'file: This is not a JSON object'],
    ['{}', '“format” is not'],
    [changed({}, { version: 2 }), 'Unsupported “version”'],
    [changed({ apiKey: 'x' }), 'apiKey: The file contains an API key'],
    [
      changed({ baseUrl: 'http://api.meridian.example' }),
      'baseUrl: “baseUrl” of the file: over http your key would',
    ],
    [changed({ convention: 'steep' }), 'convention: '],
    [changed({ withdrawTo: 'x' }), 'withdrawTo: '],
    [changed({ signing: 1 }), 'signing: '],
    [
      changed({
        signing: { ...settings.signing, headers: [{ name: 'ACCESS-PASSPHRASE', value: 'x', secret: true }] },
      }),
      'value of the secret header “ACCESS-PASSPHRASE”',
    ],
  ])('is rejected with the field at fault: %#', (text, words) => {
    expect(faultOf(text)).toContain(words);
  });
});
