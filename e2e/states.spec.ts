/** Degraded states: slow, stale, offline and back; unknown and held. */
import type { Locator, Page } from '@playwright/test';
import {
  callBridge,
  clearFaults,
  controls,
  expect,
  holdReplies,
  launch,
  received,
  SHARED,
  test,
} from './fixture.ts';
import { goTo, resize, rows, Ticket } from './page-objects.ts';

const SYMBOL = 'SOL-USDT-M';
const BUY = { side: 'Buy', quantity: '1.5', price: '138.50' } as const;
const TOO_OLD = 'The account data is too old to trade on';

const review = (page: Page): Locator => page.getByTestId('ticket-review');
const polling = (page: Page): Locator => page.locator('header').first();
/** Values marked as old. */
const marked = (page: Page): Locator => page.locator('main').locator('.old, .is-stale').first();
const banner = (page: Page): Locator =>
  page.getByRole('alert').filter({ hasText: 'The account cannot be read' });

/** Records each word the polling state begins with: on a busy machine one of three seconds may be over when looked for. */
async function statesOf(page: Page): Promise<() => Promise<string[]>> {
  const states = await polling(page).evaluateHandle((header) => {
    const found: string[] = [];
    const note = (): void => {
      const state = /Local|Slow|Stale/.exec(header.textContent)?.[0];
      if (state !== undefined && found.at(-1) !== state) found.push(state);
    };
    note();
    new MutationObserver(note).observe(header, { subtree: true, childList: true, characterData: true });
    return found;
  });
  return () => states.jsonValue();
}

test('slow, stale, and fresh again', SHARED, async ({ page, practice }) => {
  const ticket = new Ticket(page);
  await goTo(page, 'positions');
  await ticket.choose(SYMBOL);
  await ticket.fill(BUY);
  await expect(review(page)).toBeEnabled();

  const states = await statesOf(page);
  await holdReplies(practice, 'account');
  // A reply of before may have been slow, too.
  await expect.poll(async () => (await states()).slice(-3)).toEqual(['Local', 'Slow', 'Stale']);
  await expect(rows(page, 'Positions', SYMBOL).first()).toContainText('32.0');
  await expect(marked(page)).toBeVisible();
  // The ticket's figures of the account as well, also those that are plain text.
  for (const figure of [
    page.getByTestId('ticket-preview').locator('.reading'),
    ticket.root.locator('.head .amount'),
  ])
    await expect(figure.last()).toHaveCSS('text-decoration-style', 'dotted');
  await expect(review(page)).toHaveText(TOO_OLD);
  await goTo(page, 'overview');
  const total = page.getByRole('treegrid', { name: 'Balances' }).locator('tfoot .percent');
  await expect(total).toHaveCSS('text-decoration-style', 'dotted');

  await clearFaults(practice);
  await expect(polling(page)).toContainText('Local');
  await expect(review(page)).toBeEnabled();
  await expect(ticket.root.getByLabel('Size', { exact: true })).toHaveValue(BUY.quantity);
});

test('offline, and back', SHARED, async ({ page, practice }) => {
  const ticket = new Ticket(page);
  await goTo(page, 'positions');
  await ticket.choose(SYMBOL);
  await ticket.fill(BUY);
  await expect(review(page)).toBeEnabled();
  const position = rows(page, 'Positions', SYMBOL).first();

  await controls(practice, '/faults', { endpoint: '*', action: 'reset', times: 0 });
  await expect(polling(page)).toContainText('Offline');
  await expect(banner(page)).toContainText('The connection was lost');
  await expect(banner(page)).toContainText('The values below are old and marked as such. Trading is off.');
  await resize(page, { width: 1024, height: 700 });
  // The ticket stays over the banner while it has the focus.
  await page.keyboard.press('Escape');
  await expect(ticket.root).toBeHidden();
  const height = async (): Promise<number> => (await banner(page).boundingBox())?.height ?? 0;
  await expect.poll(height).toBeLessThan(40);
  await banner(page).getByRole('button', { name: 'Show more' }).click();
  await expect.poll(height).toBeGreaterThan(40);
  await banner(page).getByRole('button', { name: 'Show less' }).click();
  await expect.poll(height).toBeLessThan(40);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(position).toContainText('32.0');
  await expect(marked(page)).toBeVisible();
  await expect(review(page)).toBeDisabled();
  await expect(review(page)).toHaveText(TOO_OLD);
  await expect(ticket.root.getByLabel('Size', { exact: true })).toHaveValue(BUY.quantity);

  await clearFaults(practice);
  // As Retry does (banners.svelte.test.ts): a poll may clear the error before the button is pressed.
  await callBridge(page, 'feeds.refresh', { name: 'account' });
  await expect(polling(page)).toContainText('Local');
  await expect(banner(page)).toBeHidden();
  await expect(marked(page)).toBeHidden();
  await expect(review(page)).toBeEnabled();
});

