import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { KeychainState, SecretInput } from '../../src-shared/ipc/connections.ts';
import { Keychain } from './keychain.ts';
import { EMPTY_INDEX, openSecretIndex } from './secret-index.ts';
import { forkKeychain } from '../../tests/vault/fork-keychain.ts';
import { openKeyring, skipReason } from '../../tests/vault/private-keyring.ts';
import { Vault } from './vault.ts';

const ADDRESS = 'https://api.exchange.example';
const secret: SecretInput = {
  secret: 'canary-secret-é/=+',
  headers: { 'ACCESS-PASSPHRASE': 'canary-phrase' },
};

async function startKeyring(start: Parameters<typeof openKeyring>[0]): ReturnType<typeof openKeyring> {
  const keyring = await openKeyring(start);
  onTestFinished(() => keyring.end());
  return keyring;
}

/** A vault with its file in memory, which can serve a second one as after a restart. */
function fileOf() {
  let stored = EMPTY_INDEX;
  return {
    read: () => Promise.resolve(stored),
    write: (next: typeof stored) => Promise.resolve(void (stored = next)),
    ids: () => stored.ids,
  };
}

async function open(
  env: NodeJS.ProcessEnv,
  file = fileOf(),
  more: { waitingAfterMs?: number; killAfterMs?: number; started?: (child: ChildProcess) => void } = {},
): Promise<{ vault: Vault; states: KeychainState[]; file: ReturnType<typeof fileOf> }> {
  const { started, ...times } = more;
  const keychain = new Keychain({ spawn: forkKeychain(env, started), ...times });
  const vault = new Vault({ keychain, index: await openSecretIndex(file) });
  const states: KeychainState[] = [];
  vault.onState((state) => states.push(state));
  onTestFinished(() => vault.drop());
  return { vault, states, file };
}

describe.skipIf(skipReason !== '')(`a real keyring ${skipReason}`, () => {
  it('stores a secret across restarts, returns it completely, forgets it', async () => {
    const keyring = await startKeyring('unlocked');
    const file = fileOf();
    const first = await open(keyring.env, file);
    expect(await first.vault.write('live-1', secret, ADDRESS)).toEqual({ ok: true, data: 'stored' });
    first.vault.drop();

    const { vault } = await open(keyring.env, file);
    expect(await vault.read('live-1', ADDRESS)).toEqual({ state: 'stored', secret, message: '' });
    expect(await vault.write('live-1', { secret: 'another', headers: {} }, ADDRESS)).toEqual({
      ok: true,
      data: 'stored',
    });
    expect(await vault.read('live-1', ADDRESS)).toMatchObject({ secret: { secret: 'another', headers: {} } });
    expect(vault.state()).toEqual({ state: 'available', message: '' });

    expect(await vault.forget('live-1', false)).toEqual({ ok: true, data: null });
    expect(await vault.read('live-1', ADDRESS)).toMatchObject({ state: 'missing', secret: null });
    expect(file.ids()).toEqual([]);
    expect(searched(keyring.folder, 'canary')).toEqual([]);
  });

  it('does not use a withheld secret before one is entered, and leaves it to another profile', async () => {
    const keyring = await startKeyring('unlocked');
    await (await open(keyring.env)).vault.write('live-1', secret, ADDRESS);
    const file = fileOf();
    const restored = await open(keyring.env, file);
    await restored.vault.withhold(['live-1']);
    restored.vault.drop();
    const { vault } = await open(keyring.env, file);
    const read = await vault.read('live-1', ADDRESS);
    expect(read).toMatchObject({ state: 'missing', secret: null });
    expect(read.message).toContain('restored from a backup');
    expect(await vault.forget('live-1', false)).toEqual({ ok: true, data: null });
    expect(await (await open(keyring.env)).vault.read('live-1', ADDRESS)).toMatchObject({
      state: 'stored',
      secret,
    });
    expect(await vault.write('live-1', secret, ADDRESS)).toEqual({ ok: true, data: 'stored' });
    expect(await vault.read('live-1', ADDRESS)).toEqual({ state: 'stored', secret, message: '' });
    expect(await file.read()).toEqual({ version: 1, ids: ['live-1'] });
  });

  it('locked: reports locked or missing, overwrites nothing, and still works for this run', async () => {
    const keyring = await startKeyring('unlocked');
    const { vault, file } = await open(keyring.env);
    await vault.write('live-1', secret, ADDRESS);
    await keyring.lock();
    const read = await vault.read('live-1', ADDRESS);
    expect(read).toMatchObject({ state: 'missing', secret: null });
    expect(read.message).toContain('locked');
    expect(await vault.write('live-1', { secret: 'typed again', headers: {} }, ADDRESS)).toEqual({
      ok: true,
      data: 'memory',
    });
    expect(vault.state().message).toContain('was not overwritten');
    expect(await vault.read('live-1', ADDRESS)).toMatchObject({
      state: 'memory',
      secret: { secret: 'typed again' },
    });

    // A connection without a secret; the keychain rejects storing it.
    expect(await vault.write('live-2', secret, ADDRESS)).toEqual({ ok: true, data: 'memory' });
    expect(vault.state().message).toContain('is locked');
    expect(file.ids()).toEqual(['live-1']);
    expect(await vault.forget('live-1', false)).toEqual({ ok: true, data: null });
    expect(vault.state().message).toContain('did not confirm');
  });

  it('never set up: reports it, and keeps the secret for this run', async () => {
    const keyring = await startKeyring('fresh');
    const { vault, states } = await open(keyring.env);
    expect(await vault.write('live-1', secret, ADDRESS)).toEqual({ ok: true, data: 'memory' });
    expect(states.at(-1)?.message).toContain('never been set up');
    expect(await vault.read('live-1', ADDRESS)).toMatchObject({ state: 'memory', secret });
  });

  it('a bus without a keychain service: reports it', async () => {
    const keyring = await startKeyring('none');
    const { vault } = await open(keyring.env);
    expect(await vault.read('live-1', ADDRESS)).toMatchObject({ state: 'unavailable' });
    expect(vault.state().message).toContain('No keychain service');
    expect(await vault.write('live-1', secret, ADDRESS)).toEqual({ ok: true, data: 'memory' });
  });

  it('frozen: reports waiting, gives up in time, and works again afterwards', async () => {
    const keyring = await startKeyring('unlocked');
    const { vault, states } = await open(keyring.env, fileOf(), { waitingAfterMs: 100, killAfterMs: 8_000 });
    await vault.write('live-1', secret, ADDRESS);
    await keyring.freeze();
    const both = await Promise.all([vault.read('live-1', ADDRESS), vault.read('live-1', ADDRESS)]);
    expect(both).toMatchObject([{ state: 'unavailable', secret: null }, { state: 'unavailable' }]);
    expect(states.map((one) => one.state)).toContain('waiting');
    expect(vault.state().message).toContain('did not respond');
    await keyring.thaw();
    expect(await vault.read('live-1', ADDRESS)).toMatchObject({ state: 'stored', secret });
    expect(vault.state()).toEqual({ state: 'available', message: '' });
  });

  it('restarted: its secrets are read, replaced and removed as before', async () => {
    const keyring = await startKeyring('unlocked');
    const { vault, states } = await open(keyring.env);
    await vault.write('live-1', secret, ADDRESS);
    await keyring.reopen();
    expect(await vault.read('live-1', ADDRESS)).toEqual({ state: 'stored', secret, message: '' });
    await keyring.reopen();
    expect(await vault.write('live-1', { secret: 'another', headers: {} }, ADDRESS)).toEqual({
      ok: true,
      data: 'stored',
    });
    await keyring.reopen();
    expect(await vault.forget('live-1', false)).toEqual({ ok: true, data: null });
    expect(states).toEqual([]);
  });

  it('a helper that dies in a call: fails that call, starts again for the next', async () => {
    const keyring = await startKeyring('unlocked');
    const children: ChildProcess[] = [];
    const { vault } = await open(keyring.env, fileOf(), { started: (child) => void children.push(child) });
    await vault.write('live-1', secret, ADDRESS);
    await keyring.freeze();
    const read = vault.read('live-1', ADDRESS);
    children[0]?.kill('SIGKILL');
    expect(await read).toMatchObject({ state: 'unavailable', secret: null });
    await keyring.thaw();
    expect(await vault.read('live-1', ADDRESS)).toMatchObject({ state: 'stored', secret });
    expect(children).toHaveLength(2);
  });
});

