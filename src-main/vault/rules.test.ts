/** Tests the vault without a keyring, with a process that behaves like a locked, frozen or faulty one. */
import { describe, expect, it, vi } from 'vitest';
import type { KeychainState } from '../../src-shared/ipc/connections.ts';
import { Keychain, type KeychainChild } from './keychain.ts';
import type { KeychainRequest } from './keychain-protocol.ts';
import { type EMPTY_INDEX, openSecretIndex } from './secret-index.ts';
import { Vault } from './vault.ts';

const ID = 'live-1';
const ADDRESS = 'https://api.exchange.example';
const typed = { secret: 'typed again', headers: {} };

const REFUSED = 'refused by the keychain';
type Answer = (request: KeychainRequest) => string | boolean | null | undefined;

/** A keychain's process that replies at once. */
function childOf(
  reply: (request: KeychainRequest) => object | undefined,
  ended = (): void => undefined,
): KeychainChild {
  let listener: (message: unknown) => void = () => undefined;
  return {
    postMessage(request) {
      const found = reply(request);
      if (found !== undefined) listener({ id: request.id, ...found });
    },
    onMessage: (next) => void (listener = next),
    onExit: () => undefined,
    kill: ended,
  };
}

/** `undefined` means no reply. */
async function vaultOf(
  result: Answer,
  ids: readonly string[] = [],
  times = {},
  list: typeof EMPTY_INDEX = { version: 1, ids: [...ids] },
) {
  const disk = { isFull: false, list };
  const asked: KeychainRequest[] = [];
  const processes = { started: 0, ended: 0 };
  const spawn = (): KeychainChild => {
    processes.started++;
    return childOf(
      (request) => {
        asked.push(request);
        const value = result(request);
        if (value === REFUSED) return { ok: false, message: 'the collection is locked' };
        return value === undefined ? undefined : { ok: true, value };
      },
      () => void processes.ended++,
    );
  };
  const keychain = new Keychain({ spawn, ...times });
  const index = await openSecretIndex({
    read: () => Promise.resolve(disk.list),
    write: (next) =>
      disk.isFull ? Promise.reject(new Error('ENOSPC')) : Promise.resolve(void (disk.list = next)),
  });
  const states: KeychainState[] = [];
  const vault = new Vault({ keychain, index });
  vault.onState((state) => states.push(state));
  return { vault, keychain, asked, processes, states, disk };
}

describe('a keychain that shows nothing of what was stored', () => {
  it('is not written to: the old secret may still be there', async () => {
    const { vault, asked } = await vaultOf(() => null, [ID]);
    expect(await vault.write(ID, typed, ADDRESS)).toEqual({ ok: true, data: 'memory' });
    expect(asked.map(({ action }) => action)).toEqual(['get']);
    expect(vault.state().message).toContain('was not overwritten');
    expect(await vault.read(ID, ADDRESS)).toMatchObject({ state: 'memory', secret: typed });
  });

  it('is written to when nothing was ever stored', async () => {
    let held: string | null = null;
    const { vault } = await vaultOf((request) => {
      if (request.action === 'set') held = request.value;
      return request.action === 'get' ? held : true;
    });
    expect(await vault.write(ID, typed, ADDRESS)).toEqual({ ok: true, data: 'stored' });
  });

  it('is written to after the secret was removed on a full disk', async () => {
    const held = new Map<string, string>();
    const { vault, disk } = await vaultOf((request) => {
      if (request.action === 'set') held.set(request.account, request.value);
      if (request.action === 'delete') return held.delete(request.account);
      return request.action === 'get' ? (held.get(request.account) ?? null) : true;
    });
    await vault.write(ID, typed, ADDRESS);
    disk.isFull = true;
    expect([await vault.forget(ID, false), held.size]).toEqual([{ ok: true, data: null }, 0]);
    disk.isFull = false;
    expect(await vault.write(ID, typed, ADDRESS)).toEqual({ ok: true, data: 'stored' });
  });

  it('is not written to where the list cannot be: the secret is in memory, with a notice', async () => {
    const { vault, asked, disk } = await vaultOf(() => null);
    disk.isFull = true;
    expect(await vault.write(ID, typed, ADDRESS)).toEqual({ ok: true, data: 'memory' });
    expect(asked.map(({ action }) => action)).toEqual(['get']);
    expect(vault.state().message).toMatch(/list of stored secrets could not be written.* in memory only/);
    expect(await vault.read(ID, ADDRESS)).toMatchObject({ state: 'memory', secret: typed });
  });

  it('another secret than was stored is not called right because something is there', async () => {
    const other = '{"secret":"cut","headers":{}}';
    const { vault } = await vaultOf(({ action }) => (action === 'get' ? other : true));
    expect(await vault.write(ID, typed, ADDRESS)).toEqual({ ok: true, data: 'memory' });
    expect(vault.state().message).toContain('returned something else');
    expect(await vault.read(ID, ADDRESS)).toMatchObject({ state: 'memory', secret: typed });
  });

  it.each([
    ['the old secret, which could not be replaced', [ID], [ID]],
    ['nothing, since it refused the first', [], []],
  ])('stays listed only if the keychain may hold it: %s', async (_, before, after) => {
    const item = '{"secret":"old","headers":{}}';
    const { vault, disk } = await vaultOf(
      ({ action }) => (action === 'set' ? REFUSED : before.length > 0 ? item : null),
      before,
    );
    expect(await vault.write(ID, typed, ADDRESS)).toEqual({ ok: true, data: 'memory' });
    expect(disk.list.ids).toEqual(after);
  });

  it('stays listed where the keychain took a secret and then shows none', async () => {
    const { vault, disk } = await vaultOf(({ action }) => (action === 'set' ? true : null));
    expect(await vault.write(ID, typed, ADDRESS)).toEqual({ ok: true, data: 'memory' });
    expect(disk.list.ids).toEqual([ID]);
  });

  it('what another program put there is not shown, and not overwritten', async () => {
    const { vault, asked } = await vaultOf(() => 'canary, not JSON', [ID]);
    const read = await vault.read(ID, ADDRESS);
    expect(read).toMatchObject({ state: 'missing', secret: null });
    expect(read.message).toContain('another program');
    expect(read.message).not.toContain('canary');
    expect(await vault.write(ID, typed, ADDRESS)).toEqual({ ok: true, data: 'memory' });
    expect(asked.map(({ action }) => action)).toEqual(['get', 'get']);
    expect(vault.state().message).toContain('written by another program. It was not overwritten');
  });

  it('loses no item whose list was damaged: once read, it is deleted with its connection', async () => {
    const item = '{"secret":"of the keychain","headers":{}}';
    for (const isFull of [false, true]) {
      const { vault, asked, disk } = await vaultOf(({ action }) => (action === 'get' ? item : true));
      disk.isFull = isFull;
      expect(await vault.read(ID, ADDRESS)).toMatchObject({ state: 'stored' });
      disk.isFull = false;
      expect(await vault.read(ID, ADDRESS)).toMatchObject({ state: 'stored' });
      expect(await vault.forget(ID, false)).toEqual({ ok: true, data: null });
      expect(asked.at(-1)?.action).toBe('delete');
    }
  });

  it('reports an unconfirmed deletion', async () => {
    const { vault } = await vaultOf(() => false, [ID]);
    expect(await vault.forget(ID, false)).toEqual({ ok: true, data: null });
    expect(vault.state().message).toContain('did not confirm');
  });
});

