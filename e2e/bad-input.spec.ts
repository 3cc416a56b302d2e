/**
 * Bad input: each gets a message at its field with the way out, no typed text is lost, nothing is sent. Errors of
 * the exchange are in bad-replies.spec.ts.
 */
import type { Locator, Page } from '@playwright/test';
import type { Practice } from '../src-practice/index.ts';
import { controls, expect, received, SHARED, test } from './fixture.ts';
import { ConnectionEditor, goTo, rows, Ticket } from './page-objects.ts';

const SYMBOL = 'SOL-USDT-M';
const LONG = '1234567890123456789012345678901234567890';

/** The typed text and its message: the value, what is wrong, the way out. */
const NUMBERS: readonly (readonly [typed: string, message: RegExp])[] = [
  ['1,5', /“1,5” has a comma\. Use a point: “1\.5”\./],
  ['0,085', /“0,085” has a comma\. Use a point: “0\.085”\./],
  [
    '1,085',
    /“1,085” can be read two ways\. Use a point for decimals, “1\.085”, and nothing between thousands, “1085”/,
  ],
  ['15e-1', /“15e-1” has an exponent\. Write it in digits: “1\.5”\./],
  [LONG, /has 40 digits; at most 24 before and 18 after the point/],
  ['0', /“0” must be above 0/],
  ['-2', /“-2” must be above 0\. The side sets the direction/],
];

/** Expects the message at the field, the typed text unchanged, and no order sent. */
async function refused(field: Locator, typed: string, message: RegExp): Promise<void> {
  await expect(field).toHaveAccessibleDescription(message);
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveValue(typed);
}

async function nothingSent(page: Page, practice: Practice): Promise<void> {
  await expect(page.getByTestId('confirm-sheet')).toHaveCount(0);
  expect(await received(practice)).toMatchObject({ order: 0, batchOrders: 0 });
}

test('numbers and symbols in the ticket', SHARED, async ({ page, practice }) => {
  const ticket = new Ticket(page);
  const review = page.getByTestId('ticket-review');
  await ticket.choose(SYMBOL);
  const size = ticket.root.getByLabel('Size', { exact: true });
  const price = ticket.root.getByLabel('Price', { exact: true });

  /** Expects the message at once, and again when continuing. */
  const refusedIn = async (field: Locator, name: string, typed: string, message: RegExp): Promise<void> => {
    await field.fill(typed);
    await field.blur();
    await refused(field, typed, message);
    await expect(review).toBeDisabled();
    await expect(review).toHaveText(`Fix the ${name} to continue`);
    await page.keyboard.press('F9');
    await refused(field, typed, message);
  };
  await test.step('the size: each kind of wrong number', async () => {
    await ticket.fill({ side: 'Buy', quantity: '1', price: '140.00' });
    for (const [typed, message] of NUMBERS) await refusedIn(size, 'size', typed, message);
    await expect(size).toHaveAccessibleDescription(/^Quantity /);
  });
  await test.step('the price', async () => {
    await ticket.fill({ side: 'Buy', quantity: '1', price: '140.00' });
    const [typed, message] = NUMBERS[0]!;
    await refusedIn(price, 'price', typed, message);
    await expect(price).toHaveAccessibleDescription(/^Price /);
  });

  await test.step('a missing value: Review moves the focus to its field', async () => {
    await ticket.fill({ side: 'Buy', quantity: '', price: '140.00' });
    await expect(review).toHaveText('Enter a size');
    await review.click({ force: true });
    await expect(size).toBeFocused();
    await ticket.fill({ side: 'Buy', quantity: '1', price: '' });
    await expect(review).toBeDisabled();
    await expect(review).toHaveText('Enter a price');
    await page.keyboard.press('F9');
    await expect(price).toBeFocused();
    await refused(price, '', /Price is missing/);
    await expect(size).toHaveValue('1');
  });

  await test.step('a symbol that is not in the configuration', async () => {
    await page.getByTestId('ticket-symbol').click();
    const search = page.getByRole('combobox', { name: 'Search contracts' });
    await search.fill('NOPE-USDT-M');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('listbox', { name: 'Contracts' })).toContainText(
      'No contract matches “NOPE-USDT-M”.',
    );
    await expect(search).toHaveValue('NOPE-USDT-M');
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('ticket-symbol')).toContainText(SYMBOL);

    // Whatever the window accepts, the main process names the field too.
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
  });

  await test.step('part of a position', async () => {
    await goTo(page, 'positions');
    await rows(page, 'Positions', SYMBOL).first().getByRole('button', { name: /Close/ }).click();
    const sheet = page.getByTestId('close-sheet');
    await sheet.getByText('Market, part', { exact: true }).click();
    await sheet.getByRole('button', { name: 'Quantity' }).click();
    const field = sheet.getByLabel('Quantity', { exact: true });
    const [typed, message] = NUMBERS[0]!;
    await field.fill(typed);
    await field.blur();
    await refused(field, typed, message);
    await expect(page.getByTestId('close-review')).toBeDisabled();
  });
  await nothingSent(page, practice);
});

