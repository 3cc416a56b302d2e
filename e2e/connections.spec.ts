/** Connections over their life: moved to another computer without a secret, renamed, switched, read-only, removed. */
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { startPractice, type Practice } from '../src-practice/index.ts';
import { cutTexts } from './cut-texts.ts';
import { expect, received, SHARED, test } from './fixture.ts';
import { ConnectionEditor, goTo, openFrom, openLive, rows, saveTo, Ticket } from './page-objects.ts';

const NAME = 'My desk';
const SYMBOL = 'SOL-USDT-M';
const card = (page: Page, name: string): Locator =>
  page.locator('main').getByRole('button', { name: new RegExp(name) });

/** Adds, saves and tests a connection without opening it. */
async function added(
  page: Page,
  { url, credentials }: Pick<Practice, 'url' | 'credentials'>,
): Promise<ConnectionEditor> {
  const editor = await ConnectionEditor.add(page, {
    Name: NAME,
    'Base URL': url,
    'API key': credentials.key,
    Secret: credentials.secret,
  });
  await expect.poll(() => cutTexts(page)).toEqual([]);
  await editor.save();
  await expect(card(page, NAME)).toContainText('Not tested yet');
  await editor.test();
  await expect(editor.step('account')).toHaveAttribute('data-state', 'passed');
  return editor;
}

/** Switches by the menu in the top bar. */
async function switchTo(page: Page, name: string, kind: 'live' | 'practice'): Promise<void> {
  await page.locator('[data-connection]').click();
  await page.getByRole('menuitemradio', { name: new RegExp(name) }).click();
  await expect(page.locator('html')).toHaveAttribute('data-account', kind);
}

test(
  'exports a connection without key and secret, and fills a new one in from the file',
  SHARED,
  async ({ ballast, page, other }) => {
    const { key, secret } = other.credentials;
    const editor = await added(page, other);
    await editor.fill({ 'TP/SL trigger names': 'MARK_PRICE, LAST_PRICE' });
    await editor.form.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByRole('button', { name: 'Export…' })).toBeEnabled();
    const path = await saveTo(ballast, 'desk.json');
    await page.getByRole('button', { name: 'Export…' }).click();
    await expect(page.getByText('desk.json, without its key and secret.')).toBeVisible();
    const file = await readFile(path, 'utf8');
    expect(file).toContain(other.url);
    expect(file).not.toContain(key);
    expect(file).not.toContain(secret);

    await openFrom(ballast, path);
    await page.getByRole('button', { name: 'Import connection…' }).click();
    await expect(page.getByText('Filled in from desk.json')).toBeVisible();
    await expect(editor.field('Base URL')).toHaveValue(other.url);
    await expect(editor.field('TP/SL trigger names')).toHaveValue('MARK_PRICE, LAST_PRICE');
    await expect(editor.field('API key')).toHaveValue('');
    await expect(editor.field('Secret')).toHaveValue('');
    await editor.fill({ Name: 'Taken over', 'API key': key, Secret: secret });
    await editor.save();
    await editor.test();
    await expect(editor.step('account')).toHaveAttribute('data-state', 'passed');

    for (const [text, why] of [
      ['{}', '“format” is not “ballast-connection”'],
      [file.replace('"version": 1', '"version": 2'), 'Unsupported “version”'],
      [file.replace('"name"', '"apiKey": "k",\n    "name"'), 'The file contains an API key'],
      [file.replace(other.url, 'http://api.example'), '“baseUrl” of the file'],
    ] as const) {
      await writeFile(path, text);
      await page.getByRole('button', { name: 'Import connection…' }).click();
      await expect(page.getByRole('log', { name: 'Notices' })).toContainText(why);
    }
  },
);

