/** Tests that no kill, full disk or order of changes sends a secret to an address it was not entered for. */
import { afterEach, describe, expect, it } from 'vitest';
import { Keychain, type KeychainChild } from '../vault/keychain.ts';
import type { KeychainRequest } from '../vault/keychain-protocol.ts';
import { EMPTY_INDEX, openSecretIndex } from '../vault/secret-index.ts';
import { Vault } from '../vault/vault.ts';
import { fixture, settings } from '../../tests/session/session-fixture.ts';
import { FIRST_SESSION } from './stored.ts';
import { dataOf } from '../../tests/shared/data-of.ts';

const [OLD, NEW, THIRD] = ['https://old.example', 'https://new.example', 'https://third.example'] as const;
const secretOf = (baseUrl: string) => ({ secret: `entered for ${baseUrl}`, headers: {} });
const at = (baseUrl: string) => settings('Meridian', { baseUrl });

const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

const NEW_COMPUTER = {
  session: FIRST_SESSION,
  index: EMPTY_INDEX,
  items: new Map<string, string>(),
  /** The keychain shows and takes nothing. */
  isLocked: false,
  /** How many writes are still done, to a file or to the keychain, and what becomes of the next. */
  writes: { left: Infinity, then: 'killed' as 'killed' | 'full' },
};
type Computer = typeof NEW_COMPUTER;

/** Starts the app. */
async function appOn(computer: Computer) {
  /** A killed app gets no reply any more. */
  const written = (change: () => void): Promise<void> => {
    if (computer.writes.left-- > 0) return Promise.resolve(change());
    return computer.writes.then === 'killed' ? Promise.race([]) : Promise.reject(new Error('ENOSPC'));
  };
  async function replyTo(request: KeychainRequest): Promise<string | boolean | null> {
    const { items } = computer;
    if (request.action === 'get') return computer.isLocked ? null : (items.get(request.account) ?? null);
    if (computer.isLocked) throw new Error('locked');
    if (request.action === 'set') await written(() => items.set(request.account, request.value));
    else await written(() => items.delete(request.account));
    return true;
  }
  const spawn = (): KeychainChild => {
    let reply: (message: unknown) => void = () => undefined;
    return {
      postMessage(request) {
        const { id } = request;
        void replyTo(request).then(
          (value) => reply({ id, ok: true, value }),
          () => reply({ id, ok: false, message: 'The collection is locked.' }),
        );
      },
      onMessage: (next) => void (reply = next),
      onExit: () => undefined,
      kill: () => undefined,
    };
  };
  const index = await openSecretIndex({
    read: () => Promise.resolve(computer.index),
    write: (next) => written(() => (computer.index = next)),
  });
  const secrets = new Vault({ keychain: new Keychain({ spawn }), index });
  ends.push(() => secrets.drop());
  const write = (next: typeof computer.session) => written(() => (computer.session = next));
  const app = fixture(computer.session, { secrets, write });
  await app.session.start();
  return app;
}

/** Starts the app with a connection to OLD that was tested. `earlier`: the keychain's item is of an earlier version. */
async function onOld(earlier = false) {
  const computer = structuredClone(NEW_COMPUTER);
  const before = await appOn(computer);
  const added = dataOf(await before.session.add(at(OLD), secretOf(OLD)));
  const { id } = added;
  await before.session.select(id);
  await before.session.test(id);
  if (earlier) computer.items.set(`ballast-${id}`, JSON.stringify(secretOf(OLD)));
  return { computer, id, app: await appOn(computer) };
}

/** Starts the app again on what is stored now, and uses the connection. */
async function usedAgain(computer: Computer, id: string) {
  const next = await appOn({ ...structuredClone(computer), ...structuredClone(unharmed) });
  await next.session.select(id);
  await next.session.test(id);
  return next.used;
}
const unharmed = { isLocked: false, writes: NEW_COMPUTER.writes };

/** Returns what was sent to another address than it was entered for. */
const astray = (used: readonly (readonly [string, string])[]) =>
  used.filter(([baseUrl, secret]) => secret !== 'practice-secret' && secret !== secretOf(baseUrl).secret);

const turns = async (): Promise<void> => {
  for (let n = 0; n < 40; n++) await new Promise((resolve) => setImmediate(resolve));
};

describe.each([
  { earlier: false, isLocked: false },
  { earlier: false, isLocked: true },
  { earlier: true, isLocked: false },
  { earlier: true, isLocked: true },
])('address and secret changed together, $earlier, $isLocked', ({ earlier, isLocked }) => {
  it.each(['killed', 'full'] as const)(
    'are used together or not at all, %s after any write',
    async (then) => {
      for (let left = 0; left < 8; left++) {
        const { computer, id, app } = await onOld(earlier);
        Object.assign(computer, { isLocked, writes: { left, then } });
        void app.session.update(id, at(NEW), secretOf(NEW)).catch(() => undefined);
        await turns();
        expect([left, astray(app.used), astray(await usedAgain(computer, id))]).toEqual([left, [], []]);
      }
    },
  );
});

it('uses an address and a secret that were changed together, also after a restart', async () => {
  const { computer, id, app } = await onOld();
  expect((await app.session.update(id, at(NEW), secretOf(NEW))).ok).toBe(true);
  expect(await usedAgain(computer, id)).toEqual([NEW, NEW].map((one) => [one, secretOf(one).secret]));
});

it('does not use a secret whose address was refused while the keychain stored it', async () => {
  const { id, app } = await onOld();
  const updated = app.session.update(id, at(NEW), secretOf(NEW));
  app.unsettled.set(id, 1);
  expect((await updated).ok).toBe(false);
  expect(app.session.summary(id)).toMatchObject({ settings: at(OLD), secret: 'missing' });
  await app.session.test(id);
  expect(astray(app.used)).toEqual([]);
});

it('uses no secret of another of two changes at once', async () => {
  const { computer, id, app } = await onOld();
  await Promise.all([NEW, THIRD].map((one) => app.session.update(id, at(one), secretOf(one))));
  await app.session.test(id);
  expect(astray([...app.used, ...(await usedAgain(computer, id))])).toEqual([]);
  expect(app.used.at(-1)).toEqual([THIRD, secretOf(THIRD).secret]);
});