/** Input that no connection can have, reported at its field before any request. */
const IMPOSSIBLE: readonly (readonly [label: string, typed: string, message: RegExp])[] = [
  ['Base URL', 'api.exchange.example', /Not a web address; it looks like https:\/\//],
  ['Base URL', 'ftp://api.exchange.example', /ftp:\/\/ is not supported; use https:\/\//],
  ['Base URL', 'http://api.exchange.example', /unencrypted; use https:\/\/.*this computer only/],
  ['Base URL', 'http://192.168.1.20:8080', /unencrypted; use https:\/\//],
  [
    'Secret',
    'é'.repeat(1001),
    /has 2028 bytes; a keychain item holds at most 2000\. Check that only the secret/,
  ],
  ['Payload template', '{timestamp}{stamp}', /Unknown placeholder \{stamp\}; known: \{timestamp\}/],
];

/** Valid input that reaches no exchange, reported by the failing step of the connection test. */
const nowhere = (url: string): readonly (readonly [string, string, string, RegExp])[] => [
  ['Base URL', `${url}/v2`, 'reach', /exchange API was not found at the base URL.*It ends before \/ftapi/],
  ['Base URL', 'http://127.0.0.1:1', 'reach', /No server responds at the base URL.*Check the base URL/],
  ['Base URL', 'https://exchange.invalid', 'reach', /host of the base URL was not found.*Check the base URL/],
  ['API key', 'no-such-key', 'account', /Check the API key/],
  ['Secret', 'not-the-secret', 'account', /Check the API secret/],
];

test(
  'reports an impossible connection, an unreachable one and a wrong key',
  SHARED,
  async ({ page, practice, other }) => {
    const good: Record<string, string> = {
      Name: 'Second desk',
      'Base URL': other.url,
      'API key': other.credentials.key,
      Secret: other.credentials.secret,
    };
    const editor = await ConnectionEditor.add(page, good);
    await editor.openSigning();
    const untouched = async (except = ''): Promise<void> => {
      for (const [label, text] of Object.entries(good))
        if (label !== except) await expect(editor.field(label)).toHaveValue(text);
    };

    for (const [label, typed, message] of IMPOSSIBLE)
      await test.step(`${label}: ${typed.slice(0, 40)}`, async () => {
        const field = editor.field(label);
        const before = await field.inputValue();
        await field.fill(typed);
        for (const act of [() => editor.save(), () => editor.test()]) {
          await act();
          await refused(field, typed, message);
          await untouched(label);
        }
        await field.fill(before);
        await expect(field).not.toHaveAttribute('aria-invalid', 'true');
      });
    expect(Object.values(await received(other)).every((count) => count === 0)).toBe(true);
    await expect(page.getByRole('button', { name: /Second desk/ })).toHaveCount(0);

    for (const [label, typed, step, message] of nowhere(other.url))
      await test.step(`${label}: ${typed}`, async () => {
        const field = editor.field(label);
        await field.fill(typed);
        await editor.test();
        await expect(editor.step(step)).toHaveAttribute('data-state', 'failed');
        await expect(editor.step(step)).toContainText(message);
        await expect(editor.step('orders')).toHaveAttribute('data-state', 'skipped');
        await refused(field, typed, message);
        await field.fill(good[label] ?? '');
        await expect(field).not.toHaveAttribute('aria-invalid', 'true');
      });

    for (const [action, step, message] of [
      ['html', 'reach', /The base URL returns a web page instead of JSON\. Check the base URL/],
      ['no-data', 'account', /a reply without “data”.*Check the base URL/],
    ] as const)
      await test.step(action, async () => {
        await controls(other, '/faults', { endpoint: '*', action, times: 0 });
        await editor.test();
        await expect(editor.step(step)).toHaveAttribute('data-state', 'failed');
        await expect(editor.step(step)).toContainText(message);
        await untouched();
        await controls(other, '/faults', undefined, 'DELETE');
      });

    await test.step('the connection test passes once everything is right', async () => {
      await editor.test();
      await expect(editor.step('account')).toHaveAttribute('data-state', 'passed');
    });

    await test.step('a wrong key, saved and opened', async () => {
      await editor.fill({ 'API key': 'no-such-key' });
      await editor.save();
      await page.getByRole('button', { name: 'Switch to it' }).click();
      const banner = page
        .getByRole('alert')
        .filter({ hasText: 'The exchange rejects access to this account' });
      await expect(banner).toContainText(/rejected the request with code 401\..*Check the API key/);
      await goTo(page, 'positions');
      await expect(page.getByTestId('ticket-review')).toBeDisabled();
      await expect(page.getByTestId('ticket-review')).toContainText(
        'until a test of this connection succeeds',
      );
      await expect(page.locator('main')).toContainText('Positions could not be read');
    });
    await nothingSent(page, other);
    await nothingSent(page, practice);
  },
);
