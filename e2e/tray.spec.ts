/**
 * Without the window: closing it with “Keep running” leaves Ballast in the tray, watching, and quitting from there asks
 * as always; an entry that starts it at login is written and removed.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import type { Feeds } from '../src-shared/ipc/feeds.ts';
import { expectAccessible } from './axe.ts';
import { callBridge, controls, ending, expect, launch, SHARED, test } from './fixture.ts';
import { goTo, loseReply } from './page-objects.ts';

interface Recorded {
  image: string;
  tip: string;
  menu: Electron.Menu | null;
  destroyed: boolean;
}

/** Records what the tray is given; the test makes the clicks. Set before the icon is created. */
async function tray(app: ElectronApplication) {
  await app.evaluate(({ Tray }) => {
    const tray: Recorded = { image: '', tip: '', menu: null, destroyed: false };
    Object.assign(globalThis, { tray });
    Tray.prototype.setImage = (image) => {
      tray.image = typeof image === 'string' ? (image.split(/[\\/]/).at(-1) ?? '') : 'no file';
    };
    Tray.prototype.setToolTip = (tip) => {
      tray.tip = tip;
    };
    Tray.prototype.setContextMenu = (menu) => {
      tray.menu = menu;
    };
    Tray.prototype.destroy = () => {
      tray.destroyed = true;
    };
  });
  return {
    state: () =>
      app.evaluate(() => {
        const { image, tip, destroyed } = (globalThis as unknown as { tray: Recorded }).tray;
        return { image, tip, destroyed };
      }),
    press: (id: string) =>
      app.evaluate((_electron, wanted) => {
        const item = (globalThis as unknown as { tray: Recorded }).tray.menu?.getMenuItemById(wanted);
        if (item === null || item === undefined) throw new Error(`no ${wanted} in the tray's menu`);
        item.click();
      }, id),
  };
}

const pane = (page: Page) => page.getByRole('region', { name: 'Without the window' });
async function openAway(page: Page): Promise<void> {
  await goTo(page, 'settings');
  await page.getByRole('navigation', { name: 'Settings sections' }).getByText('When away').click();
}
const closeWindow = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
const isVisible = (app: ElectronApplication): Promise<boolean> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() === true);
/** Returns how many times longer than usual the polling interval of the account is. */
const slowedBy = async (page: Page): Promise<number | undefined> =>
  (await callBridge<Feeds>(page, 'feeds.get')).account.intervalFactor;

