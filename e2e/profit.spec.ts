/** An exchange that deducts fees from closed PnL: detected, shown with its evidence, and no fee counts twice. */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HabitExchange } from '../tests/session/habit-exchange.ts';
import { expect, launch, test } from './fixture.ts';
import { goTo, openSynced, ownFolder, saveAs } from './page-objects.ts';

const FOUND = {
  'before-fees': /The exchange’s closed PnL is before fees \([\d,]+ closed positions?: [\d,]+ before fees/,
  'after-fees':
    /The exchange’s closed PnL is after the fee of the closing order \([\d,]+ closed positions?: [\d,]+ after the closing fee.*none is counted twice/,
} as const;

test('one account, its profits before and after fees: the same statistics and the same tax file', async () => {
  const folder = await ownFolder();
  const results: string[][] = [];
  for (const profit of ['before-fees', 'after-fees'] as const)
    await test.step(profit, async () => {
      const exchange = await HabitExchange.start({ profit });
      const profile = join(folder, profit);
      await mkdir(profile);
      const ballast = await launch(profile, exchange.practice);
      const { app, page } = ballast;

      await openSynced(page);
      await goTo(page, 'overview');
      await page.getByRole('tab', { name: 'Statistics' }).click();
      const pane = page.getByRole('tabpanel').filter({ hasText: 'Win rate' });
      await expect(pane).toContainText(FOUND[profit]);
      const net = await pane.locator('dd').first().textContent();

      await goTo(page, 'trades');
      await page.keyboard.press('Control+e');
      const panel = page.getByRole('region', { name: 'Export CSV' });
      await panel.getByLabel('Layout').selectOption({ label: 'Koinly' });
      await expect(panel).toContainText(FOUND[profit]);
      const path = join(folder, `${profit}.csv`);
      await saveAs(ballast, path);
      await panel.getByRole('button', { name: /^Export \d/ }).click();
      await expect(page.locator('[data-export="done"]')).toContainText('agrees with the archive');
      results.push([net ?? '', await readFile(path, 'utf8')]);

      await app.close();
      await exchange.stop();
    });
  const [gross, after] = results;
  expect(gross![0]).toMatch(/\d/);
  expect(after).toEqual(gross);
});
