/**
 * What the eye would miss: nothing is cut, nothing jumps on a poll. Boxes are measured rather than pixels compared:
 * pixels differ between Chromium's versions and fonts' rasterisers, and a tolerance that bears that hides a cut digit.
 */
import type { Page } from '@playwright/test';
import { beside, serveCrowd, serveEmpty } from './accounts.ts';
import { cutTexts } from './cut.ts';
import { expect, setTheme, test as base } from './fixture.ts';
import { goTo } from './page-objects.ts';
import { startScripted, type ScriptedExchange } from './scripted-exchange.ts';

const test = base.extend<{ scripted: ScriptedExchange }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
  scripted: async ({}, use) => {
    const scripted = await startScripted();
    await use(scripted);
    await scripted.stop();
  },
});

const SMALL = { width: 1024, height: 700 };
const USUAL = { width: 1440, height: 900 };
const LARGE = { width: 2560, height: 1440 };
const screensOf = (page: Page): Promise<string[]> =>
  page.locator('[data-screen]').evaluateAll((all) => all.map((one) => one.getAttribute('data-screen') ?? ''));
const drawn = async (page: Page): Promise<void> => {
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready);
};

for (const [what, serve, sizes] of [
  ['a crowded account', (exchange: ScriptedExchange) => serveCrowd(exchange, false), [SMALL, USUAL]],
  ['an empty account', serveEmpty, [SMALL, USUAL, LARGE]],
] as const) {
  test(`nothing is cut: ${what}`, async ({ scripted, profile }) => {
    test.setTimeout(180_000);
    serve(scripted);
    const { app, page } = await beside(scripted, profile);
    await expect(page.locator('main [data-field="totalEquities"]').first()).toBeVisible();
    const cut: Record<string, string[]> = {};
    for (const size of sizes) {
      await page.setViewportSize(size);
      for (const screen of await screensOf(page)) {
        await goTo(page, screen);
        await drawn(page);
        const found = await cutTexts(page);
        if (found.length > 0) cut[`${screen} ${size.width}`] = found;
      }
    }
    await app.close();
    expect(cut).toEqual({});
  });
}

test('a poll that changes every position moves nothing and animates no chart', async ({
  scripted,
  profile,
}) => {
  test.setTimeout(120_000);
  serveCrowd(scripted, true);
  const { app, page } = await beside(scripted, profile);
  await setTheme(page, 'dark');
  await page.setViewportSize(USUAL);
  for (const screen of ['overview', 'positions', 'risk']) {
    await goTo(page, screen);
    await drawn(page);
    await expect(page.locator('main :is(table, canvas)').first()).toBeVisible();
    const from = scripted.reads('account');
    await expect.poll(() => scripted.reads('account')).toBeGreaterThan(from);
    // Wider than its room: what a column gives up would move those beside it.
    const heads = (): Promise<number[]> =>
      page
        .locator('table[aria-label="Positions"] th')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    const before = await heads();
    const shifts = await page.evaluateHandle(() => {
      const found: string[] = [];
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & {
          sources: { node: Node | null }[];
        })[]) {
          const moved = entry.sources.flatMap(({ node }) => {
            const part = node instanceof Element ? node : (node?.parentElement ?? null);
            // A right-aligned figure that gains a digit moves its own groups: that is its news, not a jump.
            return part === null || part.closest('.amount, .percent') !== null ? [] : [part];
          });
          found.push(
            ...moved.map((part) => `${part.tagName} ${part.className} ${part.textContent.slice(0, 40)}`),
          );
        }
      });
      observer.observe({ type: 'layout-shift' });
      return found;
    });
    await expect.poll(() => scripted.reads('account'), { timeout: 30_000 }).toBeGreaterThan(from + 4);
    expect(await shifts.jsonValue(), screen).toEqual([]);
    const narrower = (await heads()).filter((width, at) => width < (before[at] ?? 0) - 0.5);
    expect(narrower, `${screen}: no column of figures gave up room`).toEqual([]);
  }
  await app.close();
});
