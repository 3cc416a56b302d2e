/** A new user can lose the practice account by a price shock, and see that everything adds up. */
import { expect, launch, test } from './fixture.ts';
import { goTo, rows } from './page-objects.ts';

test('a price shock liquidates, and the account can be started afresh', async ({ profile }) => {
  test.setTimeout(120_000);
  // The app's own exchange, as a new user has it.
  const { app, page } = await launch(profile, null);
  await goTo(page, 'positions');
  await expect(rows(page, 'Positions', 'SOL-USDT-M').first()).toBeVisible();

  await goTo(page, 'settings');
  const pane = page.getByRole('region', { name: 'Practice controls' });
  await pane.getByLabel('Contract', { exact: true }).selectOption('SOL-USDT-M');
  await pane.getByLabel('Move in percent').fill('-20');
  await pane.getByRole('button', { name: 'Move the price' }).click();
  await goTo(page, 'positions');
  await expect(rows(page, 'Positions', 'SOL-USDT-M')).toHaveCount(0);
  await page.getByRole('tab', { name: 'Order history' }).click();
  await expect(rows(page, 'Order history', 'SOL-USDT-M').first()).toContainText(/liquidation/i);

  await goTo(page, 'settings');
  await pane.getByRole('button', { name: 'Start afresh…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start afresh' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await goTo(page, 'positions');
  await expect(rows(page, 'Positions', 'SOL-USDT-M').first()).toContainText('32.0');
  await app.close();

  // Kept from one start to the next.
  const again = await launch(profile, null);
  await goTo(again.page, 'positions');
  await expect(rows(again.page, 'Positions', 'SOL-USDT-M').first()).toContainText('32.0');
  await again.app.close();
});
