/** Every layout and table of the export, made in the window and read by another CSV reader; and the import. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import type { Trade } from '../src-shared/exchange-api/trade.ts';
import { controls, expect, SHARED, test } from './fixture.ts';
import { goTo, openFrom, ownFolder, saveAs } from './page-objects.ts';

/** From the tools' own documentation. */
const HEADERS: Readonly<Record<string, string>> = {
  Koinly: 'Koinly Date,Amount,Currency,Tag,Description,TxHash',
  CoinTracking:
    'Type,Buy Amount,Buy Currency,Sell Amount,Sell Currency,Fee,Fee Currency,Exchange,Trade-Group,Comment,Date,Tx-ID',
  CoinTracker:
    'Date,Received Quantity,Received Currency,Sent Quantity,Sent Currency,Fee Amount,Fee Currency,Tag',
  rotki: 'Type,Location,Currency,Amount,Fee,Fee Currency,Description,Timestamp',
  BittyTax:
    'Type,Buy Quantity,Buy Asset,Buy Value in GBP,Sell Quantity,Sell Asset,Sell Value in GBP,Fee Quantity,Fee Asset,Fee Value in GBP,Wallet,Timestamp,Note',
  Blockpit:
    'Date (UTC),Integration Name,Label,Outgoing Asset,Outgoing Amount,Incoming Asset,Incoming Amount,Fee Asset (optional),Fee Amount (optional),Comment (optional),Trx. ID (optional)',
  CryptoTaxCalculator:
    'Timestamp (UTC),Type,Base Currency,Base Amount,Quote Currency (Optional),Quote Amount (Optional),Fee Currency (Optional),Fee Amount (Optional),From (Optional),To (Optional),Blockchain (Optional),ID (Optional),Description (Optional),Reference Price Per Unit (Optional),Reference Price Currency (Optional)',
};
const TABLES: Readonly<Record<string, string>> = {
  'Order history, all fields': 'id',
  'Positions, all fields': 'symbolId',
  'Balances, all fields': 'coin',
};

const panel = (page: Page) => page.getByRole('region', { name: 'Export CSV' });

async function written(page: Page, path: string): Promise<string> {
  await panel(page)
    .getByRole('button', { name: /^Export / })
    .click();
  await expect(page.locator('[data-export]').first()).toContainText(
    `Saved ${path.split('/').at(-1) ?? path}`,
  );
  return readFile(path, 'utf8');
}

