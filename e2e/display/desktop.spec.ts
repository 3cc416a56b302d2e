/** The app's use of the desktop: notifications, the clipboard, the dark theme, a second start. */
import { expect, opened, pageOf, sendMarketOrder, test } from './desk.ts';

test('a fill is a notification of the desktop, and a click on it brings the window back', async ({
  desk,
  profile,
  practice,
}, info) => {
  desk.program('dunst', []);
  const { frame, area } = await opened(desk, { profile, practice });
  await sendMarketOrder(desk, area, practice);
  await frame.minimize();
  await expect.poll(() => frame.isMapped()).toBe(false);
  const note = await desk.frame('class', '^dunst$');
  await desk.picture(info.outputPath('notification.png'));
  await info.attach('notification', { path: info.outputPath('notification.png') });
  const { x, y } = await note.area();
  // Clicks the default action; dunst closes on the first.
  await desk.run('xdotool', 'mousemove', '--sync', String(x + 30), String(y + 10), 'click', '2');
  await expect.poll(() => frame.isMapped()).toBe(true);
});

test('copies from the window to the desktop’s clipboard', async ({ desk, profile }) => {
  const { area } = await opened(desk, { profile });
  const page = pageOf(area);
  await desk.after(page, () => desk.press('ctrl+4'));
  await desk.press('Tab');
  await desk.click(area.x + 300, area.y + 400);
  await desk.press('ctrl+a', 'ctrl+c');
  await expect.poll(() => desk.clipboard().catch(() => '')).toMatch(/^tradeTime,symbol,/);
});

for (const [theme, least, most] of [
  ['Adwaita', 150, 255],
  ['Adwaita:dark', 0, 80],
] as const) {
  test(`follows the session’s preference (${theme})`, async ({ desk, profile }, info) => {
    const { area } = await opened(desk, { profile, env: { GTK_THEME: theme } });
    await desk.picture(info.outputPath('display.png'));
    await info.attach('display', { path: info.outputPath('display.png') });
    const pixels = await desk.still({ x: area.x + 70, y: area.y + 200, width: 900, height: 500 });
    const mean = pixels.reduce((sum, pixel) => sum + ((pixel >> 8) & 255), 0) / pixels.length;
    expect(mean).toBeGreaterThanOrEqual(least);
    expect(mean).toBeLessThanOrEqual(most);
  });
}

test('a second start shows the first window and ends', async ({ desk, profile }) => {
  const { app, frame } = await opened(desk, { profile });
  await frame.minimize();
  await expect.poll(() => frame.isMapped()).toBe(false);
  const second = desk.start({ profile });
  expect(await second.whenEnded()).toBe(0);
  await expect.poll(() => frame.isMapped()).toBe(true);
  await expect.poll(async () => Number(await desk.run('xdotool', 'getactivewindow'))).toBe(Number(frame.id));
  expect(app.isRunning()).toBe(true);
  expect(await desk.frames('class', '^ballast$')).toHaveLength(1);
});