describe('secrets withheld for a restore', () => {
  const item = '{"secret":"of the keychain","headers":{}}';
  const secretsOf = async ({ vault }: Awaited<ReturnType<typeof vaultOf>>, ids: readonly string[]) => {
    const found = await Promise.all(ids.map((id) => vault.read(id, ADDRESS)));
    return found.map(({ secret }) => secret?.secret ?? null);
  };

  it('are used again once that is taken back, and only those', async () => {
    const one = await vaultOf(({ action }) => (action === 'get' ? item : true), [ID]);
    await one.vault.withhold(['live-3']);
    const takeBack = await one.vault.withhold([ID, 'live-3']);
    expect(await secretsOf(one, [ID, 'live-2', 'live-3'])).toEqual([null, 'of the keychain', null]);
    await takeBack();
    expect(await secretsOf(one, [ID, 'live-3'])).toEqual(['of the keychain', null]);
    expect(await one.vault.forget(ID, false)).toEqual({ ok: true, data: null });
    expect(one.asked.at(-1)?.action).toBe('delete');
  });

  it('are used on in this run where the disk that stopped the restore takes nothing', async () => {
    const one = await vaultOf(({ action }) => (action === 'get' ? item : true), [ID]);
    const takeBack = await one.vault.withhold([ID]);
    one.disk.isFull = true;
    await expect(takeBack()).rejects.toThrow('ENOSPC');
    expect(await secretsOf(one, [ID])).toEqual(['of the keychain']);
  });

  it('are used on in memory, by the connections as they are before the restore', async () => {
    const one = await vaultOf(({ action }) => (action === 'get' ? null : true), [ID]);
    await one.vault.write(ID, typed, ADDRESS);
    one.disk.isFull = true;
    await expect(one.vault.withhold([ID])).rejects.toThrow('ENOSPC');
    expect(await secretsOf(one, [ID])).toEqual(['typed again']);
    one.disk.isFull = false;
    await one.vault.withhold([ID]);
    expect(await secretsOf(one, [ID])).toEqual(['typed again']);
  });

  it('are withheld until another is stored, also where the app is killed before', async () => {
    for (const stored of [false, true]) {
      const items = new Map([[`ballast-${ID}`, '{"secret":"of the keychain","headers":{}}']]);
      const one = await vaultOf(
        (request) => {
          if (request.action === 'get') return items.get(request.account) ?? null;
          if (request.action !== 'set' || !stored) return undefined; // killed
          items.set(request.account, request.value);
          return true;
        },
        [ID],
      );
      await one.vault.withhold([ID]);
      const writing = one.vault.write(ID, typed, ADDRESS);
      if (stored) await writing;
      else await vi.waitFor(() => expect(one.asked.at(-1)?.action).toBe('set'));
      const next = await vaultOf(({ account }) => items.get(account) ?? null, [], {}, one.disk.list);
      expect(await secretsOf(next, [ID])).toEqual([stored ? 'typed again' : null]);
    }
  });
});

