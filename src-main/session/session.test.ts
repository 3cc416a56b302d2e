import { describe, expect, it } from 'vitest';
import type {
  ConnectionSettings,
  SecretInput,
  SecretState,
  TestStep,
} from '../../src-shared/contract/connections.ts';
import { done, failed, type Result } from '../../src-shared/contract/failures.ts';
import { SIGNING_PRESETS } from '../../src-shared/contract/signing.ts';
import { createSession } from './session.ts';
import type { SecretStore } from './session-types.ts';
import { FIRST_SESSION, type StoredSession } from './stored.ts';

const settings = (name: string, change: Partial<ConnectionSettings> = {}): ConnectionSettings => ({
  name,
  baseUrl: 'https://api.meridian.example',
  apiKey: 'mk_7f2c',
  signing: SIGNING_PRESETS.practice.profile,
  pageUrl: null,
  triggerTypes: [],
  refusalCodes: [],
  reverseQuantity: 'unset',
  convention: 'flat',
  readOnly: false,
  ...change,
});
const secret: SecretInput = { secret: 'canary-secret-value', headers: {} };
const passed: TestStep = { name: 'account', title: '', state: 'passed', detail: '', note: '' };

function bench(stored: StoredSession = FIRST_SESSION) {
  const kept = new Map<string, SecretInput>();
  const opened: { id: string; secret: string | null }[] = [];
  const closed: string[] = [];
  const disk = { value: stored };
  let steps: TestStep[] = [passed];
  let refuseForget: Result<null> = done(null);
  const secrets: SecretStore = {
    read: async (id) => {
      await held.until;
      const found = kept.get(id) ?? null;
      const state: SecretState = found === null ? 'missing' : 'stored';
      return { state, secret: found };
    },
    write: (id, next) => {
      kept.set(id, next);
      return Promise.resolve(done<SecretState>('stored'));
    },
    forget: (id) => {
      if (refuseForget.ok) kept.delete(id);
      return Promise.resolve(refuseForget);
    },
    state: () => ({ state: 'available', message: '' }),
  };
  /** What the keychain waits for before it answers. */
  const held = { until: Promise.resolve() };
  const timers = new Set<() => void>();
  let ids = 0;
  const session = createSession({
    file: {
      setAside: null,
      read: () => Promise.resolve(disk.value),
      write: (value) => {
        disk.value = value;
        return Promise.resolve();
      },
    },
    secrets,
    practice: () =>
      Promise.resolve({ url: 'http://127.0.0.1:4000', key: 'practice-key', secret: 'practice-secret' }),
    open: (summary, one) => {
      opened.push({ id: summary.id, secret: one?.secret ?? null });
      return {
        id: summary.id,
        close: () => {
          closed.push(summary.id);
          return Promise.resolve();
        },
      };
    },
    test: () => Promise.resolve(steps),
    changed: () => undefined,
    startLocked: () => false,
    app: { version: '0', runtime: 'stand-in', platform: 'linux' },
    clock: { now: () => 1 },
    timers: {
      after(_ms, run) {
        timers.add(run);
        return () => timers.delete(run);
      },
    },
    newId: () => `id-${++ids}`,
  });
  return {
    session,
    kept,
    opened,
    closed,
    disk,
    held,
    timers,
    setSteps: (next: TestStep[]) => (steps = next),
    setForget: (next: Result<null>) => (refuseForget = next),
  };
}

async function added(b: ReturnType<typeof bench>, name = 'Meridian'): Promise<string> {
  const one = await b.session.add(settings(name), secret);
  if (!one.ok) throw new Error(one.failure.message);
  return one.data.id;
}

