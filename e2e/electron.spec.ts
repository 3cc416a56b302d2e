/** Behaviour of Electron that affects the app: keys, menus, errors, the sandbox, a second start, signals. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { callBridge, expect, launch, received, ROOT, SHARED, test, type Ballast } from './fixture.ts';
import { ownFolder, Ticket } from './page-objects.ts';
import { started } from './started.ts';

const SYMBOL = 'SOL-USDT-M';
const notices = (page: Page) => page.getByRole('log', { name: 'Notices' });

async function openReview(page: Page) {
  const ticket = new Ticket(page);
  await ticket.choose(SYMBOL);
  await ticket.fill({ side: 'Buy', quantity: '1.5', price: '138.50' });
  return ticket.review();
}

/** Acts as Electron does on a key or click that the page did not prevent. */
const choose = ({ app }: Ballast, action: string): Promise<void> =>
  app.evaluate(({ Menu }, id) => Menu.getApplicationMenu()?.getMenuItemById(id)?.click(), action);

test(
  'while a review is open, no shortcut and no menu entry acts on the window behind it',
  SHARED,
  async ({ ballast }) => {
    const { page } = ballast;
    await openReview(page);
    // After the page's own listener: what is not prevented here reaches the native menu.
    await page.evaluate(() => {
      const letThrough: string[] = [];
      Object.assign(globalThis, { letThrough });
      addEventListener('keydown', ({ key, defaultPrevented }) => {
        if (!defaultPrevented && key !== 'Control' && key !== 'Shift') letThrough.push(key);
      });
    });
    for (const key of ['Control+k', 'F2', 'Control+3', 'Control+Shift+H', 'Control+Shift+H'])
      await page.keyboard.press(key);
    for (const action of ['palette', 'ticket', 'shortcuts', 'whats-new', 'settings', 'about'])
      await choose(ballast, action);
    // A reply comes after what was sent before it: all of them have arrived.
    await callBridge(page, 'settings.get');
    await expect(page.getByTestId('confirm-sheet')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await expect(page.locator('main').getByRole('heading', { level: 1 })).toHaveText('Overview');
    expect(await page.evaluate(() => (globalThis as never as { letThrough: string[] }).letThrough)).toEqual(
      [],
    );
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await choose(ballast, 'about');
    await expect(page.locator('main').getByRole('heading', { level: 1 })).toHaveText('Settings');
  },
);

test('takes a relative profile path; an uncaught error locks trading, and the app keeps running', async ({
  practice,
  profile,
}) => {
  const { app, page } = await launch(relative(ROOT, profile), practice);
  expect(await app.evaluate(({ app: one }) => one.getPath('userData'))).toBe(profile);
  await app.evaluate(() => {
    setTimeout(() => {
      throw new RangeError('canary-of-an-error');
    }, 0);
    void Promise.reject(new TypeError('canary-of-an-error'));
  });
  const notice = notices(page).getByText('Unexpected error. Trading is locked.');
  await expect(notice).toBeVisible();
  const ticket = new Ticket(page);
  await ticket.choose(SYMBOL);
  await expect(ticket.root.getByTestId('ticket-review')).toContainText(/locked/i);
  expect((await received(practice))['order'] ?? 0).toBe(0);
  const log = (): Promise<string> => readFile(join(profile, 'logs', 'ballast.log'), 'utf8');
  await expect.poll(log).toContain('"event":"defect","kind":"uncaught","error":"RangeError"');
  await expect.poll(log).toContain('"event":"defect","kind":"rejection","error":"TypeError"');
  expect(await log()).not.toContain('canary-of-an-error');

  // Unlocked by its user, the same run sends orders again.
  await page.keyboard.press('Control+l');
  await page
    .getByRole('dialog', { name: /unlock/i })
    .getByRole('button', { name: /unlock/i })
    .click();
  await (await openReview(page)).send();
  await expect(page.getByTestId('confirm-outcome')).toContainText('Accepted');
  await app.close();
});

test('warns when its sandbox is missing, with the remedy', SHARED, async ({ ballast }) => {
  const { app, page } = ballast;
  const bare = await app.evaluate(({ app: one }) => one.commandLine.hasSwitch('no-sandbox'));
  const mark = page.getByRole('button', { name: 'Chromium sandbox off' });
  await expect(mark).toHaveCount(bare ? 1 : 0);
  if (!bare) return;
  await mark.click();
  await expect(page.locator('main')).toContainText('Do not trade like this.');
});

test(
  'a second start passes its file to the first, by the address a desktop uses',
  SHARED,
  async ({ page, profile }) => {
    const folder = await ownFolder();
    const path = join(folder, 'my rows.csv');
    await writeFile(
      path,
      `symbolId,side,type,timeInForce,price,quantity\n${SYMBOL},BUY,LIMIT,GTC,120.50,1.5\n`,
    );
    expect((await started(profile, ['--enable-features=A', pathToFileURL(path).href])).code).toBe(0);
    await expect(page.locator('main').getByRole('heading', { level: 1 })).toHaveText('Batch');
    await expect(
      page.getByTestId('batch-rows').locator('tbody[data-source="file"] tr[data-row]'),
    ).toHaveCount(1);
    await started(profile, [join(folder, 'gone.csv')]);
    await expect(notices(page)).toContainText('“gone.csv” could not be read (ENOENT)');
  },
);

/** One key reaches every process in a terminal. A process that gets it twice ends at once, without saving. */
test('ends the app cleanly on Ctrl C in the terminal of npm start', async ({ profile }) => {
  test.skip(process.platform !== 'linux', 'the terminal is made by a program of Linux');
  const start = `exec '${process.execPath}' scripts/run.mjs start`;
  const terminal = spawn('script', ['-qec', start, '/dev/null'], {
    cwd: ROOT,
    env: { ...process.env, BALLAST_PROFILE: profile },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = new Promise<number | null>((resolve) => terminal.once('close', resolve));
  // The page's first message to the main process: everything runs by then.
  await expect
    .poll(() => readFile(join(profile, 'settings.json'), 'utf8').catch(() => ''))
    .toMatch(/"seenVersion": ?"\d/);
  terminal.stdin.write('\u0003');
  expect(await ended).toBe(0);
  // The last file a quitting app writes.
  expect(existsSync(join(profile, 'window.json'))).toBe(true);
  expect(existsSync(join(profile, '.window.json.tmp'))).toBe(false);
});
