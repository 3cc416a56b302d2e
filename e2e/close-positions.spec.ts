/** Closing positions together: one order each, in order, stopped by an unknown outcome, nothing sent twice. */
import type { Page } from '@playwright/test';
import type { Practice } from '../src-practice/index.ts';
import { amount, compareText, decimalsOf, print, subtract } from '../src-shared/amount.ts';
import { shareOf } from '../src-shared/domain/order/size.ts';
import { expectAccessible } from './axe.ts';
import { clearFaults, clientOf, controls, expect, holdReplies, received, test } from './fixture.ts';
import { goTo, openLive } from './page-objects.ts';

async function held(practice: Practice): Promise<string[]> {
  const client = clientOf(practice);
  const account = await client.account();
  await client.close();
  if (!account.ok) throw new Error(account.failure.message);
  return account.data.positions.map((one) => one.symbolId).sort();
}

/** Opens the sheet for the open positions, and types the confirmation text. */
async function prepare(page: Page, count: number) {
  await goTo(page, 'positions');
  await page.getByRole('button', { name: 'Close positions…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Close positions' });
  await expect(sheet.getByRole('listitem')).toHaveCount(count);
  const send = page.getByTestId('close-positions-send');
  await expect(send).toBeDisabled();
  await page.getByTestId('close-positions-word').fill('close all');
  await expect(send).toBeEnabled();
  return { sheet, send, states: () => sheet.getByRole('listitem').evaluateAll(statesOf) };
}
const statesOf = (items: Element[]): (string | null)[] => items.map((one) => one.getAttribute('data-state'));

test('stops at a lost reply without sending the rest, then closes each position by its own order', async ({
  page,
  practice,
}) => {
  const symbols = await held(practice);
  expect(symbols.length).toBeGreaterThan(3);
  await test.step('a lost reply stops it: the rest is not sent', async () => {
    const { sheet, states } = await prepare(page, symbols.length);
    await expect(sheet).toContainText('PRACTICE');
    await expectAccessible(sheet);
    // The first succeeds, the second is accepted and its reply is lost.
    await controls(practice, '/faults', { endpoint: 'order', action: 'reset', accept: true, nth: 2 });
    await page.keyboard.press('Control+Enter');
    await expect(sheet.getByRole('button', { name: 'Done' })).toBeVisible();
    const [first, second, ...rest] = await states();
    expect(first).toBe('accepted');
    // Reconciled by now or not: never shown as rejected or not sent.
    expect(['unknown', 'matched']).toContain(second);
    expect(rest).toEqual(symbols.slice(2).map(() => 'not-sent'));
    expect((await received(practice)).order).toBe(2);
    expect(await held(practice)).toHaveLength(symbols.length - 2);
    await sheet.getByRole('button', { name: 'Done' }).click();
    await expect(sheet).toBeHidden();
    await expect(page.locator('footer').last()).toContainText('all outcomes known');
  });

  await test.step('every position is closed by one order of its own', async () => {
    const left = symbols.length - 2;
    const { sheet, send, states } = await prepare(page, left);
    await page.keyboard.press('Enter'); // not the key that sends
    await send.dblclick();
    await expect(sheet.getByRole('status')).toContainText(`${left} of ${left} accepted`);
    expect(await states()).toEqual(Array.from({ length: left }, () => 'accepted'));
    // What came of it, in the same sheet once the exchange lists it.
    await expect(sheet.getByRole('status')).toContainText(`, ${left} filled.`);
    await expect(sheet.getByRole('status')).toContainText(/Closed PnL [−+][\d.,]+/);
    const fills = sheet.getByTestId('close-positions-fill');
    await expect(fills).toHaveCount(left);
    await expect(fills.first()).toContainText(
      /Filled [\d.,]+ at [\d.,]+, fee [\d.,]+.*\sclosed PnL\s[−+][\d.,]+/,
    );
    expect((await received(practice)).order).toBe(symbols.length);
    await expect.poll(() => held(practice)).toEqual([]);
    await sheet.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByText('No open positions')).toBeVisible();
  });
});

test('goes on while the window reloads, whose sheet opens again with it', async ({ page, practice }) => {
  const symbols = await held(practice);
  await holdReplies(practice, 'order', 1);
  const { sheet, states } = await prepare(page, symbols.length);
  await page.keyboard.press('Control+Enter');
  await expect.poll(async () => (await received(practice)).order).toBe(1);
  await page.reload();
  await expect(sheet.getByRole('listitem')).toHaveCount(symbols.length);
  await expect(page.getByTestId('close-positions')).toHaveAttribute('data-phase', 'running');
  await clearFaults(practice);
  await expect(sheet.getByRole('status')).toContainText(`${symbols.length} of ${symbols.length} accepted`);
  expect(await states()).toEqual(symbols.map(() => 'accepted'));
  expect((await received(practice)).order).toBe(symbols.length);
  await expect.poll(() => held(practice)).toEqual([]);
});

test('on a live connection: closes half of the shorts, and leaves the others as they are', async ({
  page,
  practice,
}) => {
  await openLive(page, practice);
  const client = clientOf(practice);
  const positions = async () => {
    const account = await client.account();
    if (!account.ok) throw new Error(account.failure.message);
    return account.data.positions;
  };
  const before = await positions();
  const shorts = before.filter((one) => one.side === 'SELL');
  expect(shorts.length).toBeGreaterThan(0);
  expect(shorts.length).toBeLessThan(before.length);
  await goTo(page, 'positions');
  await page.getByRole('button', { name: 'Close positions…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Close positions' });
  await expect(sheet).toContainText('LIVE');
  await sheet.getByRole('radio', { name: /^Short/ }).check();
  await sheet.getByRole('radio', { name: '50%' }).check();
  await expect(sheet.getByText('Stays open')).toHaveCount(before.length - shorts.length);
  const send = page.getByTestId('close-positions-send');
  await expect(send).toBeDisabled();
  await page.getByTestId('close-positions-word').fill(`close ${shorts.length}`);
  await expectAccessible(sheet);
  await send.click();
  await expect(sheet.getByRole('status')).toContainText(`${shorts.length} of ${shorts.length} accepted`);
  expect((await received(practice)).order).toBe(shorts.length);
  const held = new Map((await positions()).map((one) => [one.positionId, one.quantity ?? '']));
  for (const { positionId, side, quantity } of before) {
    const had = quantity ?? '';
    const closed = side === 'SELL' ? shareOf(had, '50', decimalsOf(had)) : '0';
    expect(compareText(held.get(positionId) ?? '', print(subtract(amount(had), amount(closed))))).toBe(0);
  }
  await client.close();
});
