/** Settings, Data: the check and the backup of the archive, done and refused; the sync strip that leads there. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, launch, setTheme, test, type Ballast } from './fixture.ts';
import { goTo, saveAs } from './page-objects.ts';

test.use({ exchange: { seed: 7, history: 3_000 } });

test('the archive is checked, backed up, and a backup that cannot be written says why', async ({
  ballast,
  page,
}, info) => {
  const at = (name: string): string => info.outputPath(name);
  await goTo(page, 'trades');
  await expect(page.locator('[data-figure="orders"]')).toContainText('complete');
  await expect(page.getByRole('status').filter({ hasText: 'Complete' }).first()).toBeVisible();
  await page.screenshot({ path: at('trades.png') });

  await goTo(page, 'settings');
  await page.getByRole('button', { name: 'Data', exact: true }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(
    page.getByRole('list', { name: 'Result of the check' }).locator('[data-ok="true"]'),
  ).toHaveCount(4);

  const path = at('copy.sqlite');
  await saveAs(ballast, path);
  await page.getByRole('button', { name: 'Back up…' }).click();
  await expect(page.getByText('Backed up,')).toBeVisible();
  const copy = new DatabaseSync(path, { readOnly: true });
  expect(copy.prepare('SELECT count(*) AS n FROM trade').get()?.['n']).toBeGreaterThanOrEqual(3_000);
  copy.close();
  for (const theme of ['dark', 'light'] as const) {
    await setTheme(page, theme);
    await page.screenshot({ path: at(`data-${theme}.png`), animations: 'disabled' });
  }

  await saveAs(ballast, join(at('none'), 'copy.sqlite'));
  await page.getByRole('button', { name: 'Back up…' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'was not written' })).toBeVisible();
  expect(existsSync(`${path}.part`)).toBe(false);
  await page.screenshot({ path: at('data-refused.png') });
});

test('a trade the exchange tells otherwise, and a time it would not list, are shown with what differs', async ({
  practice,
  profile,
}) => {
  const synced = async ({ page }: Ballast): Promise<void> => {
    await goTo(page, 'trades');
    await expect(page.locator('[data-figure="orders"]')).toContainText('complete');
    await expect(page.getByRole('status').filter({ hasText: 'Complete' }).first()).toBeVisible();
  };
  const first = await launch(profile, practice);
  await synced(first);
  await first.app.close();

  // As if the newest trade had been told at another price then, and the exchange had cut a full millisecond short.
  const folder = join(profile, 'archive');
  const name = readdirSync(folder).find((file) => file.endsWith('.sqlite')) ?? '';
  const db = new DatabaseSync(join(folder, name));
  const newest = 'SELECT seq FROM trade ORDER BY trade_time DESC, trade_id DESC LIMIT 1';
  db.exec(`UPDATE trade SET price = '123.25' WHERE seq = (${newest});
    INSERT INTO order_gap VALUES (1700000000000, 1700000000000, 'BTC-USDT-M', 'more than one reply lists');`);
  db.close();

  const second = await launch(profile, practice);
  const { page } = second;
  await synced(second);
  await goTo(page, 'settings');
  await page.getByRole('button', { name: 'Data', exact: true }).click();
  await expect(page.getByText('told otherwise')).toBeVisible();
  const differing = page.getByRole('row').filter({ hasText: '123.25' });
  await expect(differing).toHaveCount(1);
  await expect(differing.getByRole('cell').first()).toHaveText('price');
  await expect(page.locator('[data-resource="Order history"]')).toContainText('gaps');
  await expect(page.getByRole('listitem').filter({ hasText: 'more than one reply lists' })).toContainText(
    'Order history, BTC-USDT-M',
  );
  await second.app.close();
});

test('a check that takes long is followed, cancelled and asked for again', async ({ practice, profile }) => {
  test.slow();
  const first = await launch(profile, practice);
  await goTo(first.page, 'trades');
  await expect(first.page.getByRole('status').filter({ hasText: 'Complete' }).first()).toBeVisible();
  await first.app.close();

  // Its newest trade three hundred thousand times over, with no sums: reading them all takes a second and more.
  const folder = join(profile, 'archive');
  const name = readdirSync(folder).find((file) => file.endsWith('.sqlite')) ?? '';
  const db = new DatabaseSync(join(folder, name));
  db.exec(`INSERT INTO trade
    SELECT NULL, trade_time, symbol, side, price, executed_qty, executed_quote_qty, fee, fee_asset, liquidity, "offset",
      order_id, 8000000000000000000 + value
    FROM (SELECT * FROM trade ORDER BY trade_time DESC LIMIT 1),
      (WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 300000) SELECT value FROM n)`);
  db.close();

  const { app, page } = await launch(profile, practice);
  await goTo(page, 'settings');
  await page.getByRole('button', { name: 'Data', exact: true }).click();
  const check = page.getByRole('button', { name: 'Check', exact: true });
  const result = page.getByRole('list', { name: 'Result of the check' });
  await check.click();
  await expect(page.getByRole('progressbar', { name: 'Check of the archive' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel check' }).click();
  await expect(check).toBeEnabled();
  await expect(page.getByRole('progressbar', { name: 'Check of the archive' })).toHaveCount(0);
  await expect(result).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);

  await check.click();
  // The rows written here have no sums: it reads them all and says so.
  await expect(result).toBeVisible({ timeout: 60_000 });
  await expect(result.locator('[data-ok="true"]')).toHaveCount(3);
  await expect(result.locator('[data-ok="false"]')).toContainText('Sums of trades by day');
  await app.close();
});
