/** The window's menu, a crashed or hanging page, and quitting during a batch or a save. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import type { Practice } from '../src-practice/index.ts';
import { makeLadder, send } from './batch-page.ts';
import {
  clearFaults,
  controls,
  ending,
  expect,
  holdReplies,
  launch,
  received,
  SHARED,
  test,
} from './fixture.ts';
import { goTo, ownFolder, rows, sendLosing, Ticket } from './page-objects.ts';

/** Records the app's message boxes and answers them, the last answer for all that follow. */
async function answering(
  app: ElectronApplication,
  answers: readonly number[],
): Promise<() => Promise<string[]>> {
  await app.evaluate(({ dialog }, given) => {
    const prompts: string[] = [];
    Object.assign(globalThis, { prompts });
    dialog.showMessageBox = (...input: unknown[]) => {
      prompts.push(JSON.stringify(input.at(-1)));
      const response = given[Math.min(prompts.length, given.length) - 1] ?? 0;
      return Promise.resolve({ response, checkboxChecked: false });
    };
  }, answers);
  return () => app.evaluate(() => (globalThis as never as { prompts: string[] }).prompts);
}

test('has the system’s roles in its menu, and entries of its own', SHARED, async ({ ballast, page }) => {
  const roles = await ballast.app.evaluate(({ Menu }) => {
    const found: string[] = [];
    const visit = (menu: Electron.Menu | null | undefined): void => {
      for (const item of menu?.items ?? []) {
        if (item.role !== undefined) found.push(item.role.toLowerCase());
        visit(item.submenu);
      }
    };
    visit(Menu.getApplicationMenu());
    return found;
  });
  for (const role of ['editmenu', 'windowmenu', 'help', 'togglefullscreen']) expect(roles).toContain(role);
  expect(roles, 'no developer tools in what is shipped').not.toContain('toggledevtools');

  const press = (id: string): Promise<void> =>
    ballast.app.evaluate(({ Menu }, wanted) => {
      const item = Menu.getApplicationMenu()?.getMenuItemById(wanted);
      if (!item) throw new Error(`no ${wanted} in the menu`);
      item.click();
    }, id);
  await expect(page.locator('header').first()).toContainText('Local');
  await press('settings');
  await expect(page.locator('main').getByRole('heading', { level: 1 })).toHaveText('Settings');
  for (const [id, title] of [
    ['palette', 'Search or run a command'],
    ['shortcuts', 'Keyboard'],
    ['whats-new', 'What’s new'],
  ] as const) {
    await press(id);
    await expect(page.getByRole('dialog', { name: title })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await goTo(page, 'positions');
  const ticket = page.getByTestId('ticket');
  await expect(ticket).toBeVisible();
  // As F2: to the open ticket, and from there it hides it.
  await press('ticket');
  await expect(ticket).toBeFocused();
  await press('ticket');
  await expect(ticket).toBeHidden();
  await ballast.app.evaluate(({ shell }) => {
    const shown: string[] = [];
    Object.assign(globalThis, { shown });
    shell.openPath = (path) => {
      shown.push(path);
      return Promise.resolve('');
    };
  });
  await press('logs');
  await expect
    .poll(() => ballast.app.evaluate(() => (globalThis as never as { shown: string[] }).shown.join()))
    .toContain('log');
  await press('about');
  await expect(page.getByRole('button', { name: 'Save diagnostics…' })).toBeVisible();
});

const gone = (app: ElectronApplication): Promise<unknown> =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]!.webContents.emit(
      'render-process-gone',
      {},
      { reason: 'crashed', exitCode: 5 },
    ),
  );

const quit = (app: ElectronApplication): Promise<void> => app.evaluate(({ app: one }) => one.quit());

test('offers to reload a crashed page and loses no sent order; quitting warns about an unknown outcome', async ({
  practice,
  profile,
}) => {
  const { app, page } = await launch(profile, practice);
  await sendLosing(page, practice, false);
  await expect(page.getByTestId('confirm-outcome')).toHaveAttribute('data-state', 'unknown');

  // Reload; keep open; then Quit, and Quit again despite the unknown outcome.
  const prompts = await answering(app, [0, 0, 1]);
  await page.evaluate(() => Object.assign(globalThis, { before: true }));
  await gone(app);
  await expect.poll(async () => (await prompts()).join()).toContain('The window stopped working');
  expect((await prompts())[0]).toContain('All of them are in the journal');
  await expect.poll(() => page.evaluate(() => 'before' in globalThis).catch(() => true)).toBe(false);
  await expect(page.getByText(/outcome/i).first()).toBeVisible();
  await goTo(page, 'activity');
  await expect(page.locator('main')).toContainText('SOL-USDT-M');
  expect((await received(practice))['order']).toBe(1);

  await quit(app);
  await expect.poll(async () => (await prompts())[1]).toContain('outcome of an order is unknown');
  await expect(page.locator('main')).toContainText('SOL-USDT-M');

  const closed = ending(app);
  await gone(app);
  await closed;
  expect(await readFile(`${profile}/orders.jsonl`, 'utf8')).toContain('SOL-USDT-M');
});