it('sends a secret to no other address than it was entered for', async () => {
  for (const isFull of [false, true]) {
    const items = new Map<string, string>();
    const one = await vaultOf((request) => {
      if (request.action === 'set') items.set(request.account, request.value);
      return request.action === 'get' ? (items.get(request.account) ?? null) : true;
    });
    one.disk.isFull = isFull;
    await one.vault.write(ID, typed, ADDRESS);
    expect(await one.vault.read(ID, ADDRESS)).toMatchObject({ secret: typed });
    for (const other of [`${ADDRESS}.org`, null])
      expect(await one.vault.read(ID, other)).toMatchObject({ state: 'missing', secret: null });
  }
});

it.each([false, true])(
  'keeps a secret in memory where a removal was refused; stored one left: %s',
  async (left) => {
    const { vault } = await vaultOf(({ action }) => (action === 'delete' ? REFUSED : null), [ID]);
    await vault.write(ID, typed, ADDRESS);
    expect(await vault.forget(ID, left)).toMatchObject({ failure: { kind: 'keychain' } });
    const read = await vault.read(ID, ADDRESS);
    expect(read.secret).toEqual(left ? null : typed);
  },
);

describe('the keychain’s process', () => {
  it('ends with the last call while it is not kept, and at once where nothing uses it', async () => {
    const item = '{"secret":"of the keychain","headers":{}}';
    const { vault, processes } = await vaultOf(({ action }) => (action === 'get' ? item : true), [ID]);
    await vault.read(ID, ADDRESS);
    expect(processes).toEqual({ started: 1, ended: 0 });
    vault.keepProcess(false);
    expect(processes).toEqual({ started: 1, ended: 1 });
    await Promise.all([vault.read(ID, ADDRESS), vault.read('live-2', ADDRESS)]);
    await vault.forget(ID, false);
    expect(processes).toEqual({ started: 3, ended: 3 });
    vault.keepProcess(true);
    await vault.read(ID, ADDRESS);
    expect(processes).toEqual({ started: 4, ended: 3 });
  });
});

it('asks a keychain that fails with an unknown error once more, in a new process', async () => {
  const spawned: KeychainRequest[][] = [];
  const messages = ['', 'stale', '', 'stale', 'stale', 'The prompt was dismissed'];
  const keychain = new Keychain({
    spawn() {
      const asked: KeychainRequest[] = [];
      spawned.push(asked);
      return childOf((request) => {
        asked.push(request);
        const message = messages.shift() ?? '';
        return message === '' ? { ok: true, value: 'item' } : { ok: false, message };
      });
    },
  });
  const results = [];
  for (const account of ['a', 'b', 'c', 'd']) results.push((await keychain.get(account)).ok);
  expect(results).toEqual([true, true, false, false]);
  expect(spawned.map((asked) => asked.map((one) => 'account' in one && one.account))).toEqual([
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'd'],
  ]);
});

describe('a keychain that does not respond', () => {
  it('is waited for in words, then given up', async () => {
    const { vault, states, asked } = await vaultOf(() => undefined, [ID], {
      waitingAfterMs: 5,
      killAfterMs: 60,
    });
    expect(await vault.read(ID, ADDRESS)).toMatchObject({ state: 'unavailable', secret: null });
    expect(states.map((one) => one.state)).toEqual(['waiting', 'unavailable']);
    expect(asked).toHaveLength(1);
  });

  it('receives no request once the app quits, so that quitting does not wait', async () => {
    const { vault, asked } = await vaultOf(() => undefined, [ID], { killAfterMs: 60_000 });
    const [reading, writing] = [vault.read(ID, ADDRESS), vault.write(ID, typed, ADDRESS)];
    await expect.poll(() => asked).toHaveLength(1);
    vault.drop();
    expect(await reading).toMatchObject({ state: 'unavailable' });
    expect(await writing).toEqual({ ok: true, data: 'memory' });
    expect(asked).toHaveLength(1);
  });

  it('receives one request at a time, and those behind it are cancelled with it', async () => {
    const times = { waitingAfterMs: 5, killAfterMs: 40 };
    const { keychain, asked, processes } = await vaultOf(() => undefined, [], times);
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => keychain.get(name)));
    expect(answers.map((one) => one.ok)).toEqual([false, false, false]);
    expect(asked).toHaveLength(1);
    const next = keychain.get('d');
    keychain.stop();
    expect(await next).toMatchObject({ ok: false });
    expect(processes.started).toBeLessThanOrEqual(2);
  });
});
