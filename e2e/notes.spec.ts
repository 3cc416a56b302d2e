/**
 * Notes and tags of round trips and orders: written by mouse and by keys, kept over a restart, found by filter, summed by
 * tag, exported, hidden with the amounts, and not lost when they cannot be saved; on practice and live. The same of orders
 * that never traded, in open orders, order history and the journal.
 */
import type { Locator, Page } from '@playwright/test';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expectAccessible } from './axe.ts';
import type { Practice } from '../src-practice/index.ts';
import { callBridge, changeSettings, clientOf, expect, launch, test } from './fixture.ts';
import { exportShown, goTo, openLive, openSynced, saveTo, Ticket } from './page-objects.ts';
import { rowsOfFile } from './trade-rows.ts';
import { TRADE_COLUMNS } from '../src-shared/ipc/trades.ts';

test.use({ exchange: { seed: 7, history: 400 } });

/** The row of a round trip that is closed: those of the newest positions are open. */
const CLOSED = 6;
const NOTE = 'Broke out of the range.\nStop moved too late: 120 USDT';
const LAST_WORDS = ' and never again.';

/** Row `index` of a list, which stays the same one while others open above it. */
const rowOf = (grid: Locator, index: number): Locator => grid.locator(`[data-index="${index}"]`);

async function groupBy(page: Page, name: string, grid: string): Promise<Locator> {
  await page.getByRole('radiogroup', { name: 'Group by' }).getByText(name, { exact: true }).click();
  const found = page.getByRole('treegrid', { name: grid });
  await expect(rowOf(found, 0).locator('[data-field="pnl"]')).toBeVisible();
  return found;
}
const panelOf = (page: Page): Locator => page.getByRole('region', { name: 'Note', exact: true });
test('a round trip’s note: by mouse, kept, found, summed by tag', async ({ practice, profile }) => {
  let ballast = await launch(profile, practice);
  let { page } = ballast;
  await page.setViewportSize({ width: 1440, height: 900 });
  await openSynced(page);
  let trips = await groupBy(page, 'Round trip', 'Round trips');

  await test.step('is written below the list, and its tags are shown in the row', async () => {
    await rowOf(trips, CLOSED).click();
    const panel = panelOf(page);
    const field = panel.getByRole('textbox', { name: /^Note, kept with/ });
    await field.fill(NOTE);
    await expect(panel.getByRole('status')).toHaveText('Saved');
    await panel.getByRole('combobox', { name: 'Add a tag' }).fill('  False   break ');
    await page.keyboard.press('Enter');
    // The Enter that ends a composition, as of Japanese, adds no tag.
    const input = await page.context().newCDPSession(page);
    await input.send('Input.imeSetComposition', { text: 'かぶ', selectionStart: 2, selectionEnd: 2 });
    await page.keyboard.press('Enter');
    await input.send('Input.imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 });
    await expect(panel.getByRole('button', { name: /^Remove the tag/ })).toHaveCount(1);
    await page.keyboard.type('news,');
    await page.keyboard.type('FALSE BREAK');
    await page.keyboard.press('Enter');
    await expect(panel.getByRole('alert')).toHaveText('The tag FALSE BREAK is already there');
    await expectAccessible(page, 'a note with tags and an error');
    await page.keyboard.press('Escape');
    await expect(panel.getByRole('alert')).toHaveCount(0);
    await expect(rowOf(trips, CLOSED).getByText('False break', { exact: true })).toBeVisible();
    await expect(rowOf(trips, CLOSED).getByRole('img', { name: 'Has a note' })).toBeVisible();
    await expect(rowOf(trips, CLOSED).getByText('+1', { exact: true })).toBeVisible();
    await panel.getByRole('button', { name: 'Remove the tag news' }).click();
    await expect(rowOf(trips, CLOSED).getByText('+1', { exact: true })).toHaveCount(0);
  });

  await test.step('has a limit, with the way out, and Escape takes back what is not saved', async () => {
    const panel = panelOf(page);
    const field = panel.getByRole('textbox', { name: /^Note, kept with/ });
    await field.fill('x'.repeat(4_003));
    await expect(panel).toContainText('At most 4000 characters: remove 3 to save it');
    await expect(panel.getByRole('status')).toHaveText('Not saved');
    await field.press('Escape');
    await expect(field).toHaveValue(NOTE);
  });

  await test.step('is there again after a restart, to the last key before it', async () => {
    const field = panelOf(page).getByRole('textbox', { name: /^Note, kept with/ });
    await field.press('End');
    await page.keyboard.type(LAST_WORDS);
    await ballast.app.close();
    ballast = await launch(profile, practice);
    page = ballast.page;
    await page.setViewportSize({ width: 1440, height: 900 });
    await openSynced(page);
    trips = await groupBy(page, 'Round trip', 'Round trips');
    await expect(rowOf(trips, CLOSED).getByText('False break', { exact: true })).toBeVisible();
    await rowOf(trips, CLOSED).click();
    await expect(panelOf(page).getByRole('textbox', { name: /^Note, kept with/ })).toHaveValue(
      NOTE + LAST_WORDS,
    );
    await panelOf(page).getByRole('button', { name: 'Close the note' }).click();
  });

  await test.step('is found by tag, and summed by tag with the others', async () => {
    await page.getByRole('button', { name: 'Tag: Any tag' }).click();
    await page.getByRole('dialog', { name: 'Tag' }).getByText('False break', { exact: true }).click();
    await page.keyboard.press('Escape');
    await expect(trips.locator('[data-field="pnl"]')).toHaveCount(1);
    const pnl = await trips.locator('[data-field="pnl"]').textContent();
    const sums = await groupBy(page, 'Tag', 'Round trips by tag');
    await expect(rowOf(sums, 0).locator('[data-field="key"]')).toContainText('False break');
    await expect(rowOf(sums, 0).locator('[data-field="trades"]')).toHaveText('1');
    await expect(rowOf(sums, 0).locator('[data-field="pnl"]')).toHaveText(pnl?.replace('USDT', '') ?? '');
    await expect(rowOf(sums, 0).locator('[data-field="wins"]')).toHaveText(/^(?:0|100)\.00%$/);
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
    await expect(sums.getByText('No tag').first()).toBeVisible();
    await rowOf(sums, 0).click();
    await expectAccessible(page, 'sums by tag');
  });

  await test.step('is in the CSV if asked for, and else the file is as it was', async () => {
    const plain = await saveTo(ballast, 'plain.csv');
    await exportShown(page, 'plain.csv');
    const panel = page.getByRole('region', { name: 'Export CSV' });
    await panel.getByRole('switch', { name: 'Tags and notes' }).click();
    const noted = await saveTo(ballast, 'noted.csv');
    await exportShown(page, 'noted.csv');
    const [without, found] = [await rowsOfFile(plain), await rowsOfFile(noted)];
    expect(Object.keys(without[0] ?? {})).toEqual([...TRADE_COLUMNS]);
    expect(Object.keys(found[0] ?? {})).toEqual([...TRADE_COLUMNS, 'Tags', 'Note']);
    const of = found.filter((row) => row['Note'] !== '');
    expect(new Set(of.map((row) => row['orderId'])).size).toBe(1);
    expect(of[0]).toMatchObject({ Tags: 'False break', Note: NOTE + LAST_WORDS });
    expect(found.map(({ Tags: _tags, Note: _note, ...rest }) => rest)).toEqual(without);
  });
  await ballast.app.close();
});

test('an order’s note: by keys, hidden with the amounts, and kept when it cannot be saved', async ({
  profile,
  page,
}) => {
  await page.setViewportSize({ width: 1024, height: 700 });
  await openSynced(page);
  const orders = await groupBy(page, 'Order', 'Trades by order');
  const panel = panelOf(page);
  const field = panel.getByRole('textbox', { name: 'Note of this order' });

  await test.step('N opens it from the row, Escape goes back there', async () => {
    await rowOf(orders, 0).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('n');
    await expect(field).toBeFocused();
    await page.keyboard.type('Entered on the retest');
    await expect(panel.getByRole('status')).toHaveText('Saved');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Retest');
    await page.keyboard.press('Enter');
    await expect(rowOf(orders, 1).getByText('Retest', { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(rowOf(orders, 1)).toBeFocused();
  });

  await test.step('a tag in use is offered, and taken by the arrow keys', async () => {
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('n');
    await expect(field).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.type('re');
    await expect(panel.getByRole('option', { name: 'Retest' })).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await expect(panel.getByRole('option', { name: 'Retest' })).toHaveAttribute('aria-selected', 'true');
    await expectAccessible(panel, 'a tag offered');
    await page.keyboard.press('Enter');
    await expect(panel.getByRole('button', { name: 'Remove the tag Retest' })).toBeVisible();
    await expect(rowOf(orders, 2).getByText('Retest', { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('the text is hidden with the amounts, tags are not', async () => {
    await rowOf(orders, 1).focus();
    await page.keyboard.press('n');
    await changeSettings(page, { privacy: true });
    await expect(panel).toContainText('can be read and changed once amounts are shown');
    await expect(field).toHaveCount(0);
    await expect(page.locator('main')).not.toContainText('Entered on the retest');
    await expect(page.locator('[title*="Entered on"]')).toHaveCount(0);
    await expect(panel.getByText('Retest', { exact: true })).toBeVisible();
    await expectAccessible(panel, 'a hidden note');
    await changeSettings(page, { privacy: false });
    await expect(field).toHaveValue('Entered on the retest');
  });

  await test.step('what cannot be saved says why, stays, and is saved later', async () => {
    const folder = join(profile, 'archive');
    const name = (await readdir(folder)).find((one) => one.endsWith('.sqlite')) ?? '';
    // Another program that writes: the archive waits five seconds for it.
    const other = new DatabaseSync(join(folder, name), { timeout: 60_000 });
    other.exec('BEGIN IMMEDIATE');
    await field.fill('Entered too early');
    await expect(panel.getByRole('alert')).toContainText('used by another program');
    await expectAccessible(panel, 'a note that is not saved');
    await rowOf(orders, 3).click();
    await expect(field).toHaveValue('');
    await rowOf(orders, 1).focus();
    await page.keyboard.press('n');
    await expect(field).toHaveValue('Entered too early');
    other.exec('ROLLBACK');
    other.close();
    await panel.getByRole('button', { name: 'Save again' }).click();
    await expect(panel.getByRole('status')).toHaveText('Saved');
    await expect(panel.getByRole('alert')).toHaveCount(0);
  });

  await test.step('is found by its text, and by having one', async () => {
    await page.getByRole('button', { name: /^More/ }).click();
    await page.getByRole('textbox', { name: 'Text in a note or tag' }).fill('TOO EARLY');
    await expect(orders.locator('[data-field="pnl"]')).toHaveCount(1);
    await page.getByRole('textbox', { name: 'Text in a note or tag' }).fill('');
    await page.getByText('Only with a note or tag').click();
    await expect(orders.locator('[data-field="pnl"]')).toHaveCount(2);
    await page.keyboard.press('Escape');
    await rowOf(orders, 0).focus();
    await page.keyboard.press('n');
    await panel.getByRole('button', { name: 'Close the note' }).click();
    await expect(panel).toHaveCount(0);
    await expect(rowOf(orders, 0)).toBeFocused();
  });

  const several = page.getByRole('region', { name: 'Tags of the selection' });
  const tagged = (grid: Locator, tag: string): Locator => grid.getByText(tag, { exact: true });
  await test.step('several are tagged at once: selected by Shift and the arrows, N, typed', async () => {
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
    await rowOf(orders, 4).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await expect(several).toContainText('3 orders selected');
    await page.keyboard.press('n');
    await expect(several.getByRole('combobox', { name: 'Add a tag' })).toBeFocused();
    await page.keyboard.type('Scaled in');
    await page.keyboard.press('Enter');
    await expect(several.getByRole('status')).toHaveText('Scaled in: added to 3');
    await expect(tagged(orders, 'Scaled in')).toHaveCount(3);
    await expectAccessible(page, 'several orders tagged');
    await page.keyboard.press('Escape');
    await expect(rowOf(orders, 7)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(several).toHaveCount(0);
  });

  await test.step('and by mouse: Shift click, Tag, and taken away from all again', async () => {
    // The first click opens it, with its trades below.
    await rowOf(orders, 6).click();
    await expect(panel).toBeVisible();
    await rowOf(orders, 6).click();
    await expect(panel).toHaveCount(0);
    await rowOf(orders, 8).click({ modifiers: ['Shift'] });
    await expect(several).toContainText('3 orders selected');
    await several.getByRole('button', { name: 'Tag' }).click();
    await several.getByRole('combobox', { name: 'Add a tag' }).fill('Late');
    await page.keyboard.press('Enter');
    await expect(tagged(orders, 'Late')).toHaveCount(1);
    await expect(orders.getByText('+1', { exact: true })).toHaveCount(2);
    await several.getByRole('button', { name: 'Remove the tag Late' }).click();
    await expect(several.getByRole('status')).toHaveText('Late: removed from 3');
    await expect(tagged(orders, 'Late')).toHaveCount(0);
  });

  await test.step('single ones by Ctrl and a click or Space, which opens nothing', async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(several).toHaveCount(0);
    await rowOf(orders, 3).click({ modifiers: ['Control'] });
    await rowOf(orders, 6).click({ modifiers: ['Control'] });
    await rowOf(orders, 5).focus();
    await page.keyboard.press('Control+Space');
    await rowOf(orders, 3).click({ modifiers: ['Control'] });
    await expect(several).toContainText('2 orders selected');
    await expect(panel).toHaveCount(0);
    await page.keyboard.press('n');
    await expect(several.getByRole('combobox', { name: 'Add a tag' })).toBeFocused();
    await page.keyboard.type('Apart');
    await page.keyboard.press('Enter');
    await expect(several.getByRole('status')).toHaveText('Apart: added to 2');
    await several.getByRole('button', { name: 'Remove the tag Apart' }).click();
    await expect(several.getByRole('status')).toHaveText('Apart: removed from 2');
  });

  await test.step('the plain list marks the trades of such orders, and has their notes too', async () => {
    await page.getByRole('radiogroup', { name: 'Group by' }).getByText('None', { exact: true }).click();
    const trades = page.getByRole('grid', { name: 'Trades', exact: true });
    const marks = trades.getByRole('img', { name: 'Has a note or tag' });
    await expect(marks.first()).toBeVisible();
    await page.getByRole('button', { name: /^More/ }).click();
    await page.getByRole('textbox', { name: 'Text in a note or tag' }).fill('scaled');
    await page.keyboard.press('Escape');
    await expect(rowOf(trades, 0).getByRole('img', { name: 'Has a note or tag' })).toBeVisible();
    await rowOf(trades, 0).focus();
    await page.keyboard.press('n');
    await expect(field).toBeFocused();
    await expect(panel.getByRole('button', { name: 'Remove the tag Scaled in' })).toBeVisible();
    await page.keyboard.type('Three steps');
    await expect(panel.getByRole('status')).toHaveText('Saved');
    const time = rowOf(trades, 0).locator('[data-field="tradeTime"]');
    // The title is set when the pointer enters the cell, which may be while the last letters are being saved.
    await expect(async () => {
      await page.mouse.move(0, 0);
      await time.hover();
      expect(await time.getAttribute('title')).toMatch(/Three steps/);
    }).toPass();
    await expectAccessible(panel, 'a note in the plain list');
    await page.keyboard.press('Escape');
    await expect(rowOf(trades, 0)).toBeFocused();
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: 'Note', exact: false }).last().click();
    await expect(several).toContainText('Tags of all 3 orders');
    await several.getByRole('button', { name: 'Remove the tag Scaled in' }).click();
    await expect(several.getByRole('status')).toHaveText('Scaled in: removed from 3');
  });
});

test('on a live connection: of an order and a round trip, found by the filter, and there after a restart', async ({
  practice,
  profile,
}) => {
  let ballast = await launch(profile, practice);
  await openLive(ballast.page, practice);
  const write = async (rows: Locator, text: string): Promise<void> => {
    await rowOf(rows, CLOSED).click();
    const panel = panelOf(ballast.page);
    await panel.getByRole('textbox', { name: /^Note/ }).first().fill(text);
    await expect(panel.getByRole('status').first()).toHaveText('Saved');
  };
  await openSynced(ballast.page);
  await write(await groupBy(ballast.page, 'Round trip', 'Round trips'), 'Live: took the retest');
  await write(await groupBy(ballast.page, 'Order', 'Trades by order'), 'Live: chased it');

  await ballast.app.close();
  ballast = await launch(profile, practice);
  const { page } = ballast;
  await expect(page.locator('html')).toHaveAttribute('data-account', 'live');
  await openSynced(page);
  for (const [by, grid, text] of [
    ['Order', 'Trades by order', 'chased'],
    ['Round trip', 'Round trips', 'retest'],
  ] as const) {
    const rows = await groupBy(page, by, grid);
    await page.getByRole('button', { name: /^More/ }).click();
    await page.getByRole('textbox', { name: 'Text in a note or tag' }).fill(text);
    await page.keyboard.press('Escape');
    await expect(rows.locator('[data-field="pnl"]')).toHaveCount(1);
    await expect(rowOf(rows, 0).getByRole('img', { name: 'Has a note' })).toBeVisible();
  }
  await ballast.app.close();
});

/** Places an order far from the market for another client; returns its id. GTC rests, IOC is cancelled at once. */
async function placeFar(practice: Practice, timeInForce: 'GTC' | 'IOC'): Promise<string> {
  const client = clientOf(practice);
  const sent = await client.placeOrder({
    ...{
      symbolId: 'BTC-USDT-M',
      side: 'BUY',
      type: 'LIMIT',
      timeInForce,
      price: '51000.0',
      quantity: '0.010',
    },
  });
  await client.close();
  if (sent.outcome !== 'accepted' || typeof sent.data !== 'string')
    throw new Error(`not placed: ${JSON.stringify(sent)}`);
  return sent.data;
}
const table = (page: Page, name: string): Locator => page.getByRole('treegrid', { name });
const orderRow = (page: Page, name: string, orderId: string): Locator =>
  table(page, name).locator(`tr[data-key="${orderId}"]`);
const mark = (row: Locator): Locator => row.getByRole('button', { name: /^Note of order/ });

test('an order that never traded: noted where it is listed, found, summed in nothing, exported, and kept', async ({
  practice,
  profile,
}) => {
  const [resting, cancelled] = [await placeFar(practice, 'GTC'), await placeFar(practice, 'IOC')];
  let ballast = await launch(profile, practice);
  let { page } = ballast;
  await page.setViewportSize({ width: 1440, height: 900 });
  await goTo(page, 'positions');
  const panel = (): Locator => panelOf(page);
  const field = (): Locator => panel().getByRole('textbox', { name: 'Note of this order' });

  await test.step('an open one by N: the note is in its details, Escape goes back to the row', async () => {
    const row = orderRow(page, 'Open orders', resting);
    await row.focus();
    await page.keyboard.press('n');
    await expect(field()).toBeFocused();
    await page.keyboard.type('Waits for the retest: 120 USDT');
    await expect(panel().getByRole('status')).toHaveText('Saved');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Never filled,');
    await expect(mark(row)).toHaveAttribute('title', 'Never filled\nWaits for the retest: 120 USDT');
    await expectAccessible(panel(), 'the note of an open order');
    await page.keyboard.press('Escape');
    await expect(row).toBeFocused();
  });

  await test.step('a cancelled one by its button, and another by the menu of the row', async () => {
    await page.getByRole('tab', { name: 'Order history' }).click();
    const row = orderRow(page, 'Order history', cancelled);
    await row.getByRole('button', { name: `Write a note on order ${cancelled}` }).click();
    await expect(field()).toBeFocused();
    await page.keyboard.type('Too far away');
    await expect(panel().getByRole('status')).toHaveText('Saved');
    await page.keyboard.press('Escape');
    const other = orderRow(page, 'Order history', resting);
    await other.click({ button: 'right' });
    await expectAccessible(page.getByRole('menu'), 'the menu of an order');
    await page.getByRole('menuitem', { name: 'Note' }).click();
    await expect(field()).toBeFocused();
    await expect(field()).toHaveValue('Waits for the retest: 120 USDT');
  });

  await test.step('its text is hidden with the amounts, tags are not', async () => {
    await changeSettings(page, { privacy: true });
    await expect(panel()).toContainText('can be read and changed once amounts are shown');
    await expect(page.locator('[title*="retest"]')).toHaveCount(0);
    const row = orderRow(page, 'Order history', resting);
    await expect(mark(row)).toHaveAttribute('title', 'Never filled');
    await changeSettings(page, { privacy: false });
  });

  await test.step('is found by note, text and tag; of past orders in the archive', async () => {
    const notes = page.getByRole('button', { name: /^Notes/ });
    await notes.click();
    const found = table(page, 'Order history').locator('tr[data-index]');
    await page.getByText('Only with a note or tag').click();
    await expect(found).toHaveCount(2);
    await expect(page.getByText('from the archive')).toBeVisible();
    await expectAccessible(page, 'the filter of notes');
    await page.getByRole('textbox', { name: 'Text in a note or tag' }).fill('TOO FAR');
    await expect(found).toHaveCount(1);
    await expect(orderRow(page, 'Order history', cancelled)).toBeVisible();
    await page.getByRole('checkbox', { name: 'Never filled' }).click();
    await expect(page.getByText('No matching orders')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await expect(found.nth(3)).toBeVisible();
    await page.getByRole('tab', { name: /^Open orders/ }).click();
    await page.getByRole('button', { name: /^Notes/ }).click();
    await page.getByRole('checkbox', { name: 'Never filled' }).click();
    await page.keyboard.press('Escape');
    await expect(table(page, 'Open orders').locator('tr[data-index]')).toHaveCount(1);
  });

  await test.step('is in no sum by tag and in no list of trades, and in the CSV of orders', async () => {
    await openSynced(page);
    await page.getByRole('radiogroup', { name: 'Group by' }).getByText('Tag', { exact: true }).click();
    await expect(page.getByRole('treegrid', { name: 'Round trips by tag' })).toContainText('No tag');
    await expect(page.getByRole('treegrid', { name: 'Round trips by tag' })).not.toContainText(
      'Never filled',
    );
    await expect(page.getByText('orders that never traded belong to none')).toBeVisible();
    const path = await saveTo(ballast, 'orders.csv');
    await page.keyboard.press('Control+e');
    const file = page.getByRole('region', { name: 'Export CSV' });
    await file.getByLabel('Table').selectOption({ label: 'Order history, all fields' });
    await file.getByRole('switch', { name: 'Tags and notes' }).click();
    await file.getByRole('button', { name: 'Export order history…' }).click();
    await expect(page.locator('[data-export]')).toHaveAttribute('data-export', 'done');
    const rows = (await rowsOfFile(path)).filter((row) => row['Tags'] !== '' || row['Note'] !== '');
    expect(rows.map((row) => [row['id'], row['Tags'], row['Note']]).sort()).toEqual([
      [resting, 'Never filled', 'Waits for the retest: 120 USDT'],
      [cancelled, '', 'Too far away'],
    ]);
    await page.getByRole('button', { name: 'Close export' }).click();
    await page.getByRole('button', { name: 'Tag: Any tag' }).click();
    await page.getByRole('dialog', { name: 'Tag' }).getByText('Never filled', { exact: true }).click();
    await page.keyboard.press('Escape');
    await expect(page.getByText('Orders that never traded are in Positions › Order history.')).toBeVisible();
  });

  await test.step('is there after a restart', async () => {
    await ballast.app.close();
    ballast = await launch(profile, practice);
    page = ballast.page;
    await goTo(page, 'positions');
    const row = orderRow(page, 'Open orders', resting);
    await expect(mark(row)).toHaveAttribute('title', 'Never filled\nWaits for the retest: 120 USDT');
  });

  await test.step('and the journal has the notes of what was sent from here', async () => {
    const ticket = new Ticket(page);
    await ticket.choose('BTC-USDT-M');
    await ticket.fill({ side: 'Buy', quantity: '0.010', price: '60000.0' });
    const sheet = await ticket.review();
    await sheet.send();
    const sent = (await sheet.orderId()) ?? '';
    await sheet.done();
    await goTo(page, 'activity');
    const journal = table(page, 'Journal').locator('tr[data-index="0"]');
    await expect(journal).toContainText(sent);
    await journal.focus();
    await page.keyboard.press('n');
    await expect(field()).toBeFocused();
    await page.keyboard.type('Second try');
    await expect(panel().getByRole('status')).toHaveText('Saved');
    await expect(mark(journal)).toHaveAttribute('title', 'Second try');
    await expectAccessible(panel(), 'a note in the journal');
    await goTo(page, 'positions');
    await expect(mark(orderRow(page, 'Open orders', sent))).toHaveAttribute('title', 'Second try');
  });
  await ballast.app.close();
});

test('several orders are tagged at once where orders are listed, also while others come', async ({
  page,
  practice,
}) => {
  for (let n = 0; n < 3; n++) await placeFar(practice, 'GTC');
  await placeFar(practice, 'IOC');
  // Tags are read from the archive, which opens later than orders are listed.
  await openSynced(page);
  await goTo(page, 'positions');
  const several = page.getByRole('region', { name: 'Tags of the selection' });
  const selected = (name: string): Locator => table(page, name).locator('tr[aria-selected="true"]');
  const rowAt = (name: string, index: number): Locator =>
    table(page, name).locator(`tr[data-index="${index}"]`);

  await test.step('open orders by keys: Shift and the arrows, N, typed', async () => {
    await expect(rowAt('Open orders', 4)).toBeVisible();
    await rowAt('Open orders', 0).focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await expect(selected('Open orders')).toHaveCount(3);
    await expect(several).toContainText('3 orders selected');
    await page.keyboard.press('n');
    await expect(several.getByRole('combobox', { name: 'Add a tag' })).toBeFocused();
    await page.keyboard.type('Grid');
    // Another order comes meanwhile: what is typed and selected stays.
    const newest = await placeFar(practice, 'GTC');
    await expect(orderRow(page, 'Open orders', newest)).toBeAttached();
    await expect(selected('Open orders')).toHaveCount(3);
    await page.keyboard.type(' A');
    await page.keyboard.press('Enter');
    await expect(several.getByRole('status')).toHaveText('Grid A: added to 3');
    await expect(table(page, 'Open orders').getByRole('button', { name: /^Note of order/ })).toHaveCount(3);
    await expectAccessible(several, 'several open orders tagged');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(several).toHaveCount(0);
  });

  await test.step('order history by mouse: a click, Shift and a click, Tag; taken away again', async () => {
    await page.getByRole('tab', { name: 'Order history' }).click();
    await rowAt('Order history', 0).locator('td').nth(2).click();
    await rowAt('Order history', 2)
      .locator('td')
      .nth(2)
      .click({ modifiers: ['Shift'] });
    await expect(several).toContainText('3 orders selected');
    await several.getByRole('button', { name: 'Tag' }).click();
    await several.getByRole('combobox', { name: 'Add a tag' }).fill('Missed');
    await page.keyboard.press('Enter');
    await expect(several.getByRole('status')).toHaveText('Missed: added to 3');
    await several.getByRole('button', { name: 'Remove the tag Missed' }).click();
    await expect(several.getByRole('status')).toHaveText('Missed: removed from 3');
  });

  await test.step('single ones: Ctrl and a click, and Ctrl Space, which open nothing', async () => {
    await expect(page.getByText('click selects several')).toBeVisible();
    const cell = (index: number): Locator => rowAt('Order history', index).locator('td').nth(2);
    await cell(0).click();
    for (const index of [2, 4]) await cell(index).click({ modifiers: ['ControlOrMeta'] });
    await expect(several).toContainText('3 orders selected');
    await cell(2).click({ modifiers: ['ControlOrMeta'] });
    await expect(several).toContainText('2 orders selected');
    await expect(rowAt('Order history', 2)).toHaveAttribute('aria-selected', 'false');
    await rowAt('Order history', 3).focus();
    await page.keyboard.press('ControlOrMeta+Space');
    await expect(several).toContainText('3 orders selected');
    await expect(rowAt('Order history', 3)).toHaveAttribute('aria-expanded', 'false');
    await page.keyboard.press('Escape');
    await expect(several).toHaveCount(0);
  });
});

test('on a live connection that is locked: a note is no order', async ({ practice, page }) => {
  const resting = await placeFar(practice, 'GTC');
  await openLive(page, practice);
  await callBridge(page, 'trading.setLock', { lock: 'orders' });
  await goTo(page, 'positions');
  const row = orderRow(page, 'Open orders', resting);
  await row.focus();
  await page.keyboard.press('n');
  await expect(panelOf(page).getByRole('textbox')).toBeFocused();
  await page.keyboard.type('Placed by phone');
  await expect(panelOf(page).getByRole('status')).toHaveText('Saved');
  await expect(mark(row)).toHaveAttribute('title', 'Placed by phone');
  // The note makes the table higher than its space, but no wider.
  const table = row.locator('xpath=ancestor::table/..');
  await expect.poll(() => table.evaluate((one) => one.scrollHeight > one.clientHeight)).toBe(true);
  await expect.poll(() => table.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  await expect(page.locator('html')).toHaveAttribute('data-account', 'live');
});