describe('session', () => {
  it('opens the practice exchange at the first start', async () => {
    const b = bench();
    await b.session.start();
    expect(b.opened).toEqual([{ id: 'practice', secret: 'practice-secret' }]);
    expect(b.session.state()).toMatchObject({ activeId: 'practice', locked: false });
  });

  it('keeps no secret on disk or in what the window is told', async () => {
    const b = bench();
    await b.session.start();
    await added(b);
    expect(JSON.stringify(b.disk.value)).not.toContain(secret.secret);
    expect(JSON.stringify(b.session.state())).not.toContain(secret.secret);
    expect(JSON.stringify(b.session.state())).not.toContain('practice-secret');
  });

  it('closes one connection before it opens the other, in the order asked', async () => {
    const b = bench();
    await b.session.start();
    const id = await added(b);
    await Promise.all([b.session.select(id), b.session.select('practice')]);
    expect(b.opened.map((one) => one.id)).toEqual(['practice', id, 'practice']);
    expect(b.closed).toEqual(['practice', id]);
  });

  it('proves a connection by its signed read, and forgets it when the profile changes', async () => {
    const b = bench();
    await b.session.start();
    const id = await added(b);
    expect(b.session.summary(id)?.proven).toBe(false);
    await b.session.test(id);
    expect(b.session.summary(id)?.proven).toBe(true);
    await b.session.update(id, settings('Renamed'));
    expect(b.session.summary(id)?.proven).toBe(true);
    await b.session.update(id, settings('Renamed', { baseUrl: 'https://other.example' }));
    expect(b.session.summary(id)?.proven).toBe(false);
    b.setSteps([{ ...passed, state: 'failed' }]);
    await b.session.test(id);
    expect(b.session.summary(id)?.proven).toBe(false);
  });

  it('opens a connection without its secret when the keychain gives none, and says so', async () => {
    const b = bench();
    await b.session.start();
    const id = await added(b);
    b.kept.clear();
    await b.session.select(id);
    expect(b.opened.at(-1)).toEqual({ id, secret: null });
    expect(b.session.summary(id)?.secret).toBe('missing');
    expect((await b.session.test(id)).ok).toBe(false);
  });

  it('removes a connection with its secret, and falls back to practice', async () => {
    const b = bench();
    await b.session.start();
    const id = await added(b);
    await b.session.select(id);
    expect((await b.session.remove(id, false)).ok).toBe(true);
    expect(b.kept.size).toBe(0);
    expect(b.session.state()).toMatchObject({ activeId: 'practice' });
    expect(b.opened.at(-1)?.id).toBe('practice');
  });

  it('keeps a connection whose secret could not be removed', async () => {
    const b = bench();
    await b.session.start();
    const id = await added(b);
    b.setForget(failed({ kind: 'keychain', message: 'locked', next: 'unlock' }));
    expect((await b.session.remove(id, false)).ok).toBe(false);
    expect(b.session.summary(id)).not.toBeNull();
    expect((await b.session.remove(id, true)).ok).toBe(true);
    expect(b.session.summary(id)).toBeNull();
  });

  it('lets no change wait for a keychain that does not answer, and takes the secret when it comes', async () => {
    const b = bench();
    await b.session.start();
    const id = await added(b);
    let answer: () => void = () => undefined;
    b.held.until = new Promise((resolve) => (answer = resolve));
    const selected = b.session.select(id);
    await expect.poll(() => b.timers.size).toBe(1);
    for (const fire of b.timers) fire();
    await selected;
    expect(b.opened.at(-1)).toEqual({ id, secret: null });
    expect(b.session.summary(id)?.secret).toBe('waiting');
    answer();
    await expect.poll(() => b.opened.at(-1)?.secret).toBe(secret.secret);
    expect(b.session.summary(id)?.secret).toBe('stored');
  });

  it('refuses two connections of one name and any change of practice', async () => {
    const b = bench();
    await b.session.start();
    await added(b);
    expect(await b.session.add(settings('Meridian'), secret)).toMatchObject({ failure: { field: 'name' } });
    expect(await b.session.add(settings('Practice'), secret)).toMatchObject({ failure: { field: 'name' } });
    expect((await b.session.update('practice', settings('Mine'))).ok).toBe(false);
    expect((await b.session.remove('practice', true)).ok).toBe(false);
  });

  it('falls back to practice when the connection last used is gone from the file', async () => {
    const b = bench({ ...FIRST_SESSION, activeId: 'live-gone' });
    await b.session.start();
    expect(b.session.state().activeId).toBe('practice');
  });
});
