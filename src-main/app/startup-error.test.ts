import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { assertUsable, startFailed, useProfile } from './startup-error.ts';

const { happened, electron } = vi.hoisted(() => ({
  happened: [] as string[],
  electron: { ready: Promise.withResolvers<undefined>() },
}));
vi.mock('electron', () => ({
  app: {
    commandLine: { hasSwitch: () => false },
    getPath: () => '/a',
    setPath: () => happened.push('profile set'),
    whenReady: () => electron.ready.promise,
    exit: (code: number) => happened.push(`exit ${code}`),
  },
  dialog: {
    showErrorBox: (_title: string, text: string) =>
      happened.push(text.replace(/\/\S*startup-error-\w+/, '…')),
  },
}));

beforeEach(() => {
  happened.length = 0;
  electron.ready = Promise.withResolvers();
});

it('shows why the profile cannot be used once Electron is ready: Linux shows no box before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'startup-error-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'a file');
  writeFileSync(file, '');
  expect(useProfile(join(file, 'profile'))).toBe(false);
  await setImmediate();
  expect(happened).toEqual([]);
  electron.ready.resolve(undefined);
  await setImmediate();
  expect(happened).toEqual([
    'The profile folder …/a file/profile cannot be used. A part of its path is a file. Move that file, then start Ballast again.',
    'exit 1',
  ]);
});

it('names the file or folder of the profile that cannot be used', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'startup-error-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  electron.ready.resolve(undefined);
  const logs = join(folder, 'logs');
  writeFileSync(logs, '');
  const makeLogs = (): void => void mkdirSync(logs, { recursive: true });
  const failure = await Promise.resolve()
    .then(makeLogs)
    .catch((error: unknown) => error);
  await startFailed(failure, folder);
  // As a file that another user owns; root may read it all the same.
  const path = join(folder, 'orders.jsonl');
  await startFailed(Object.assign(new Error('permission denied'), { code: 'EACCES', path }), folder);
  // As on Windows, where a program can keep others out.
  await startFailed(Object.assign(new Error('busy'), { code: 'EBUSY', path }), folder);
  expect(happened).toEqual([
    '…/logs cannot be used. It is a file, not a folder. Move it elsewhere, then start Ballast again.',
    'exit 1',
    '…/orders.jsonl cannot be used. You may not read or write it. Make yourself its owner, then start Ballast again.',
    'exit 1',
    '…/orders.jsonl cannot be used. Another program holds it open. Close that program, then start Ballast again.',
    'exit 1',
  ]);
});

it('leaves nothing of its probe of the folder, nor of one that a kill ended', () => {
  const folder = mkdtempSync(join(tmpdir(), 'startup-error-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, '.probe'), '');
  assertUsable(folder);
  expect(readdirSync(folder)).toEqual([]);
});
