/** Runs axe on the shown window, in both themes. */
import type { Page } from '@playwright/test';
import type axe from 'axe-core';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from './fixture.ts';

/** Its minified build, which a page reads in half the time. */
const SOURCE = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The rules that depend on the theme. */
const OF_COLOUR = ['color-contrast', 'link-in-text-block'];

async function violations(page: Page, rules: readonly string[] | null): Promise<string[]> {
  // Half a megabyte: injected once per page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE);
  return page.evaluate(async (rules) => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      // Without the passing nodes, which are most of the work and of the result.
      resultTypes: ['violations'],
      ...(rules === null ? {} : { runOnly: [...rules] }),
    });
    return violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(' ')}`));
  }, rules);
}

const wear = (page: Page, theme: string | null): Promise<void> =>
  page.evaluate((theme) => document.documentElement.setAttribute('data-theme', theme ?? ''), theme);

/** Expects no violation of any rule in the current theme and, with `both`, of the colour rules in the other. */
export async function expectAccessible(page: Page, what = 'axe', { both = true } = {}): Promise<void> {
  const theme = await page.locator('html').getAttribute('data-theme');
  expect(await violations(page, null), `${what}, ${theme}`).toEqual([]);
  if (both) await inOtherTheme(page, what, theme);
}

/** Expects no violation of the colour rules, in both themes. For states that differ in colour only. */
export async function expectReadable(page: Page, what: string): Promise<void> {
  const theme = await page.locator('html').getAttribute('data-theme');
  expect(await violations(page, OF_COLOUR), `${what}, ${theme}`).toEqual([]);
  await inOtherTheme(page, what, theme);
}

async function inOtherTheme(page: Page, what: string, theme: string | null): Promise<void> {
  const other = theme === 'dark' ? 'light' : 'dark';
  await wear(page, other);
  expect(await violations(page, OF_COLOUR), `${what}, ${other}`).toEqual([]);
  await wear(page, theme);
}