test(
  'a renamed connection keeps its archive; switching clears the drafts of the other',
  SHARED,
  async ({ page, profile, other }) => {
    const editor = await added(page, other);
    await editor.fill({ Name: 'Night desk' });
    await editor.form.getByRole('button', { name: 'Save changes' }).click();
    await expect(card(page, 'Night desk')).toBeVisible();
    await expect(card(page, NAME)).toHaveCount(0);
    // Selected again, it is still verified, with the steps of its test.
    await card(page, 'Practice').click();
    await card(page, 'Night desk').click();
    await expect(editor.step('account')).toHaveAttribute('data-state', 'passed');
    await expect(page.getByText('Not tested yet')).toHaveCount(0);

    await goTo(page, 'positions');
    const ticket = new Ticket(page);
    await ticket.choose(SYMBOL);
    await ticket.fill({ side: 'Sell', quantity: '7', price: '151.00' });
    await switchTo(page, 'Night desk', 'live');
    await expect(page.locator('[data-connection]')).toContainText('Night desk');
    await expect(ticket.root.getByLabel('Size', { exact: true })).toHaveValue('');
    await expect(ticket.root.getByRole('radio', { name: 'Buy' })).toBeChecked();
    await ticket.choose(SYMBOL);
    await ticket.fill({ side: 'Buy', quantity: '3' });
    await switchTo(page, 'Practice', 'practice');
    await expect(ticket.root.getByLabel('Size', { exact: true })).toHaveValue('');

    // One archive per connection id: renaming changes nothing.
    const archives = async (): Promise<string[]> =>
      (await readdir(join(profile, 'archive'))).filter((name) => name.endsWith('.sqlite')).sort();
    await expect.poll(archives).toHaveLength(2);
    const before = await archives();
    await switchTo(page, 'Night desk', 'live');
    await goTo(page, 'settings');
    await editor.fill({ Name: 'Day desk' });
    await editor.form.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.locator('[data-connection]')).toContainText('Day desk');
    await goTo(page, 'trades');
    await expect(page.getByRole('group', { name: 'Totals of this filter' })).toContainText(/Trades 1\d\d/);
    expect(await archives()).toEqual(before);
  },
);

