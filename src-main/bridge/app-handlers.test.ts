import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { done } from '../../src-shared/ipc/failures.ts';
import { appHandlers, type AppPorts } from './app-handlers.ts';

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-app-handlers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
const handlers = (ports: Partial<AppPorts>) =>
  appHandlers({ remove: () => Promise.resolve(done(null)) } as never, ports as AppPorts);

it('deletes the archive of a removed connection though its figures cannot be, as on a full disk', async () => {
  const file = join(temporary(), 'live-1.sqlite');
  writeFileSync(file, '');
  const { 'connections.remove': remove } = handlers({
    connectionFiles: () => [file],
    forgetAccount: () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
  });
  const input = { connectionId: 'live-1', leaveSecret: false, typed: [], deleteArchive: true };
  expect(await remove(input)).toMatchObject({
    failure: { kind: 'file', message: expect.stringContaining('daily limits stay stored (ENOSPC)') },
  });
  expect(existsSync(file)).toBe(false);
});

it.skipIf(process.platform === 'win32')('waits for no pipe that is chosen as a connection file', async () => {
  const pipe = join(temporary(), 'connection.json');
  execFileSync('mkfifo', [pipe]);
  const { 'connections.import': imported } = handlers({ openConnectionPath: () => Promise.resolve(pipe) });
  expect(await imported(undefined)).toMatchObject({
    failure: { message: '“connection.json” is not a file.', field: 'file' },
  });
});
