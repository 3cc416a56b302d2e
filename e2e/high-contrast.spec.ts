/** The system's high contrast (forced colours): what is chosen, switches, sides and bars are still told apart. */
import type { Locator } from '@playwright/test';
import { expect, setTheme, SHARED, test } from './fixture.ts';
import { goTo, rows, Ticket } from './page-objects.ts';

const backgroundOf = (one: Locator, part?: string): Promise<string> =>
  one.evaluate((element, pseudo) => getComputedStyle(element, pseudo).backgroundColor, part);

test('shows what is chosen without the colours of a theme', SHARED, async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await goTo(page, 'positions');
  const { root } = new Ticket(page);
  const chosen: readonly (readonly [string, Locator, Locator])[] = [
    ['side', root.getByRole('radio', { name: 'Buy' }), root.getByRole('radio', { name: 'Sell' })],
    ['type', root.locator('label', { hasText: 'Limit' }), root.locator('label', { hasText: 'Market' })],
    ['tab', page.getByRole('tab', { name: 'Open orders' }), page.getByRole('tab', { name: 'Journal' })],
    ['screen', page.locator('[data-screen="positions"]'), page.locator('[data-screen="risk"]')],
    ['switch', page.getByRole('switch', { name: 'Trading' }), root.getByRole('switch')],
  ];
  for (const [what, on, off] of chosen)
    expect(await backgroundOf(on), what).not.toBe(await backgroundOf(off));
  const knob = root.getByRole('switch');
  expect(await backgroundOf(knob, '::after')).not.toBe(await backgroundOf(knob));

  const long = rows(page, 'Positions', 'Long').first().locator('.shown.side');
  const triangle = await long.evaluate((one) => {
    const { borderLeftColor, borderBottomColor } = getComputedStyle(one, '::before');
    return [borderLeftColor, borderBottomColor];
  });
  expect(triangle[0]).not.toBe(triangle[1]);

  await goTo(page, 'overview');
  const bar = page.locator('.plot .bar:not(.zero)').first();
  await expect(bar).toBeVisible();
  expect(await backgroundOf(bar)).not.toBe(await backgroundOf(page.locator('.plot').first()));
});

test(
  'shows the focus, the sliders, and what keeps its colours in a light one, too',
  SHARED,
  async ({ page }) => {
    await setTheme(page, 'dark');
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'light' });
    await goTo(page, 'positions');
    const ringed = (one: Locator): Promise<string> =>
      one.evaluate((element) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        return `${outlineStyle} ${outlineWidth}`;
      });
    const row = rows(page, 'Positions', 'SOL-USDT-M').first();
    await row.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await expect(row).toBeFocused();
    expect(await ringed(row)).toBe('solid 2px');
    const { root } = new Ticket(page);
    const size = root.getByLabel('Size', { exact: true });
    await size.focus();
    expect(await ringed(size.locator('..'))).toBe('solid 2px');

    const kept = (one: Locator): Promise<string> =>
      one.evaluate((element) => getComputedStyle(element).forcedColorAdjust);
    expect(await kept(root.getByRole('slider'))).toBe('none');
    const logo = page.getByRole('img', { name: 'Ballast' });
    const [line, text] = await logo.evaluate((element) => [
      getComputedStyle(element).stroke,
      getComputedStyle(document.body).color,
    ]);
    expect(line).toBe(text);
    // Its letters are light: on the page's own white they could not be read.
    const badge = root.locator('.badge');
    await expect(badge).toHaveText('PRACTICE');
    expect(await backgroundOf(badge)).not.toMatch(/rgba?\(0, 0, 0, 0\)/);
  },
);
