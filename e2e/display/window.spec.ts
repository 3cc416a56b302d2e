/** The window's frame: title, icon, place, and changes by the window manager. */
import { join } from 'node:path';
import { drawn, expect, jsonOf, opened, pageOf, test } from './desktop.ts';

interface Kept {
  readonly last: string;
  readonly places: Readonly<
    Record<
      string,
      {
        readonly bounds: { x: number; y: number; width: number; height: number };
        readonly maximized: boolean;
      }
    >
  >;
}

test('has the app’s title, class and icon, and nothing of the browser around the page', async ({
  desktop,
  profile,
}, info) => {
  const { frame, area } = await opened(desktop, { profile });
  await desktop.picture(info.outputPath('display.png'));
  await info.attach('display', { path: info.outputPath('display.png') });
  expect(await frame.property('_NET_WM_NAME')).toBe('"Ballast"');
  expect(await frame.property('WM_CLASS')).toBe('"ballast", "ballast"');
  // The app's icon is dark; Chromium's default icon is a light globe.
  await expect
    .poll(async () => (await frame.property('_NET_WM_ICON')).match(/▓/g)?.length ?? 0)
    .toBeGreaterThan(80);
  expect([area.width, area.height]).toEqual([1440, 900]);
  // The page begins at the window's top, with the stripes of practice; a bar of the browser would have one colour. The
  // frame is drawn before the connection is known, and has no stripes until then.
  await expect.poll(() => desktop.colours({ ...area, height: 4 })).toBeGreaterThan(2);
  // In the middle of the screen, frame included.
  expect(Math.abs(area.x - (1600 - 1440) / 2)).toBeLessThan(40);
});

test('restores its place and size after a restart', async ({ desktop, profile }) => {
  const first = await opened(desktop, { profile });
  await first.frame.resizeTo(1200, 760);
  await first.frame.moveTo(150, 120);
  await expect
    .poll(async () => first.frame.area())
    .toMatchObject({ width: 1200, height: 760, x: 150, y: 120 });
  expect(await first.frame.closeToEnd(first.app)).toBe(0);
  const { last, places } = await jsonOf<Kept>(join(profile, 'window.json'));
  expect(places[last]).toMatchObject({ maximized: false, bounds: { x: 150, y: 120, width: 1200 } });
  const second = await opened(desktop, { profile });
  await expect.poll(() => second.frame.area()).toEqual({ x: 150, y: 120, width: 1200, height: 760 });
});

test('is minimised, restored and maximised by the window manager, and restarts maximised', async ({
  desktop,
  profile,
}) => {
  const { app, frame, area } = await opened(desktop, { profile });
  await frame.minimize();
  await frame.activate();
  await expect.poll(() => frame.isMapped()).toBe(true);
  // While restoring, it is mapped elsewhere for a moment.
  expect(await drawn(desktop, frame)).toEqual(area);
  await frame.toggleMaximized();
  await expect.poll(async () => (await frame.area()).width).toBe(1600);
  await desktop.still(await frame.area());
  await frame.toggleMaximized();
  await expect.poll(() => frame.area()).toEqual(area);
  await frame.toggleMaximized();
  await expect.poll(async () => (await frame.area()).width).toBe(1600);
  // A key pressed while the window is still being drawn anew may be lost.
  await desktop.still(pageOf(await frame.area()));
  expect(await frame.closeToEnd(app)).toBe(0);
  const { last, places } = await jsonOf<Kept>(join(profile, 'window.json'));
  expect(places[last]).toMatchObject({ maximized: true, bounds: { width: 1440 } });
  const second = await opened(desktop, { profile });
  await expect.poll(async () => (await second.frame.area()).width).toBe(1600);
  await second.frame.toggleMaximized();
  await expect.poll(async () => (await second.frame.area()).width).toBe(1440);
});

test('returns to its minimum size when made smaller', async ({ desktop, profile }) => {
  const { frame } = await opened(desktop, { profile });
  await frame.resizeTo(500, 400);
  await expect
    .poll(async () => {
      const { width, height } = await frame.area();
      return [width, height];
    })
    .toEqual([1024, 700]);
});

test('is minimised, zoomed and made full screen by its own keys, and ignores browser keys', async ({
  desktop,
  profile,
}) => {
  const { frame, area } = await opened(desktop, { profile });
  const page = pageOf(area);
  await desktop.after(page, () => desktop.press('ctrl+plus'));
  // The file may not be there yet, which a poll does not survive.
  const zoom = (): Promise<number | null> =>
    jsonOf<{ zoom: number }>(join(profile, 'settings.json')).then(
      (settings) => settings.zoom,
      () => null,
    );
  await expect.poll(zoom).toBe(110);
  await desktop.after(page, () => desktop.press('ctrl+0'));
  await desktop.press('F11');
  await expect.poll(async () => (await frame.area()).height).toBe(1000);
  await desktop.press('F11');
  await expect.poll(() => frame.area()).toEqual(area);
  // A new tab, a new window, printing, the source, the developer tools, reloading, going back.
  await desktop.press('ctrl+t', 'ctrl+n', 'ctrl+p', 'ctrl+u', 'ctrl+shift+i', 'F12', 'ctrl+r', 'alt+Left');
  await desktop.still(page);
  expect(await desktop.allFrames()).toHaveLength(1);
  await desktop.press('ctrl+m');
  await expect.poll(() => frame.isMapped()).toBe(false);
});

test.describe(() => {
  test.use({ displaySize: '3000x1900' });
  for (const scale of [1, 1.5, 2]) {
    test(`is drawn at a device scale of ${scale}`, async ({ desktop, profile }, info) => {
      const args = [`--force-device-scale-factor=${scale}`];
      const { frame } = await opened(desktop, { profile, args });
      await desktop.picture(info.outputPath('display.png'));
      await info.attach('display', { path: info.outputPath('display.png') });
      const { width, height } = await frame.area();
      expect([width, height]).toEqual([1440 * scale, 900 * scale]);
    });
  }
});