describe('without a keychain', () => {
  it('no message bus: reports it, and keeps the secret for this run', async () => {
    const { vault } = await open({ PATH: process.env.PATH, HOME: '/nonexistent' });
    expect(await vault.write('live-1', secret, ADDRESS)).toEqual({ ok: true, data: 'memory' });
    const { state, message } = vault.state();
    expect(state).toBe('unavailable');
    expect(message).toContain('until Ballast quits');
    expect(message).not.toContain('canary');
    expect(await vault.read('live-1', ADDRESS)).toMatchObject({ state: 'memory', secret });
  });

  it('a process that cannot be started is a result too', async () => {
    const keychain = new Keychain({
      spawn: () => {
        throw new Error('no such file');
      },
    });
    expect(await keychain.get('ballast-x')).toMatchObject({ ok: false });
  });
});

describe('what no keychain may hold', () => {
  it.each([
    ['nothing', { secret: '', headers: {} }],
    ['a NUL', { secret: 'canary\0rest', headers: {} }],
    ['a NUL in a header', { secret: 'x', headers: { H: 'canary\0' } }],
    ['too many bytes', { secret: 'é'.repeat(1000), headers: {} }],
  ])('%s is refused, the field is named, nothing is shown', async (_name, input) => {
    const { vault } = await open({});
    const written = await vault.write('live-1', input, ADDRESS);
    expect(written).toMatchObject({ ok: false, failure: { kind: 'blocked', field: 'secret' } });
    expect(JSON.stringify(written)).not.toContain('canary');
  });

  it.each(['../x', 'a/b', '', 'A'])('the name “%s” is refused', async (id) => {
    const { vault } = await open({});
    expect(await vault.write(id, secret, ADDRESS)).toMatchObject({ ok: false, failure: { kind: 'blocked' } });
    expect(await vault.read(id, ADDRESS)).toMatchObject({ state: 'missing' });
  });
});

/** Files in a folder that contain a text. */
const searched = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
