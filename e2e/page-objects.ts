/** Page objects: the user's actions in the window, by visible texts and marks. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Practice } from '../src-practice/index.ts';
import type { ConnectionSettings, ConnectionSummary } from '../src-shared/ipc/connections.ts';
import { connectionSettings } from '../tests/session/connection-settings.ts';
import { callBridge, controls, type Ballast } from './fixture.ts';

export async function goTo(page: Page, screen: string): Promise<void> {
  await page.locator(`[data-screen="${screen}"]`).click();
  // Its script is prefetched, but perhaps not loaded yet: before that the screen has no keys.
  await expect(page.locator('main [data-loading]')).toHaveCount(0);
}

/** Opens Trades; resolves when every trade and order is read, which figures and files need to be the final ones. */
export async function openSynced(page: Page): Promise<void> {
  await goTo(page, 'trades');
  const sync = page.getByRole('region', { name: 'Trade sync' });
  await expect(sync).toContainText('Complete');
  await expect(sync).toContainText('orders, complete');
}

export class Ticket {
  readonly page: Page;
  readonly root: Locator;
  constructor(page: Page) {
    this.page = page;
    this.root = page.getByTestId('ticket');
  }

  async choose(symbolId: string): Promise<void> {
    await this.page.getByTestId('ticket-symbol').click();
    await this.page.getByRole('combobox', { name: 'Search contracts' }).fill(symbolId);
    // A filter's list has options of the same names.
    await this.page
      .locator('li')
      .and(this.page.getByRole('option', { name: symbolId }))
      .click();
    await expect(this.page.getByTestId('ticket-symbol')).toContainText(symbolId);
  }

  /** Fills the ticket; a price makes it a limit order. */
  async fill(order: { side: 'Buy' | 'Sell'; quantity: string; price?: string }): Promise<void> {
    await this.root.getByRole('radio', { name: order.side }).click();
    await this.root
      .getByRole('radiogroup', { name: 'Type' })
      .getByText(order.price === undefined ? 'Market' : 'Limit', { exact: true })
      .click();
    if (order.price !== undefined) await this.root.getByLabel('Price', { exact: true }).fill(order.price);
    await this.root.getByLabel('Size', { exact: true }).fill(order.quantity);
  }

  async review(): Promise<Sheet> {
    await this.page.getByTestId('ticket-review').click();
    const sheet = new Sheet(this.page);
    await expect(sheet.root).toBeVisible();
    return sheet;
  }
}

export class Sheet {
  readonly page: Page;
  readonly root: Locator;
  constructor(page: Page) {
    this.page = page;
    this.root = page.getByRole('dialog').filter({ has: page.getByTestId('confirm-sheet') });
  }

  /** The exact body shown, as it will be sent. */
  async body(): Promise<string> {
    return (await this.page.getByTestId('confirm-body').textContent()) ?? '';
  }

  private async tickAll(): Promise<void> {
    // The boxes are those of the sheet that is shown: before that there are none.
    await expect(this.root).toBeVisible();
    for (const box of await this.root.getByRole('checkbox').all()) await box.check({ force: true });
  }

  /** Ticks the required boxes, and sends. */
  async press(): Promise<void> {
    await this.tickAll();
    await this.page.getByTestId('confirm-send').click();
  }

  /** Sends, and waits for the outcome's text. */
  async send(): Promise<void> {
    await this.press();
    await expect(this.page.getByTestId('confirm-outcome')).toBeVisible();
  }

  /** `accepted`, `rejected`, `unknown`, `not-sent`. */
  outcome(): Promise<string | null> {
    return this.page.getByTestId('confirm-outcome').getAttribute('data-state');
  }

  orderId(): Promise<string | null> {
    return this.page.getByTestId('confirm-order-id').textContent();
  }

  /** Closes it, as Done or, while the outcome is unknown, as Close. */
  async done(): Promise<void> {
    await this.root.getByRole('button', { name: /^(Done|Close)$/ }).click();
    await expect(this.root).toBeHidden();
  }
}

/** A table, whether its rows open or not. */
export const tableOf = (page: Page, name: string): Locator =>
  page.getByRole('treegrid', { name }).or(page.getByRole('grid', { name }));

/** The rows of a table that contain a text. */
export const rows = (page: Page, table: string, text: string | RegExp): Locator =>
  tableOf(page, table).getByRole('row').filter({ hasText: text });

/** A figure as text, without grouping and sign characters. */
export const digits = (shown: string | null): string =>
  (shown ?? '').replace(/[,\s≈]/g, '').replace('−', '-');

/** A reading that three looks in a row agree on: what depends on the window's size follows it some frames later. */
export async function settled<T>(read: () => Promise<T>): Promise<T> {
  let last = await read();
  let same = 0;
  await expect
    .poll(
      async () => {
        const now = await read();
        same = isDeepStrictEqual(now, last) ? same + 1 : 0;
        last = now;
        return same;
      },
      { intervals: [100] },
    )
    .toBeGreaterThan(1);
  return last;
}

/** Resizes the window; resolves once the page knows its new size, with the next frame: until then keys act by the old one. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** The form of a connection in Settings. */
export class ConnectionEditor {
  readonly page: Page;
  readonly form: Locator;
  constructor(page: Page) {
    this.page = page;
    this.form = page.locator('form').filter({ has: page.getByLabel('Base URL') });
  }

