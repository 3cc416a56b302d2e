/** The app as a desktop app: palette, keys, privacy, zoom, diagnostics, update. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { DEFAULT_SETTINGS } from '../src-shared/ipc/default-settings.ts';
import { expectAccessible } from './axe.ts';
import { expect, launch, SHARED, test } from './fixture.ts';
import { goTo, openSynced, rows, saveTo } from './page-objects.ts';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or run a command' });

async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await palette(page).getByRole('combobox').fill(text);
}

test(
  'the palette finds screens, settings, positions and contracts, and runs them by keys',
  SHARED,
  async ({ page }) => {
    await expect(page.locator('header').first()).toContainText('Local');
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard' })).toContainText('Hide or show amounts');
    await expectAccessible(page.getByRole('dialog', { name: 'Keyboard' }), 'shortcuts');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await find(page, 'time zone');
    await expect(palette(page).getByRole('option').first()).toContainText('Time zone');
    await expect(palette(page).getByRole('option').first().locator('mark').first()).toHaveText('Time');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Appearance' })).toHaveAttribute('aria-current', 'page');
    await expectAccessible(page, 'Appearance');

    await find(page, 'about');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Save diagnostics…' })).toBeVisible();
    await expectAccessible(page, 'About');

    await find(page, 'sol position');
    await expect(palette(page).getByRole('option').first()).toContainText('SOL-USDT-M');
    await expectAccessible(palette(page), 'palette');
    await page.keyboard.press('Enter');
    await expect(page.locator('main').getByRole('heading', { level: 1 })).toHaveText('Risk');

    // Actions from any screen: a close asks first, an export opens its panel.
    await find(page, 'close sol');
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('close-sheet')).toBeVisible();
    await page.keyboard.press('Escape');
    await find(page, 'export trades');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'Export CSV' })).toBeVisible();
    await find(page, 'order history');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('tab', { name: 'Order history' })).toHaveAttribute('aria-selected', 'true');

    // A screen is found by what it has, too.
    await find(page, 'fees');
    await expect(palette(page).getByRole('option').first()).toContainText('Trades');
    await page.keyboard.press('Escape');
    await find(page, 'zzqq');
    await expect(palette(page).getByRole('option')).toHaveText('No matches for “zzqq”');
    await page.keyboard.press('Escape');
  },
);

test(
  'hides amounts in text, titles and names but not prices, and shows them again',
  SHARED,
  async ({ page }) => {
    const top = page.locator('header').first();
    await expect(top).toContainText('Equity');
    await goTo(page, 'positions');
    const row = rows(page, 'Positions', 'SOL-USDT-M').first();
    const mark = row.locator('[data-field="markPrice"]');
    await expect(mark).toContainText(/\d/);
    await page.keyboard.press('Control+Shift+H');
    await expect(top.locator('.cell').filter({ hasText: 'Equity' })).not.toContainText(/\d/);
    await expect(mark).toContainText(/\d/);
    for (const field of ['quantity', 'margin', 'profitUnreal']) {
      const cell = await row.locator(`[data-field="${field}"]`).innerHTML();
      // The share shown below an amount is not an amount.
      expect(cell.replace(/<i class="under[^<]*<\/i>/, ''), field).not.toMatch(/>[^<]*\d|title="[^"]*\d/);
    }
    await page.keyboard.press('Control+Shift+H');
    await expect(row.locator('[data-field="quantity"]')).toContainText('32.0');

    // A tooltip under a resting pointer is hidden too. No row comes after the pointer has.
    await openSynced(page);
    const cell = page.locator('[role="gridcell"][data-field="executedQty"]').first();
    await expect(cell).toContainText(/\d/);
    await cell.hover();
    await expect(cell).toHaveAttribute('title', /\d/);
    await page.keyboard.press('Control+Shift+H');
    await expect(cell).not.toHaveAttribute('title', /\d/);
  },
);

const zoomOf = (app: ElectronApplication): Promise<number> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.webContents.getZoomFactor());

test('after an update: shows the changes once, keeps zoom and window place, and omits keys from diagnostics', async ({
  practice,
  profile,
}) => {
  await mkdir(profile, { recursive: true });
  await writeFile(
    join(profile, 'settings.json'),
    JSON.stringify({ ...DEFAULT_SETTINGS, seenVersion: '0.0.9' }),
  );
  const first = await launch(profile, practice);
  const sheet = first.page.getByRole('dialog', { name: 'What’s new' });
  await expect(sheet).toContainText('0.1.0');
  await first.page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await first.page.keyboard.press('Control+=');
  await expect.poll(() => zoomOf(first.app)).toBe(1.1);
  const path = await saveTo(first, 'diagnostics.json');
  await find(first.page, 'save diag');
  await first.page.keyboard.press('Enter');
  await expect(first.page.getByRole('log', { name: 'Notices' })).toContainText('Diagnostics are saved');
  const text = await readFile(path, 'utf8');
  expect(text).toContain('"ballast-diagnostics"');
  expect(text).not.toContain(practice.credentials.key);
  expect(text).not.toContain(practice.credentials.secret);
  await first.app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]!.setBounds({ x: 40, y: 30, width: 1300, height: 800 });
  });
  await first.app.close();
  const kept = JSON.parse(await readFile(join(profile, 'window.json'), 'utf8')) as { places: object };
  expect(Object.values(kept.places)[0]).toMatchObject({ bounds: { width: 1300, height: 800 } });

  const second = await launch(profile, practice);
  await expect.poll(() => zoomOf(second.app)).toBe(1.1);
  const size = await second.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getSize());
  expect(size).toEqual([1300, 800]);
  await expect(second.page.locator('header').first()).toContainText('Local');
  await expect(second.page.getByRole('dialog', { name: 'What’s new' })).toBeHidden();
  await second.app.close();
});
