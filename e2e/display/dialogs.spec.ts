/** File dialogs, by keys: GTK's where zenity is installed, a small window of the stand-in otherwise. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, opened, pageOf, test, type Area, type Desk, type Frame } from './desk.ts';

const DIALOGS = [
  { name: 'GTK’s', env: {}, by: 'class', pattern: '^zenity$' },
  { name: 'our own', env: { BALLAST_STANDIN_DIALOGS: 'window' }, by: 'name', pattern: '^Export CSV$' },
] as const;

/** The place of the button in the export panel of Trades, in a standard-size window. */
const EXPORT_BUTTON = { x: 1262, y: 849 };

for (const { name, env, by, pattern } of DIALOGS) {
  test.describe(name, () => {
    async function openExport(desk: Desk, area: Area): Promise<void> {
      const page = pageOf(area);
      await desk.after(page, () => desk.press('ctrl+4'));
      await desk.after(page, () => desk.press('ctrl+e'));
    }
    async function openDialog(desk: Desk, area: Area): Promise<Frame> {
      await desk.click(area.x + EXPORT_BUTTON.x, area.y + EXPORT_BUTTON.y);
      const dialog = await desk.frame(by, pattern);
      await desk.ready(dialog);
      return dialog;
    }
    const isGone = (desk: Desk): Promise<void> =>
      expect.poll(async () => (await desk.frames(by, pattern)).length).toBe(0);
    const retype = async (desk: Desk, text: string): Promise<void> => {
      await desk.press('ctrl+a');
      await desk.type(text);
    };

    test('saves by Enter, cancels by Esc, and reports an impossible path', async ({
      desk,
      profile,
    }, info) => {
      const { area } = await opened(desk, { profile, env });
      const downloads = join(desk.home, 'Downloads');
      const files = (): Promise<string[]> => readdir(downloads);
      await openExport(desk, area);
      // Smaller than the window it belongs to.
      const dialog = await openDialog(desk, area);
      expect((await dialog.area()).width).toBeLessThan(area.width);
      await desk.picture(info.outputPath('dialog.png'));
      await info.attach('dialog', { path: info.outputPath('dialog.png') });
      const toasts = { x: area.x + 60, y: area.y + 700, width: area.width - 120, height: 160 };
      await desk.after(toasts, async () => {
        await desk.press('Escape');
        await isGone(desk);
      });
      expect(await files()).toEqual([]);

      // A missing folder: reported, then asked again.
      await openDialog(desk, area);
      await retype(desk, '/nowhere/at all/trades.csv');
      await desk.press('Return');
      if (by === 'class') {
        await expect.poll(async () => (await desk.frames(by, pattern)).length).toBe(2);
        await desk.press('Return');
        await expect.poll(async () => (await desk.frames(by, pattern)).length).toBe(1);
      } else {
        await desk.picture(info.outputPath('refused.png'));
        await info.attach('refused', { path: info.outputPath('refused.png') });
        expect(await desk.frames(by, pattern)).toHaveLength(1);
      }
      // The suggested name is valid.
      await retype(desk, join(downloads, 'typed.csv'));
      await desk.press('Return');
      await isGone(desk);
      await expect.poll(files).toEqual(['typed.csv']);
      expect(await readFile(join(downloads, 'typed.csv'), 'utf8')).toMatch(/^tradeTime,/);
    });
  });
}

test('rejects a path without a folder in the stand-in’s own dialog', async ({ desk, profile }) => {
  const { area } = await opened(desk, { profile, env: { BALLAST_STANDIN_DIALOGS: 'window' } });
  const page = pageOf(area);
  await desk.after(page, () => desk.press('ctrl+4'));
  await desk.after(page, () => desk.press('ctrl+e'));
  await desk.click(area.x + EXPORT_BUTTON.x, area.y + EXPORT_BUTTON.y);
  const dialog = await desk.frame('name', '^Export CSV$');
  const shown = await dialog.area();
  await desk.press('ctrl+a');
  await desk.type('bare.csv');
  await desk.after(shown, () => desk.press('Return'));
  expect(await desk.frames('name', '^Export CSV$')).toHaveLength(1);
  await desk.press('Escape');
  await expect.poll(async () => (await desk.frames('name', '^Export CSV$')).length).toBe(0);
  expect(await readdir(join(desk.home, 'Downloads'))).toEqual([]);
});

test('asks before overwriting an existing file', async ({ desk, profile }) => {
  const { area } = await opened(desk, { profile });
  const path = join(desk.home, 'Downloads', 'there.csv');
  await writeFile(path, 'as it was');
  const page = pageOf(area);
  await desk.after(page, () => desk.press('ctrl+4'));
  await desk.after(page, () => desk.press('ctrl+e'));
  await desk.click(area.x + EXPORT_BUTTON.x, area.y + EXPORT_BUTTON.y);
  const dialog = await desk.frame('class', '^zenity$');
  await desk.ready(dialog);
  await desk.press('ctrl+a');
  await desk.type(path);
  await desk.press('Return');
  await expect.poll(async () => (await desk.frames('class', '^zenity$')).length).toBe(2);
  await desk.press('Escape');
  await expect.poll(async () => (await desk.frames('class', '^zenity$')).length).toBe(1);
  await desk.press('Escape');
  await expect.poll(async () => (await desk.frames('class', '^zenity$')).length).toBe(0);
  expect(await readFile(path, 'utf8')).toBe('as it was');
});
