/**
 * Screenshots of every screen × state × theme × window, named `<screen>-<state>-<theme>-<width>`: for review, not
 * for README.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cutTexts } from './cut-texts.ts';
import { expect, ROOT, test } from './fixture.ts';
import { STATES, visitScreens } from './screen-states.ts';

const FOLDER = join(ROOT, '.cache', 'screens');

test.setTimeout(600_000);
test.beforeAll(() => mkdir(FOLDER, { recursive: true }));
for (const state of Object.keys(STATES))
  test(`screens: ${state}`, async ({ profile }) => {
    const cut: string[] = [];
    await visitScreens(state, profile, async (page, name) => {
      await page.mouse.move(0, 0);
      await page.screenshot({ animations: 'disabled', path: join(FOLDER, `${name}.png`) });
      cut.push(...(await cutTexts(page)).map((one) => `${name}: ${one}`));
    });
    expect(cut).toEqual([]);
  });