  /** An empty form, filled with `fields`. */
  static async add(page: Page, fields: Readonly<Record<string, string>>): Promise<ConnectionEditor> {
    await goTo(page, 'settings');
    await page.getByRole('button', { name: 'Add connection' }).click();
    const editor = new ConnectionEditor(page);
    await editor.fill(fields);
    return editor;
  }

  /** Shows the fields that the API page of an exchange rarely names. */
  openSigning(): Promise<void> {
    return this.form.getByText('Signing details').click();
  }

  field(label: string): Locator {
    return this.form.getByLabel(label, { exact: true }).first();
  }

  async fill(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, text] of Object.entries(fields)) await this.field(label).fill(text);
  }

  save(): Promise<void> {
    return this.form.getByRole('button', { name: 'Save connection' }).click();
  }

  /** Runs the connection test on the typed values. */
  test(): Promise<void> {
    return this.page.getByRole('button', { name: 'Test', exact: true }).click();
  }

  /** One step of the last test: `reach`, `account`. */
  step(name: string): Locator {
    return this.page.locator(`[data-step="${name}"]`);
  }
}

/** Adds a connection without its form, tests and opens it, and unlocks it for the first time. */
export async function openLive(
  page: Page,
  { url, credentials }: Pick<Practice, 'url' | 'credentials'>,
  changes: Partial<ConnectionSettings> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<ConnectionSummary> {
  const own = { name: 'My desk', baseUrl: url, apiKey: credentials.key };
  const settings = connectionSettings({ ...own, ...changes });
  const secret = { secret: credentials.secret, headers };
  const added = await callBridge<ConnectionSummary>(page, 'connections.add', { settings, secret });
  await callBridge(page, 'connections.test', { connectionId: added.id });
  await callBridge(page, 'connections.select', { connectionId: added.id });
  await callBridge(page, 'trading.setLock', { lock: 'off' });
  await expect(page.locator('html')).toHaveAttribute('data-account', 'live');
  return added;
}

/** Sends an order whose reply is lost, before or after the exchange acted on it; returns its sheet, still open. */
export async function sendLosing(page: Page, practice: Practice, accept: boolean): Promise<Sheet> {
  await controls(practice, '/faults', { endpoint: 'order', action: 'reset', accept });
  const ticket = new Ticket(page);
  await ticket.choose('SOL-USDT-M');
  await ticket.fill({ side: 'Buy', quantity: '1.5', price: '138.50' });
  const sheet = await ticket.review();
  await sheet.send();
  return sheet;
}
/** The same to its end: its outcome is unknown, and the sheet is closed. */
export async function loseReply(page: Page, practice: Practice, accept: boolean): Promise<void> {
  const sheet = await sendLosing(page, practice, accept);
  // The sheet follows its order: it may be reconciled before this is read.
  expect(['unknown', 'matched']).toContain(await sheet.outcome());
  await sheet.done();
}

/** A folder of the running test, empty when it begins. */
export async function ownFolder(): Promise<string> {
  const { outputDir } = test.info();
  await mkdir(outputDir, { recursive: true });
  return outputDir;
}

/** Makes the save dialog return this path from now on. */
export const saveAs = ({ app }: Pick<Ballast, 'app'>, path: string): Promise<void> =>
  app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, path);

/** Makes the open dialog return this path from now on. */
export const openFrom = ({ app }: Pick<Ballast, 'app'>, path: string): Promise<void> =>
  app.evaluate(({ dialog }, filePath) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] });
  }, path);

/** Makes the save dialog return `name` in the test's own folder; returns its path. */
export async function saveTo(ballast: Pick<Ballast, 'app'>, name: string): Promise<string> {
  const path = join(await ownFolder(), name);
  await saveAs(ballast, path);
  return path;
}

/**
 * Opens the export and saves what it offers to the path of the save dialog, whose file `name` is: an export before it may
 * be shown as done, too.
 */
export async function exportShown(page: Page, name = '', timeout = 120_000): Promise<void> {
  await page.keyboard.press('Control+e');
  await page
    .getByRole('region', { name: 'Export CSV' })
    .getByRole('button', { name: /^Export \d/ })
    .click();
  await expect(page.locator('[data-export="done"]')).toContainText(`Saved ${name}`, { timeout });
}

export async function openData(page: Page): Promise<void> {
  await goTo(page, 'settings');
  await page.getByRole('button', { name: 'Data', exact: true }).click();
}
/** Number of trades in the archive, as Settings › Data shows it; empty while it loads. */
export const stored = async (page: Page): Promise<string> => {
  const text = await page.locator('dd').filter({ hasText: 'trades ·' }).textContent();
  return /([\d,]+) trades/.exec(text ?? '')?.[1] ?? '';
};

/** The names of all screens, in their order. */
export async function screensOf(page: Page): Promise<readonly string[]> {
  const screens = await page
    .locator('[data-screen]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-screen') ?? ''));
  expect(screens.length).toBeGreaterThan(5);
  return screens;
}

/** Resolves when the archive has every trade and order. */
export async function synced(page: Page): Promise<void> {
  await goTo(page, 'trades');
  await expect(page.locator('[data-figure="orders"]')).toContainText('complete');
  await expect(page.getByRole('status').filter({ hasText: 'Complete' }).first()).toBeVisible();
}
