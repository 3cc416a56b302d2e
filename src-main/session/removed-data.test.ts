import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { deleteRemoved } from './removed-data.ts';

it('deletes as much as it can, and names what it could not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-removed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [archive, alerts] = [join(folder, 'live-1.sqlite'), join(folder, 'live-1.jsonl')];
  writeFileSync(join(folder, 'file'), '');
  for (const file of [archive, alerts]) writeFileSync(file, '');
  const files = [join(folder, 'file', 'not-a-folder'), archive, join(folder, 'missing')];
  const forget = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
  expect(await deleteRemoved({ files, alerts, forget })).toMatchObject({
    failure: {
      kind: 'file',
      message: expect.stringContaining('“not-a-folder” could not be deleted (ENOTDIR)'),
    },
  });
  expect([archive, alerts].map((file) => existsSync(file))).toEqual([false, false]);
  expect(await deleteRemoved({ files: [], alerts: null, forget })).toMatchObject({
    failure: { message: expect.stringContaining('daily limits could not be deleted (ENOSPC)') },
  });
});
