import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { SecretInput } from '../../src-shared/ipc/connections.ts';
import { blocked, done, failed } from '../../src-shared/ipc/failures.ts';
import type { MessageOutcome, WebhookSettings, WebhookSummary } from '../../src-shared/ipc/webhooks.ts';
import type { WireResult, WireRequest } from '../exchange/transport.ts';
import { RETRY_AFTER_MS } from './deliveries.ts';
import type { Message } from './requests.ts';
import { NO_WEBHOOKS } from './stored.ts';
import { Webhooks } from './webhooks.ts';
import { ManualTime } from '../../tests/shared/manual-time.ts';
import { wireReply } from '../../tests/exchange/wire-reply.ts';

const CANARY = 'https://home.example/canary-1';
const SETTINGS: WebhookSettings = {
  service: 'json',
  name: 'Home',
  on: true,
  alerts: 'all',
  amounts: false,
  chat: '',
};
const SECRET = { address: CANARY, authorization: 'Bearer canary-2' };
const MESSAGE: Message = {
  id: 'alert-1',
  rule: 'fills',
  critical: false,
  at: 0,
  account: 'LIVE Main',
  title: 'Bought 0.5 BTC-USDT-M',
  text: 'Average price 61000.',
};
const reply = (status: number, retryAfter: string | null = null): WireResult =>
  wireReply('', { status, retryAfter });

/** Creates webhooks on a fake keychain, transport and clock. */
async function setUp() {
  let stored = NO_WEBHOOKS;
  const time = new ManualTime(0);
  const secrets = new Map<string, SecretInput>();
  /** Those the keychain did not take, of this run. */
  const inMemory = new Map<string, SecretInput>();
  const withheld: string[] = [];
  const sent: WireRequest[] = [];
  const masked: string[] = [];
  const state = {
    answers: [] as WireResult[],
    locked: false,
    /** The keychain takes no secret: it is in memory. */
    takesNothing: false,
    unwritable: false,
    masks: 0,
    /** The keychain replies once this has resolved. */
    held: Promise.resolve(),
    /** Masks in force at each request. */
    masksAtSend: [] as number[],
  };
  const announced: (readonly WebhookSummary[])[] = [];
  let ids = 0;
  const open = () =>
    Webhooks.open({
      file: {
        read: () => Promise.resolve(stored),
        write(value) {
          if (state.unwritable) return Promise.reject(new Error('ENOSPC'));
          stored = value;
          return Promise.resolve();
        },
      },
      secrets: {
        async read(id) {
          await state.held;
          const secret = inMemory.get(id);
          if (secret !== undefined) return { state: 'memory', secret, message: '' };
          const isShown = !state.locked && !withheld.includes(id);
          return {
            state: secrets.has(id) && isShown ? 'stored' : 'missing',
            secret: isShown ? (secrets.get(id) ?? null) : null,
            message: '',
          };
        },
        async write(id, secret) {
          await state.held;
          if (secret.secret.endsWith('too-long')) return blocked('Too long.', 'Shorten it.', 'secret');
          (state.takesNothing ? inMemory : secrets).set(id, secret);
          return done(state.takesNothing ? 'memory' : 'stored');
        },
        withhold(ids) {
          withheld.push(...ids);
          return Promise.resolve(() => Promise.resolve());
        },
        async forget(id) {
          await state.held;
          if (state.locked) return failed({ kind: 'keychain', message: 'Locked.', next: 'Unlock it.' });
          secrets.delete(id);
          return done(null);
        },
      },
      send(request) {
        sent.push(request);
        state.masksAtSend.push(state.masks);
        return Promise.resolve(state.answers.shift() ?? reply(200));
      },
      redact(texts) {
        masked.push(...texts);
        state.masks++;
        return () => void state.masks--;
      },
      clock: time,
      timers: time,
      changed: (list) => void announced.push(list),
      newId: () => `id-${++ids}`,
    });
  const webhooks = await open();
  const outcomes: MessageOutcome[] = [];
  return {
    webhooks,
    /** Opens them after a restart. */
    again() {
      inMemory.clear();
      return open();
    },
    state,
    secrets,
    sent,
    masked,
    outcomes,
    announced,
    stored: () => stored,
    async add(changes: Partial<WebhookSettings> = {}) {
      expect(await webhooks.add({ ...SETTINGS, ...changes }, SECRET)).toMatchObject({ ok: true });
      return webhooks.ids().at(-1) ?? '';
    },
    async deliver(message: Partial<Message> = {}, quiet = false) {
      webhooks.deliver({ ...MESSAGE, ...message }, quiet, (one) => outcomes.push(one));
      await tick();
    },
    passes: (ms: number) => time.pass(ms),
    states: () => outcomes.map((one) => one.state),
    waiting: () => time.waiting,
  };
}

