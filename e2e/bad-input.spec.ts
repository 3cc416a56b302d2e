/**
 * Bad input: each gets a message at its field that says the way out, nothing typed is lost, nothing is sent.
 * What the exchange itself gets wrong is in bad-replies.spec.ts.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { startPractice, type Practice } from '../src-practice/index.ts';
import { controls, expect, received, test as base } from './fixture.ts';
import { ConnectionEditor, goTo, rows, Ticket } from './page-objects.ts';

/** A second exchange, for a connection that is being typed: whatever reaches it was sent by the form. */
const test = base.extend<{ other: Practice }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
  other: async ({}, use) => {
    const other = await startPractice({ seed: 11 });
    await use(other);
    await other.stop();
  },
});

const SYMBOL = 'SOL-USDT-M';
const LONG = '1234567890123456789012345678901234567890';

/** Typed, and what is said about it: the value, what is wrong, the way out. */
const NUMBERS: readonly (readonly [typed: string, said: RegExp])[] = [
  ['1,5', /“1,5” has a comma\. Use a point: 1\.5\./],
  ['15e-1', /“15e-1” has an exponent\. Write it in digits: 1\.5\./],
  [LONG, /has 40 digits; at most 24 before and 18 after the point/],
  ['0', /“0” must be above 0/],
  ['-2', /“-2” must be above 0; the side says which way/],
];

/** The field says so itself, still holds what was typed, and no order left. */
async function refused(field: Locator, typed: string, said: RegExp): Promise<void> {
  await expect(field).toHaveAccessibleDescription(said);
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveValue(typed);
}

async function nothingSent(page: Page, practice: Practice): Promise<void> {
  await expect(page.getByTestId('confirm-sheet')).toHaveCount(0);
  expect(await received(practice)).toMatchObject({ order: 0, batchOrders: 0 });
}

test('numbers in the ticket', async ({ page, practice }) => {
  const ticket = new Ticket(page);
  const review = page.getByTestId('ticket-review');
  await ticket.choose(SYMBOL);

  for (const [label, name, good] of [
    ['Size', 'the size', { side: 'Buy', quantity: '1', price: '140.00' }],
    ['Price', 'the price', { side: 'Buy', quantity: '1', price: '140.00' }],
  ] as const) {
    await ticket.fill(good);
    const field = ticket.root.getByLabel(label, { exact: true });
    for (const [typed, said] of NUMBERS) {
      await test.step(`${label} ${typed}`, async () => {
        await field.fill(typed);
        await field.blur();
        await refused(field, typed, said);
        await expect(field).toHaveAccessibleDescription(label === 'Size' ? /^Quantity / : /^Price /);
        await expect(review).toBeDisabled();
        await expect(review).toHaveText(`Fix ${name} to continue`);
        await page.keyboard.press('F9');
        await refused(field, typed, said);
      });
    }
  }

  await test.step('a limit without a price', async () => {
    await ticket.fill({ side: 'Buy', quantity: '1', price: '' });
    await expect(review).toBeDisabled();
    await expect(review).toHaveText('Enter a price');
    await page.keyboard.press('F9');
    await refused(ticket.root.getByLabel('Price', { exact: true }), '', /Price is missing/);
    await expect(ticket.root.getByLabel('Size', { exact: true })).toHaveValue('1');
  });

  await test.step('part of a position', async () => {
    await goTo(page, 'positions');
    await rows(page, 'Positions', SYMBOL).first().getByRole('button', { name: /Close/ }).click();
    const sheet = page.getByTestId('close-sheet');
    await sheet.getByText('Part', { exact: true }).click();
    await sheet.getByRole('button', { name: 'Quantity' }).click();
    const field = sheet.getByLabel('Quantity', { exact: true });
    for (const [typed, said] of NUMBERS) {
      await field.fill(typed);
      await field.blur();
      await refused(field, typed, said);
      await expect(page.getByTestId('close-review')).toBeDisabled();
    }
  });
  await nothingSent(page, practice);
});

test('a symbol that is not in the configuration', async ({ page, practice }) => {
  const ticket = new Ticket(page);
  await ticket.choose(SYMBOL);
  await page.getByTestId('ticket-symbol').click();
  const search = page.getByRole('combobox', { name: 'Search contracts' });
  await search.fill('NOPE-USDT-M');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('listbox', { name: 'Contracts' })).toContainText(
    'No contract fits “NOPE-USDT-M”. Choose a listed one.',
  );
  await expect(search).toHaveValue('NOPE-USDT-M');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('ticket-symbol')).toContainText(SYMBOL);

  // Whatever the window lets through: the main process names the field too.
  const answer = await page.evaluate(async () => {
    const { ballast } = globalThis as never as {
      ballast: Record<string, (input: unknown) => Promise<unknown>>;
    };
    return ballast['orders.review']!({
      connectionId: 'practice',
      kind: 'order',
      request: { symbolId: 'NOPE-USDT-M', side: 'BUY', type: 'MARKET', quantity: '1' },
      reference: null,
    });
  });
  expect(answer).toMatchObject({
    ok: false,
    failure: { field: 'symbolId', code: '700041', next: 'Choose a listed contract.' },
  });
  await nothingSent(page, practice);
});

