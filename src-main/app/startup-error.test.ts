import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { useProfile } from './startup-error.ts';

const { happened, ready } = vi.hoisted(() => ({
  happened: [] as string[],
  ready: Promise.withResolvers<undefined>(),
}));
vi.mock('electron', () => ({
  app: {
    commandLine: { hasSwitch: () => false },
    getPath: () => '/a',
    setPath: () => happened.push('profile set'),
    whenReady: () => ready.promise,
    exit: (code: number) => happened.push(`exit ${code}`),
  },
  dialog: {
    showErrorBox: (_title: string, text: string) => happened.push(text.replace(/^.* cannot be used/, '…')),
  },
}));

it('shows why the profile cannot be used once Electron is ready: Linux shows no box before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'startup-error-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'a file');
  writeFileSync(file, '');
  expect(useProfile(join(file, 'profile'))).toBe(false);
  await setImmediate();
  expect(happened).toEqual([]);
  ready.resolve(undefined);
  await setImmediate();
  expect(happened).toEqual([
    '…. A part of its path is a file. Move that file, then start Ballast again.',
    'exit 1',
  ]);
});
