/** axe on what the window shows, in both themes. */
import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { expect } from './fixture.ts';

/** Those of the rules run that depend on the theme. */
const OF_COLOUR = ['color-contrast', 'link-in-text-block'];

async function violations(page: Page, rules: readonly string[] | null): Promise<string[]> {
  // Half a megabyte of source: once a page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async (rules) => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      // The nodes that pass are most of the work and of the reply.
      resultTypes: ['violations'],
      ...(rules === null ? {} : { runOnly: [...rules] }),
    });
    return violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(' ')}`));
  }, rules);
}

const wear = (page: Page, theme: string | null): Promise<void> =>
  page.evaluate((theme) => document.documentElement.setAttribute('data-theme', theme ?? ''), theme);

/** Expects no violation: of any rule in the theme that is on, and where `both`, of the rules of colour in the other too. */
export async function expectAccessible(page: Page, what = 'axe', { both = true } = {}): Promise<void> {
  const theme = await page.locator('html').getAttribute('data-theme');
  expect(await violations(page, null), `${what}, ${theme}`).toEqual([]);
  if (both) await inOtherTheme(page, what, theme);
}

/** Expects no violation of the rules of colour, in both themes: of what has other colours and nothing else. */
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
