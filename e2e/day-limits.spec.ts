/**
 * Daily limits: set and weakened in Settings, shown and enforced in the ticket, the batch and the main process, lifted by
 * a typed word, over at midnight; on practice and live, by mouse and by keys.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import {
  add,
  amount,
  greater,
  isNegative,
  negate,
  print,
  printFixed,
  subtract,
  sum,
} from '../src-shared/amount.ts';
import type { HistoryOrder } from '../src-shared/exchange-api/order-history.ts';
import type { DayState } from '../src-shared/ipc/day-limits.ts';
import type { Feeds } from '../src-shared/ipc/feeds.ts';
import { expectAccessible } from './axe.ts';
import { callBridge, changeSettings, controls, expect, launch, test } from './fixture.ts';
import { Keys } from './keys.ts';
import { digits, goTo, openLive, rows, Ticket } from './page-objects.ts';

const SYMBOL = 'SOL-USDT-M';

/** Returns a time zone whose day began one to two hours ago: after the account's past, and long before its midnight. */
function recentMidnight(): string {
  const ahead = (25 - new Date().getUTCHours()) % 24;
  return ahead > 12 ? `Etc/GMT+${24 - ahead}` : `Etc/GMT-${ahead}`;
}

/** Settings has no ticket beside it. */
const toTicket = (page: Page): Promise<void> => goTo(page, 'positions');
async function openLimits(page: Page): Promise<Locator> {
  await goTo(page, 'settings');
  await page.getByRole('button', { name: 'Trading safety', exact: true }).click();
  return page.getByTestId('day-limits');
}
async function setLimits(page: Page, loss: string, orders: string): Promise<Locator> {
  const pane = await openLimits(page);
  await pane.getByLabel('Daily loss limit').fill(loss);
  await pane.getByLabel('Max opening orders a day').fill(orders);
  await pane.getByRole('button', { name: 'Save limits' }).click();
  return pane;
}
async function send(page: Page, side: 'Buy' | 'Sell', quantity: string, price?: string): Promise<void> {
  const ticket = new Ticket(page);
  await toTicket(page);
  await ticket.choose(SYMBOL);
  await ticket.fill({ side, quantity, ...(price === undefined ? {} : { price }) });
  const sheet = await ticket.review();
  await sheet.send();
  await sheet.done();
}
async function typeWord(page: Page, action: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Type TRADE first' })).toBeDisabled();
  await dialog.getByLabel('Type TRADE').fill('TRADE');
  await dialog.getByRole('button', { name: action }).click();
  await expect(dialog).toBeHidden();
}
/** What today's orders, so many of them, brought after fees, by the exchange's own records. */
async function netToday(page: Page, connectionId: string, orders: number): Promise<string> {
  const { startsAt } = await callBridge<DayState>(page, 'day.get', { connectionId });
  const ofToday = async (): Promise<readonly HistoryOrder[]> => {
    const { history } = await callBridge<Feeds>(page, 'feeds.get');
    return (history.value ?? []).filter((one) => one.mtime >= startsAt && one.status === 'FILLED');
  };
  await expect.poll(ofToday).toHaveLength(orders);
  const today = await ofToday();
  const nets = today.map((one) => subtract(amount(one.profit ?? '0'), amount(one.feeAmount ?? '0')));
  return print(sum(nets));
}
const review = (page: Page, connectionId: string): Promise<unknown> =>
  callBridge(page, 'orders.review', {
    connectionId,
    kind: 'order',
    reference: null,
    request: {
      symbolId: SYMBOL,
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      quantity: '1',
      price: '138',
    },
  });

test('a number of opening orders is counted, enforced and lifted, and over at midnight', async ({
  ballast,
}) => {
  const { app, page, profile } = ballast;
  await changeSettings(page, { timeZone: recentMidnight() });
  const pane = await setLimits(page, '', '0');
  await expect(pane).toContainText('“0”: a whole number from 1 to 10000');
  await setLimits(page, '', '2');
  await expect(pane.getByText('0 of 2')).toBeVisible();
  await expectAccessible(page, 'limits in Settings');

  const day = page.getByTestId('ticket-day');
  await expect(day).toBeHidden();
  await send(page, 'Buy', '1', '138');
  await expect(day).toBeHidden();
  await openLimits(page);
  await expect(pane.getByText('1 of 2')).toBeVisible();
  await send(page, 'Buy', '1', '139');
  await expect(day).toContainText('Daily limit reached');
  await expect(day).toContainText('2 of 2');

  // Refused in the ticket, and by the main process whatever the window asks.
  const ticket = new Ticket(page);
  await ticket.fill({ side: 'Buy', quantity: '1', price: '138' });
  await expect(page.getByTestId('ticket-checks')).toContainText(
    /Your limit of 2 opening orders a day is reached\. Opening orders are blocked until midnight \(.*\)\./,
  );
  await expect(page.getByTestId('ticket-review')).toHaveText(/A daily limit is reached/);
  await expect(review(page, 'practice')).rejects.toThrow(/Your limit of 2 opening orders a day is reached/);
  await expectAccessible(page.getByTestId('ticket'), 'a limit reached');

  // Closing goes: all of the position, by its own sheet.
  await rows(page, 'Positions', SYMBOL).first().getByRole('button', { name: 'Close' }).click();
  await page.getByTestId('close-review').click();
  await page.getByTestId('confirm-send').waitFor();
  await page.keyboard.press('Escape');
  await page.getByTestId('close-review').waitFor();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  // By keys: the button of the ticket leads to the way out.
  await page.getByTestId('ticket-review').focus();
  const keys = new Keys(page);
  await keys.press('Enter');
  const lift = day.getByRole('button', { name: 'Lift until midnight…' });
  await expect(lift).toBeFocused();
  await keys.press('Enter');
  await expect(page.getByRole('dialog').getByLabel('Type TRADE')).toBeFocused();
  await keys.type('TRADE');
  await expectAccessible(page.getByRole('dialog'), 'the typed word');
  await keys.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(day).toContainText('Daily limits lifted until midnight');
  // Written right after the state was sent.
  const log = join(profile, 'logs', 'ballast.log');
  await expect.poll(() => readFile(log, 'utf8')).toContain('day-limits-lifted');
  await review(page, 'practice');
  await send(page, 'Buy', '1', '140');
  await expect(day).toContainText('3 of 2');

  // The clock passes midnight: nothing was sent on the new day, and nothing is lifted.
  await app.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 86_400_000;
  });
  await expect(day).toBeHidden();
  expect(await callBridge<DayState>(page, 'day.get', { connectionId: 'practice' })).toMatchObject({
    lifted: false,
    sent: 0,
  });
});

