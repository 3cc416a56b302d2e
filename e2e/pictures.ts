/** Pictures of every screen, in both themes and sizes, from the running app: `npm run pictures`. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, ROOT, setTheme, test } from './fixture.ts';

const FOLDER = join(ROOT, 'resources', 'pictures');
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
];

test.use({ exchange: { seed: 7 } });
test.setTimeout(240_000);

test('pictures of every screen', async ({ page }) => {
  await mkdir(FOLDER, { recursive: true });
  const screens = await page
    .locator('[data-screen]')
    .evaluateAll((items) => items.map((item) => item.getAttribute('data-screen') ?? ''));
  expect(screens.length).toBeGreaterThan(5);
  for (const theme of ['dark', 'light'] as const) {
    await setTheme(page, theme);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const screen of screens) {
        await page.locator(`[data-screen="${screen}"]`).click();
        await page.mouse.move(0, 0);
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
        await page.evaluate(() => document.fonts.ready);
        await page.screenshot({ path: join(FOLDER, `${screen}-${theme}-${size.width}.png`) });
      }
    }
  }
});
