import { describe, expect, it, vi } from 'vitest';
import { done, failed } from '../../src-shared/ipc/failures.ts';
import { accountOf } from './account.ts';
import { FIRST_SESSION } from './stored.ts';
import {
  added,
  fixture,
  NO_SECRET,
  onConnection,
  passed,
  secret,
  setSecret,
  settings,
  started,
  TOO_LONG,
  withConnection,
} from '../../tests/session/session-fixture.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('session', () => {
  it('opens the practice exchange at the first start', async () => {
    const b = await started();
    expect(b.opened).toEqual([{ id: 'practice', secret: 'practice-secret' }]);
    expect(b.session.state()).toMatchObject({ activeId: 'practice', locked: false });
  });

  it('returns the connection being opened to calls during the start', async () => {
    const b = fixture();
    const asked = Promise.resolve().then(() => b.session.opened());
    await b.session.start();
    expect((await asked)?.id).toBe('practice');
  });

  it('lets calls wait for the next connection from when one begins to close', async () => {
    const b = await started();
    const before = b.session.current();
    const closes = Promise.withResolvers<undefined>();
    b.held.close = closes.promise;
    const reopened = b.session.reopen('practice');
    await vi.waitFor(() => expect(b.closed).toEqual(['practice']));
    expect(b.session.current()).toBeNull();
    const asked = b.session.opened();
    closes.resolve(undefined);
    await reopened;
    expect(await asked).toBe(b.session.current());
    expect(await asked).not.toBe(before);
  });

  it('has a connection in use until it is closed, also once another is selected', async () => {
    const { b, id } = await onConnection();
    const closes = Promise.withResolvers<undefined>();
    b.held.close = closes.promise;
    const selected = b.session.select('practice');
    await vi.waitFor(() => expect(b.closed).toContain(id));
    expect([b.session.isInUse(id), b.session.isInUse('practice')]).toEqual([true, true]);
    closes.resolve(undefined);
    await selected;
    expect([b.session.isInUse(id), b.session.isInUse('practice')]).toEqual([false, true]);
  });

  it('says when another account is open under the same connection', async () => {
    const b = await started();
    const practice = b.session.state().account;
    const id = await added(b);
    await b.session.select(id);
    const { account } = b.session.state();
    expect(account).not.toBe(practice);
    await b.session.update(id, settings('Renamed'));
    await setSecret(b, id);
    expect(b.session.state().account).toBe(account);
    await b.session.update(id, settings('Renamed', { apiKey: 'another' }));
    expect(b.session.state().account).not.toBe(account);
    await b.session.stop();
    expect(b.session.state().account).toBeNull();
  });

  it('stores no secret on disk or in the window’s state', async () => {
    const b = await started();
    await added(b);
    expect(JSON.stringify(b.disk.value)).not.toContain(secret.secret);
    expect(JSON.stringify(b.session.state())).not.toContain(secret.secret);
    expect(JSON.stringify(b.session.state())).not.toContain('practice-secret');
  });

  it('leaves no secret behind of a connection that could not be stored', async () => {
    const b = await started();
    b.disk.isFull = true;
    await expect(b.session.add(settings('Meridian'), secret)).rejects.toThrow('ENOSPC');
    expect([[...b.kept], b.session.state().connections.length]).toEqual([[], 1]);
  });

  it('lists a connection before its secret is stored, so that a kill leaves none that no connection owns', async () => {
    const b = await started();
    const reply = Promise.withResolvers<undefined>();
    b.held.until = reply.promise;
    const adding = b.session.add(settings('Meridian'), secret);
    await settled();
    const atKill = b.disk.value;
    expect([atKill.connections.length, b.kept.size]).toEqual([1, 0]);
    reply.resolve(undefined);
    expect(await adding).toMatchObject({ data: { secret: 'stored' } });
    expect([b.kept.size, b.disk.value]).toEqual([1, atKill]);
  });

  it('lists no connection whose secret cannot be stored', async () => {
    const b = await started();
    expect(await b.session.add(settings('Meridian'), TOO_LONG)).toMatchObject({
      failure: { field: 'secret' },
    });
    expect([b.kept.size, b.session.ids(), b.disk.value]).toEqual([0, ['practice'], FIRST_SESSION]);
  });

  it('opens practice again where the secret of a connection selected meanwhile cannot be stored', async () => {
    const b = await started();
    const reply = Promise.withResolvers<undefined>();
    b.held.until = reply.promise;
    const adding = b.session.add(settings('Meridian'), TOO_LONG);
    await settled();
    const selected = b.session.select('live-id-1');
    await settled();
    for (const due of b.timers) due();
    await selected;
    expect(b.session.current()?.id).toBe('live-id-1');
    reply.resolve(undefined);
    expect((await adding).ok).toBe(false);
    expect([b.session.current()?.id, b.disk.value]).toEqual(['practice', FIRST_SESSION]);
    expect(b.released.at(-1)).toBe('live-id-1');
  });

  it('no longer shows a connection whose secret cannot be stored', async () => {
    const b = await started();
    const reply = Promise.withResolvers<undefined>();
    b.held.until = reply.promise;
    const adding = b.session.add(settings('Meridian'), TOO_LONG);
    await settled();
    b.session.announce();
    expect(b.announced.at(-1)?.connections).toHaveLength(2);
    reply.resolve(undefined);
    await adding;
    expect(b.announced.at(-1)?.connections).toHaveLength(1);
    expect(b.opened).toHaveLength(1);
  });

  it('closes one connection before it opens the other, in the order requested', async () => {
    const { b, id } = await withConnection();
    await Promise.all([b.session.select(id), b.session.select('practice')]);
    expect(b.opened.map((one) => one.id)).toEqual(['practice', id, 'practice']);
    expect(b.closed).toEqual(['practice', id]);
  });

  it('verifies a connection by its signed read, and drops that when the profile changes', async () => {
    const { b, id } = await withConnection();
    expect(b.session.summary(id)?.verified).toBe(false);
    await b.session.test(id);
    expect(b.session.summary(id)?.verified).toBe(true);
    await b.session.update(id, settings('Renamed'));
    expect(b.session.summary(id)?.verified).toBe(true);
    await b.session.update(id, settings('Renamed', { baseUrl: 'https://other.example' }), secret);
    expect(b.session.summary(id)?.verified).toBe(false);
    b.setSteps([{ ...passed, state: 'failed' }]);
    await b.session.test(id);
    expect(b.session.summary(id)?.verified).toBe(false);
  });

  it.each<[string, (b: ReturnType<typeof fixture>, id: string) => Promise<unknown>]>([
    ['its secret', (b, id) => setSecret(b, id, { ...secret, secret: 'another-secret-value' })],
    ['its key', ({ session }, id) => session.update(id, settings('Meridian', { apiKey: 'another-key' }))],
  ])('is not verified by a read that began before %s changed', async (_what, change) => {
    const { b, id } = await onConnection();
    const before = b.session.current();
    await Promise.all([change(b, id), b.session.markVerified(before!)]);
    expect(b.session.summary(id)?.verified).toBe(false);
    await b.session.markVerified(b.session.current()!);
    expect(b.session.summary(id)?.verified).toBe(true);
  });

  it('opens a connection without its secret when the keychain has none, and reports it', async () => {
    const { b, id } = await withConnection();
    b.kept.clear();
    await b.session.select(id);
    expect(b.opened.at(-1)).toEqual({ id, secret: null });
    expect(b.session.summary(id)?.secret).toBe('missing');
    expect(await b.session.test(id)).toMatchObject({ ok: false, failure: { message: NO_SECRET } });
  });

  it('stops reading without a secret, with the vault’s message, until one is entered', async () => {
    const { b, id } = await withConnection();
    b.kept.clear();
    await b.session.select(id);
    expect(b.stopped).toMatchObject([{ kind: 'keychain', message: NO_SECRET, field: 'secret' }]);
    await setSecret(b, id);
    expect(b.opened.at(-1)).toEqual({ id, secret: secret.secret });
    expect(b.stopped).toHaveLength(1);
  });

  it('reads again once the keychain has the secret, on Retry and on a test', async () => {
    const { b, id } = await withConnection();
    b.kept.clear();
    await b.session.select(id);
    expect(b.session.lacksSecret()).toBe(true);
    b.kept.set(id, secret);
    await b.session.test(id);
    expect(b.opened.at(-1)).toEqual({ id, secret: secret.secret });
    expect(b.session.lacksSecret()).toBe(false);
    b.kept.clear();
    await b.session.reopen(id);
    expect(b.session.lacksSecret()).toBe(true);
    b.kept.set(id, secret);
    await b.session.reopen(id);
    expect([b.session.lacksSecret(), b.stopped.length]).toEqual([false, 2]);
  });

  it('reopens no other connection than the one that is meant', async () => {
    const { b, id } = await onConnection();
    await Promise.all([b.session.select('practice'), b.session.reopen(id), b.session.reopen('practice')]);
    expect(b.opened.map((one) => one.id)).toEqual(['practice', id, 'practice', 'practice']);
  });

  it('replaces no connection that was opened again meanwhile, as with the key of another account', async () => {
    const { b, id } = await onConnection();
    const found = b.session.current()!;
    const moved: string[] = [];
    const updated = b.session.update(id, settings('Meridian', { apiKey: 'another' }));
    await Promise.all([updated, b.session.replace(found, () => moved.push('the archive of another key'))]);
    expect([moved, b.opened.length]).toEqual([[], 3]);
    await b.session.replace(b.session.current()!, () => moved.push('its own'));
    expect([moved, b.opened.length]).toEqual([['its own'], 4]);
  });

  it('says so where closing takes long, as while an order is being sent', async () => {
    const { b, id } = await onConnection();
    await b.session.select('practice');
    expect([b.timers.size, b.notices]).toEqual([0, []]);
    const closes = Promise.withResolvers<undefined>();
    b.held.close = closes.promise;
    const selected = b.session.select(id);
    await settled();
    for (const run of b.timers) run();
    closes.resolve(undefined);
    await selected;
    expect(b.notices).toEqual(['The connection is being closed.']);
  });

  it('announces which connection is active also where it cannot be opened', async () => {
    const { b } = await onConnection();
    b.practice.starts = false;
    await expect(b.session.select('practice')).rejects.toThrow('did not start');
    expect(b.session.current()).toBeNull();
    expect(b.session.state().activeId).toBe('practice');
    expect(b.announced.at(-1)).toEqual(b.session.state());
    b.practice.starts = true;
    await b.session.select('practice');
    expect(b.session.current()?.id).toBe('practice');
  });

  it('opens practice while the list of connections cannot be read, which stays as it is', async () => {
    const b = fixture();
    b.disk.isUnreadable = true;
    await expect(b.session.start()).rejects.toThrow('EACCES');
    await b.session.select('practice');
    expect(b.session.current()?.id).toBe('practice');
    await expect(b.session.add(settings('Meridian'), secret)).rejects.toThrow();
    expect([b.session.ids(), b.kept.size]).toEqual([['practice'], 0]);
  });

  it('announces what became of a secret also where a test ends, or nothing can be stored', async () => {
    const { b, id } = await withConnection();
    b.kept.clear();
    await b.session.test(id);
    expect(b.announced.at(-1)?.connections[1]?.secret).toBe('missing');
    b.disk.isFull = true;
    await setSecret(b, id);
    expect(b.announced.at(-1)?.connections[1]?.secret).toBe('stored');
  });

  it.each([true, false])(
    'has one secret stored and in use on a full disk; verified before: %s',
    async (verified) => {
      const { b, id } = await onConnection();
      if (verified) await b.session.test(id);
      b.disk.isFull = true;
      const next = { ...secret, secret: 'another-secret-value' };
      const inUse = (): unknown => [b.kept.get(id)?.secret ?? null, b.session.summary(id)?.secret];
      if (verified) {
        await expect(setSecret(b, id, next)).rejects.toThrow('ENOSPC');
        expect([b.opened.at(-1)?.secret, inUse()]).toEqual([secret.secret, [secret.secret, 'stored']]);
        return;
      }
      await setSecret(b, id, next);
      expect([b.opened.at(-1)?.secret, inUse()]).toEqual([next.secret, [next.secret, 'stored']]);
    },
  );

  it('stays verified where the keychain refused to remove its secret', async () => {
    const { b, id } = await withConnection();
    await b.session.test(id);
    b.setForget(failed({ kind: 'keychain', message: 'locked', next: 'unlock it' }));
    expect((await b.session.remove(id, false, [])).ok).toBe(false);
    expect(b.session.summary(id)).toMatchObject({ verified: true, secret: 'stored' });
  });

  it('does not go on with the secret of a connection that could not be removed from the list', async () => {
    const { b, id } = await onConnection();
    b.disk.isFull = true;
    await expect(b.session.remove(id, false, [])).rejects.toThrow('ENOSPC');
    expect(b.opened.at(-1)).toEqual({ id, secret: null });
    expect(b.session.summary(id)?.secret).toBe('missing');
  });

  it('deletes the data of a removed connection, also after a kill or a fault in between', async () => {
    const { b, id } = await onConnection();
    expect((await b.session.remove(id, false, [], true)).ok).toBe(true);
    expect(b.deleted).toEqual([]);
    const next = fixture(b.disk.value);
    await next.session.start();
    const refused = failed({ kind: 'file', message: 'not deleted', next: 'allow it' });
    next.setDeleting(refused);
    expect(await next.session.finishRemovals()).toEqual(refused);
    next.setDeleting(done(null));
    expect(await next.session.finishRemovals()).toEqual(done(null));
    expect([next.deleted, next.disk.value]).toEqual([Array(2).fill({ id, archive: true }), FIRST_SESSION]);
    await next.session.finishRemovals();
    expect(next.deleted).toHaveLength(2);
  });

  it('deletes no data of a connection that is listed as removed but is there', async () => {
    const { b, id } = await onConnection();
    const removed = ['practice', id, 'live-gone'].map((one) => ({ id: one, archive: true }));
    const next = fixture({ ...b.disk.value, removed });
    await next.session.start();
    expect(await next.session.finishRemovals()).toEqual(done(null));
    expect(next.deleted).toEqual([{ id: 'live-gone', archive: true }]);
    expect(next.disk.value).toEqual(b.disk.value);
  });

  it('reads without a secret where the signing needs none', async () => {
    const b = await started();
    const { signing } = settings('Unsigned');
    const open = settings('Unsigned', { signing: { ...signing, algorithm: 'none', headers: [] } });
    const one = await b.session.add(open, { secret: '', headers: {} });
    b.kept.clear();
    await b.session.select(one.ok ? one.data.id : '');
    expect(b.opened.at(-1)?.secret).toBeNull();
    expect(b.stopped).toEqual([]);
  });

  it('includes an account in Portfolio without opening its connection again', async () => {
    const { b, id } = await onConnection();
    const opened = b.opened.length;
    expect(await b.session.setPortfolio(id, true)).toMatchObject({ data: { settings: { portfolio: true } } });
    expect(b.disk.value.connections[0]?.settings.portfolio).toBe(true);
    expect(b.opened).toHaveLength(opened);
    expect((await b.session.setPortfolio('practice', true)).ok).toBe(false);
  });

  it('ends other reading of a connection before it opens it, and once it was changed or removed', async () => {
    const { b, id } = await withConnection();
    expect(b.released).toEqual([]);
    await b.session.select(id);
    await b.session.select('practice');
    await setSecret(b, id);
    await b.session.remove(id, false, []);
    expect(b.released).toEqual([id, id, id]);
  });

  it('removes a connection with its secret, and falls back to practice', async () => {
    const { b, id } = await onConnection();
    expect((await b.session.remove(id, false, [])).ok).toBe(true);
    expect(b.kept.size).toBe(0);
    expect(b.session.state()).toMatchObject({ activeId: 'practice' });
    expect(b.opened.at(-1)?.id).toBe('practice');
  });

  it('removes a connection with an unknown outcome only when its symbol was typed, and forgets no secret before', async () => {
    const { b, id } = await withConnection();
    b.unsettled.set(id, 2);
    for (const typed of [[], ['btc-usdt-m']]) {
      const refused = await b.session.remove(id, false, typed);
      expect(refused).toMatchObject({
        ok: false,
        failure: { kind: 'blocked', field: 'typed', message: expect.stringContaining('BTC-USDT-M') },
      });
    }
    expect([b.kept.size, b.session.summary(id) === null]).toEqual([1, false]);
    expect((await b.session.remove(id, false, ['BTC-USDT-M'])).ok).toBe(true);
    expect(b.session.summary(id)).toBeNull();
  });

  it('assigns the orders of every stored account before it opens one', async () => {
    const first = fixture();
    await first.session.start();
    const id = await added(first);
    const again = fixture(first.disk.value);
    await again.session.start();
    expect(again.assigned).toEqual([{ id, account: accountOf(settings('Meridian')) }]);
    expect(again.opened).toMatchObject([{ id: 'practice' }]);
  });

  it('assigns the orders of an account that is added, or whose key a connection gets, before it is opened', async () => {
    const { b, id } = await withConnection();
    const account = accountOf(settings('Meridian'));
    expect(b.assigned).toEqual([{ id, account }]);
    const change = { apiKey: 'another' };
    expect((await b.session.update(id, settings('Meridian', change))).ok).toBe(true);
    expect(b.assigned.slice(1)).toEqual([{ id, account: accountOf(settings('Meridian', change)) }]);
    expect(b.opened.map((one) => one.id)).toEqual(['practice']);
  });

  it('leaves the open connection its orders where another one of its account is added or changed', async () => {
    const { b, id } = await onConnection();
    const own = { id, account: accountOf(settings('Meridian')) };
    const second = await added(b, 'Second');
    expect(b.assigned.slice(-2)).toEqual([{ ...own, id: second }, own]);
    expect((await b.session.update(second, settings('Renamed'))).ok).toBe(true);
    expect(b.assigned.slice(-2)).toEqual([{ ...own, id: second }, own]);
  });

  it('gives the orders back to another connection of their account where one is removed or not added after all', async () => {
    const { b, id } = await withConnection();
    const second = await added(b, 'Second');
    await b.session.select(second);
    expect((await b.session.remove(second, false, [])).ok).toBe(true);
    expect(b.assigned.at(-1)?.id).toBe(id);
    expect((await b.session.add(settings('Third'), TOO_LONG)).ok).toBe(false);
    expect(b.assigned.slice(-2).map((one) => one.id)).toEqual(['live-id-3', id]);
  });

  it('names the connections with an unknown outcome that are not open', async () => {
    const { b, id } = await onConnection();
    b.unsettled.set(id, 2);
    expect(b.session.state().unknownElsewhere).toEqual([]);
    await b.session.select('practice');
    expect(b.announced.at(-1)?.unknownElsewhere).toEqual([id]);
    await b.session.select(id);
    expect(b.announced.at(-1)?.unknownElsewhere).toEqual([]);
  });

  it('does not change key or address of a connection with an unknown outcome', async () => {
    const { b, id } = await withConnection();
    b.unsettled.set(id, 1);
    for (const change of [{ baseUrl: 'https://other.example' }, { apiKey: 'another' }])
      expect(await b.session.update(id, settings('Meridian', change))).toMatchObject({
        failure: { kind: 'blocked', message: expect.stringContaining('outcome') },
      });
    expect((await b.session.update(id, settings('Renamed'))).ok).toBe(true);
    b.unsettled.set(id, 0);
    expect((await b.session.update(id, settings('Renamed', { apiKey: 'another' }))).ok).toBe(true);
  });

  it('sends a stored secret to no other address', async () => {
    const { b, id } = await onConnection();
    const opened = b.opened.length;
    for (const baseUrl of [
      'https://other.example',
      `${settings('').baseUrl}/other`,
      `${settings('').baseUrl}:444`,
    ])
      expect(await b.session.update(id, settings('Meridian', { baseUrl }))).toMatchObject({
        failure: { kind: 'blocked', field: 'secret' },
      });
    expect([b.opened.length, b.session.summary(id)?.settings.baseUrl]).toEqual([
      opened,
      settings('').baseUrl,
    ]);
    // Written in another way it is the same address.
    const same = { baseUrl: `${settings('').baseUrl}/` };
    expect((await b.session.update(id, settings('Meridian', same))).ok).toBe(true);
    const other = settings('Meridian', { baseUrl: 'https://other.example' });
    expect((await b.session.update(id, other, secret)).ok).toBe(true);
    // On a computer, one program may serve http and another https.
    const local = settings('Meridian', { baseUrl: 'http://127.0.0.1:8443' });
    expect((await b.session.update(id, local, secret)).ok).toBe(true);
    const secure = settings('Meridian', { baseUrl: 'https://127.0.0.1:8443' });
    expect(await b.session.update(id, secure)).toMatchObject({ failure: { field: 'secret' } });
  });

  it('waits for the keychain, and lacks no secret, until the keychain has replied', async () => {
    const { b, id } = await withConnection();
    const next = fixture(b.disk.value);
    await next.session.start();
    expect(next.session.summary(id)?.secret).toBe('waiting');
    await next.session.readSecretStates();
    expect(next.session.summary(id)?.secret).toBe('missing');
  });

  it('keeps a connection whose secret could not be removed', async () => {
    const { b, id } = await withConnection();
    b.setForget(failed({ kind: 'keychain', message: 'locked', next: 'unlock' }));
    expect((await b.session.remove(id, false, [])).ok).toBe(false);
    expect(b.session.summary(id)).not.toBeNull();
    expect((await b.session.remove(id, true, [])).ok).toBe(true);
    expect(b.session.summary(id)).toBeNull();
  });

  it('says where the secret is of a connection that stays, as an order was sent meanwhile', async () => {
    const b = fixture();
    await b.session.start();
    b.setWritten('memory');
    const id = await added(b);
    expect(b.session.summary(id)?.secret).toBe('memory');
    // The one in memory is forgotten; the keychain, which holds an older one, removes nothing.
    b.setWritten('unavailable');
    b.setForget(failed({ kind: 'keychain', message: 'locked', next: 'unlock' }));
    const reply = Promise.withResolvers<undefined>();
    b.held.until = reply.promise;
    const removing = b.session.remove(id, true, []);
    await Promise.resolve();
    b.unsettled.set(id, 1);
    reply.resolve(undefined);
    expect(await removing).toMatchObject({ ok: false, failure: { field: 'typed' } });
    expect(b.session.summary(id)?.secret).toBe('unavailable');
  });

  /** A live connection opened before its keychain replies. */
  async function openedEarly(b = fixture(), id?: string) {
    if (id === undefined) await b.session.start();
    const one = id ?? (await added(b));
    const reply = Promise.withResolvers<undefined>();
    b.held.until = reply.promise;
    const reads = id === undefined ? null : b.session.readSecretStates();
    const selected = b.session.select(one);
    await expect.poll(() => b.timers.size).toBe(1);
    for (const fire of b.timers) fire();
    await selected;
    return { ...b, id: one, reads, replies: () => reply.resolve(undefined) };
  }

  it('lets no change wait for a keychain that does not respond, and takes the secret when it comes', async () => {
    const { session, opened, stopped, id, replies } = await openedEarly();
    expect(opened.at(-1)).toEqual({ id, secret: null });
    expect(session.summary(id)?.secret).toBe('waiting');
    expect(stopped).toMatchObject([
      { kind: 'keychain', message: expect.stringContaining('has not returned the secret') },
    ]);
    replies();
    await expect.poll(() => opened.at(-1)?.secret).toBe(secret.secret);
    expect(session.summary(id)?.secret).toBe('stored');
  });

  it('takes a late secret without another call of the keychain, which may be as slow', async () => {
    const b = await openedEarly();
    b.held.until = new Promise(() => undefined);
    b.replies();
    await settled();
    expect(b.opened.at(-1)?.secret).toBe(secret.secret);
  });

  it('takes a late secret also when another read of it was answered first', async () => {
    const before = fixture();
    await before.session.start();
    const id = await added(before);
    const b = fixture(before.disk.value);
    b.kept.set(id, secret);
    await b.session.start();
    const { opened, reads, replies } = await openedEarly(b, id);
    expect(opened.at(-1)).toEqual({ id, secret: null });
    replies();
    await reads;
    await settled();
    expect(opened.at(-1)).toEqual({ id, secret: secret.secret });
  });

  it('loads no late secret into a connection locked meanwhile, and leaves it in no process', async () => {
    const b = await openedEarly();
    await b.session.setLock('secret');
    const opened = b.opened.length;
    b.replies();
    await settled();
    expect([b.opened.length, b.process.isKept]).toEqual([opened, false]);
    expect(b.stopped).toHaveLength(1);
    expect(b.session.state()).toMatchObject({ secretUse: 'unloaded' });
  });

  it('reads once it is unlocked, also where a late secret came while the lock was about to unload it', async () => {
    const b = await openedEarly();
    const [first, second] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    b.held.write = first.promise;
    const before = b.session.setPortfolio(b.id, true);
    b.replies();
    await settled();
    b.held.write = second.promise;
    const between = b.session.setPortfolio(b.id, false);
    const locking = b.session.setLock('secret');
    first.resolve(undefined);
    await before;
    await settled();
    const unlocking = b.session.setLock('orders');
    second.resolve(undefined);
    await Promise.all([between, locking, unlocking]);
    expect(b.opened.at(-1)).toEqual({ id: b.id, secret: secret.secret });
    expect(b.session.current()?.isUnloaded()).toBe(false);
  });

  it('opens nothing by a late secret after another connection was selected, or all are closed', async () => {
    for (const leave of ['select', 'stop'] as const) {
      const b = await openedEarly();
      await (leave === 'stop' ? b.session.stop() : b.session.select('practice'));
      const opened = b.opened.length;
      b.replies();
      await settled();
      expect(b.opened.length, leave).toBe(opened);
      expect(b.session.summary(b.id)?.secret).toBe('stored');
    }
  });

  it('lets no change wait for a keychain that is to store a secret', async () => {
    const { b, id } = await onConnection();
    const reply = Promise.withResolvers<undefined>();
    b.held.until = reply.promise;
    const changes = [
      setSecret(b, id, { ...secret, secret: 'another' }),
      b.session.add(settings('Second'), secret),
      b.session.add(settings('Second'), secret),
    ];
    await b.session.select('practice');
    reply.resolve(undefined);
    expect(await Promise.all(changes)).toMatchObject([
      { ok: true },
      { ok: true },
      { failure: { field: 'name' } },
    ]);
    expect([b.kept.get(id)?.secret, b.kept.size, b.session.state().connections.length]).toEqual([
      'another',
      2,
      3,
    ]);
    expect(b.session.current()?.id).toBe('practice');
  });

  it('lets no change wait for a keychain that is to remove a secret', async () => {
    const { b, id } = await onConnection();
    const other = await added(b, 'Second');
    const reply = Promise.withResolvers<undefined>();
    b.held.until = reply.promise;
    const removed = b.session.remove(id, false, []);
    await b.session.select('practice');
    expect((await b.session.setPortfolio(other, true)).ok).toBe(true);
    expect(b.session.summary(id)).not.toBeNull();
    reply.resolve(undefined);
    expect((await removed).ok).toBe(true);
    expect([b.session.ids(), [...b.kept.keys()]]).toEqual([['practice', other], [other]]);
  });

  it('keeps a connection by which an order was sent while the keychain removed its secret', async () => {
    const { b, id } = await onConnection();
    const reply = Promise.withResolvers<undefined>();
    b.held.until = reply.promise;
    const removed = b.session.remove(id, false, []);
    await settled();
    b.unsettled.set(id, 1);
    reply.resolve(undefined);
    expect(await removed).toMatchObject({ failure: { field: 'typed' } });
    // It reads on, to find the outcome.
    expect([b.session.current()?.id, b.session.summary(id)?.secret]).toEqual([id, 'missing']);
    expect((await b.session.remove(id, false, ['BTC-USDT-M'])).ok).toBe(true);
  });

  it('leaves no secret behind that was entered while its connection was being removed', async () => {
    for (const order of ['removed first', 'entered first'] as const) {
      const { b, id } = await onConnection();
      const reply = Promise.withResolvers<undefined>();
      b.held.until = reply.promise;
      const changes = [
        () => setSecret(b, id, { ...secret, secret: 'another' }),
        () => b.session.remove(id, false, []),
      ];
      if (order === 'removed first') changes.reverse();
      const ended = changes.map((begin) => begin());
      reply.resolve(undefined);
      await Promise.all(ended);
      expect([b.kept.has(id), b.session.summary(id)]).toEqual([false, null]);
    }
  });

  it('changes settings and secret at once, however late the keychain stores it', async () => {
    const { b, id } = await onConnection();
    await b.session.test(id);
    const opened = b.opened.length;
    const reply = Promise.withResolvers<undefined>();
    b.held.until = reply.promise;
    const another = { ...secret, secret: 'another' };
    const updated = b.session.update(id, settings('Meridian', { apiKey: 'another' }), another);
    await settled();
    expect([b.opened.length, b.session.summary(id)?.settings.apiKey]).toEqual([opened, settings('').apiKey]);
    reply.resolve(undefined);
    expect(await updated).toMatchObject({ data: { settings: { apiKey: 'another' }, verified: false } });
    expect(b.opened.slice(opened)).toEqual([{ id, secret: 'another' }]);
    // The same settings with another secret are to be verified again.
    await b.session.test(id);
    expect(b.session.summary(id)?.verified).toBe(true);
    expect(await b.session.update(id, settings('Meridian', { apiKey: 'another' }), secret)).toMatchObject({
      data: { verified: false },
    });
  });

  it('opens nothing any more once it is stopped, also when a secret is stored later', async () => {
    const { b, id } = await onConnection();
    const reply = Promise.withResolvers<undefined>();
    b.held.until = reply.promise;
    const stored = setSecret(b, id);
    await b.session.stop();
    const opened = b.opened.length;
    reply.resolve(undefined);
    expect(await stored).toMatchObject({ ok: true });
    await b.session.select('practice');
    expect([b.session.current(), b.opened.length]).toEqual([null, opened]);
  });

  it('lets no change wait for a test, of which the keychain or the exchange may be slow', async () => {
    const b = await started();
    const [tested, other] = [await added(b), await added(b, 'Second')];
    const [reply, exchange] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    b.held.until = reply.promise;
    b.held.test = exchange.promise;
    const test = b.session.test(tested);
    await settled();
    await b.session.select('practice');
    await b.session.setPortfolio(other, true);
    reply.resolve(undefined);
    await settled();
    await b.session.select(other);
    expect(b.session.current()?.id).toBe(other);
    exchange.resolve(undefined);
    expect(await test).toEqual(done([passed]));
    expect(b.session.summary(tested)?.verified).toBe(true);
  });

  it('verifies nothing by a test of what was changed meanwhile, and tests no address by another’s secret', async () => {
    const { b, id } = await withConnection();
    const exchange = Promise.withResolvers<undefined>();
    b.held.test = exchange.promise;
    const test = b.session.test(id);
    await settled();
    await setSecret(b, id);
    exchange.resolve(undefined);
    expect(await test).toEqual(done([passed]));
    expect(b.session.summary(id)?.verified).toBe(false);

    const reply = Promise.withResolvers<undefined>();
    b.held.until = reply.promise;
    const late = b.session.test(id);
    await b.session.update(id, settings('Meridian', { apiKey: 'another' }));
    reply.resolve(undefined);
    expect(await late).toMatchObject({ failure: { message: expect.stringContaining('changed') } });
  });

  it('says why there is no secret once a keychain that was late has none', async () => {
    const b = await openedEarly();
    b.kept.clear();
    b.replies();
    await expect.poll(() => b.stopped.at(-1)).toMatchObject({ message: NO_SECRET });
    expect(b.session.summary(b.id)?.secret).toBe('missing');
  });

  it('refuses two connections of one name and any change of practice', async () => {
    const b = await started();
    const id = await added(b);
    expect(await b.session.add(settings('Meridian'), secret)).toMatchObject({ failure: { field: 'name' } });
    expect(await b.session.add(settings('Practice'), secret)).toMatchObject({ failure: { field: 'name' } });
    expect(await b.session.update(id, settings('practice'))).toMatchObject({ failure: { field: 'name' } });
    expect((await b.session.update('practice', settings('Mine'))).ok).toBe(false);
    expect((await b.session.remove('practice', true, [])).ok).toBe(false);
  });

  it('falls back to practice when the connection last used is gone from the file', async () => {
    const b = fixture({ ...FIRST_SESSION, activeId: 'live-gone' });
    await b.session.start();
    expect(b.session.state().activeId).toBe('practice');
  });
});
