import type { OpenDialogOptions } from 'electron';
import { beforeEach, expect, it, vi } from 'vitest';
import { createFileDialogs } from './file-dialogs.ts';

const { asked } = vi.hoisted(() => ({ asked: [] as OpenDialogOptions[] }));
vi.mock('electron', () => ({
  app: { getPath: (name: string) => `/home/user/${name}` },
  shell: {},
  dialog: {
    showOpenDialog(options: OpenDialogOptions) {
      asked.push(options);
      return Promise.resolve({ canceled: true, filePaths: [] });
    },
  },
}));
beforeEach(() => void (asked.length = 0));

it('opens each dialog in the folder where Ballast saves such files', async () => {
  const dialogs = createFileDialogs(() => null);
  const { openPath, openBackupPath, openConnectionPath, exportFolder, everything } = dialogs;
  const opens = [
    openBackupPath,
    openConnectionPath,
    exportFolder,
    everything.openPath,
    everything.folderPath,
  ];
  for (const ask of [openPath, ...opens]) expect(await ask()).toBeNull();
  expect(asked.map((one) => one.defaultPath)).toEqual([
    '/home/user/downloads',
    ...opens.map(() => '/home/user/documents'),
  ]);
});

it('lets an archive that was moved aside, or copied before its format changed, be chosen to restore', async () => {
  await createFileDialogs(() => null).openBackupPath();
  const [{ filters = [] } = {}] = asked;
  const shows = (name: string): boolean =>
    filters.some(({ extensions }) => extensions.some((one) => one === '*' || name.endsWith(`.${one}`)));
  for (const name of [
    'backup.sqlite',
    'live-1.sqlite.other-account-20261130T120000Z',
    'live-1.sqlite.before-schema-10',
  ])
    expect(shows(name)).toBe(true);
  expect(filters[0]?.extensions).toEqual(['sqlite']);
});
