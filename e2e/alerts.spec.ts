/**
 * Alerts: a price shock and an unknown outcome raise one, which stays until acknowledged and in the log after a
 * restart.
 */
import type { ElectronApplication, Page } from '@playwright/test';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectAccessible } from './axe.ts';
import { controls, expect, launch, test } from './fixture.ts';
import { goTo, loseReply, rows } from './page-objects.ts';

const banner = (page: Page) => page.getByTestId('alert-banner');
const heading = (page: Page) => page.locator('main').getByRole('heading', { level: 1 });

/** An isolated long of SOL is about 10 % above its liquidation; this leaves less than 5 %. */
async function shock(page: Page): Promise<void> {
  await goTo(page, 'positions');
  await expect(rows(page, 'Positions', 'SOL-USDT-M').first()).toBeVisible();
  await goTo(page, 'settings');
  const pane = page.getByRole('region', { name: 'Practice controls' });
  await pane.getByLabel('Contract', { exact: true }).selectOption('SOL-USDT-M');
  await pane.getByLabel('Move in percent').fill('-7');
  await pane.getByRole('button', { name: 'Move the price' }).click();
}

/** Records the app's notifications, on a desktop that shows or rejects them; the test makes the clicks. */
async function desktop(
  app: ElectronApplication,
  answer: 'show' | 'failed' = 'show',
): Promise<() => Promise<string[]>> {
  await app.evaluate(({ Notification }, event) => {
    const shown: Electron.Notification[] = [];
    Object.assign(globalThis, { shown });
    Notification.isSupported = () => true;
    Notification.prototype.show = function () {
      shown.push(this);
      this.emit(event);
    };
  }, answer);
  return () =>
    app.evaluate(() =>
      (globalThis as unknown as { shown: Electron.Notification[] }).shown.map(
        (one) => `${one.title}. ${one.body}`,
      ),
    );
}

test('notifies of a price shock, on the desktop too, until acknowledged, and logs it', async ({
  profile,
}) => {
  const first = await launch(profile, null);
  const { app, page } = first;
  const shown = await desktop(app);
  await shock(page);
  await expect(banner(page)).toContainText(/SOL-USDT-M long: liquidation ≈ [0-4]\.\d\d% away/);
  await expect.poll(shown).toContainEqual(expect.stringMatching(/^PRACTICE: SOL-USDT-M long: liquidation ≈/));

  // A click on it goes to the position.
  await app.evaluate(() => {
    const { shown } = globalThis as unknown as { shown: Electron.Notification[] };
    shown.find(({ title }) => title.includes('liquidation'))?.emit('click');
  });
  await expect(page.locator('[data-screen="positions"]')).toHaveAttribute('aria-current', 'page');
  await banner(page).getByRole('button', { name: 'Acknowledge' }).click();
  await expect(banner(page)).toHaveCount(0);
  // Not to nowhere, with the button that is gone.
  await expect(heading(page)).toBeFocused();
  await app.close();

  const again = await launch(profile, null);
  await goTo(again.page, 'alerts');
  const kept = rows(again.page, 'Alerts', 'liquidation ≈').first();
  await expect(kept).toContainText('Acknowledged');
  // Whatever the length of its texts, state and actions are in the window; and the title is not cut beside empty space.
  const title = kept.getByText('liquidation ≈');
  for (const width of [1024, 1200, 1440, 1920]) {
    await again.page.setViewportSize({ width, height: 900 });
    await expect(kept.getByText('acknowledged')).toBeInViewport({ ratio: 1 });
    const table = again.page.getByRole('treegrid', { name: 'Alerts' });
    const reach = (): Promise<number> =>
      table.evaluate((one) => one.scrollWidth - (one.parentElement?.clientWidth ?? 0));
    const cut = (): Promise<number> => title.evaluate((one) => one.scrollWidth - one.clientWidth);
    await expect.poll(reach, String(width)).toBe(0);
    await expect.poll(cut, String(width)).toBe(0);
  }
  await again.page.setViewportSize({ width: 1440, height: 900 });
  await kept.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(again.page.locator('[data-screen="positions"]')).toHaveAttribute('aria-current', 'page');
  await expect(heading(again.page)).toBeFocused();
  await again.app.close();
});

