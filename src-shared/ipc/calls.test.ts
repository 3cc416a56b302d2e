import * as v from 'valibot';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { CALLS, type Events } from './calls.ts';
import { baseUrlFault, connectionSettingsSchema, secretFault, secretSchema } from './connections.ts';
import { freshness, type Feed } from './feeds.ts';
import { CALL_NAMES, type EventName } from './names.ts';
import { connectionSettings } from '../../tests/session/connection-settings.ts';
import { feedOf } from '../../tests/shared/feed-of.ts';

describe('the bridge', () => {
  it('has the same calls for the preload and the main process', () => {
    expect(Object.keys(CALLS).sort()).toEqual([...CALL_NAMES].sort());
    expectTypeOf<keyof Events>().toEqualTypeOf<EventName>();
  });

  it('has no call that returns a secret', () => {
    expect(CALL_NAMES.filter((name) => /secret/i.test(name))).toEqual([]);
  });
});

describe('base URL', () => {
  it.each([
    ['https://api.exchange.example', null],
    ['https://api.exchange.example/prefix', null],
    ['http://127.0.0.1:4100', null],
    ['http://localhost:4100', null],
    ['http://[::1]:4100', null],
    ['http://api.exchange.example', 'unencrypted'],
    ['http://127.0.0.1.evil.example', 'unencrypted'],
    ['http://localhost@evil.example', 'user name'],
    ['https://user:pw@api.exchange.example', 'user name'],
    ['ftp://api.exchange.example', 'not supported'],
    ['api.exchange.example', 'not a web address'],
    ['https://', 'enter the host name'],
    ['https://-', 'not a host name'],
    ['https://api.exchange.example/?x=1', 'leave out'],
    ['https://api.exchange.example/#x', 'leave out'],
    ['', 'not a web address'],
  ])('%s', (text, words) => {
    const fault = baseUrlFault(text);
    if (words === null) expect(fault).toBeNull();
    else expect(fault).toContain(words);
  });
});

describe('connection settings', () => {
  const good = connectionSettings({ triggerTypes: ['MARK_PRICE'], refusalCodes: ['40001'] });
  const path = (change: object): string => {
    const [issue] = v.safeParse(connectionSettingsSchema, { ...good, ...change }).issues ?? [];
    return issue === undefined ? '' : (v.getDotPath(issue) ?? '');
  };

  it.each([
    [{}, ''],
    [{ name: '  ' }, 'name'],
    [{ apiKey: 'with space' }, 'apiKey'],
    [{ pageUrl: 'javascript:alert(1)' }, 'pageUrl'],
    [{ pageUrl: 'https://meridian.example/orders' }, ''],
    [{ triggerTypes: ['mark', 'Fair_Price币'] }, ''],
    [{ triggerTypes: ['mark price'] }, 'triggerTypes.0'],
    [{ refusalCodes: ['12a'] }, 'refusalCodes.0'],
    [{ extra: 1 }, 'extra'],
  ])('%j: %s', (change, field) => {
    expect(path(change)).toBe(field);
  });

  it('lists a TP/SL trigger name that was typed twice once', () => {
    const triggerTypes = ['last', 'mark', 'last'];
    expect(v.parse(connectionSettingsSchema, { ...good, triggerTypes }).triggerTypes).toEqual([
      'last',
      'mark',
    ]);
  });

  it('rejects an empty secret', () => {
    expect(v.safeParse(secretSchema, { secret: '', headers: {} }).success).toBe(false);
  });
});

describe('the size of a secret', () => {
  it('rejects a NUL, at which keychains cut it off', () => {
    expect(secretFault({ secret: 'a\0b', headers: {} })?.message).toMatch(/NUL/);
    expect(secretFault({ secret: 'a', headers: { H: '\0' } })?.message).toMatch(/NUL/);
  });

  it.each(['a', 'é', '€', '😀'])('counts %s in UTF-8 bytes', (sign) => {
    const space = 2000 - Buffer.byteLength(JSON.stringify({ secret: '', headers: {} }));
    const fits = sign.repeat(Math.floor(space / Buffer.byteLength(sign)));
    expect(secretFault({ secret: fits, headers: {} })).toBeNull();
    expect(secretFault({ secret: fits + sign, headers: {} })?.message).toMatch(/bytes/);
  });
});

describe('freshness', () => {
  const feed = (age: number | null, failing = false): Feed<unknown> =>
    feedOf(null, { age, failure: failing ? { kind: 'offline', message: '', next: '' } : null });
  it.each([
    [feed(null), 'loading'],
    [feed(null, true), 'offline'],
    [feed(3_000), 'fresh'],
    [feed(3_001), 'slow'],
    [feed(6_001), 'stale'],
    [feed(1_000, true), 'fresh'],
    [feed(3_001, true), 'offline'],
  ])('%# by its age: %s', (one, state) => {
    expect(freshness(one, 'account')).toBe(state);
  });
});
