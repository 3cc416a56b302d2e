/**
 * The main job by keys and mouse alone, as the X server delivers them: a limit order, a market order, closing the
 * position, the export, and the file compared with the exchange's list. Nothing is read from the page.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Trade } from '../../src-shared/exchange-api/trade.ts';
import {
  expect,
  opened,
  openExport,
  openSaveDialog,
  ordersReceived,
  pageOf,
  sendLimitOrder,
  sendMarketOrder,
  sendReview,
  SYMBOL,
  test,
  typeCommand,
} from './desktop.ts';
import { controls } from '../fixture.ts';
import { rowsOfFile, rowsOfTrades } from '../trade-rows.ts';

/** Number of trades in the profile's archive. */
async function stored(profile: string): Promise<number> {
  const folder = join(profile, 'archive');
  const name = (await readdir(folder)).find((one) => one.endsWith('.sqlite')) ?? '';
  const archive = new DatabaseSync(join(folder, name), { readOnly: true, timeout: 60_000 });
  const { n } = archive.prepare('SELECT count(*) AS n FROM trade').get() as { readonly n: number };
  archive.close();
  return n;
}

test('trade, close and export by X events', async ({ desktop, profile, practice }, info) => {
  const { app, frame, area } = await opened(desktop, { profile, practice });
  const page = pageOf(area);
  const picture = async (name: string): Promise<void> => {
    await desktop.picture(info.outputPath(`${name}.png`));
    await info.attach(name, { path: info.outputPath(`${name}.png`) });
  };
  await picture('started');

  await test.step('a limit order rests', async () => {
    await sendLimitOrder(desktop, area, practice);
    await picture('limit');
  });
  await test.step('a market order fills', async () => {
    const before = ((await controls(practice, '/trades')) as Trade[]).length;
    await sendMarketOrder(desktop, area, practice);
    await expect
      .poll(async () => ((await controls(practice, '/trades')) as Trade[]).length)
      .toBeGreaterThan(before);
  });
  await test.step('the position is closed', async () => {
    await typeCommand(desktop, area, 'close sol');
    await desktop.after(page, () => desktop.press('Return'));
    await picture('close');
    await desktop.after(page, () => desktop.press('Return'));
    await sendReview(desktop, area, practice);
  });
  expect(await ordersReceived(practice)).toBe(3);

  const wanted = (await controls(practice, '/trades')) as Trade[];
  // The last fill reaches the archive after its order's reply, and an export writes what is there.
  await expect.poll(() => stored(profile)).toBe(wanted.length);

  const path = join(desktop.home, 'Downloads', 'by-hand.csv');
  await test.step('every trade as CSV, saved by the file dialog', async () => {
    await openExport(desktop, area);
    await openSaveDialog(desktop, area);
    await desktop.press('ctrl+a');
    await desktop.type(path);
    await desktop.press('Return');
    await expect.poll(() => readFile(path, 'utf8').catch(() => '')).toContain(SYMBOL);
    await picture('exported');
  });

  expect(await rowsOfFile(path)).toEqual(rowsOfTrades(wanted));

  expect(await frame.closeToEnd(app)).toBe(0);
});
