/** The app's use of the desktop: notifications, the clipboard, the dark theme, a second start. */
import { writeFile } from 'node:fs/promises';
import { expect, opened, pageOf, sendMarketOrder, test } from './desktop.ts';

test('a fill is a notification of the desktop, and a click on it brings the window back', async ({
  desktop,
  profile,
  practice,
}, info) => {
  // A notification stays until it is clicked, however long the machine takes to look for it.
  const settings = info.outputPath('dunstrc');
  await writeFile(settings, '[urgency_low]\ntimeout = 0\n[urgency_normal]\ntimeout = 0\n');
  desktop.program('dunst', ['-conf', settings]);
  const { frame, area } = await opened(desktop, { profile, practice });
  await sendMarketOrder(desktop, area, practice);
  await frame.minimize();
  const note = await desktop.frame('class', '^dunst$');
  await desktop.picture(info.outputPath('notification.png'));
  await info.attach('notification', { path: info.outputPath('notification.png') });
  const { x, y } = await note.area();
  // Clicks the default action; dunst closes on the first.
  await desktop.run('xdotool', 'mousemove', '--sync', String(x + 30), String(y + 10), 'click', '2');
  await expect.poll(() => frame.isMapped()).toBe(true);
});

test('copies from the window to the desktop’s clipboard', async ({ desktop, profile }) => {
  const { area } = await opened(desktop, { profile });
  const page = pageOf(area);
  await desktop.after(page, () => desktop.press('ctrl+4'));
  await desktop.press('Tab');
  // Again until there is a row to click on: the trades are listed once the archive is open.
  const copied = async (): Promise<string> => {
    await desktop.click(area.x + 300, area.y + 400);
    await desktop.press('ctrl+a', 'ctrl+c');
    return desktop.clipboard().catch(() => '');
  };
  await expect.poll(copied).toMatch(/^tradeTime,symbol,/);
});

for (const [theme, least, most] of [
  ['Adwaita', 150, 255],
  ['Adwaita:dark', 0, 80],
] as const) {
  test(`follows the session’s preference (${theme})`, async ({ desktop, profile }, info) => {
    const { area } = await opened(desktop, { profile, env: { GTK_THEME: theme } });
    const mean = async (): Promise<number> => {
      const pixels = await desktop.still({ x: area.x + 70, y: area.y + 200, width: 900, height: 500 });
      return pixels.reduce((sum, pixel) => sum + ((pixel >> 8) & 255), 0) / pixels.length;
    };
    // On a busy machine a window not drawn yet is still, too.
    await expect
      .poll(async () => Math.abs((await mean()) - (least + most) / 2))
      .toBeLessThanOrEqual((most - least) / 2);
    await desktop.picture(info.outputPath('display.png'));
    await info.attach('display', { path: info.outputPath('display.png') });
  });
}

test('a second start shows the first window and ends', async ({ desktop, profile }) => {
  const { app, frame } = await opened(desktop, { profile });
  await frame.minimize();
  const second = desktop.start({ profile });
  expect(await second.whenEnded()).toBe(0);
  await expect.poll(() => frame.isMapped()).toBe(true);
  await expect.poll(() => frame.isActive()).toBe(true);
  expect(app.isRunning()).toBe(true);
  expect((await desktop.frame('class', '^ballast$')).id).toBe(frame.id);
});
