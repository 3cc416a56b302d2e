import { expect, it, vi } from 'vitest';
import { createFileDialogs } from './file-dialogs.ts';

const { asked } = vi.hoisted(() => ({ asked: [] as { title: string; defaultPath: string }[] }));
vi.mock('electron', () => ({
  app: { getPath: (name: string) => `/home/user/${name}` },
  shell: {},
  dialog: {
    showOpenDialog(options: (typeof asked)[number]) {
      asked.push(options);
      return Promise.resolve({ canceled: true, filePaths: [] });
    },
  },
}));

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
