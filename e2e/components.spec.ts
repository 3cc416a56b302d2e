/**
 * The components page: axe in both themes and all palettes, nothing cut off, and the layout. Compares boxes instead
 * of pixels: pixels differ between Chromium versions, and a tolerance for that hides a shifted column.
 * `BOXES=renew` rewrites the golden file `components.boxes.json`: look at the page before committing it.
 */
import { _electron, type Page } from '@playwright/test';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findElectron } from '../scripts/setup/electron.mjs';
import { expectAccessible, expectReadable } from './axe.ts';
import { serveComponents } from './components-page.ts';
import { cutTexts } from './cut-texts.ts';
import { ACTION_MS, chromiumSandbox, expect, ROOT, test as base } from './fixture.ts';
import { settled } from './page-objects.ts';

const BOXES = join(import.meta.dirname, 'components.boxes.json');
/** px; hinting and rounding of text widths differ by less, a padding or a missing line break by more. */
const TOLERANCE = 3;

type Box = readonly [what: string, x: number, y: number, width: number, height: number];

const test = base.extend<{ components: Page }>({
  components: async ({ profile }, use) => {
    const served = await serveComponents();
    const app = await _electron.launch({
      executablePath: findElectron(ROOT).path,
      args: [join(import.meta.dirname, 'components-window')],
      chromiumSandbox,
      env: {
        ...(process.env as Record<string, string>),
        BALLAST_PROFILE: profile,
        COMPONENTS_URL: served.url,
      },
    });
    const page = await app.firstWindow({ timeout: ACTION_MS });
    page.setDefaultTimeout(ACTION_MS);
    await page.waitForURL(served.url);
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(page.locator('[data-group]')).not.toHaveCount(0);
    await page.evaluate(() => document.fonts.ready);
    await use(page);
    await app.close();
    await served.stop();
  },
});

const boxesOf = (page: Page): Promise<Box[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-group]')].flatMap((group) => {
      const from = group.getBoundingClientRect();
      return [group, ...group.querySelectorAll<HTMLElement>('.items > *, .items > * > *, td, th')].map(
        (one): [string, number, number, number, number] => {
          const box = one.getBoundingClientRect();
          const label = one.textContent.trim().replaceAll(/\s+/g, ' ').slice(0, 24);
          return [
            `${group.dataset['group'] ?? ''} › ${one.tagName.toLowerCase()} ${one === group ? '' : label}`.trim(),
            Math.round(box.x - from.x),
            Math.round(box.y - from.y),
            Math.round(box.width),
            Math.round(box.height),
          ];
        },
      );
    }),
  );

test('passes axe in both themes and all palettes; nothing is cut off, displaced or moving', async ({
  components: page,
}) => {
  await test.step('boxes are where the golden file has them', async () => {
    const boxes = await settled(() => boxesOf(page));
    if (process.env['BOXES'] === 'renew') {
      await writeFile(BOXES, `[\n${boxes.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`);
      return;
    }
    const before = JSON.parse(await readFile(BOXES, 'utf8')) as Box[];
    expect.soft(boxes.map(([what]) => what)).toEqual(before.map(([what]) => what));
    const moved = boxes.flatMap((now, index) => {
      const then = before[index] ?? now;
      const off = ([1, 2, 3, 4] as const).some((at) => Math.abs(now[at] - then[at]) > TOLERANCE);
      return off ? [`${now[0]}: ${then.slice(1).join(' ')} → ${now.slice(1).join(' ')}`] : [];
    });
    expect.soft(moved).toEqual([]);
    expect.soft(await cutTexts(page)).toEqual([]);
  });

  await test.step('beside a long title a banner has no stub of its text', async () => {
    const shown = await page.locator('.banner.line .text').evaluateAll((texts) =>
      texts.map((text) => {
        const line = text.parentElement?.getBoundingClientRect() ?? new DOMRect();
        const box = text.getBoundingClientRect();
        return box.top >= line.bottom ? 0 : Math.min(box.right, line.right) - box.left;
      }),
    );
    expect.soft(shown).toContain(0);
    expect.soft(shown.filter((width) => width > 0 && width < 160)).toEqual([]);
  });

  await test.step('with reduced motion nothing moves', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const moving = await page.evaluate(
      () =>
        [...document.querySelectorAll('*')].filter((one) => {
          const { transitionDuration, animationName } = getComputedStyle(one);
          return (
            animationName !== 'none' ||
            transitionDuration.split(',').some((part) => Number.parseFloat(part) > 0)
          );
        }).length,
    );
    expect.soft(moving).toBe(0);
  });

  await test.step('axe', async () => {
    await expectAccessible(page, 'as it opens', { both: false });
    for (const palette of ['Green up', 'Red up', 'Blue and orange']) {
      await page
        .getByRole('radiogroup', { name: 'Profit and loss' })
        .getByText(palette, { exact: true })
        .click();
      await expectReadable(page, palette);
    }
  });
});

test('is not part of the shipped window', async () => {
  const folder = join(ROOT, 'out', 'renderer');
  const files = (await readdir(folder, { recursive: true })).filter((name) => /\.(html|js|css)$/.test(name));
  expect(files).toContain('index.html');
  for (const name of files) {
    const text = await readFile(join(folder, name), 'utf8');
    expect(text.includes('data-group') || text.includes('Components of Ballast'), name).toBe(false);
  }
});