test('a second close while the question is open is no answer to it', async ({ practice, profile }) => {
  const { app, page } = await launch(profile, practice);
  await sendLosing(page, practice, false);
  await expect(page.getByTestId('confirm-outcome')).toHaveAttribute('data-state', 'unknown');

  // The question is not drawn yet: nobody has answered.
  await app.evaluate(({ dialog }) => {
    const box = Promise.withResolvers<Electron.MessageBoxReturnValue>();
    const questions: (() => void)[] = [];
    Object.assign(globalThis, { questions });
    dialog.showMessageBox = () => {
      questions.push(() => box.resolve({ response: 1, checkboxChecked: false }));
      return box.promise;
    };
  });
  const questions = (): Promise<number> =>
    app.evaluate(() => (globalThis as never as { questions: unknown[] }).questions.length);
  await app.evaluate(({ BrowserWindow, Menu }) => {
    const [window] = BrowserWindow.getAllWindows();
    window!.close();
    window!.close();
    Menu.getApplicationMenu()?.getMenuItemById('quit')?.click();
  });
  await expect.poll(questions).toBe(1);
  await expect(page.getByTestId('confirm-outcome')).toBeVisible();
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);

  const closed = ending(app);
  await app.evaluate(() => (globalThis as never as { questions: (() => void)[] }).questions[0]!());
  await closed;
});

test('offers to wait for a hanging page or to reload it', async ({ practice, profile }) => {
  const { app, page } = await launch(profile, practice);
  await expect(page.locator('header').first()).toContainText('Local');
  const prompts = await answering(app, [0, 1]);
  const hangs = (): Promise<unknown> =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.emit('unresponsive'));
  await page.evaluate(() => Object.assign(globalThis, { before: true }));
  await hangs();
  await expect.poll(async () => (await prompts()).length).toBe(1);
  expect(await page.evaluate(() => 'before' in globalThis)).toBe(true);

  // Electron's reload would wait for it: its process has to end, by which Playwright loses it.
  const hung = page.evaluate(() => {
    for (;;);
  });
  await hangs();
  await expect(hung).rejects.toThrow(/crashed|closed/i);
  const header = (): Promise<unknown> =>
    app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]!
        .webContents.executeJavaScript(`document.querySelector('header')?.textContent`)
        .catch(() => 'none'),
    );
  await expect.poll(header).toContain('Local');
  expect(await prompts()).toHaveLength(2);
});

test('asks about each crash, also after one while the question about a hang was open', async ({
  practice,
  profile,
}) => {
  const { app, page } = await launch(profile, practice);
  await expect(page.locator('header').first()).toContainText('Local');
  await app.evaluate(({ BrowserWindow, dialog }) => {
    const [window] = BrowserWindow.getAllWindows();
    Object.assign(window!.webContents, { isCrashed: () => true, forcefullyCrashRenderer: () => undefined });
    const answers: ((response: number) => void)[] = [];
    Object.assign(globalThis, { answers });
    dialog.showMessageBox = () =>
      new Promise((resolve) => answers.push((response) => resolve({ response, checkboxChecked: false })));
    window!.emit('unresponsive');
  });
  const questions = (): Promise<number> =>
    app.evaluate(() => (globalThis as never as { answers: unknown[] }).answers.length);
  await gone(app);
  await expect.poll(questions).toBe(2);
  await app.evaluate(() => (globalThis as never as { answers: ((to: number) => void)[] }).answers[0]!(1));
  await gone(app);
  await expect.poll(questions).toBe(3);
});

/** A batch of two calls of two rows; the reply to the first is kept back. */
async function heldBatch(page: Page, practice: Practice): Promise<void> {
  await holdReplies(practice, 'batchOrders', 1);
  await makeLadder(page, 4);
  await page.getByTestId('batch-call-size').fill('2');
  await send(page);
  await expect(page.getByTestId('batch-status')).toHaveAttribute('data-state', 'sending');
}

