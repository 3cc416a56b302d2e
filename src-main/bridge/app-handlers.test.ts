import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { appHandlers, type AppPorts } from './app-handlers.ts';

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-app-handlers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
const handlers = (ports: Partial<AppPorts>) => appHandlers({} as never, ports as AppPorts);

it.skipIf(process.platform === 'win32')('waits for no pipe that is chosen as a connection file', async () => {
  const pipe = join(temporary(), 'connection.json');
  execFileSync('mkfifo', [pipe]);
  const { 'connections.import': imported } = handlers({ openConnectionPath: () => Promise.resolve(pipe) });
  expect(await imported(undefined)).toMatchObject({
    failure: { message: '“connection.json” is not a file.', field: 'file' },
  });
});