test('a loss is that of closed orders after fees, and a weaker limit waits', async ({
  profile,
  practice,
}) => {
  await writeFile(join(profile, 'settings.json'), JSON.stringify({ timeZone: recentMidnight() }));
  // The price stands below the entry of the position, whatever it did before, and above its liquidation.
  await controls(practice, '/shock', { symbolId: SYMBOL, share: '0.96' });
  await controls(practice, '/clock', { speed: 0 });
  let { app, page } = await launch(profile, practice);
  await send(page, 'Buy', '10');
  await send(page, 'Sell', '10');
  const pane = await setLimits(page, '1000000', '');
  // As the exchange's own records add up.
  const figure = pane.locator('dd').first();
  await expect.poll(async () => digits(await figure.textContent())).not.toContain('Notknown');
  const net = await netToday(page, 'practice', 2);
  await changeSettings(page, { precision: 'received' });
  await expect
    .poll(async () => digits(await figure.textContent()))
    .toBe(`${isNegative(amount(net)) ? '' : '+'}${net}USDT`);
  expect(isNegative(amount(net))).toBe(true);

  const lost = print(negate(amount(net)));
  // Near from 80 %, reached at the loss itself.
  const day = page.getByTestId('ticket-day');
  await setLimits(page, print(add(amount(lost), amount('0.01'))), '');
  await toTicket(page);
  await expect(day).toContainText('80% or more of a daily limit is used');
  await expectAccessible(day, 'a limit near');
  await setLimits(page, lost, '');
  await toTicket(page);
  await expect(day).toContainText('Daily limit reached');
  await expect(review(page, 'practice')).rejects.toThrow(/Today’s loss has reached your limit/);

  // Hidden amounts hide the loss and its limit.
  await changeSettings(page, { privacy: true });
  await expect(day).not.toContainText(printFixed(amount(net), 2).slice(1));
  await changeSettings(page, { privacy: false });

  // Weaker: not before midnight, also after a restart, unless the word is typed.
  await setLimits(page, '1000000', '');
  await expect(pane).toContainText(
    'From midnight: a loss limit of 1,000,000 USDT, no limit on opening orders',
  );
  await expectAccessible(pane, 'a weaker limit waits');
  await toTicket(page);
  await expect(day).toContainText('Daily limit reached');
  await app.close();
  ({ app, page } = await launch(profile, practice));
  await expect(page.getByTestId('ticket-day')).toContainText('Daily limit reached');
  await expect(review(page, 'practice')).rejects.toThrow(/Today’s loss has reached your limit/);
  const again = await openLimits(page);
  await again.getByRole('button', { name: 'Apply now…' }).click();
  await typeWord(page, 'Apply now');
  await toTicket(page);
  await expect(page.getByTestId('ticket')).toBeVisible();
  await expect(page.getByTestId('ticket-day')).toBeHidden();
  await review(page, 'practice');
  expect(greater(amount(lost), amount('0'))).toBe(true);
  await app.close();
});

test('each account has its own limits, and a batch stops at the last order of the day', async ({
  ballast,
  practice,
}) => {
  const { page } = ballast;
  await changeSettings(page, { timeZone: recentMidnight() });
  await setLimits(page, '', '1');
  const { id } = await openLive(page, practice);
  const pane = await openLimits(page);
  await expect(pane.getByLabel('Max opening orders a day')).toHaveValue('');
  expect((await callBridge<DayState>(page, 'day.get', { connectionId: id })).limits.orders).toBeNull();
  await setLimits(page, '', '2');
  await expect(pane.getByText('0 of 2')).toBeVisible();

  const row = (price: string) => ({
    request: { symbolId: SYMBOL, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '1', price },
    reference: null,
  });
  const answer = await callBridge<{ faults: unknown }>(page, 'orders.reviewBatch', {
    connectionId: id,
    callSize: 1,
    rows: [row('138'), row('139'), row('140')],
  });
  expect(answer.faults).toMatchObject([{ row: 2, failure: { field: 'account' } }]);
  await send(page, 'Buy', '1', '138');
  await send(page, 'Buy', '1', '139');
  const day = page.getByTestId('ticket-day');
  await expect(day).toContainText('Daily limit reached');
  await day.getByRole('button', { name: 'Lift until midnight…' }).click();
  await typeWord(page, 'Lift until midnight');
  await expect(day).toContainText('lifted');
});