test('shows a lost reply as unknown everywhere, and holds its symbol and side', async ({
  practice,
  profile,
}) => {
  // Lost before the exchange acted: the search finds nothing, so it stays unknown.
  await controls(practice, '/faults', { endpoint: 'order', action: 'reset', accept: false });
  const first = await launch(profile, practice);
  await test.step('shown as unknown in five places', async () => {
    const { page } = first;
    const ticket = new Ticket(page);
    await ticket.choose(SYMBOL);
    await ticket.fill(BUY);
    const sheet = await ticket.review();
    await sheet.send();
    expect(await sheet.outcome()).toBe('unknown');
    await expect(page.getByTestId('confirm-outcome')).toContainText('Do not send it again');
    await sheet.done();
    await isUnknown(page);
    await expect(ticket.root.getByLabel('Size', { exact: true })).toHaveValue(BUY.quantity);
  });
  await first.app.close();

  const second = await launch(profile, practice);
  const { page } = second;
  const ticket = new Ticket(page);
  await test.step('still unknown after a restart', async () => {
    await ticket.choose(SYMBOL);
    await isUnknown(page);
    expect(await received(practice)).toMatchObject({ order: 1 });
  });

  await test.step('the other side and other contracts are free', async () => {
    await ticket.fill({ side: 'Sell', quantity: '1.5', price: '150.00' });
    await expect(page.getByTestId('ticket-held')).toBeHidden();
    await expect(review(page)).toBeEnabled();
    await ticket.fill(BUY);
    await expect(page.getByTestId('ticket-held')).toBeVisible();
  });

  await test.step('another order of the same side needs the symbol typed', async () => {
    // A double click at one place neither releases nor reaches Review.
    const release = ticket.root.getByRole('button', { name: 'Release the hold…' });
    const place = (await release.boundingBox())!;
    await release.dblclick();
    await expect(release).toBeVisible();
    await release.click();
    await ticket.root.getByRole('button', { name: 'Release', exact: true }).click();
    await expect(page.getByTestId('ticket-release')).toContainText('Hold released');
    await expect(page.getByTestId('ticket-held')).toContainText(`${SYMBOL} buys: hold released`);
    const button = (await review(page).boundingBox())!;
    expect(button.y + button.height).toBeLessThanOrEqual(place.y);
    const sheet = await ticket.review();
    const send = page.getByTestId('confirm-send');
    await expect(send).toHaveText(`Type ${SYMBOL} to continue`);
    await page.keyboard.press('Control+Enter');
    await page.getByTestId('confirm-release').fill('SOL');
    await expect(send).toBeDisabled();
    expect(await received(practice)).toMatchObject({ order: 1 });
    await page.getByTestId('confirm-release').fill(SYMBOL);
    await sheet.send();
    expect(await sheet.outcome()).toBe('accepted');
    await sheet.done();
    expect(await received(practice)).toMatchObject({ order: 2 });
  });
  await second.app.close();
});

/** Expects banner, rail, status bar, ticket and Activity to show it. */
async function isUnknown(page: Page): Promise<void> {
  await expect(page.getByRole('alert').filter({ hasText: 'Outcome unknown.' })).toContainText(
    `Buy ${BUY.quantity} ${SYMBOL} at ${BUY.price}. Do not resend.`,
  );
  await expect(page.getByRole('button', { name: 'Activity, 1 outcome unknown' })).toContainText('1');
  await expect(page.locator('footer').last()).toContainText('1 outcome unknown');
  await expect(page.getByTestId('ticket-held')).toContainText(`${SYMBOL} buys are held`);
  await expect(page.getByRole('button', { name: 'Held: outcome unknown' })).toBeDisabled();
  await goTo(page, 'activity');
  await expect(
    page.locator('main').getByText('It may or may not have been placed. Do not send it again.'),
  ).toBeVisible();
}
