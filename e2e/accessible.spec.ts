/**
 * Checks every screen with axe in both themes. Sheets and states that other specs open are checked there
 * (`expectAccessible`), a large account in visual.spec.ts.
 */
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, SHARED, test } from './fixture.ts';
import { goTo, rows, screensOf, Ticket } from './page-objects.ts';
import { SIZES, STATES, visitScreens } from './screen-states.ts';

const oneHeading = (page: Page): Promise<void> =>
  expect(page.locator('main').getByRole('heading', { level: 1 })).toHaveCount(1);
/** A margin before a unit or an arrow is no space to a screen reader. */
const spacedFigures = async (page: Page): Promise<void> =>
  expect(await page.locator('body').ariaSnapshot()).not.toMatch(/\d(?:(?:USDT|USD|BTC|ETH|SOL)\b|→)/);

test('every screen, an expanded row, the confirmation', SHARED, async ({ page }) => {
  const screens = await screensOf(page);
  for (const screen of screens) {
    await goTo(page, screen);
    await oneHeading(page);
    if (screen === 'positions') {
      await rows(page, 'Positions', 'SOL-USDT-M').first().focus();
      await page.keyboard.press('ArrowRight');
      await expect(page.locator('.details').first()).toBeVisible();
    }
    await spacedFigures(page);
    await expectAccessible(page, screen);
  }
  const ticket = new Ticket(page);
  await goTo(page, 'overview');
  await ticket.choose('SOL-USDT-M');
  await ticket.fill({ side: 'Buy', quantity: '1' });
  await (await ticket.review()).body();
  await spacedFigures(page);
  await expectAccessible(page, 'confirmation');
});

// One of them here; `AXE=all npx playwright test accessible` checks all, in every window size.
const ALL = process.env['AXE'] === 'all';
for (const state of ALL ? Object.keys(STATES) : ['unread'])
  test(`every screen: ${state}`, async ({ profile }) => {
    if (ALL) test.setTimeout(900_000);
    let count = 0;
    const check = async (page: Page, name: string): Promise<void> => {
      await oneHeading(page);
      count++;
      await expectAccessible(page, name, { both: ALL });
    };
    await visitScreens(state, profile, check, {
      themes: ['dark'],
      ...(ALL ? {} : { sizes: SIZES.slice(0, 1) }),
    });
    process.stdout.write(`axe: ${count} screens checked, ${state}\n`);
  });
