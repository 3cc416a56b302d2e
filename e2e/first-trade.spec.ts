/**
 * A first run, by the texts on the screen: the app's own practice account, a trade, its close and its CSV. Each
 * step is one press of something visible; their number bounds the time to three minutes.
 */
import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { expect, launch, test } from './fixture.ts';
import { rows, saveTo } from './page-objects.ts';

/** At ten seconds each, reading included, still under three minutes. */
const MOST_PRESSES = 16;

test('from the first start to a first trade, closed and exported', async ({ profile }) => {
  const ballast = await launch(profile, null);
  const { page } = ballast;
  let presses = 0;
  const press = async (what: Locator): Promise<void> => {
    presses++;
    await what.click();
  };
  const sheet = page.getByRole('dialog');
  /** Fills everything required and sends; the exchange accepts. */
  async function send(): Promise<void> {
    await expect(sheet.getByRole('button', { name: 'Back' })).toBeVisible();
    for (const box of await sheet.getByRole('checkbox').all()) {
      presses++;
      await box.check({ force: true });
    }
    await press(sheet.getByRole('button', { name: /^Send/ }));
    // The sheet follows its order: a market order may be filled before this is read.
    await expect(sheet).toContainText(/Accepted by the exchange|Filled [\d.]+ at /);
  }
  const screen = (name: string): Locator =>
    page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name, exact: true });

  // The button itself shows what is missing.
  const ticket = page.getByTestId('ticket');
  await expect(ticket.getByRole('button', { name: 'Enter a price' })).toBeVisible();
  await press(ticket.getByText('Market', { exact: true }));
  await press(ticket.getByLabel('Size', { exact: true }));
  await page.keyboard.type('0.1');
  await press(ticket.getByRole('button', { name: /^Review buy/ }));
  await send();
  await press(sheet.getByRole('button', { name: 'Show in Positions' }));

  const held = rows(page, 'Positions', 'BTC-USDT-M').first();
  await expect(held).toContainText('0.185');
  await press(held.getByRole('button', { name: /^Close/ }));
  await press(sheet.getByRole('button', { name: /^Review close/ }));
  await send();
  await press(sheet.getByRole('button', { name: 'Done' }));
  await expect(rows(page, 'Positions', 'BTC-USDT-M')).toHaveCount(0);

  const path = await saveTo(ballast, 'first.csv');
  await press(screen('Trades'));
  // Both of today's fills reach the archive without any action.
  await expect(rows(page, 'Trades', '0.185')).toHaveCount(1);
  await press(page.getByRole('button', { name: 'Export', exact: true }));
  await press(page.getByRole('button', { name: /^Export \d+ trades/ }));
  await expect(page.getByText('Saved first.csv')).toBeVisible();
  expect(await readFile(path, 'utf8')).toContain(',0.185,');
  expect(presses).toBeLessThanOrEqual(MOST_PRESSES);
  test.info().annotations.push({ type: 'presses', description: String(presses) });
  await ballast.app.close();
});
