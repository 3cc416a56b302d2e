/**
 * Layout faults, in a large account and in an empty one: nothing is cut off, nothing jumps on a poll. Measures
 * boxes instead of comparing pixels, which differ between Chromium versions and fonts; a tolerance for that hides a
 * cut digit.
 */
import type { Page } from '@playwright/test';
import { beside, serveLargeAccount, serveEmpty } from './accounts.ts';
import { expectAccessible } from './axe.ts';
import { cutTexts } from './cut-texts.ts';
import { expect, test as base } from './fixture.ts';
import { goTo } from './page-objects.ts';
import type { Size } from './screen-states.ts';
import { startScripted, type ScriptedExchange } from './scripted-exchange.ts';

const test = base.extend<{ scripted: ScriptedExchange }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
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

const softly = expect.configure({ soft: true, timeout: 30_000 });

/** Checks every screen in windows of these sizes; calls `check` once per screen, in the last of them. */
async function nothingCut(
  page: Page,
  sizes: readonly Size[],
  check: (screen: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  for (const screen of await screensOf(page)) {
    await goTo(page, screen);
    for (const size of sizes) {
      await page.setViewportSize(size);
      await drawn(page);
      // Panes that depend on the width follow it some frames later; a text that is cut stays so.
      await softly.poll(() => cutTexts(page), `${screen}, ${size.width}`).toEqual([]);
    }
    await check(screen);
  }
}

/** The list of contracts: searched, moved through by keys, and only what is near the view is drawn. */
async function longList(page: Page): Promise<void> {
  await goTo(page, 'risk');
  const options = page.getByRole('option');
  const held = page.getByRole('group', { name: /^With a position/ }).getByRole('option');
  await expect(held.first()).toBeVisible();
  expect(Number(await held.first().getAttribute('aria-setsize'))).toBeGreaterThan(100);
  expect(await options.count()).toBeLessThan(120);
  await held.first().focus();
  await page.keyboard.press('End');
  await expect(options.last()).toBeFocused();
  await expect(held).toHaveCount(0);
  // From the other contracts back across the border of the groups.
  await options.first().focus();
  await page.keyboard.press('Home');
  await expect(held.first()).toBeFocused();
  await expect(held.first()).toHaveAttribute('aria-posinset', '1');
  for (let row = 2; row <= 30; row++) {
    await page.keyboard.press('ArrowDown');
    await expect(page.locator('[role="option"]:focus')).toHaveAttribute('aria-posinset', String(row));
    await expect(page.locator('[role="option"]:focus')).toBeInViewport();
  }

  const search = page.getByLabel('Find symbol');
  await search.press('ArrowDown');
  await page.keyboard.press('End');
  await expect(options.last()).toBeFocused();
  await search.fill('BTC-USDT-M');
  await expect(options).toHaveCount(1);
}

/** Lists what moves on a screen while polls change every position. */
async function nothingMoves(page: Page, scripted: ScriptedExchange, screen: string): Promise<void> {
  await goTo(page, screen);
  await drawn(page);
  await expect(page.locator('main :is(table, canvas)').first()).toBeVisible();
  const from = scripted.reads('account');
  await expect.poll(() => scripted.reads('account')).toBeGreaterThan(from);
  // Wider than its space: a column that shrinks would move those beside it.
  const heads = (): Promise<number[]> =>
    page
      .locator('table[aria-label="Positions"] th')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
  const shifts = await page.evaluateHandle(() => {
    const found: string[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        sources: { node: Node | null }[];
      })[]) {
        const moved = entry.sources.flatMap(({ node }) => {
          const part = node instanceof Element ? node : (node?.parentElement ?? null);
          // A right-aligned figure that gains a digit moves its own groups: expected, not a jump.
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
  // What a screen calculates or loads from the archive arrives after the first polls, and may move what it joins.
  await expect(page.getByText('calculating…')).toHaveCount(0);
  await expect(async () => {
    const begun = scripted.reads('account');
    await shifts.evaluate((found) => found.splice(0));
    await expect.poll(() => scripted.reads('account')).toBeGreaterThan(begun + 1);
    expect(await shifts.jsonValue(), `${screen}, loaded`).toEqual([]);
  }).toPass();
  const before = await heads();
  const loaded = scripted.reads('account');
  await expect.poll(() => scripted.reads('account')).toBeGreaterThan(loaded + 4);
  expect.soft(await shifts.jsonValue(), screen).toEqual([]);
  const narrower = (await heads()).filter((width, at) => width < (before[at] ?? 0) - 0.5);
  expect.soft(narrower, `${screen}: no column of figures got narrower`).toEqual([]);
}

test('a large account: nothing is cut off or moved by a poll, and axe finds no violation', async ({
  scripted,
  profile,
}) => {
  serveLargeAccount(scripted, false);
  const { app, page } = await beside(scripted, profile);
  await expect(page.locator('main [data-field="totalEquities"]').first()).toBeVisible();
  await nothingCut(page, [SMALL, USUAL], (screen) =>
    // Both themes of every screen: accessible.spec.ts.
    expectAccessible(page, screen, { both: false }),
  );
  await test.step('the list of contracts', () => longList(page));
  await test.step('a poll that changes every position moves nothing and animates no chart', async () => {
    // With motion, the default.
    await page.emulateMedia({ reducedMotion: null });
    serveLargeAccount(scripted, true);
    for (const screen of ['overview', 'positions', 'risk']) await nothingMoves(page, scripted, screen);
  });
  await app.close();
});

test('an empty account: nothing is cut off', async ({ scripted, profile }) => {
  serveEmpty(scripted);
  const { app, page } = await beside(scripted, profile);
  await expect(page.locator('main [data-field="totalEquities"]').first()).toBeVisible();
  await nothingCut(page, [SMALL, LARGE, USUAL]);
  // A banner keeps its padding in a pane that has its own.
  await goTo(page, 'settings');
  await page.getByRole('navigation', { name: 'Settings sections' }).getByText('Connections').click();
  await expect(page.getByRole('alert').filter({ hasText: 'without its control address' })).toHaveCSS(
    'padding-left',
    '10px',
  );
  await app.close();
});
