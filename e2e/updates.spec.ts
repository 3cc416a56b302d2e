/** Settings › About: a later version from an announcement served here, and the licences of the shipped packages. */
import type { Page } from '@playwright/test';
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { announce } from '../packaging/announcement.ts';
import type { UpdatePlace } from '../src-shared/ipc/updates.ts';
import { end, listen } from '../tests/shared/listening.ts';
import { expectAccessible } from './axe.ts';
import { controls, expect, launch, SHARED, test, type Ballast } from './fixture.ts';
import { goTo, loseReply } from './page-objects.ts';

const pair = generateKeyPairSync('ed25519');
const privateKey = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const PAGE = 'https://ballast.example/releases';
const ANNOUNCED = JSON.stringify(
  announce(
    {
      version: '99.1.0',
      released: '2026-12-01',
      changes: ['Funding is shown by position.', '<img src=x onerror=alert(1)> is text.'],
      files: [{ name: 'Ballast-99.1.0-linux-x64.deb', bytes: 91_000_000, sha256: 'ab'.repeat(32) }],
    },
    privateKey,
  ),
);

let server: Server;
let place: UpdatePlace;
let served = ANNOUNCED;
let asked: { readonly url: string; readonly headers: string }[] = [];

test.beforeEach(async () => {
  [served, asked] = [ANNOUNCED, []];
  server = createServer((request, response) => {
    asked.push({ url: request.url ?? '', headers: JSON.stringify(request.headers) });
    response.end(served);
  });
  const port = await listen(server);
  place = {
    feed: `http://127.0.0.1:${port}/announcement.json`,
    publicKey: pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    page: PAGE,
  };
});
test.afterEach(() => end(server));

async function openAbout(page: Page): Promise<void> {
  await goTo(page, 'settings');
  await page.getByRole('navigation', { name: 'Settings sections' }).getByText('About').click();
}
const updates = (page: Page) => page.getByRole('region', { name: 'Updates' });

/** Records what the app asks the system to open, instead of opening it. */
async function keepOpened({ app }: Ballast): Promise<() => Promise<string[]>> {
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = (url: string) => {
      opened.push(url);
      return Promise.resolve();
    };
  });
  return () => app.evaluate(() => (globalThis as never as { opened: string[] }).opened);
}

test('checks only when enabled and never while an outcome is unknown; shows the changes and opens the page by a click', async ({
  practice,
  profile,
}) => {
  const ballast = await launch(profile, practice, { BALLAST_UPDATES: JSON.stringify(place) });
  try {
    const { page } = ballast;
    const opened = await keepOpened(ballast);
    await openAbout(page);
    const wish = updates(page).getByRole('checkbox');
    await expect(wish).not.toBeChecked();
    expect(asked).toEqual([]);

    await wish.check({ force: true });
    await expect(updates(page)).toContainText('Ballast 99.1.0 is available');
    await expect(updates(page)).toContainText('Funding is shown by position.');
    await expect(updates(page)).toContainText('<img src=x onerror=alert(1)> is text.');
    expect(await opened()).toEqual([]);
    // Only the file is requested, without anything that identifies the user.
    expect(asked.map((one) => one.url)).toEqual(['/announcement.json']);
    expect(asked[0]?.headers).not.toMatch(/cookie|authorization|ballast\/|linux|x-/i);

    await updates(page).getByRole('button', { name: 'Open its page in the browser' }).click();
    await expect.poll(opened).toEqual([PAGE]);
    await updates(page).getByText('Checksums to verify').click();
    await expect(updates(page)).toContainText('ab'.repeat(32));
    await expectAccessible(updates(page));

    served = ANNOUNCED.replace('99.1.0', '99.2.0');
    await updates(page).getByRole('button', { name: 'Check now' }).click();
    await expect(updates(page).getByRole('alert')).toContainText('not signed by the publisher');
    await expect(updates(page)).not.toContainText('99.2.0');
    expect(asked).toHaveLength(2);

    // The reply is lost, and reconciliation fails too: no request is made, no page is opened.
    served = ANNOUNCED;
    await controls(practice, '/faults', { endpoint: 'orderHis', action: 'status', times: 0 });
    await goTo(page, 'activity');
    await loseReply(page, practice, true);
    await openAbout(page);
    await updates(page).getByRole('button', { name: 'Check now' }).click();
    await expect(updates(page).getByRole('alert')).toContainText('The outcome of an order is unknown.');
    await updates(page).getByRole('button', { name: 'Open its page in the browser' }).click();
    await expect(updates(page).getByRole('alert')).toContainText('Updates wait');
    expect([asked.length, await opened()]).toEqual([2, [PAGE]]);
  } finally {
    await ballast.app.close();
  }
});

test(
  'a build without an update address shows that; the licences can be found and read by keys',
  SHARED,
  async ({ page }) => {
    await openAbout(page);
    await expect(updates(page)).toContainText('This build has no update address');
    await expect(updates(page).getByRole('checkbox')).toHaveCount(0);
    await expect(updates(page).getByRole('button')).toHaveCount(0);

    const licences = page.getByRole('region', { name: 'Licences' });
    await expect(licences.getByRole('listitem').filter({ hasText: 'keytar' })).toBeVisible();
    await page.keyboard.press('/');
    await expect(licences.getByRole('searchbox')).toBeFocused();
    await page.keyboard.type('ofl');
    await expect(licences.getByRole('listitem')).toHaveCount(2);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(licences.getByText('SIL OPEN FONT LICENSE').first()).toBeVisible();
  },
);
