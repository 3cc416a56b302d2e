import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { announce } from '../../packaging/announcement.ts';
import type { UpdateHold, UpdatePlace, UpdateState } from '../../src-shared/ipc/updates.ts';
import type { WireResult, WireRequest } from '../exchange/transport.ts';
import { FIRST_CHECK_MS, RETRY_MS, Updates } from './updates.ts';
import { DAY_MS } from '../../src-shared/time.ts';
import { ManualTime } from '../../tests/shared/manual-time.ts';
import { wireReply } from '../../tests/exchange/wire-reply.ts';

const pair = generateKeyPairSync('ed25519');
const privateKey = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const PLACE: UpdatePlace = {
  feed: 'https://ballast.example/announcement.json',
  publicKey: pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  page: 'https://ballast.example/releases',
};
const announced = (version: string): WireResult =>
  wireReply(
    JSON.stringify(
      announce(
        {
          version,
          released: '2026-12-01',
          changes: ['Better.'],
          files: [{ name: 'Ballast.deb', bytes: 1, sha256: 'b'.repeat(64) }],
        },
        privateKey,
      ),
    ),
  );

let time = new ManualTime(0);
let asked: WireRequest[] = [];
let opened: string[] = [];
let states: UpdateState[] = [];
let hold: UpdateHold | null = null;
let wanted = true;
let answer: WireResult = announced('0.2.0');

beforeEach(() => {
  [time, asked, opened, states, hold, wanted] = [new ManualTime(0), [], [], [], null, true];
  answer = announced('0.2.0');
});

const make = (place: UpdatePlace | null = PLACE): Updates => {
  const updates = new Updates({
    place,
    version: '0.1.0',
    wanted: () => wanted,
    unfinished: () => ({ sending: hold === 'sending' ? 1 : 0, unknown: hold === 'unknown' ? 1 : 0 }),
    send(request) {
      asked.push(request);
      return Promise.resolve(answer);
    },
    openPage(url) {
      opened.push(url);
      return Promise.resolve();
    },
    changed: (state) => states.push(state),
    clock: time,
    timers: time,
  });
  updates.start();
  return updates;
};
const refusal = async (result: Promise<{ ok: boolean }>): Promise<unknown> => {
  const answered = (await result) as { ok: boolean; failure?: { message: string } };
  return answered.ok ? 'done' : answered.failure?.message;
};

it('checks once a day if enabled, and sends nothing about the user', async () => {
  wanted = false;
  make();
  await time.passUntil(3 * DAY_MS);
  expect(asked).toEqual([]);
  wanted = true;
  await time.passUntil(5 * DAY_MS);
  expect(asked).toHaveLength(2);
  expect(asked[0]).toEqual({ method: 'GET', url: PLACE.feed, headers: {}, body: '' });
  expect(states.at(-1)?.release?.version).toBe('0.2.0');
});

it.each(['sending', 'unknown'] as const)('waits while an order is %s, then looks', async (state) => {
  hold = state;
  const updates = make();
  await time.passUntil(FIRST_CHECK_MS + 20 * RETRY_MS);
  expect(asked).toEqual([]);
  expect(await refusal(updates.check())).toMatch(/order/);
  expect(asked).toEqual([]);
  hold = null;
  await time.pass(RETRY_MS);
  expect(asked).toHaveLength(1);
});

it('checks again in minutes while the network is down, then daily', async () => {
  answer = { kind: 'failure', stage: 'before-send', cause: 'dns', code: 'ENOTFOUND', status: null };
  make();
  await time.passUntil(FIRST_CHECK_MS + 2 * RETRY_MS);
  expect(asked).toHaveLength(3);
  answer = { ...announced('0.2.0'), kind: 'reply', status: 503 } as WireResult;
  await time.pass(RETRY_MS);
  await time.pass(DAY_MS - 1);
  expect(asked).toHaveLength(4);
  await time.pass(1);
  expect(asked).toHaveLength(5);
});

it('opens the page of the package, on a click only, and not while an order is unknown', async () => {
  const updates = make();
  expect(await refusal(updates.openPage())).toMatch(/No newer version/);
  await updates.check();
  expect(opened).toEqual([]);
  hold = 'unknown';
  expect(await refusal(updates.openPage())).toMatch(/outcome of an order is unknown/);
  hold = null;
  expect(await refusal(updates.openPage())).toBe('done');
  expect(opened).toEqual([PLACE.page]);
});

it('the same version or an older one is no update', async () => {
  const updates = make();
  for (const version of ['0.1.0', '0.0.9']) {
    answer = announced(version);
    await updates.check();
    expect(updates.state()).toMatchObject({ release: null, failure: null });
  }
});

it('keeps the last release when an announcement is unreadable or unsigned, and reports it', async () => {
  const updates = make();
  await updates.check();
  const bad: WireResult[] = [
    { kind: 'failure', stage: 'before-send', cause: 'dns', code: 'ENOTFOUND', status: null },
    { ...announced('0.3.0'), kind: 'reply', status: 404 } as WireResult,
    { ...announced('0.3.0'), body: Buffer.from('<html>') } as WireResult,
  ];
  for (const one of bad) {
    answer = one;
    expect(await updates.check()).toMatchObject({ ok: false });
    expect(updates.state()).toMatchObject({ checking: false, release: { version: '0.2.0' } });
    expect(updates.state().failure).not.toBeNull();
  }
});

it('a build without an update address sends no request', async () => {
  const updates = make(null);
  await time.passUntil(3 * DAY_MS);
  expect(await refusal(updates.check())).toMatch(/no update address/);
  expect([asked, updates.state().host]).toEqual([[], null]);
});
