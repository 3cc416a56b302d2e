import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { appHandlers, type AppPorts } from './app-handlers.ts';

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-app-handlers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
/** A session with a connection of this name. */
const named = (name: string) => ({ summary: () => ({ kind: 'live', settings: { name } }) }) as never;
const handlers = (ports: Partial<AppPorts>) => appHandlers({} as never, ports as AppPorts);

it.skipIf(process.platform === 'win32')('waits for no pipe that is chosen as a connection file', async () => {
  const pipe = join(temporary(), 'connection.json');
  execFileSync('mkfifo', [pipe]);
  const { 'connections.import': imported } = handlers({ openConnectionPath: () => Promise.resolve(pipe) });
  expect(await imported(undefined)).toMatchObject({
    failure: { message: '“connection.json” is not a file.', field: 'file' },
  });
});

it('writes to the chosen folder by the names that a later export removes after a kill', async () => {
  const folder = temporary();
  // The user's own.
  writeFileSync(join(folder, '.diagnostics.json.tmp'), '');
  const { 'app.saveDiagnostics': save } = handlers({
    diagnosticsPath: () => Promise.resolve(join(folder, 'diagnostics.json')),
    diagnostics: () => Promise.resolve('{}'),
    clock: { now: () => 0 },
  });
  const saved = save(undefined);
  // Until it waits for the disk.
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  const own = ['.diagnostics.json.tmp'];
  expect(readdirSync(folder).sort()).toEqual([
    ...own,
    expect.stringMatching(/^diagnostics\.json\.ballast-[\w-]+\.part$/),
  ]);
  expect(await saved).toMatchObject({ ok: true });
  expect(readdirSync(folder).sort()).toEqual([...own, 'diagnostics.json']);
});

it.each([
  ['Main / desk', 'main-desk'],
  ['Größe 2', 'größe-2'],
  ['メイン', 'メイン'],
])('suggests a name for the file of the connection %s that is readable', async (name, readable) => {
  const asked: string[] = [];
  const connectionPath = (suggested: string) => {
    asked.push(suggested);
    return Promise.resolve(null);
  };
  const { 'connections.export': exported } = appHandlers(named(name), { connectionPath } as never);
  expect(await exported({ connectionId: 'live-1' })).toEqual({ ok: true, data: null });
  expect(asked).toEqual([`ballast-connection-${readable}.json`]);
});