test('keeps running and watching in the tray; quitting from there asks', async ({ practice, profile }) => {
  const { app, page } = await launch(profile, practice);
  const icon = await tray(app);
  await openAway(page);
  const keep = pane(page).getByRole('checkbox', { name: 'Keep running when the window closes' });
  await expect(keep).not.toBeChecked();
  await expect(pane(page)).toContainText('closing the window quits Ballast');
  await expect(keep).toBeEnabled();
  await keep.focus();
  await page.keyboard.press('Space');
  await expect(keep).toBeChecked();
  await expect(pane(page)).toContainText('Closing the window leaves Ballast running in the tray');
  if (process.platform === 'linux')
    await expect(pane(page)).toContainText('Your desktop may not show tray icons');
  await expectAccessible(pane(page), 'without the window');
  await expect.poll(icon.state).toMatchObject({ image: 'ok.png', tip: 'Ballast: No active alerts' });

  await expect.poll(() => slowedBy(page)).toBe(1);
  await closeWindow(app);
  await expect.poll(() => isVisible(app)).toBe(false);
  await expect.poll(() => slowedBy(page)).toBe(3);
  await controls(practice, '/shock', { symbolId: 'SOL-USDT-M', share: '0.93' });
  await expect
    .poll(icon.state)
    .toMatchObject({ image: 'critical.png', tip: 'Ballast: A critical alert to acknowledge' });

  await icon.press('show');
  await expect.poll(() => isVisible(app)).toBe(true);
  await expect.poll(() => slowedBy(page)).toBe(1);
  const banner = page.getByTestId('alert-banner');
  await expect(banner).toContainText('SOL-USDT-M long: liquidation');
  await banner.getByRole('button', { name: 'Acknowledge' }).click();
  await expect.poll(async () => (await icon.state()).tip).toContain('Active: liquidation distance, danger');

  // With an unknown outcome quitting asks, over a window that is in view again.
  await goTo(page, 'positions');
  await controls(practice, '/faults', { endpoint: 'orderHis', action: 'status', times: 0 });
  await loseReply(page, practice, false);
  await app.evaluate(({ BrowserWindow, dialog }) => {
    const asked: boolean[] = [];
    Object.assign(globalThis, { asked });
    dialog.showMessageBox = () => {
      const [window] = BrowserWindow.getAllWindows();
      asked.push(window?.isVisible() === true && !window.isMinimized());
      return Promise.resolve({ response: asked.length < 3 ? 0 : 1, checkboxChecked: false });
    };
  });
  const asked = () => app.evaluate(() => (globalThis as unknown as { asked: boolean[] }).asked);
  await closeWindow(app);
  await expect.poll(() => isVisible(app)).toBe(false);
  expect(await asked()).toEqual([]);
  await icon.press('quit');
  await expect.poll(asked).toEqual([true]);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
  await icon.press('quit');
  await expect.poll(asked).toEqual([true, true]);
  await goTo(page, 'activity');
  const ended = ending(app);
  await icon.press('quit');
  await ended;
});

test('closing quits once keeping running is switched off again', async ({ practice, profile }) => {
  const { app, page } = await launch(profile, practice);
  const icon = await tray(app);
  await openAway(page);
  const keep = pane(page).getByRole('checkbox', { name: 'Keep running when the window closes' });
  await expect(keep).toBeEnabled();
  await keep.check({ force: true });
  await expect(pane(page)).toContainText('leaves Ballast running in the tray');
  await keep.uncheck({ force: true });
  await expect(pane(page)).toContainText('closing the window quits Ballast');
  await expect.poll(async () => (await icon.state()).destroyed).toBe(true);
  const ended = ending(app);
  await closeWindow(app);
  await ended;
});

test('says that a development build cannot start at login', SHARED, async ({ page }) => {
  await openAway(page);
  await expect(pane(page).getByRole('checkbox', { name: 'Start at login' })).toBeDisabled();
  await expect(pane(page)).toContainText('Only an installed Ballast can start at login.');
});

test('starts at login by an autostart entry, as an AppImage', async ({ practice, profile }) => {
  test.skip(process.platform !== 'linux', 'an entry of Linux desktops');
  await mkdir(profile, { recursive: true });
  const config = join(profile, 'config');
  const first = await launch(profile, practice);
  const program = await first.app.evaluate(({ app }) => app.getPath('exe'));
  await first.app.close();
  // What an AppImage's runtime sets: its own file, and the mounted folder that holds the program.
  const image = join(profile, 'Ballast 1.AppImage');
  const { app, page } = await launch(profile, practice, {
    ...{ APPIMAGE: image, APPDIR: dirname(program), XDG_CONFIG_HOME: config },
  });
  try {
    await openAway(page);
    const login = pane(page).getByRole('checkbox', { name: 'Start at login' });
    await expect(login).toBeEnabled();
    await expect(login).not.toBeChecked();
    await login.focus();
    await page.keyboard.press('Space');
    await expect(login).toBeChecked();
    await expect(login).toBeEnabled();
    const entry = join(config, 'autostart', 'ballast.desktop');
    await expect.poll(() => readFile(entry, 'utf8').catch(() => '')).toContain(`Exec="${image}"`);
    await page.keyboard.press('Space');
    await expect(login).not.toBeChecked();
    await expect.poll(() => existsSync(entry)).toBe(false);
  } finally {
    await app.close();
  }
});
