/** A liquidation is an event of its own, wherever its order shows: never good news, and never just a fill. */
import type { Page } from '@playwright/test';
import { cutTexts } from './cut-texts.ts';
import { controls, expect, launch, test } from './fixture.ts';
import { goTo, rows } from './page-objects.ts';

const banner = (page: Page) => page.getByTestId('liquidation-banner');

test('notifies of a liquidation with its loss until acknowledged, and ends the warning', async ({
  practice,
  profile,
}) => {
  const first = await launch(profile, practice);
  const { app, page } = first;
  await goTo(page, 'positions');
  await expect(rows(page, 'Positions', 'SOL-USDT-M').first()).toBeVisible();
  await controls(practice, '/shock', { symbolId: 'SOL-USDT-M', share: '0.93' });
  await expect(page.getByTestId('alert-banner')).toContainText(/SOL-USDT-M long: liquidation ≈/);
  await controls(practice, '/shock', { symbolId: 'SOL-USDT-M', share: '0.93' });

  await expect(banner(page)).toContainText(/SOL-USDT-M long liquidated · [\d.]+ at [\d.]+ · −[\d.]+ USDT/);
  await expect(page.getByTestId('alert-banner')).toHaveCount(0);
  await expect(page.getByText('No longer active.')).toHaveCount(0);
  await expect(page.getByRole('log', { name: 'Notices' })).not.toContainText('SOL-USDT-M');
  await goTo(page, 'alerts');
  await expect(rows(page, 'Alerts', 'SOL-USDT-M long: liquidation ≈').first()).toContainText(
    'Ended in liquidation',
  );
  await app.close();

  const again = await launch(profile, practice);
  const { page: later } = again;
  await expect(banner(later)).toContainText('SOL-USDT-M long liquidated');
  await goTo(later, 'trades');
  await expect(rows(later, 'Trades', 'LIQUIDATION').first()).toContainText('SOL-USDT-M');
  await later.getByRole('radiogroup', { name: 'Group' }).getByText('Round trip').click();
  await expect(rows(later, 'Round trips', 'LIQUIDATION').first()).toContainText('SOL-USDT-M');
  await goTo(later, 'activity');
  await expect(later.getByTestId('system-closes')).toContainText(/LIQUIDATION.*SOL-USDT-M/s);
  await goTo(later, 'overview');
  await later.getByRole('button', { name: '1 liquidation', exact: false }).click();
  await expect.poll(() => cutTexts(later)).toEqual([]);
  await later.getByRole('button', { name: 'SOL-USDT-M', exact: true }).click();
  await expect(later.locator('[data-screen="positions"]')).toHaveAttribute('aria-current', 'page');

  await goTo(later, 'overview');
  const mark = later.getByRole('button', { name: /^SOL-USDT-M liquidated −[\d,.]+ USDT$/ });
  await mark.focus();
  await later.keyboard.press('Enter');
  await expect(later.locator('[data-screen="positions"]')).toHaveAttribute('aria-current', 'page');

  await banner(later).getByRole('button', { name: 'Acknowledge' }).click();
  await expect(banner(later)).toHaveCount(0);
  await goTo(later, 'alerts');
  await expect(rows(later, 'Alerts', 'SOL-USDT-M long liquidated').first()).toContainText('Acknowledged');
  await again.app.close();
});
