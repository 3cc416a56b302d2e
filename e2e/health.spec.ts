/** The account is never shown as healthy beside a position near liquidation, and passing checks are no all-clear. */
import { controls, expect, SHARED, test } from './fixture.ts';
import { goTo, rows, settled, Ticket } from './page-objects.ts';

test('shows the worst severity of cross and every isolated position', async ({ page, practice }) => {
  await goTo(page, 'positions');
  await expect(rows(page, 'Positions', 'SOL-USDT-M').first()).toBeVisible();
  const margin = async (): Promise<number> => (await page.getByTestId('top-margin').boundingBox())!.x;
  const before = await settled(margin);
  await controls(practice, '/shock', { symbolId: 'SOL-USDT-M', share: '0.93' });
  await goTo(page, 'overview');
  const pane = page.getByRole('region', { name: 'Margin health' });
  await expect(pane).toContainText('Danger');
  await expect(pane.getByTestId('health-cause')).toContainText(/SOL-USDT-M .*\d%/);
  await expect(pane).not.toContainText('Healthy');
  await expect(page.locator('header.top')).toContainText('SOL-USDT-M');
  // Its figures keep their place when the tag appears.
  await expect.poll(margin).toBe(before);
});

test(
  'warns in red of an order that uses nearly all margin, without blocking it',
  SHARED,
  async ({ page }) => {
    await goTo(page, 'positions');
    await expect(rows(page, 'Positions', 'SOL-USDT-M').first()).toBeVisible();
    const ticket = new Ticket(page);
    await goTo(page, 'overview');
    await ticket.choose('BTC-USDT-M');
    await ticket.fill({ side: 'Buy', quantity: '' });
    await ticket.root.getByRole('radio', { name: '% free' }).click();
    await ticket.root.getByLabel('Size', { exact: true }).fill('95');
    const checks = page.getByTestId('ticket-checks');
    await expect(checks).toContainText(/\d dangers?, \d+ pass/);
    await expect(checks.locator('.danger').first()).toBeVisible();
    await expect(checks.locator('.ok')).toHaveCount(0);
    // With every field open it is still beside the button.
    await ticket.root.getByText('Take profit / stop loss').click();
    await page.getByTestId('ticket-tpPrice').fill('5%');
    await expect(checks).toContainText(/\d dangers?, \d+ pass/);
    await expect(checks.locator('li .danger.breaks').first()).toBeInViewport({ ratio: 1 });
  },
);
