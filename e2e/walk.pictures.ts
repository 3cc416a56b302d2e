/** Every screen × theme × window × account, named `<screen>-<state>-<theme>-<width>`: to look at, not for README. */
import type { Page } from '@playwright/test';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beside, serveCrowd, serveEmpty } from './accounts.ts';
import { cutTexts } from './cut.ts';
import { expect, ROOT, setTheme, test } from './fixture.ts';
import { goTo } from './page-objects.ts';
import { startScripted, type ScriptedExchange } from './scripted-exchange.ts';

const FOLDER = join(ROOT, '.cache', 'walk');
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
] as const;

const STATES: Readonly<Record<string, (exchange: ScriptedExchange) => void>> = {
  sample: () => {},
  crowded: (exchange) => serveCrowd(exchange, false),
  empty: serveEmpty,
  unread: (exchange) => {
    for (const endpoint of ['account', 'openOrders', 'orderHistory', 'symbolConfig', 'trades'] as const)
      exchange.answer(endpoint, '<!doctype html><title>Gateway</title>');
  },
  stale: () => {},
  locked: () => {},
};

/** What has to happen after the first reading. */
async function enter(state: string, page: Page, exchange: ScriptedExchange): Promise<void> {
  if (state === 'locked') await page.keyboard.press('Control+l');
  if (state !== 'stale') return;
  exchange.answer('account', '{"code":"500","msg":"busy","success":false,"data":null}');
  await expect(page.locator('main .is-stale, main .old').first()).toBeVisible({ timeout: 30_000 });
}

test.setTimeout(600_000);
test.beforeAll(() => mkdir(FOLDER, { recursive: true }));
for (const [state, serve] of Object.entries(STATES)) {
  test(`walk: ${state}`, async ({ profile }) => {
    const exchange = await startScripted();
    serve(exchange);
    const { app, page } = await beside(exchange, profile);
    await page.setViewportSize(SIZES[0]);
    await expect(page.locator('main :is(section, [role=alert])').first()).toBeVisible();
    await goTo(page, 'overview');
    if (state !== 'unread') await expect(page.locator('[data-field="totalEquities"]').first()).toBeVisible();
    await enter(state, page, exchange);
    const screens = await page
      .locator('[data-screen]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-screen') ?? ''));
    const cut: string[] = [];
    for (const theme of ['dark', 'light'] as const) {
      await setTheme(page, theme);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        for (const screen of screens) {
          await goTo(page, screen);
          await page.mouse.move(0, 0);
          await page.evaluate(() => document.fonts.ready);
          const name = `${screen}-${state}-${theme}-${size.width}`;
          await page.screenshot({ animations: 'disabled', path: join(FOLDER, `${name}.png`) });
          cut.push(...(await cutTexts(page)).map((one) => `${name}: ${one}`));
        }
      }
    }
    await app.close();
    await exchange.stop();
    expect(cut).toEqual([]);
  });
}