describe('webhooks', () => {
  it('keep the address and the token in the keychain, and remove them with the webhook', async () => {
    const all = await setUp();
    const id = await all.add();
    expect(all.secrets.get(id)).toEqual({ secret: CANARY, headers: { authorization: 'Bearer canary-2' } });
    expect(JSON.stringify([all.stored(), await all.webhooks.list()])).not.toContain('canary');
    expect(await all.webhooks.remove(id, false)).toEqual(done([]));
    expect([all.secrets.size, all.stored()]).toEqual([0, NO_WEBHOOKS]);
  });

  it('deny what is not valid, without a retry', async () => {
    const all = await setUp();
    const denied = await all.webhooks.add(SETTINGS, { ...SECRET, address: 'http://canary.example' });
    expect(denied).toMatchObject({ ok: false, failure: { kind: 'blocked', field: 'address' } });
    expect(JSON.stringify(denied)).not.toContain('canary');
    expect([all.secrets.size, all.webhooks.ids()]).toEqual([0, []]);
  });

  it('are listed before their secret is stored, so that a kill leaves none that no webhook owns', async () => {
    const all = await setUp();
    const reply = Promise.withResolvers<undefined>();
    all.state.held = reply.promise;
    const adding = all.webhooks.add(SETTINGS, SECRET);
    await all.passes(0);
    const atKill = all.stored();
    expect([atKill.webhooks.length, all.secrets.size]).toEqual([1, 0]);
    reply.resolve(undefined);
    expect(await adding).toMatchObject({ data: [{ secret: 'stored' }] });
    expect(all.stored()).toEqual(atKill);
  });

  it('are not listed where their secret cannot be stored', async () => {
    const all = await setUp();
    const tooLong = { ...SECRET, address: `${CANARY}/too-long` };
    expect(await all.webhooks.add(SETTINGS, tooLong)).toMatchObject({ failure: { field: 'secret' } });
    expect([all.secrets.size, all.webhooks.ids()]).toEqual([0, []]);
  });

  it('leave no secret when the list cannot be written', async () => {
    const all = await setUp();
    all.state.unwritable = true;
    await expect(all.webhooks.add(SETTINGS, SECRET)).rejects.toThrow('ENOSPC');
    expect([all.secrets.size, all.webhooks.ids()]).toEqual([0, []]);
  });

  it('stay when the keychain does not forget, unless the secret may be left there', async () => {
    const all = await setUp();
    const id = await all.add();
    all.state.locked = true;
    expect(await all.webhooks.remove(id, false)).toMatchObject({ ok: false, failure: { kind: 'keychain' } });
    expect(all.webhooks.ids()).toEqual([id]);
    expect(await all.webhooks.remove(id, true)).toEqual(done([]));
  });

  it('change without their secret, never their service, and are there after a restart', async () => {
    const all = await setUp();
    const id = await all.add();
    await all.webhooks.change(id, { ...SETTINGS, service: 'slack', name: 'Work' }, null);
    const again = await (await all.again()).list();
    expect(again).toMatchObject({
      data: [{ id, settings: { service: 'json', name: 'Work' }, secret: 'stored' }],
    });
    expect(all.secrets.get(id)?.secret).toBe(CANARY);
  });

  it('bring an address that was replaced no alert after a restart, where the keychain did not take the new one', async () => {
    const all = await setUp();
    const id = await all.add();
    all.state.takesNothing = true;
    const moved = { ...SECRET, address: 'https://other.example' };
    expect(await all.webhooks.change(id, { ...SETTINGS, amounts: true }, moved)).toMatchObject({
      data: [{ secret: 'memory' }],
    });
    await all.deliver();
    const again = await all.again();
    again.deliver(MESSAGE, false, (one) => all.outcomes.push(one));
    await all.passes(0);
    expect(all.sent.map(({ url }) => url)).toEqual([moved.address]);
    expect(await again.list()).toMatchObject({ data: [{ secret: 'missing' }] });
  });

  it('wait for no keychain that prompts, and get its reply later', async () => {
    const all = await setUp();
    const [first, second] = [await all.add(), await all.add()];
    const reply = Promise.withResolvers<undefined>();
    all.state.held = reply.promise;
    const removed = all.webhooks.remove(first, false);
    const added = all.webhooks.add(SETTINGS, SECRET);
    const listed = all.webhooks.list();
    const changed = all.webhooks.change(second, { ...SETTINGS, on: false }, null);
    await all.passes(400);
    const secret = 'waiting';
    const listing = [{ id: first, secret }, { id: second, secret, settings: { on: false } }, { secret }];
    expect(await listed).toMatchObject({ data: listing });
    expect(await changed).toMatchObject({ data: listing });
    reply.resolve(undefined);
    await Promise.all([removed, added]);
    expect(all.announced.at(-1)?.find(({ id }) => id === second)?.secret).toBe('stored');
    const [, third] = all.webhooks.ids();
    expect(await added).toMatchObject({ data: [{ id: second }, { id: third, secret: 'stored' }] });
    expect([...all.secrets.keys()]).toEqual([second, third]);
  });

  it('leave no secret that was entered while its webhook was being removed', async () => {
    const all = await setUp();
    const id = await all.add();
    const changes = [all.webhooks.remove(id, false), all.webhooks.change(id, SETTINGS, SECRET)];
    const [removed, changed] = await Promise.all(changes);
    expect([removed, changed?.ok]).toEqual([done([]), false]);
    expect([all.secrets.size, all.webhooks.ids()]).toEqual([0, []]);
  });

  it('are tested once: the verdict is the status, and the log masks the secret meanwhile', async () => {
    const all = await setUp();
    const id = await all.add({ on: false });
    expect(await all.webhooks.test(id)).toMatchObject({ ok: true, data: { state: 'delivered', why: '' } });
    all.state.answers = [reply(503)];
    expect(await all.webhooks.test(id)).toMatchObject({
      data: { state: 'failed', why: 'The server reported an error (status 503).' },
    });
    expect([all.sent.length, all.waiting(), all.state.masksAtSend, all.state.masks]).toEqual([
      2,
      0,
      [1, 1],
      0,
    ]);
    expect(all.masked).toEqual(expect.arrayContaining([CANARY, 'Bearer canary-2']));
  });
});