test(
  'keeps a test passed before saving, also after a switch, and says nothing of again',
  SHARED,
  async ({ page, other }) => {
    const { url, credentials } = other;
    const typed = { Name: NAME, 'Base URL': url, 'API key': credentials.key, Secret: credentials.secret };
    const editor = await ConnectionEditor.add(page, typed);
    await editor.test();
    await expect(editor.step('account')).toHaveAttribute('data-state', 'passed');
    await editor.save();
    await expect(card(page, NAME)).toBeVisible();
    await expect(card(page, NAME)).not.toContainText('Not tested yet');
    await expect(editor.step('account')).toHaveAttribute('data-state', 'passed');
    await page.getByRole('button', { name: 'Switch to it' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-account', 'live');
    // The screen is drawn again for the other account, and the button with it.
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(editor.step('trades')).toBeVisible();
    await page.keyboard.press('Control+l');
    const asked = page.getByRole('dialog', { name: 'Unlock trading?' });
    await expect(asked).toContainText(`Orders can then be sent on ${NAME}.`);
    await asked.getByRole('button', { name: 'Unlock trading' }).click();
    await expect(asked).toBeHidden();
    const trading = page.getByRole('switch', { name: 'Trading' });
    await expect(trading).toBeChecked();
    await page.keyboard.press('Control+l');
    await expect(trading).not.toBeChecked();
    await page.keyboard.press('Control+l');
    await expect(asked).toContainText(`Orders can then be sent on ${NAME} again.`);
    await page.keyboard.press('Escape');

    await page.locator('[data-connection]').click();
    await expect(page.getByRole('menuitemradio', { name: 'Practice' })).not.toContainText('secret');
    await page.keyboard.press('Escape');

    // Saved with another secret and no test of it, nothing of the old test stays.
    await editor.fill({ Secret: 'another' });
    await editor.form.getByRole('button', { name: 'Save changes' }).click();
    await expect(editor.step('account')).toHaveCount(0);
  },
);

test('read-only: keeps reading and sends no order, whatever is pressed', SHARED, async ({ page, other }) => {
  const editor = await added(page, other);
  await editor.form.getByText('Read-only: Ballast sends no orders on this connection').click();
  await editor.form.getByLabel('Polling speed').selectOption('gentle');
  await editor.form.getByRole('button', { name: 'Save changes' }).click();
  await expect(editor.form.getByRole('button', { name: 'Save changes' })).toBeDisabled();
  await switchTo(page, NAME, 'live');
  await expect(editor.form.getByLabel('Polling speed')).toHaveValue('gentle');
  await goTo(page, 'positions');
  await expect(rows(page, 'Positions', SYMBOL).first()).toBeVisible();
  const ticket = new Ticket(page);
  await ticket.choose(SYMBOL);
  await ticket.fill({ side: 'Buy', quantity: '1' });
  await expect(page.getByTestId('ticket-review')).toBeDisabled();
  await expect(page.getByTestId('ticket-review')).toContainText(/read-only/i);
  await expect(page.getByText(`Trading on ${NAME} is locked`)).toHaveCount(0);
  await page.keyboard.press('F9');
  await expect(page.getByTestId('confirm-sheet')).toHaveCount(0);
  expect((await received(other))['order'] ?? 0).toBe(0);
});

test(
  'removing asks for the name, keeps or deletes the archive as chosen, and keeps the journal',
  SHARED,
  async ({ page, profile, other }) => {
    const archiveOf = async (): Promise<string> =>
      (await readdir(join(profile, 'archive'))).find((name) => /^live-.*\.sqlite$/.test(name)) ?? '';

    for (const takeArchive of [false, true]) {
      await openLive(page, other, { name: NAME });
      await goTo(page, 'trades');
      await expect(page.getByRole('group', { name: 'Totals of this filter' })).toContainText(/Trades 1\d\d/);
      const ticket = new Ticket(page);
      await ticket.choose(SYMBOL);
      await ticket.fill({ side: 'Buy', quantity: takeArchive ? '1.2' : '1.1' });
      await (await ticket.review()).send();
      await page.keyboard.press('Escape');
      await switchTo(page, 'Practice', 'practice');
      await goTo(page, 'settings');
      await card(page, NAME).click();
      await page.getByRole('button', { name: 'Remove…' }).click();
      const sheet = page.getByRole('dialog', { name: `Remove ${NAME}?` });
      const remove = sheet.getByRole('button', { name: /^Remove/ });
      await expect(remove).toBeDisabled();
      if (takeArchive) await sheet.getByText('Delete its trade archive and its alerts too').click();
      const name = await archiveOf();
      await expect(sheet).toContainText(
        takeArchive
          ? 'cannot be downloaded again'
          : `Both are kept in the profile folder, the archive as “archive/${name}”`,
      );
      await sheet.getByLabel(`Type “${NAME}” to remove it`).fill('my desk');
      await expect(remove).toBeDisabled();
      await sheet.getByLabel(`Type “${NAME}” to remove it`).fill(NAME);
      await remove.click();
      await expect(sheet).toBeHidden();
      await expect(card(page, NAME)).toHaveCount(0);
      await expect.poll(() => existsSync(join(profile, 'archive', name))).toBe(!takeArchive);
      // Removed before the next round.
      if (!takeArchive) await rm(join(profile, 'archive', name));
    }
    const journal = await readFile(join(profile, 'orders.jsonl'), 'utf8');
    for (const quantity of ['1.1', '1.2'])
      expect(journal).toMatch(new RegExp(`quantity[\\\\":]+${quantity}\\b`));
  },
);

test(
  'finds, shows and configures an exchange’s differences; trades once it is unlocked',
  SHARED,
  async ({ page }) => {
    const habits = { 'page-size': '30', 'page-too-large': 'refused', 'body-type': 'text', ratios: '100' };
    const exchange = await startPractice({ seed: 11, history: 70, habits });
    const editor = await added(page, exchange);
    await expect(editor.step('trades')).toContainText('Pages of more than 20 are rejected');
    await editor.openSigning();
    await editor.fill({ 'Content type of orders': 'text' });
    await editor.form.getByRole('button', { name: 'Save changes' }).click();
    await expect(editor.form).toContainText('A media type, such as application/json');
    await editor.fill({ 'Content type of orders': 'text/plain' });
    await editor.form.getByLabel('Trades per page, at most').selectOption('50');
    const profit = editor.form.getByLabel('Closed PnL of an order');
    await profit.selectOption({ label: 'After its own fee, if not detected' });
    await editor.form.getByRole('button', { name: 'Save changes' }).click();
    await expect(editor.form.getByRole('button', { name: 'Save changes' })).toBeDisabled();
    await switchTo(page, NAME, 'live');

    await expect(editor.form).toContainText('The exchange accepts 20');
    await expect(editor.form).toContainText('Margin and equity show that 100 is 100%');
    await expect(profit).toHaveValue('after-fees');
    await expect(editor.form).toContainText(/Detected: [\d,]+ closed positions: [\d,]+ before fees/);
    await goTo(page, 'trades');
    await expect(page.getByRole('group', { name: 'Totals of this filter' })).toContainText('Trades 80');
    await goTo(page, 'positions');
    const ticket = new Ticket(page);
    await ticket.choose(SYMBOL);
    await ticket.fill({ side: 'Buy', quantity: '1' });
    await expect(page.getByTestId('ticket-review')).toHaveText('Trading is locked');
    await expect(page.getByTestId('ticket-review')).toBeDisabled();
    await page
      .getByRole('alert')
      .or(page.getByRole('status'))
      .filter({ hasText: `Trading on ${NAME} is locked until you unlock it once` })
      .getByRole('button', { name: 'Unlock…' })
      .click();
    await page
      .getByRole('dialog', { name: 'Unlock trading?' })
      .getByRole('button', { name: 'Unlock trading' })
      .click();
    const sheet = await ticket.review();
    await sheet.send();
    expect(await sheet.outcome()).toBe('accepted');
    await sheet.done();
    await switchTo(page, 'Practice', 'practice');
    await switchTo(page, NAME, 'live');
    await expect(page.getByRole('switch', { name: 'Trading' })).toBeChecked();
    await exchange.stop();
  },
);

test('the switcher adds an account, and asks before discarding a typed secret', SHARED, async ({ page }) => {
  await goTo(page, 'overview');
  await page.locator('header.top').getByRole('button', { name: 'Practice' }).click();
  await page.getByRole('menuitem', { name: 'Add connection…' }).click();
  const editor = new ConnectionEditor(page);
  await editor.fill({ Name: 'Second desk', Secret: 'shown-once-by-the-exchange' });
  const secret = editor.field('Secret');
  const asked = page.getByRole('dialog', { name: 'Discard the typed secret?' });

  await test.step('by Discard', async () => {
    await editor.form.getByRole('button', { name: 'Discard…' }).click();
    await asked.getByRole('button', { name: 'Keep editing' }).click();
    await expect(secret).toHaveValue('shown-once-by-the-exchange');
  });
  await test.step('by another screen, section or account', async () => {
    const ways = [
      () => page.keyboard.press('Control+1'),
      () => page.locator('[data-screen="trades"]').click(),
      () => page.getByRole('button', { name: 'Appearance', exact: true }).click(),
      async () => {
        await page.keyboard.press('Control+k');
        await page
          .getByRole('dialog', { name: 'Search or run a command' })
          .getByRole('combobox')
          .fill('Keyboard');
        await page
          .getByRole('option', { name: /Keyboard/ })
          .first()
          .click();
      },
    ];
    for (const leave of ways) {
      await leave();
      await asked.getByRole('button', { name: 'Keep editing' }).click();
      await expect(secret).toHaveValue('shown-once-by-the-exchange');
    }
  });
  await test.step('by another card', async () => {
    await page.getByRole('button', { name: /Simulated exchange/ }).click();
    await expect(asked).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(secret).toHaveValue('shown-once-by-the-exchange');
    await page.getByRole('button', { name: /Simulated exchange/ }).click();
    await asked.getByRole('button', { name: 'Discard' }).click();
    await expect(editor.form).toHaveCount(0);
  });
  await test.step('and leads there once it is discarded', async () => {
    await ConnectionEditor.add(page, { Name: 'Second desk', Secret: 'shown-once-by-the-exchange' });
    await page.keyboard.press('Control+1');
    await asked.getByRole('button', { name: 'Discard' }).click();
    await expect(page.locator('[data-screen="overview"]')).toHaveAttribute('aria-current', 'page');
    await goTo(page, 'trades');
    await expect(asked).toHaveCount(0);
  });
  await test.step('without a typed secret it does not ask', async () => {
    const again = await ConnectionEditor.add(page, { Name: 'Third desk' });
    await again.form.getByRole('button', { name: 'Discard' }).click();
    await expect(again.field('Name')).toHaveValue('');
    await expect(asked).toHaveCount(0);
  });
});
