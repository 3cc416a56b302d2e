/**
 * Settings, Data: check, backup and restore of the archive, succeeding and failing; records the exchange sent twice
 * with different content.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startPractice } from '../src-practice/index.ts';
import { expect, launch, SHARED, test } from './fixture.ts';
import {
  goTo,
  openData,
  openFrom,
  openLive,
  ownFolder,
  rows,
  saveAs,
  stored,
  synced,
} from './page-objects.ts';

test(
  'checks, backs up and restores the archive, and reports why a file cannot be written or read',
  SHARED,
  async ({ ballast, page, profile }) => {
    const exchange = await startPractice({ seed: 11, history: 1_200 });
    await openLive(page, exchange);
    await synced(page);
    await openData(page);
    await expect.poll(() => stored(page)).toMatch(/^\d,\d{3}$/);
    const before = await stored(page);

    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await expect(
      page.getByRole('list', { name: 'Result of the check' }).locator('[data-ok="true"]'),
    ).toHaveCount(4);

    const at = async (name: string): Promise<string> => join(await ownFolder(), name);
    const backup = await at('backup.sqlite');
    await test.step('backed up', async () => {
      await saveAs(ballast, backup);
      await page.getByRole('button', { name: 'Back up…' }).click();
      await expect(page.getByText('Backed up,')).toBeVisible();
      expect(readdirSync(dirname(backup))).toEqual(['backup.sqlite']);
      const copy = new DatabaseSync(backup, { readOnly: true });
      const { n } = copy.prepare('SELECT count(*) AS n FROM trade').get() as { readonly n: number };
      copy.close();
      expect(n.toLocaleString('en')).toBe(before);

      await saveAs(ballast, await at('none/copy.sqlite'));
      await page.getByRole('button', { name: 'Back up…' }).click();
      await expect(page.getByRole('alert').filter({ hasText: 'was not written' })).toBeVisible();
    });

    const restore = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Restore…' }).click();
      await page.getByRole('button', { name: 'Choose the backup…' }).click();
      await expect(page.getByRole('button', { name: 'Restore…' })).toBeFocused();
    };
    await test.step('a damaged backup is rejected, and the archive is unchanged', async () => {
      const damaged = await at('damaged.sqlite');
      writeFileSync(damaged, readFileSync(backup).fill(7, 5_000, 60_000));
      await openFrom(ballast, damaged);
      await restore();
      await expect(
        page.getByRole('alert').filter({ hasText: 'damaged.sqlite was not restored' }),
      ).toContainText('The archive is as it was.');
      await expect.poll(() => stored(page)).toBe(before);
    });

    await test.step('a valid backup is restored, and the replaced archive is kept', async () => {
      await openFrom(ballast, backup);
      await restore();
      await expect(page.getByText('Restored from backup.sqlite')).toBeVisible();
      const kept = readdirSync(join(profile, 'archive')).filter((name) => name.includes('.replaced-'));
      expect(kept).not.toEqual([]);
      await expect.poll(() => stored(page)).toBe(before);
      await goTo(page, 'positions');
      await expect(rows(page, 'Positions', 'SOL-USDT-M').first()).toBeVisible();
    });
    await exchange.stop();
  },
);

test('shows a trade sent with different content, an unlisted time and a wrong sum, each with the difference', async ({
  practice,
  profile,
}) => {
  const first = await launch(profile, practice);
  await synced(first.page);
  await first.app.close();

  // As if the exchange had sent the newest trade with another price, and had cut off within a millisecond.
  const folder = join(profile, 'archive');
  const name = readdirSync(folder).find((file) => file.endsWith('.sqlite')) ?? '';
  const db = new DatabaseSync(join(folder, name));
  const newest = 'SELECT seq FROM trade ORDER BY trade_time DESC, trade_id DESC LIMIT 1';
  db.exec(`UPDATE trade SET price = '123.25' WHERE seq = (${newest});
    UPDATE trade_day SET fee = '1';
    INSERT INTO order_gap VALUES (1700000000000, 1700000000000, 'BTC-USDT-M', 'more than one reply lists');`);
  db.close();

  const { app, page } = await launch(profile, practice);
  await synced(page);
  await openData(page);
  await expect(page.getByText('received again with differences')).toBeVisible();
  const differing = page.getByRole('row').filter({ hasText: '123.25' });
  await expect(differing).toHaveCount(1);
  await expect(differing.getByRole('cell').first()).toHaveText('price');
  await expect(page.locator('[data-resource="Order history"]')).toContainText('Gaps');
  await expect(page.getByRole('listitem').filter({ hasText: 'more than one reply lists' })).toContainText(
    'Order history, BTC-USDT-M',
  );

  await page.getByRole('button', { name: 'Check', exact: true }).click();
  const result = page.getByRole('list', { name: 'Result of the check' });
  await expect(result.locator('[data-ok="true"]')).toHaveCount(3);
  await expect(result.locator('[data-ok="false"]')).toContainText('Sums of trades by day');
  await app.close();
});
