/** Runs axe on the shown window, or on a part of it, in both themes. */
import type { Locator, Page } from '@playwright/test';
import type axe from 'axe-core';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from './fixture.ts';

/** Its minified build, which a page reads in half the time. */
const SOURCE = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The rules that depend on the theme. */
const OF_COLOUR = ['color-contrast', 'link-in-text-block'];

async function violations(part: Locator, rules: readonly string[] | null): Promise<string[]> {
  const page = part.page();
  // Half a megabyte: injected once per page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE);
  return part.evaluate(async (part, rules) => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(part, {
      // Without the passing nodes, which are most of the work and of the result.
      resultTypes: ['violations'],
      ...(rules === null ? {} : { runOnly: [...rules] }),
    });
    return violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(' ')}`));
  }, rules);
}

const wear = (page: Page, theme: string | null): Promise<void> =>
  page.evaluate((theme) => document.documentElement.setAttribute('data-theme', theme ?? ''), theme);

const themeOf = (page: Page): Promise<string | null> => page.locator('html').getAttribute('data-theme');

/**
 * Expects no violation of any rule in the current theme and, with `both`, of the colour rules in the other. A part alone
 * takes a third of the time: for what changes in a window of which the rest was checked.
 */
export async function expectAccessible(
  of: Page | Locator,
  what = 'axe',
  { both = true } = {},
): Promise<void> {
  const part = 'page' in of ? of : of.locator('html');
  const page = part.page();
  await expect(part).toBeVisible();
  const theme = await themeOf(page);
  expect(await violations(part, null), `${what}, ${theme}`).toEqual([]);
  if (both) await inOtherTheme(part, what, theme);
}

/** Expects no violation of the colour rules, in both themes. For states that differ in colour only. */
export async function expectReadable(page: Page, what: string): Promise<void> {
  const theme = await themeOf(page);
  const whole = page.locator('html');
  expect(await violations(whole, OF_COLOUR), `${what}, ${theme}`).toEqual([]);
  await inOtherTheme(whole, what, theme);
}

async function inOtherTheme(part: Locator, what: string, theme: string | null): Promise<void> {
  const other = theme === 'dark' ? 'light' : 'dark';
  await wear(part.page(), other);
  expect(await violations(part, OF_COLOUR), `${what}, ${other}`).toEqual([]);
  await wear(part.page(), theme);
}
