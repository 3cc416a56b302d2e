/** The app as a desktop app: palette, keys, privacy, zoom, a file the system opens, quitting, diagnostics, update. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { ElectronApplication, Page } from '@playwright/test';
import { DEFAULT_SETTINGS } from '../src-shared/contract/settings.ts';
import { controls, expect, launch, received, setTheme, test } from './fixture.ts';
import { goTo, rows, saveTo, Ticket } from './page-objects.ts';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or run a command' });

async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await palette(page).getByRole('combobox').fill(text);
}
async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(' ')}`));
}

test('the palette finds screens, settings, positions and contracts, and runs them by keys', async ({
  page,
}) => {
  await expect(page.locator('header').first()).toContainText('Local');
  await find(page, 'time zone');
  await expect(palette(page).getByRole('option').first()).toContainText('Time zone');
  await expect(palette(page).getByRole('option').first().locator('mark').first()).toHaveText('Time');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Appearance' })).toHaveAttribute('aria-current', 'page');

  await find(page, 'about');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Save diagnostics…' })).toBeVisible();

  await find(page, 'sol position');
  await expect(palette(page).getByRole('option').first()).toContainText('SOL-USDT-M');
  await page.keyboard.press('Enter');
  await expect(page.locator('main').getByRole('heading', { level: 1 })).toHaveText('Risk');

  // Actions wherever one is: a close asks first, an export opens its panel.
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

  await find(page, 'zzqq');
  await expect(palette(page).getByRole('option')).toHaveText('Nothing fits “zzqq”');
  await page.keyboard.press('Escape');
});

for (const theme of ['dark', 'light'] as const) {
  test(`sheets, palette and settings have no fault of access, ${theme}`, async ({ page }) => {
    await setTheme(page, theme);
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard' })).toContainText('Hide amounts');
    expect(await faults(page), 'shortcuts').toEqual([]);
    await page.keyboard.press('Escape');
    await find(page, 'set');
    expect(await faults(page), 'palette').toEqual([]);
    await page.keyboard.press('Escape');
    await goTo(page, 'settings');
    for (const part of ['Appearance', 'About']) {
      await page.getByRole('navigation', { name: 'Settings sections' }).getByText(part).click();
      expect(await faults(page), part).toEqual([]);
    }
  });
}

test('amounts are hidden in text, titles and names, prices are not; they come back', async ({ page }) => {
  const top = page.locator('header').first();
  await expect(top).toContainText('Equity');
  await goTo(page, 'positions');
  const row = rows(page, 'Positions', 'SOL-USDT-M').first();
  const mark = row.locator('[data-field="markPrice"]');
  await expect(mark).toContainText(/\d/);
  await page.keyboard.press('Control+Shift+H');
  await expect(top.locator('.cell').filter({ hasText: 'Equity' })).not.toContainText(/\d/);
  await expect(mark).toContainText(/\d/);
  for (const field of ['quantity', 'margin', 'profitUnreal'])
    expect(await row.locator(`[data-field="${field}"]`).innerHTML(), field).not.toMatch(
      />[^<]*\d|title="[^"]*\d/,
    );
  await page.keyboard.press('Control+Shift+H');
  await expect(row.locator('[data-field="quantity"]')).toContainText('32.0');
});

test('the charts of Overview take what a tall window has left', async ({ page }) => {
  await goTo(page, 'overview');
  const last = page.locator('main section').last();
  const left = (): Promise<number> =>
    last.evaluate((one) => innerHeight - one.getBoundingClientRect().bottom);
  for (const [width, height] of [
    [2560, 1440],
    [1920, 1300],
  ] as const) {
    await page.setViewportSize({ width, height });
    // The status bar and the gap above it.
    await expect.poll(left, `${width}×${height}`).toBeLessThan(60);
  }
});

test('Review that is not ready leads to the field it waits for', async ({ page }) => {
  const ticket = new Ticket(page);
  await ticket.choose('SOL-USDT-M');
  await ticket.fill({ side: 'Buy', quantity: '', price: '140.00' });
  const review = page.getByTestId('ticket-review');
  await expect(review).toHaveText('Enter a size');
  await review.click({ force: true });
  await expect(ticket.root.getByLabel('Size', { exact: true })).toBeFocused();
  await ticket.fill({ side: 'Buy', quantity: '1', price: '' });
  await page.keyboard.press('F9');
  await expect(ticket.root.getByLabel('Price', { exact: true })).toBeFocused();
  await expect(page.getByTestId('confirm-sheet')).toHaveCount(0);
});

test('a title under a resting pointer goes with the amounts', async ({ page }) => {
  await goTo(page, 'trades');
  const cell = page.locator('[role="gridcell"][data-field="executedQty"]').first();
  await expect(cell).toContainText(/\d/);
  await cell.hover();
  await expect(cell).toHaveAttribute('title', /\d/);
  await page.keyboard.press('Control+Shift+H');
  await expect(cell).not.toHaveAttribute('title', /\d/);
});

test('zoom by keys, kept over a restart with the window’s place', async ({ practice, profile }) => {
  const first = await launch(profile, practice);
  await first.page.keyboard.press('Control+=');
  await expect.poll(() => zoomOf(first.app)).toBe(1.1);
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
  await second.app.close();
});
const zoomOf = (app: ElectronApplication): Promise<number> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.webContents.getZoomFactor());

test('quitting waits for the answer of an order on its way', async ({ practice, profile }) => {
  await controls(practice, '/faults', { endpoint: 'order', action: 'delay', ms: 2500 });
  const first = await launch(profile, practice);
  const ticket = new Ticket(first.page);
  await ticket.choose('SOL-USDT-M');
  await ticket.fill({ side: 'Buy', quantity: '1.5', price: '138.50' });
  await (await ticket.review()).press();
  await expect.poll(async () => (await received(practice))['order']).toBe(1);
  await first.app.close();
  const journal = await readFile(join(profile, 'orders.jsonl'), 'utf8');
  expect(journal).toContain('"accept');
  expect(journal).not.toContain('"lose"');
});

test('quitting warns about an unknown outcome, and keeps open when told so', async ({
  practice,
  profile,
}) => {
  await controls(practice, '/faults', { endpoint: 'order', action: 'reset', accept: false });
  const { app, page } = await launch(profile, practice);
  const ticket = new Ticket(page);
  await ticket.choose('SOL-USDT-M');
  await ticket.fill({ side: 'Buy', quantity: '1.5', price: '138.50' });
  await (await ticket.review()).send();
  await app.evaluate(({ dialog }) => {
    const asked: string[] = [];
    Object.assign(globalThis, { asked });
    dialog.showMessageBox = (...input: unknown[]) => {
      asked.push(JSON.stringify(input.at(-1)));
      return Promise.resolve({ response: asked.length === 1 ? 0 : 1, checkboxChecked: false });
    };
  });
  await app.evaluate(({ app: one }) => one.quit());
  await expect
    .poll(() => app.evaluate(() => (globalThis as never as { asked: string[] }).asked.join()))
    .toContain('outcome of an order is unknown');
  await expect(page.getByTestId('confirm-outcome')).toBeVisible();
  // The second question is answered by Quit.
  await app.close();
});

test('diagnostics have no key; what changed is shown once after an update', async ({ practice, profile }) => {
  await mkdir(profile, { recursive: true });
  await writeFile(
    join(profile, 'settings.json'),
    JSON.stringify({ ...DEFAULT_SETTINGS, seenVersion: '0.0.9' }),
  );
  const first = await launch(profile, practice);
  const sheet = first.page.getByRole('dialog', { name: 'What changed' });
  await expect(sheet).toContainText('0.1.0');
  await first.page.keyboard.press('Escape');
  const path = await saveTo(first, 'diagnostics.json');
  await find(first.page, 'save diag');
  await first.page.keyboard.press('Enter');
  await expect(first.page.getByRole('log', { name: 'Notices' })).toContainText('Diagnostics are saved');
  const text = await readFile(path, 'utf8');
  expect(text).toContain('"ballast-diagnostics"');
  expect(text).not.toContain(practice.credentials.key);
  expect(text).not.toContain(practice.credentials.secret);
  await first.app.close();
  const second = await launch(profile, practice);
  await expect(second.page.locator('header').first()).toContainText('Local');
  await expect(second.page.getByRole('dialog', { name: 'What changed' })).toBeHidden();
  await second.app.close();
});