test('a connection that cannot be', async ({ page, practice, other }) => {
  const good = {
    Name: 'Second desk',
    'Base URL': other.url,
    'API key': other.credentials.key,
    Secret: other.credentials.secret,
  };
  const editor = await ConnectionEditor.add(page, good);
  const untouched = async (except: string): Promise<void> => {
    for (const [label, text] of Object.entries(good))
      if (label !== except) await expect(editor.field(label)).toHaveValue(text);
  };

  const wrong: readonly (readonly [label: string, typed: string, said: RegExp])[] = [
    ['Base URL', 'api.exchange.example', /not a web address; it looks like https:\/\//],
    ['Base URL', 'ftp://api.exchange.example', /ftp:\/\/ is not supported; use https:\/\//],
    ['Base URL', 'http://api.exchange.example', /unencrypted; use https:\/\/.*this computer only/],
    ['Base URL', 'http://192.168.1.20:8080', /unencrypted; use https:\/\//],
    ['Secret', 'é'.repeat(1001), /takes 2028 bytes; a keychain item holds 2000\. Check that only the secret/],
    ['Payload to sign', '{timestamp}{stamp}', /unknown placeholder \{stamp\}; known: \{timestamp\}/],
  ];
  for (const [label, typed, said] of wrong) {
    await test.step(`${label}: ${typed.slice(0, 40)}`, async () => {
      const field = editor.field(label);
      const before = await field.inputValue();
      await field.fill(typed);
      for (const act of [() => editor.save(), () => editor.test()]) {
        await act();
        await refused(field, typed, said);
        await untouched(label);
      }
      await field.fill(before);
      await expect(field).not.toHaveAttribute('aria-invalid', 'true');
    });
  }
  expect(Object.values(await received(other)).every((count) => count === 0)).toBe(true);
  await expect(page.getByRole('button', { name: /Second desk/ })).toHaveCount(0);
  await nothingSent(page, practice);
});

test('a connection that leads nowhere', async ({ page, practice, other }) => {
  const { key, secret } = other.credentials;
  const good = { Name: 'Second desk', 'Base URL': other.url, 'API key': key, Secret: secret };
  const editor = await ConnectionEditor.add(page, good);

  const wrong: readonly (readonly [label: string, typed: string, step: string, said: RegExp])[] = [
    ['Base URL', `${other.url}/v2`, 'reach', /base URL does not have this interface.*It ends before \/ftapi/],
    ['Base URL', 'http://127.0.0.1:1', 'reach', /Nothing answers at the base URL.*Check the base URL/],
    [
      'Base URL',
      'https://exchange.invalid',
      'reach',
      /host of the base URL was not found.*Check the base URL/,
    ],
    ['API key', 'no-such-key', 'account', /Check the API key/],
    ['Secret', 'not-the-secret', 'account', /Check the API secret/],
  ];
  for (const [label, typed, step, said] of wrong) {
    await test.step(`${label}: ${typed}`, async () => {
      const field = editor.field(label);
      await field.fill(typed);
      await editor.test();
      await expect(editor.step(step)).toHaveAttribute('data-state', 'failed');
      await expect(editor.step(step)).toContainText(said);
      await expect(editor.step('orders')).toHaveAttribute('data-state', 'skipped');
      await refused(field, typed, said);
      await field.fill(good[label as keyof typeof good]);
      await expect(field).not.toHaveAttribute('aria-invalid', 'true');
    });
  }

  for (const [action, step, said] of [
    ['html', 'reach', /The base URL answers with a web page instead of JSON\. Check the base URL/],
    ['no-data', 'account', /an envelope without “data”.*Check the base URL/],
  ] as const) {
    await test.step(action, async () => {
      await controls(other, '/faults', { endpoint: '*', action, times: 0 });
      await editor.test();
      await expect(editor.step(step)).toHaveAttribute('data-state', 'failed');
      await expect(editor.step(step)).toContainText(said);
      for (const [label, text] of Object.entries(good)) await expect(editor.field(label)).toHaveValue(text);
      await controls(other, '/faults', undefined, 'DELETE');
    });
  }

  await test.step('what was typed works once nothing is wrong', async () => {
    await editor.test();
    await expect(editor.step('account')).toHaveAttribute('data-state', 'passed');
  });
  await nothingSent(page, other);
  await nothingSent(page, practice);
});

test('a wrong key, saved and opened', async ({ page, practice, other }) => {
  const { url: baseUrl, credentials } = other;
  const editor = await ConnectionEditor.add(page, {
    Name: 'Second desk',
    'Base URL': baseUrl,
    'API key': 'no-such-key',
    Secret: credentials.secret,
  });
  await editor.save();
  await page.getByRole('button', { name: 'Switch to it' }).click();
  const banner = page.getByRole('alert').filter({ hasText: 'The exchange refuses to show this account' });
  await expect(banner).toContainText(/refused with code 401\..*Check the API key/);
  await goTo(page, 'positions');
  await expect(page.getByTestId('ticket-review')).toBeDisabled();
  await expect(page.getByTestId('ticket-review')).toContainText('Test this connection first');
  await expect(page.locator('main')).toContainText('Positions could not be read');
  await nothingSent(page, other);
  await nothingSent(page, practice);
});

test('a save path that cannot be written', async ({ page, practice, ballast, profile }) => {
  await goTo(page, 'trades');
  await mkdir(join(profile, 'taken.csv'));
  await writeFile(join(profile, 'file'), '');
  await page.keyboard.press('Control+e');
  const panel = page.getByRole('region', { name: 'Export CSV' });

  for (const [path, said] of [
    ['gone/trades.csv', /was not written: the folder does not exist.*Choose a folder that exists/],
    ['file/trades.csv', /a part of the path is a file, not a folder.*Choose a folder that exists/],
    ['taken.csv', /a folder has this name.*Choose another name/],
  ] as const) {
    const filePath = join(profile, path);
    await ballast.app.evaluate(({ dialog }, to) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: to });
    }, filePath);
    await panel.getByRole('button', { name: /^Export \d/ }).click();
    await expect(panel.locator('[data-export="failed"]').getByRole('alert')).toHaveText(said);
    await expect(panel.locator('[data-export="failed"]').getByRole('alert')).toContainText(filePath);
  }
  await nothingSent(page, practice);
});