test('asks when quitting during a batch: staying open completes it, quitting sends no further call and waits for the order', async ({
  practice,
  profile,
}) => {
  const first = await launch(profile, practice);
  const status = first.page.getByTestId('batch-status');
  const prompts = await answering(first.app, [0, 1]);

  await test.step('kept open, the batch is sent completely', async () => {
    await heldBatch(first.page, practice);
    await quit(first.app);
    await expect.poll(async () => (await prompts()).join()).toContain('A batch is being sent.');
    await clearFaults(practice);
    // Without its IDs the symbol is still held, which the next review asks about.
    await expect(status).toContainText('4 of 4 rows sent, 4 with an order ID');
    expect((await received(practice))['batchOrders']).toBe(2);
  });

  await test.step('quitting waits for the call in flight and sends no other', async () => {
    await heldBatch(first.page, practice);
    const closed = ending(first.app);
    await quit(first.app);
    await expect.poll(async () => (await prompts()).length).toBe(2);
    await clearFaults(practice);
    await closed;
    expect((await received(practice))['batchOrders']).toBe(3);
  });

  const second = await launch(profile, practice);
  await goTo(second.page, 'batch');
  await second.page.getByRole('tab', { name: /Sent/ }).click();
  await expect(rows(second.page, 'Rows of the sent batch', 'Not recorded')).toHaveCount(2);
  await expect(second.page.getByTestId('row-order-id')).toHaveCount(2);
  expect((await received(practice))['batchOrders']).toBe(3);

  await test.step('quitting waits for the reply to an order in flight', async () => {
    await controls(practice, '/faults', { endpoint: 'order', action: 'delay', ms: 2500 });
    const ticket = new Ticket(second.page);
    await goTo(second.page, 'overview');
    await ticket.choose('SOL-USDT-M');
    await ticket.fill({ side: 'Buy', quantity: '1.5', price: '138.50' });
    await (await ticket.review()).press();
    await expect.poll(async () => (await received(practice))['order']).toBe(1);
    await second.app.close();
    const journal = await readFile(join(profile, 'orders.jsonl'), 'utf8');
    expect(journal.trim().split('\n').at(-1)).toContain('"accept');
    expect(journal).not.toContain('"lose"');
  });
});

test('quits without a question when Windows ends the session, and sends no further call', async ({
  practice,
  profile,
}) => {
  const { app, page } = await launch(profile, practice);
  // An answer that would keep it open.
  await answering(app, [0]);
  await heldBatch(page, practice);
  await page.evaluate(() =>
    (window as never as { ballast: { on: { quitting(run: () => void): void } } }).ballast.on.quitting(() =>
      Object.assign(globalThis, { saves: true }),
    ),
  );
  const raise = (event: 'query-session-end' | 'session-end'): Promise<unknown> =>
    app.evaluate(
      ({ BrowserWindow }, name) => (BrowserWindow.getAllWindows()[0]! as NodeJS.EventEmitter).emit(name),
      event,
    );
  await raise('query-session-end');
  await expect.poll(() => page.evaluate(() => 'saves' in globalThis)).toBe(true);
  await expect(page.getByTestId('batch-status')).toHaveAttribute('data-state', 'sending');
  const closed = ending(app);
  await raise('session-end');
  await clearFaults(practice);
  await closed;
  expect((await received(practice))['batchOrders']).toBe(1);
});

test('asks when quitting while positions are closed, and sends no further order', async ({
  practice,
  profile,
}) => {
  const first = await launch(profile, practice);
  const prompts = await answering(first.app, [0, 1]);
  await holdReplies(practice, 'order', 1);
  await goTo(first.page, 'positions');
  await first.page.getByRole('button', { name: 'Close positions…' }).click();
  await first.page.getByTestId('close-positions-word').fill('close all');
  await expect(first.page.getByTestId('close-positions-send')).toBeEnabled();
  await first.page.keyboard.press('Control+Enter');
  await expect.poll(async () => (await received(practice))['order']).toBe(1);
  await quit(first.app);
  await expect.poll(async () => (await prompts()).join()).toContain('Positions are being closed.');
  const closed = ending(first.app);
  await quit(first.app);
  await expect.poll(async () => (await prompts()).length).toBe(2);
  await clearFaults(practice);
  await closed;
  expect((await received(practice))['order']).toBe(1);
  const journal = await readFile(join(profile, 'orders.jsonl'), 'utf8');
  expect(journal.trim().split('\n').at(-1)).toContain('"accept');
});

test(
  'asks when quitting while a file is written; kept open, it finishes the file',
  SHARED,
  async ({ ballast, page }) => {
    await goTo(page, 'trades');
    await expect(page.getByRole('group', { name: 'Totals of this filter' })).toContainText(/Trades 1\d\d/);
    const path = join(await ownFolder(), 'late.csv');
    const prompts = await answering(ballast.app, [0, 1]);
    // The system asks the app to quit at the moment the file is named and its writing begins.
    await ballast.app.evaluate(({ app, dialog }, filePath) => {
      dialog.showSaveDialog = () => {
        setImmediate(() => app.quit());
        return Promise.resolve({ canceled: false, filePath });
      };
    }, path);
    await page.keyboard.press('Control+e');
    await page.getByRole('button', { name: /^Export \d/ }).click();
    await expect
      .poll(async () => (await prompts()).join())
      .toContain('A file is being exported, imported or backed up.');
    await expect(page.locator('[data-export]')).toHaveAttribute('data-export', 'done');
    expect((await readFile(path, 'utf8')).split('\r\n').length).toBeGreaterThan(100);
  },
);
