import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { lockAtStart } from './lock.ts';
import { storedSessionSchema } from './stored.ts';
import {
  added,
  fixture,
  NO_SECRET,
  onConnection,
  secret,
  settings,
  started,
  withConnection,
} from '../../tests/session/session-fixture.ts';

describe('the lock', () => {
  /** A live connection in use with its secret in the keychain. */
  async function live() {
    const { b, id } = await onConnection();
    await b.session.setLock('off');
    return { ...b, id };
  }
  type Live = Awaited<ReturnType<typeof live>>;
  const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

  it('is set on each new live connection until that one is unlocked once, for good', async () => {
    const b = await started();
    expect(b.session.state()).toMatchObject({ locked: false, neverUnlocked: false });
    const [first, second] = [await added(b), await added(b, 'Second')];
    await b.session.select(first);
    expect(b.session.state()).toMatchObject({ locked: true, neverUnlocked: true, secretUse: 'in-use' });
    await b.session.setLock('orders');
    expect(b.session.state()).toMatchObject({ locked: true, neverUnlocked: false });
    await b.session.setLock('off');
    expect(b.session.state()).toMatchObject({ locked: false, neverUnlocked: false });
    await b.session.select(second);
    expect(b.session.locked()).toBe(true);
    await b.session.select(first);
    expect(b.session.locked()).toBe(false);
    // Another name is the same account, another key is not.
    await b.session.update(first, settings('Renamed'));
    expect(b.session.locked()).toBe(false);
    await b.session.update(first, settings('Renamed', { apiKey: 'another' }));
    expect(b.session.locked()).toBe(true);
    const again = fixture(b.disk.value);
    again.start.lock = 'off';
    await again.session.start();
    expect(again.session.state()).toMatchObject({ activeId: first, neverUnlocked: true });
  });

  it('is not lifted by an unlocking that a later lock, or another connection, overtook', async () => {
    const b = await started();
    await b.session.select(await added(b));
    const unlocking = b.session.setLock('off');
    await b.session.setLock('orders');
    expect(await unlocking).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
    expect(b.session.locked()).toBe(true);
  });

  it('that is set while the connections are read stays', async () => {
    const b = fixture();
    await Promise.all([b.session.start(), b.session.setLock('secret')]);
    expect(b.session.locked()).toBe(true);
  });

  it('is not lifted by an unlocking that a lock overtook while it was stored', async () => {
    const { b, id } = await onConnection();
    await b.session.setLock('secret');
    const stored = Promise.withResolvers<undefined>();
    b.held.write = stored.promise;
    const unlocking = b.session.setLock('off');
    await expect.poll(() => b.disk.value.connections[0]?.unlocked).toBe(true);
    const locking = b.session.setLock('secret');
    stored.resolve(undefined);
    expect(await unlocking).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
    await locking;
    expect(b.session.state()).toMatchObject({ locked: true, secretUse: 'unloaded' });
    expect(b.opened.at(-1)).toEqual({ id, secret: secret.secret });
  });

  it('reads again once it is lifted for the first time, also before the secret was unloaded', async () => {
    const { b, id } = await onConnection();
    const [locked, unlocked] = [b.session.setLock('secret'), b.session.setLock('off')];
    expect([(await locked).ok, (await unlocked).ok]).toEqual([true, true]);
    expect(b.session.state()).toMatchObject({ locked: false, secretUse: 'in-use' });
    expect(b.session.current()?.isUnloaded()).toBe(false);
    expect(b.opened.at(-1)).toEqual({ id, secret: secret.secret });
  });

  it('does not count as lifted once where the secret it unloaded meanwhile is not returned', async () => {
    const { b } = await onConnection();
    b.kept.clear();
    const [, unlocked] = [b.session.setLock('secret'), b.session.setLock('off')];
    expect(await unlocked).toMatchObject({ ok: false, failure: { message: NO_SECRET } });
    expect(b.disk.value.connections[0]?.unlocked).toBe(false);
  });

  it('is lifted although the connection is opened anew meanwhile, as when its secret comes late', async () => {
    const b = fixture();
    await b.session.start();
    const id = await added(b);
    await b.session.select(id);
    const unlocking = b.session.setLock('off');
    const reopening = b.session.reopen(id);
    expect(await unlocking).toMatchObject({ ok: true });
    await reopening;
    expect(b.session.locked()).toBe(false);
  });

  it('is lifted for the first time from a connection that is being opened anew, not from another', async () => {
    const b = fixture();
    await b.session.start();
    const [first, second] = [await added(b), await added(b, 'Second')];
    await b.session.select(first);
    for (const [opening, end] of [
      [() => b.session.reopen(first), { ok: true }],
      [() => b.session.select(second), { failure: { kind: 'cancelled' } }],
    ] as const) {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      b.held.close = promise;
      const opened = opening();
      await settled();
      const unlocking = b.session.setLock('off');
      resolve(undefined);
      await opened;
      expect(await unlocking).toMatchObject(end);
      expect(b.session.locked()).toBe(!('ok' in end));
    }
  });

  it('gives the secret back to a connection that is being opened without it', async () => {
    const b = await live();
    await b.session.setLock('secret');
    const { promise, resolve } = Promise.withResolvers<undefined>();
    b.held.close = promise;
    const reopening = b.session.reopen(b.id);
    await settled();
    const unlocking = b.session.setLock('off');
    resolve(undefined);
    await reopening;
    expect(await unlocking).toMatchObject({ ok: true });
    expect(b.session.state()).toMatchObject({ locked: false, secretUse: 'in-use' });
    expect(b.opened.at(-1)).toEqual({ id: b.id, secret: secret.secret });
  });

  it('is off at first on connections stored before it was', () => {
    const one = { id: 'live-1', settings: settings('Meridian'), proven: true, createdAt: 1 };
    const old = { version: 1, activeId: 'live-1', connections: [one] };
    expect(v.parse(storedSessionSchema, old).connections).toMatchObject([{ unlocked: true }]);
  });

  it('is not lifted for live connections by unlocking practice', async () => {
    const b = await live();
    await b.session.select('practice');
    await b.session.setLock('orders');
    await b.session.setLock('off');
    expect(b.session.state().locked).toBe(false);
    await b.session.select(b.id);
    expect(b.session.state().locked).toBe(true);
    await b.session.setLock('off');
    await b.session.select('practice');
    expect(b.session.state().locked).toBe(false);
    await b.session.setLock('secret');
    await b.session.setLock('off');
    await b.session.select(b.id);
    expect(b.session.state()).toMatchObject({ locked: true, secretUse: 'in-use' });
  });

  it('is not lifted for live connections while practice is opened anew', async () => {
    const b = await live();
    await b.session.select('practice');
    await b.session.setLock('orders');
    const closes = Promise.withResolvers<undefined>();
    b.held.close = closes.promise;
    const reopened = b.session.reopen('practice');
    await settled();
    const unlocked = b.session.setLock('off');
    closes.resolve(undefined);
    await Promise.all([reopened, unlocked]);
    expect(b.session.locked()).toBe(false);
    await b.session.select(b.id);
    expect(b.session.locked()).toBe(true);
  });

  it('on orders alone leaves the secret where it is', async () => {
    const b = await live();
    await b.session.setLock('orders');
    expect(b.session.state()).toMatchObject({ locked: true, secretUse: 'in-use' });
    expect(b.session.current()?.isUnloaded()).toBe(false);
  });

  it('on the secret unloads it, and ends the keychain’s process; unlocking reads it again', async () => {
    const b = await live();
    const result = await b.session.setLock('secret');
    expect(result).toMatchObject({ ok: true, data: { locked: true, secretUse: 'unloaded' } });
    expect([b.session.current()?.isUnloaded(), b.process.isKept]).toEqual([true, false]);
    // A connection test is requested by the user; its secret is unloaded afterwards.
    await b.session.test(b.id);
    await b.session.readSecretStates();
    expect([b.session.state().secretUse, b.process.isKept]).toEqual(['unloaded', false]);
    const opened = b.opened.length;
    expect(await b.session.setLock('off')).toMatchObject({
      ok: true,
      data: { locked: false, secretUse: 'in-use' },
    });
    expect(b.opened.slice(opened)).toEqual([{ id: b.id, secret: secret.secret }]);
    expect([b.session.current()?.isUnloaded(), b.process.isKept]).toEqual([false, true]);
  });

  it('ends the keychain’s process also on practice, which has read the secrets of the others', async () => {
    const { b } = await withConnection();
    await b.session.readSecretStates();
    await b.session.setLock('secret');
    expect(b.process.isKept).toBe(false);
    await b.session.setLock('off');
    expect(b.process.isKept).toBe(true);
  });

  it('keeps the secret until every outcome is known, then unloads it automatically', async () => {
    const b = await live();
    b.unsettled.set(b.id, 1);
    await b.session.setLock('secret');
    expect(b.session.state()).toMatchObject({ locked: true, secretUse: 'until-resolved' });
    b.session.ordersChanged();
    await settled();
    expect(b.session.current()?.isUnloaded()).toBe(false);
    b.unsettled.set(b.id, 0);
    b.session.ordersChanged();
    await settled();
    expect(b.session.state().secretUse).toBe('unloaded');
  });

  it('says that an order needs the secret, also of one that was sent just before it was unloaded', async () => {
    const b = await live();
    const locking = b.session.setLock('secret');
    b.unsettled.set(b.id, 1);
    b.session.ordersChanged();
    await locking;
    expect(b.announced.at(-1)?.secretUse).toBe('until-resolved');
  });

  it('reloads the secret for an order that was sent after it was unloaded', async () => {
    const b = await live();
    await b.session.setLock('secret');
    b.unsettled.set(b.id, 1);
    b.session.ordersChanged();
    await settled();
    expect(b.session.state()).toMatchObject({ locked: true, secretUse: 'until-resolved' });
    expect(b.opened.at(-1)).toEqual({ id: b.id, secret: secret.secret });
  });

  it('keeps the only copy of a secret: practice’s, and one the keychain did not store', async () => {
    const b = await started();
    await b.session.setLock('secret');
    expect(b.session.state()).toMatchObject({ locked: true, secretUse: 'only-copy' });
    expect(b.session.current()?.isUnloaded()).toBe(false);
    await b.session.setLock('off');
    b.setWritten('memory');
    await b.session.select(await added(b));
    await b.session.setLock('secret');
    expect(b.session.state().secretUse).toBe('only-copy');
  });

  it('stays locked when the keychain does not return the secret, and reports why', async () => {
    const b = await live();
    await b.session.setLock('secret');
    b.kept.clear();
    expect(await b.session.setLock('off')).toMatchObject({
      ok: false,
      failure: { kind: 'keychain', message: NO_SECRET },
    });
    expect(b.session.state()).toMatchObject({ locked: true, secretUse: 'unloaded' });
  });

  it.each([
    ['overtaken by a later lock', (b: Live) => b.session.setLock('secret')],
    ['withdrawn', (b: Live) => b.session.stayLocked()],
  ])('stays as it was where unlocking is %s before the keychain answers', async (_how, leave) => {
    const b = await live();
    await b.session.setLock('secret');
    const { promise, resolve } = Promise.withResolvers<undefined>();
    b.held.until = promise;
    const unlocking = b.session.setLock('off');
    expect((await leave(b)).ok).toBe(true);
    resolve(undefined);
    expect(await unlocking).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
    expect(b.session.state()).toMatchObject({ locked: true, secretUse: 'unloaded' });
  });

  it('is set again, as it was, where the unlocking was done when it was withdrawn', async () => {
    for (const [lock, secretUse] of [
      ['secret', 'unloaded'],
      ['orders', 'in-use'],
    ] as const) {
      const b = await live();
      await b.session.setLock(lock);
      await b.session.setLock('off');
      await b.session.stayLocked();
      expect(b.session.state()).toMatchObject({ locked: true, secretUse });
    }
  });

  it('of a first unlocking that is withdrawn stays, whether it was being stored or not yet', async () => {
    const waiting = await onConnection();
    const changed = Promise.withResolvers<undefined>();
    waiting.b.held.write = changed.promise;
    const change = waiting.b.session.setPortfolio(waiting.id, true);
    const late = waiting.b.session.setLock('off');
    const stay = waiting.b.session.stayLocked();
    changed.resolve(undefined);
    await Promise.all([change, late, stay]);
    expect(waiting.b.disk.value.connections[0]?.unlocked).toBe(false);
    expect(waiting.b.session.state()).toMatchObject({ locked: true, neverUnlocked: true });

    const { b } = await onConnection();
    const stored = Promise.withResolvers<undefined>();
    b.held.write = stored.promise;
    const unlocking = b.session.setLock('off');
    await expect.poll(() => b.disk.value.connections[0]?.unlocked).toBe(true);
    const staying = b.session.stayLocked();
    stored.resolve(undefined);
    await Promise.all([unlocking, staying]);
    expect(b.session.locked()).toBe(true);
  });

  it('stays locked when another connection is opened before the keychain answers', async () => {
    const b = await live();
    const other = await added(b, 'Second');
    await b.session.select(other);
    await b.session.setLock('off');
    await b.session.select(b.id);
    await b.session.setLock('secret');
    const { promise, resolve } = Promise.withResolvers<undefined>();
    b.held.until = promise;
    const unlocking = b.session.setLock('off');
    await b.session.select(other);
    resolve(undefined);
    expect(await unlocking).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
    expect(b.session.state()).toMatchObject({ activeId: other, locked: true, secretUse: 'unloaded' });
  });

  it('reads no secret for a connection that is switched to, and all of it again once unlocked', async () => {
    const b = await live();
    const other = await added(b, 'Second');
    await b.session.setLock('secret');
    await b.session.select(other);
    expect(b.opened.at(-1)).toEqual({ id: other, secret: null });
    expect(b.session.state().secretUse).toBe('unloaded');
    await b.session.setLock('orders');
    expect(b.opened.at(-1)).toEqual({ id: other, secret: secret.secret });
    expect(b.session.state()).toMatchObject({ locked: true, secretUse: 'in-use' });
  });

  it('from the start reads no secret, unless an order of before is unknown', async () => {
    const stored = { version: 1, activeId: 'live-1', connections: [] } as const;
    const one = { id: 'live-1', settings: settings('Meridian'), proven: true, unlocked: true, createdAt: 1 };
    for (const [unknown, opened] of [
      [0, null],
      [1, secret.secret],
    ] as const) {
      const b = fixture({ ...stored, connections: [one] });
      b.kept.set('live-1', secret);
      b.start.lock = 'secret';
      b.unsettled.set('live-1', unknown);
      await b.session.start();
      expect(b.opened).toEqual([{ id: 'live-1', secret: opened }]);
    }
    expect([
      lockAtStart({ startLocked: false, unloadSecretOnLock: true }, false),
      lockAtStart({ startLocked: false, unloadSecretOnLock: true }, true),
      lockAtStart({ startLocked: true, unloadSecretOnLock: false }, false),
      lockAtStart({ startLocked: true, unloadSecretOnLock: true }, true),
    ]).toEqual(['off', 'orders', 'orders', 'secret']);
  });
});
