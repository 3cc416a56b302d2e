/** File dialogs, by keys: GTK's where zenity is installed, a small window of the stand-in otherwise. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ANY_EFFECT,
  expect,
  opened,
  openExport,
  openSaveDialog,
  test,
  type Area,
  type Desktop,
  type Frame,
} from './desktop.ts';

const DIALOGS = [
  { name: 'GTK’s', env: {}, by: 'class', pattern: '^zenity$' },
  { name: 'our own', env: { BALLAST_STANDIN_DIALOGS: 'window' }, by: 'name', pattern: '^Export CSV$' },
] as const;

/** Presses a key at zenity's message over its file dialog, once it has the focus; then the file dialog has it again. */
async function answerMessage(desktop: Desktop, dialog: Frame, key: string): Promise<void> {
  let messages: Frame[] = [];
  const others = async (): Promise<number> => {
    messages = (await desktop.frames('class', '^zenity$')).filter(({ id }) => id !== dialog.id);
    return messages.length;
  };
  await expect.poll(others).toBe(1);
  await desktop.ready(messages[0]!);
  await desktop.press(key);
  await expect.poll(others).toBe(0);
  await desktop.ready(dialog);
}

for (const { name, env, by, pattern } of DIALOGS) {
  test.describe(name, () => {
    const openDialog = (desktop: Desktop, area: Area): Promise<Frame> =>
      openSaveDialog(desktop, area, by, pattern);
    const isGone = (desktop: Desktop): Promise<void> =>
      expect.poll(async () => (await desktop.frames(by, pattern)).length).toBe(0);
    const retype = async (desktop: Desktop, text: string): Promise<void> => {
      await desktop.press('ctrl+a');
      await desktop.type(text);
    };

    test('saves by Enter, cancels by Esc, and reports an impossible path', async ({
      desktop,
      profile,
    }, info) => {
      const { area } = await opened(desktop, { profile, env });
      const downloads = join(desktop.home, 'Downloads');
      const files = (): Promise<string[]> => readdir(downloads);
      await openExport(desktop, area);
      // Smaller than the window it belongs to.
      const dialog = await openDialog(desktop, area);
      expect((await dialog.area()).width).toBeLessThan(area.width);
      await desktop.picture(info.outputPath('dialog.png'));
      await info.attach('dialog', { path: info.outputPath('dialog.png') });
      const toasts = { x: area.x + 60, y: area.y + 700, width: area.width - 120, height: 160 };
      const cancel = async (): Promise<void> => {
        await desktop.press('Escape');
        await isGone(desktop);
      };
      await desktop.after(toasts, cancel, ANY_EFFECT);
      expect(await files()).toEqual([]);

      // A missing folder: reported, then asked again.
      const asked = await openDialog(desktop, area);
      await retype(desktop, '/nowhere/at all/trades.csv');
      if (by === 'class') {
        await desktop.press('Return');
        await answerMessage(desktop, asked, 'Return');
      } else {
        await desktop.after(await asked.area(), () => desktop.press('Return'), ANY_EFFECT);
        await desktop.picture(info.outputPath('refused.png'));
        await info.attach('refused', { path: info.outputPath('refused.png') });
        await desktop.frame(by, pattern);
      }
      // The suggested name is valid.
      await retype(desktop, join(downloads, 'typed.csv'));
      await desktop.press('Return');
      await isGone(desktop);
      await expect.poll(files).toEqual(['typed.csv']);
      expect(await readFile(join(downloads, 'typed.csv'), 'utf8')).toMatch(/^tradeTime,/);
    });
  });
}

test('rejects a path without a folder in the stand-in’s own dialog', async ({ desktop, profile }) => {
  const { area } = await opened(desktop, { profile, env: { BALLAST_STANDIN_DIALOGS: 'window' } });
  await openExport(desktop, area);
  const dialog = await openSaveDialog(desktop, area, 'name', '^Export CSV$');
  const shown = await dialog.area();
  await desktop.press('ctrl+a');
  await desktop.type('bare.csv');
  await desktop.after(shown, () => desktop.press('Return'), ANY_EFFECT);
  await desktop.frame('name', '^Export CSV$');
  await desktop.press('Escape');
  await expect.poll(async () => (await desktop.frames('name', '^Export CSV$')).length).toBe(0);
  expect(await readdir(join(desktop.home, 'Downloads'))).toEqual([]);
});

test('asks before overwriting an existing file', async ({ desktop, profile }) => {
  const { area } = await opened(desktop, { profile });
  const path = join(desktop.home, 'Downloads', 'there.csv');
  await writeFile(path, 'as it was');
  await openExport(desktop, area);
  const dialog = await openSaveDialog(desktop, area);
  await desktop.press('ctrl+a');
  await desktop.type(path);
  await desktop.press('Return');
  await answerMessage(desktop, dialog, 'Escape');
  await desktop.press('Escape');
  await expect.poll(async () => (await desktop.frames('class', '^zenity$')).length).toBe(0);
  expect(await readFile(path, 'utf8')).toBe('as it was');
});
