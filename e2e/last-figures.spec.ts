/** The account of the last run in the first frames: stale, no use for orders, replaced by the first read. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { EquitySamples } from '../src-shared/ipc/archive.ts';
import { startPractice, type Practice } from '../src-practice/index.ts';
import { callBridge, changeSettings, clearFaults, expect, holdReplies, launch, test } from './fixture.ts';
import { goTo, rows, Ticket } from './page-objects.ts';

const SYMBOL = 'SOL-USDT-M';
const polling = (page: Page): Locator => page.locator('header').first();
const equity = (page: Page): Locator => page.locator('main [data-field="totalEquities"]').first();
const marked = (page: Page): Locator => page.locator('main').locator('.old, .is-stale').first();

async function samples(page: Page): Promise<number> {
  const range = { connectionId: 'practice', from: null, to: null, coin: null, points: 100 };
  return (await callBridge<EquitySamples>(page, 'equity.samples', range)).samples;
}

/** Starts once, so that the profile has the account, and returns the equity shown at the end. */
async function firstRun(profile: string, practice: Practice): Promise<string> {
  const { app, page } = await launch(profile, practice);
  await expect(polling(page)).toContainText('Local');
  await expect.poll(() => samples(page)).toBeGreaterThan(0);
  await app.close();
  const { accounts } = JSON.parse(await readFile(join(profile, 'accounts.json'), 'utf8')) as {
    readonly accounts: readonly { readonly value: { readonly totalEquities: string } }[];
  };
  return accounts[0]!.value.totalEquities;
}

test('are shown stale, trade nothing, and give way to the first read', async ({ profile, practice }) => {
  const last = await firstRun(profile, practice);
  // Until the account is read the window has the last run's figures; after 10 s without a reply it is offline. Of when
  // they are: polling-cell.svelte.test.ts.
  await holdReplies(practice, 'account');
  const { app, page } = await launch(profile, practice);
  await expect(equity(page)).toBeVisible();
  await expect(polling(page)).toContainText(/Connecting|Offline/);
  await expect(marked(page)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Healthy' })).toHaveCount(0);
  const shown = (await equity(page).textContent()) ?? '';
  expect(last).toContain(shown.replaceAll(/[^\d.]/g, '').slice(0, 6));
  const before = await samples(page);

  await new Ticket(page).choose(SYMBOL);
  await new Ticket(page).fill({ side: 'Buy', quantity: '1.5', price: '138.50' });
  await expect(page.getByTestId('ticket-review')).toBeDisabled();
  await expect(page.getByTestId('ticket-review')).toHaveText('The account data is too old to trade on');
  // Whatever the window thinks, the main process has read no account and no mark.
  const request = {
    symbolId: SYMBOL,
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: '1.5',
    price: '138.50',
  };
  const intent = { connectionId: 'practice', kind: 'order', request, reference: null };
  await expect(callBridge(page, 'orders.review', intent)).rejects.toThrow(
    'No price of this contract is known',
  );
  await goTo(page, 'positions');
  await expect(rows(page, 'Positions', SYMBOL).first()).toContainText('32.0');
  await expect(marked(page)).toBeVisible();
  await changeSettings(page, { privacy: true });
  await expect(rows(page, 'Positions', SYMBOL).first()).not.toContainText('32.0');
  await changeSettings(page, { privacy: false });
  await expect(polling(page)).toContainText(/Connecting|Offline/);
  expect(await samples(page)).toBe(before);

  await clearFaults(practice);
  await expect(polling(page)).toContainText('Local');
  await expect(marked(page)).toBeHidden();
  await expect(page.getByTestId('ticket-review')).toBeEnabled();
  await app.close();
});

test('of a damaged file, or of another exchange, are not shown', async ({ profile, practice }) => {
  await firstRun(profile, practice);
  const other = await startPractice({ seed: 9 });
  await holdReplies(other, 'account');
  const first = await launch(profile, other);
  await expect(polling(first.page)).toContainText(/reading the account|Offline/);
  await expect(equity(first.page)).toHaveCount(0);
  await first.app.close();
  await other.stop();

  await writeFile(join(profile, 'accounts.json'), '{"version":1,"accounts":[{"connectionId":"practice"');
  await holdReplies(practice, 'account');
  const { app, page } = await launch(profile, practice);
  await expect(polling(page)).toContainText(/reading the account|Offline/);
  await expect(equity(page)).toHaveCount(0);
  // Its notice leaves by time (profile-files.test.ts).
  await expect.poll(async () => (await readdir(profile)).join()).toContain('accounts.json.damaged-');
  await clearFaults(practice);
  await expect(polling(page)).toContainText('Local');
  await expect(equity(page)).toBeVisible();
  await app.close();
});
