import { describe, expect, it } from 'vitest';
import { type AccountIdentity, compareAccounts, uidOf } from './account-identity.ts';

const account = (change: Partial<AccountIdentity> = {}): AccountIdentity => ({
  address: 'https://api.meridian.example',
  key: 'a',
  uid: '7',
  ...change,
});

describe('two accounts', () => {
  it.each<[string, Partial<AccountIdentity>, Partial<AccountIdentity>, string]>([
    ['the same in everything', {}, {}, 'same'],
    ['another address', {}, { address: 'https://other.example' }, 'other'],
    [
      'another address, though the ids are alike',
      {},
      { address: 'https://other.example', uid: '7' },
      'other',
    ],
    ['another user id by the same key', {}, { uid: '8' }, 'other'],
    ['the same user id by another key', {}, { key: 'b' }, 'same'],
    ['the same key, no id seen yet', { uid: null }, {}, 'same'],
    ['another key, no id to tell by', { uid: null }, { key: 'b' }, 'unsure'],
  ])('are %s', (_what, a, b, sameness) => {
    expect(compareAccounts(account(a), account(b))).toBe(sameness);
    expect(compareAccounts(account(b), account(a))).toBe(sameness);
  });

  it('have a user id only if all records carry the same', () => {
    expect(uidOf([])).toBeNull();
    expect(uidOf([{ uid: '7' }, { uid: '' }, { uid: '7' }])).toBe('7');
    expect(uidOf([{ uid: '7' }, { uid: '8' }])).toBeNull();
  });
});