test(
  'exports every layout and table, and imports a file again',
  SHARED,
  async ({ page, ballast, practice }) => {
    const folder = await ownFolder();
    const wanted = (await controls(practice, '/trades')) as Trade[];
    await goTo(page, 'trades');
    await expect(page.getByRole('group', { name: 'Totals of this filter' })).toContainText(
      `Trades ${wanted.length}`,
    );
    await page.keyboard.press('Control+e');
    const layout = panel(page).getByLabel('Layout');

    for (const [title, header] of Object.entries(HEADERS)) {
      await test.step(title, async () => {
        await layout.selectOption({ label: title });
        const path = join(folder, `${title}.csv`);
        await saveAs(ballast, path);
        const text = await written(page, path);
        const [first = ''] = text.split('\r\n');
        expect(first.replaceAll('"', '')).toBe(header);
        const rows: string[][] = parse(text);
        expect(rows.length).toBeGreaterThan(1);
        for (const row of rows) expect(row).toHaveLength(rows[0]!.length);
        await expect(panel(page).getByRole('list', { name: 'Totals of the file' })).toContainText(
          `${wanted.length} trades`,
        );
        await expect(panel(page).getByRole('list', { name: 'Totals of the file' })).toContainText(
          'agrees with the archive',
        );
      });
    }

    await test.step('Koinly’s column is spelled as chosen', async () => {
      await layout.selectOption({ label: 'Koinly' });
      const rows = panel(page).getByLabel('First rows of the file');
      await expect(rows).toContainText('Currency,Tag,Description');
      await panel(page)
        .getByLabel('Header of the tag column')
        .selectOption({ label: 'Label, as in its older templates' });
      await expect(rows).toContainText('Currency,Label,Description');
      const path = join(folder, 'koinly-label.csv');
      await saveAs(ballast, path);
      expect((await written(page, path)).split('\r\n')[0]).toContain('Currency,Label,Description');
    });

    await test.step('a coin gets another identifier for rotki', async () => {
      await layout.selectOption({ label: 'rotki' });
      await expect(panel(page)).toContainText('a second import doubles its rows');
      const rows = panel(page).getByLabel('First rows of the file');
      const field = panel(page).getByLabel('rotki’s identifier of USDT');
      await expect(field).toHaveValue('eip155:1/erc20:0xdAC17F958D2ee523a2206206994597C13D831ec7');
      await field.fill('two words');
      await field.press('Tab');
      await expect(panel(page)).toContainText('without spaces');
      await field.fill('eip155:10/erc20:0x94b008aA00579c1307B0EF2c499aD98a8ce58e58');
      await field.press('Tab');
      await expect(rows).toContainText('external,eip155:10/erc20:0x94b008aA00579c1307B0EF2c499aD98a8ce58e58');
      await field.fill('');
      await field.press('Tab');
      await expect(rows).toContainText('external,eip155:1/erc20:');
    });

    for (const [title, key] of Object.entries(TABLES)) {
      await test.step(title, async () => {
        await panel(page).getByLabel('Table').selectOption({ label: title });
        const path = join(folder, `${key}.csv`);
        await saveAs(ballast, path);
        const rows = parse<Record<string, string>>(await written(page, path), { columns: true });
        expect(rows.length).toBeGreaterThan(0);
        expect(rows.every((row) => (row[key] ?? '') !== '')).toBe(true);
      });
    }

    await test.step('rejects a decimal comma together with a comma between cells', async () => {
      await panel(page).getByLabel('Table').selectOption({ label: 'Trades' });
      await layout.selectOption({ label: 'Full' });
      await panel(page).getByLabel('Decimal mark').selectOption({ label: 'Comma 1234,56' });
      await expect(panel(page).getByRole('alert')).toContainText('semicolon');
      await panel(page).getByLabel('Decimal mark').selectOption({ label: 'Point 1234.56' });
    });

    await test.step('reports a path that cannot be written, and what to do', async () => {
      await mkdir(join(folder, 'taken.csv'));
      await writeFile(join(folder, 'file'), '');
      for (const [name, message] of [
        ['gone/trades.csv', /was not written: the folder does not exist.*Choose a folder that exists/],
        ['file/trades.csv', /a part of the path is a file, not a folder.*Choose a folder that exists/],
        ['taken.csv', /a folder has this name.*Choose another name/],
      ] as const) {
        const path = join(folder, name);
        await saveAs(ballast, path);
        await panel(page)
          .getByRole('button', { name: /^Export \d/ })
          .click();
        const alert = panel(page).locator('[data-export="failed"]').getByRole('alert');
        await expect(alert).toHaveText(message);
        await expect(alert).toContainText(path);
      }
    });

    const full = join(folder, 'full.csv');
    await test.step('importing a file of the layout Full again adds nothing', async () => {
      await saveAs(ballast, full);
      await written(page, full);
      await openFrom(ballast, full);
      await panel(page).getByRole('button', { name: 'Import…' }).click();
      await expect(page.locator('[data-import="done"]')).toContainText(
        `0 new trades, ${wanted.length} already stored`,
      );
    });

    await test.step('rejects a damaged file completely, naming line and column', async () => {
      const lines = (await readFile(full, 'utf8')).split('\r\n');
      const damaged = join(folder, 'damaged.csv');
      lines[3] = (lines[3] ?? '').replace(/,(BUY|SELL),([\d.]+),/, ',$1,12x4,');
      await writeFile(damaged, lines.join('\r\n'));
      await openFrom(ballast, damaged);
      await panel(page).getByRole('button', { name: 'Import…' }).click();
      const alert = panel(page).getByRole('alert');
      await expect(alert).toContainText('4');
      await expect(alert).toContainText('price');
      await expect(alert).toContainText('12x4');
      await expect(page.getByRole('group', { name: 'Totals of this filter' })).toContainText(
        `Trades ${wanted.length}`,
      );
    });
  },
);