/** A window around the current time: with fixed times the test would fail at some minute of the day. */
const hourFromNow = (hours: number): string =>
  `${String((new Date().getUTCHours() + hours + 24) % 24).padStart(2, '0')}:00`;

test('shows critical alerts in quiet hours, and nothing on the desktop', async ({ ballast, page }) => {
  const shown = await desktop(ballast.app);
  await goTo(page, 'settings');
  await page.getByRole('navigation', { name: 'Settings sections' }).getByText('Alerts').click();
  const pane = page.getByRole('region', { name: 'Alerts' });
  await pane.getByLabel('Quiet from').fill('25:00');
  await pane.getByLabel('Quiet until').fill(hourFromNow(2));
  await expect(pane).toContainText('“25:00”: a time of day, such as 22:00. The old value still applies.');
  await expectAccessible(page, 'settings of alerts');
  await pane.getByLabel('Quiet from').fill(hourFromNow(-1));
  await pane.getByLabel('Quiet until').press('Tab');
  await expect(pane).not.toContainText('25:00');
  await pane.getByText('Quiet hours', { exact: true }).click();
  await expect(pane.getByRole('switch', { name: 'Liquidation distance, danger, cannot be' })).toBeDisabled();
  await page.getByRole('navigation', { name: 'Settings sections' }).getByText('Connections').click();
  await shock(page);
  await expect(banner(page)).toContainText('SOL-USDT-M long: liquidation');
  await goTo(page, 'alerts');
  const row = rows(page, 'Alerts', 'liquidation ≈').first();
  await expect(row).toContainText('Quiet');
  expect(await shown()).toEqual([]);
  await row.focus();
  await page.keyboard.press('ArrowRight');
  await expectAccessible(page, 'banner and log');
});

test('notifies of an unknown outcome, and sends a test notification', async ({
  ballast,
  page,
  practice,
  profile,
}) => {
  await controls(practice, '/faults', { endpoint: 'orderHis', action: 'status', times: 0 });
  await loseReply(page, practice, false);
  await goTo(page, 'alerts');
  const row = rows(page, 'Alerts', 'Outcome unknown: Buy SOL-USDT-M, limit').first();
  await expect(row).toContainText('Active');
  await row.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(page.locator('[data-screen="activity"]')).toHaveAttribute('aria-current', 'page');
  // Dismissed, it is nothing to acknowledge any more.
  await page.getByRole('button', { name: 'Dismiss…' }).first().click();
  const dismiss = page.getByRole('dialog', { name: 'Dismiss this outcome' });
  await dismiss.getByRole('textbox').fill('SOL-USDT-M');
  await dismiss.getByRole('button', { name: 'Dismiss', exact: true }).click();
  await goTo(page, 'alerts');
  await expect(row).toContainText('Ended Dismissed');
  await expect(row.getByRole('button', { name: 'Acknowledge' })).toHaveCount(0);
  await expect(page.locator('[data-screen="alerts"]')).toHaveAccessibleName('Alerts');
  const [file = ''] = await readdir(join(profile, 'alerts'));
  expect(await readFile(join(profile, 'alerts', file), 'utf8')).not.toContain(practice.credentials.secret);

  await goTo(page, 'settings');
  await page.getByRole('navigation', { name: 'Settings sections' }).getByText('Alerts').click();
  const shown = await desktop(ballast.app);
  await page.getByRole('button', { name: 'Send a test notification' }).click();
  await expect(page.getByText('Also sent to the desktop.')).toBeVisible();
  expect(await shown()).toEqual([expect.stringMatching(/^PRACTICE: test notification/)]);

  // As macOS responds to an unsigned app.
  await desktop(ballast.app, 'failed');
  await page.getByRole('button', { name: 'Send a test notification' }).click();
  await expect(page.getByText('The system rejected it')).toBeVisible();
});
