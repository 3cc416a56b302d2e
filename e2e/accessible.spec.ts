/** axe finds nothing on any screen, in both themes; what a person reads by colour alone does not exist. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { makeLadder, review } from './batch-page.ts';
import { controls, expect, setTheme, test } from './fixture.ts';
import { goTo, rows, Ticket } from './page-objects.ts';
import { SIZES, STATES, walk } from './screen-states.ts';

async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(' ')}`));
}

for (const theme of ['dark', 'light'] as const) {
  test(`screens, ${theme}`, async ({ page }) => {
    await setTheme(page, theme);
    const screens = await page
      .locator('[data-screen]')
      .evaluateAll((items) => items.map((item) => item.getAttribute('data-screen') ?? ''));
    for (const screen of screens) {
      await goTo(page, screen);
      await expect(page.locator('main').getByRole('heading', { level: 1 })).toHaveCount(1);
      expect(await faults(page), screen).toEqual([]);
    }
  });

  test(`an alert that must be seen, its log and the settings of alerts, ${theme}`, async ({
    page,
    practice,
  }) => {
    await setTheme(page, theme);
    await controls(practice, '/shock', { symbolId: 'SOL-USDT-M', share: '0.93' });
    await expect(page.getByTestId('alert-banner')).toBeVisible();
    await goTo(page, 'alerts');
    await rows(page, 'Alerts', 'liquidation ≈').first().focus();
    await page.keyboard.press('ArrowRight');
    expect(await faults(page), 'log').toEqual([]);
    await goTo(page, 'settings');
    await page.getByRole('navigation', { name: 'Settings sections' }).getByText('Alerts').click();
    await page.getByLabel('Quiet from').fill('25:00');
    await page.getByLabel('Quiet from').blur();
    await expect(page.getByText('The old value stays in force.')).toBeVisible();
    expect(await faults(page), 'settings').toEqual([]);
  });

  test(`an expanded row and the confirmation, ${theme}`, async ({ page }) => {
    await setTheme(page, theme);
    await goTo(page, 'positions');
    await rows(page, 'Positions', 'SOL-USDT-M').first().focus();
    await page.keyboard.press('ArrowRight');
    expect(await faults(page), 'expanded').toEqual([]);
    const ticket = new Ticket(page);
    await ticket.choose('SOL-USDT-M');
    await ticket.fill({ side: 'Buy', quantity: '1' });
    await (await ticket.review()).body();
    expect(await faults(page), 'confirmation').toEqual([]);
  });

  test(`a batch: rows with faults, its confirmation, what was sent, ${theme}`, async ({ page }) => {
    await setTheme(page, theme);
    await makeLadder(page, 3);
    await page.getByTestId('batch-paste').fill('symbolId,side,type,quantity\nSOL-USDT-M,SHORT,LIMIT,');
    await page.getByRole('button', { name: 'Import the text' }).click();
    await page.getByRole('button', { name: 'All fields of row 2' }).last().click();
    expect(await faults(page), 'review').toEqual([]);
    const sheet = await review(page);
    expect(await faults(page), 'confirmation').toEqual([]);
    await page.getByTestId('batch-send').click();
    await expect(sheet).toBeHidden();
    await expect(page.getByTestId('row-order-id')).toHaveCount(3);
    expect(await faults(page), 'sent').toEqual([]);
  });
}

// Some of each here; `AXE=all npx playwright test accessible` takes all of them, in half an hour.
const ALL = process.env['AXE'] === 'all';
for (const state of ALL ? Object.keys(STATES) : ['crowded', 'unread'])
  test(`every screen: ${state}`, async ({ profile }) => {
    test.setTimeout(ALL ? 900_000 : 180_000);
    const found: string[] = [];
    let looks = 0;
    const look = async (page: Page, name: string): Promise<void> => {
      await expect(page.locator('main').getByRole('heading', { level: 1 })).toHaveCount(1);
      looks++;
      found.push(...(await faults(page)).map((one) => `${name}: ${one}`));
    };
    await walk(state, profile, look, ALL ? {} : { themes: ['dark'], sizes: SIZES.slice(0, 1) });
    process.stdout.write(`axe: ${looks} looks at screens, ${state}: ${found.length} violations\n`);
    expect(found).toEqual([]);
  });
