import { expect, it } from 'vitest';
import { accountOf } from './account.ts';

const settings = { baseUrl: 'https://api.meridian.example', apiKey: 'mk_7f2c9911aa' };

it('names an account by its address and a fingerprint of its key, never the key', () => {
  const account = accountOf(settings);
  expect(account).toEqual({
    address: settings.baseUrl,
    key: expect.stringMatching(/^[0-9a-f]{32}$/),
    uid: null,
  });
  expect(JSON.stringify(account)).not.toContain(settings.apiKey);
  expect(accountOf({ ...settings, baseUrl: 'https://API.meridian.example/' })).toEqual(account);
  expect(accountOf({ ...settings, apiKey: 'mk_7f2c9911ab' }).key).not.toBe(account.key);
  // The same key at another exchange does not identify the account.
  expect(accountOf({ ...settings, baseUrl: 'https://other.example' }).key).not.toBe(account.key);
});