describe('deliveries', () => {
  it('go to each webhook that wants them, once', async () => {
    const all = await setUp();
    await all.add();
    await all.add({ alerts: 'critical' });
    await all.add({ on: false });
    await all.deliver();
    expect([all.sent.length, all.states()]).toEqual([1, ['sending', 'delivered']]);
    await all.deliver({ critical: true });
    expect(all.sent).toHaveLength(3);
    await all.deliver({}, true);
    expect(all.sent).toHaveLength(3);
    await all.deliver({ critical: true }, true);
    expect(all.sent).toHaveLength(5);
  });

  it('leave amounts out unless they are wanted', async () => {
    const all = await setUp();
    await all.add();
    await all.add({ amounts: true });
    await all.deliver();
    const titles = all.sent.map((one) => (JSON.parse(one.body) as { title: string }).title);
    expect(titles).toEqual(['Bought ••••• BTC-USDT-M', 'Bought 0.5 BTC-USDT-M']);
  });

  it('leave amounts out of a retry once they are turned off', async () => {
    const all = await setUp();
    const id = await all.add({ amounts: true });
    all.state.answers = [reply(500)];
    await all.deliver();
    await all.webhooks.change(id, { ...SETTINGS, amounts: false }, null);
    await all.passes(10_000);
    const titles = all.sent.map((one) => (JSON.parse(one.body) as { title: string }).title);
    expect(titles).toEqual(['Bought 0.5 BTC-USDT-M', 'Bought ••••• BTC-USDT-M']);
  });

  it.each([
    ['leave amounts out', { amounts: false }, ['Bought ••••• BTC-USDT-M'], 'delivered'],
    ['are not sent', { on: false }, [], 'failed'],
  ] as const)('%s where that was set while the keychain was slow', async (_what, change, titles, outcome) => {
    const all = await setUp();
    const id = await all.add({ amounts: true });
    const reply = Promise.withResolvers<undefined>();
    all.state.held = reply.promise;
    await all.deliver();
    const changed = all.webhooks.change(id, { ...SETTINGS, ...change }, null);
    await all.passes(0);
    expect([all.stored().webhooks[0]?.settings, all.sent]).toMatchObject([change, []]);
    reply.resolve(undefined);
    await changed;
    await all.passes(0);
    expect(all.sent.map((one) => (JSON.parse(one.body) as { title: string }).title)).toEqual(titles);
    expect(all.outcomes.at(-1)?.state).toBe(outcome);
  });

  it('stay switched off where that was set while the keychain was slow to take another address', async () => {
    const all = await setUp();
    const id = await all.add();
    const reply = Promise.withResolvers<undefined>();
    all.state.held = reply.promise;
    const changes = [
      all.webhooks.change(id, { ...SETTINGS, name: 'Work' }, SECRET),
      all.webhooks.change(id, { ...SETTINGS, on: false }, null),
    ];
    await all.passes(0);
    reply.resolve(undefined);
    await Promise.all(changes);
    expect(all.stored().webhooks[0]?.settings).toEqual({ ...SETTINGS, name: 'Work', on: false });
  });

  it('bring a new address no amounts that were turned off with it, also where the list cannot be written', async () => {
    const all = await setUp();
    const id = await all.add({ amounts: true });
    const reply = Promise.withResolvers<undefined>();
    all.state.held = reply.promise;
    const moved = { ...SECRET, address: 'https://other.example' };
    const changed = all.webhooks.change(id, { ...SETTINGS, amounts: false }, moved);
    changed.catch(() => undefined);
    await all.passes(0);
    all.state.unwritable = true;
    reply.resolve(undefined);
    await expect(changed).rejects.toThrow('ENOSPC');
    await all.deliver();
    expect(all.sent.map(({ url, body }) => [url, body.includes('0.5')])).toEqual([[moved.address, false]]);
  });

  it('are retried with growing waits up to a limit, with the same id', async () => {
    const all = await setUp();
    await all.add();
    all.state.answers = Array.from({ length: 9 }, () => reply(500));
    await all.deliver();
    for (const wait of RETRY_AFTER_MS) {
      await all.passes(wait - 1);
      const before = all.sent.length;
      await all.passes(1);
      expect(all.sent.length).toBe(before + 1);
    }
    expect(all.states()).toEqual(['sending', 'retrying', 'retrying', 'retrying', 'retrying', 'failed']);
    expect([all.waiting(), new Set(all.sent.map((one) => one.body)).size]).toEqual([0, 1]);
  });

  it('wait as long as the server asks, and are given up when that is too long', async () => {
    const all = await setUp();
    await all.add();
    all.state.answers = [reply(429, '120'), reply(429, '86400')];
    await all.deliver();
    await all.passes(119_000);
    expect(all.sent).toHaveLength(1);
    await all.passes(1_000);
    expect([all.sent.length, all.states()]).toEqual([2, ['sending', 'retrying', 'failed']]);
  });

  it('are not retried when rejected, nor after the webhook was removed or switched off', async () => {
    const all = await setUp();
    const id = await all.add();
    all.state.answers = [reply(404), reply(500), reply(500)];
    await all.deliver();
    expect([all.states(), all.waiting()]).toEqual([['sending', 'failed'], 0]);
    await all.deliver();
    await all.webhooks.change(id, { ...SETTINGS, on: false }, null);
    await all.passes(10_000);
    expect(all.outcomes.at(-1)).toMatchObject({ state: 'failed', why: 'The webhook was switched off.' });
    await all.webhooks.change(id, SETTINGS, null);
    await all.deliver();
    await all.webhooks.remove(id, false);
    await all.passes(10_000);
    expect(all.outcomes.at(-1)).toMatchObject({ state: 'failed', why: 'The webhook was removed.' });
    expect(all.sent).toHaveLength(3);
  });

  it('wait for a locked keychain', async () => {
    const all = await setUp();
    await all.add();
    all.state.locked = true;
    await all.deliver();
    expect([all.sent.length, all.states()]).toEqual([0, ['sending', 'retrying']]);
    all.state.locked = false;
    await all.passes(10_000);
    expect([all.sent.length, all.states().at(-1)]).toEqual([1, 'delivered']);
  });

  it('do not pile up: the twenty-first that would wait has failed', async () => {
    const all = await setUp();
    await all.add();
    all.state.answers = Array.from({ length: 20 }, () => reply(500));
    for (let number = 0; number < 21; number++) await all.deliver();
    expect(all.sent).toHaveLength(20);
    expect(all.outcomes.at(-1)).toMatchObject({ state: 'failed' });
    await all.passes(10_000);
    await all.deliver();
    expect(all.outcomes.at(-1)?.state).toBe('delivered');
  });
});
