import type { Page } from '@playwright/test';
import { largeAccount, largeContracts, largeOrders } from '../e2e/large-account.ts';
import { startScripted } from '../e2e/scripted-exchange.ts';
import { median, type BenchFile } from './harness.ts';
import { BALLAST, EMPTY_WINDOW, open } from './window/open.ts';
import { manualPolls } from './window/manual-polls.ts';
import { type Frames, frames, spent, type Spent, manualUpdates } from './window/updates.ts';

const SIZE = { contracts: 400, positions: 200, orders: 6 };
const UPDATES = 12;
const WIDE = { width: 2640, height: 900 };
/** All columns of Positions: at least twenty. */
const ALL_COLUMNS = JSON.stringify({
  order: [],
  hidden: [],
  shown: ['leverageNow', 'lastPrice', 'entryValue', 'maintainMargin', 'fundAmount', 'feeAmount', 'pnl'],
});
/** Other screens that show the same positions. */
const ELSEWHERE = ['overview', 'risk'];
const CELLS = 'table[aria-label="Positions"] tbody td.cell';

/** The texts of the visible cells. */
const texts = (page: Page): Promise<string[][]> =>
  page
    .locator('table[aria-label="Positions"] tbody tr[data-index]')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('td.cell')].map((cell) => cell.textContent.trim())),
    );

const totalsOf = (page: Page): Promise<string[]> =>
  page
    .locator('table[aria-label="Positions"] tfoot [data-column]')
    .evaluateAll((cells) => cells.map((cell) => cell.textContent.trim()).filter((text) => text !== ''));

/** Upper ends of the risk tiers, the same for every contract of the account. */
function tierEnds(contracts: string): number[] {
  const { data } = JSON.parse(contracts) as {
    data: { riskLimitConfigs: { maxPositionValue: number }[] }[];
  };
  return (data[0]?.riskLimitConfigs ?? []).map((tier) => tier.maxPositionValue);
}

/**
 * Measures the main-thread time of one poll that changes 200 positions, compared with writing prepared texts into the
 * same cells (all rows; those in view) and with a hand-written page that also makes the texts. Reports missed frames.
 */
const bench: BenchFile = async ({ report, note }) => {
  const exchange = await startScripted();
  const replies: string[] = [];
  let moving = true;
  let read = Promise.withResolvers<null>();
  exchange.answer('account', () => {
    read.resolve(null);
    read = Promise.withResolvers();
    if (moving) replies.push(largeAccount(exchange.reply, SIZE, replies.length));
    return replies.at(-1) ?? '';
  });
  exchange.answer('openOrders', largeOrders(exchange.reply, SIZE));
  const contracts = largeContracts(exchange.reply, SIZE);
  exchange.answer('symbolConfig', contracts);
  const app = await open(BALLAST, 'main [data-field="totalEquities"]', {
    BALLAST_PRACTICE: JSON.stringify({ url: exchange.url, key: 'key', secret: 'secret' }),
  });
  const { page } = app;
  await page.setViewportSize(WIDE);
  await page.evaluate((layout) => localStorage.setItem('ballast.columns.positions', layout), ALL_COLUMNS);
  await page.locator('[data-screen="positions"]').click();
  await page.locator(CELLS).first().waitFor();
  // Closes the ticket, so that the table has room for every column.
  await page.keyboard.press('F2');
  await page.locator(`${CELLS}:nth-child(19)`).first().waitFor();
  // By symbol: rows keep their places, so that the same cells change as in the hand-written table.
  await page
    .getByRole('treegrid', { name: 'Positions' })
    .getByRole('button', { name: 'Symbol' })
    .dispatchEvent('click');

  const cells = await texts(page);
  const columns = cells[0]?.length ?? 0;
  note(`${SIZE.positions} positions, ${columns} columns, ${cells.length} rows of them in the table's window`);
  if (columns < 18) throw new Error(`only ${columns} columns are on the screen`);

  const polled = async (): Promise<void> => {
    await read.promise;
  };
  await polled();
  await polled();
  const watched = async (): Promise<Frames> => {
    const watch = await frames(page);
    for (let update = 0; update < UPDATES; update++) await polled();
    return watch.end();
  };
  // Measured separately and first, in both pages: the frame watcher itself has a cost.
  const { longest, missed, longTasks } = await watched();
  const missedOn = [{ screen: 'positions', missed }];
  const ours: Spent[] = [];
  for (let update = 0; update < UPDATES; update++) ours.push(await spent(page, polled));
  moving = false;
  await polled();
  await polled();
  const shown = await texts(page);
  const totals = await totalsOf(page);
  const polls = replies.slice(-UPDATES);
  moving = true;
  for (const screen of ELSEWHERE) {
    await page.locator(`[data-screen="${screen}"]`).click();
    await polled();
    await polled();
    missedOn.push({ screen, missed: (await watched()).missed });
  }
  await app.close();
  await exchange.stop();

  const writeManually = async (rows: readonly (readonly string[])[]): Promise<Spent[]> => {
    const bare = await open(EMPTY_WINDOW, 'h1');
    await bare.page.setViewportSize(WIDE);
    const runs = await manualUpdates(bare.page, rows, UPDATES);
    await bare.close();
    return runs;
  };
  const visibleManual = await writeManually(cells);
  const allManual = await writeManually(
    Array.from({ length: SIZE.positions }, (_, row) => cells[row % cells.length] ?? []),
  );

  const worked = await open(EMPTY_WINDOW, 'h1');
  await worked.page.setViewportSize(WIDE);
  const whole = await manualPolls(worked.page, {
    replies: polls,
    tierEnds: tierEnds(contracts),
    rows: shown.length,
  });
  await worked.close();
  // A valid baseline only if it shows the same text. The symbol's cell may also mark a divergence.
  const apart = whole.texts.flatMap((line, row) =>
    line.flatMap((text, at) =>
      at === 0 || text === shown[row]?.[at] ? [] : [`${text} ≠ ${shown[row]?.[at]}`],
    ),
  );
  apart.push(
    ...whole.totals.flatMap((text, at) => (text === totals[at] ? [] : [`total ${text} ≠ ${totals[at]}`])),
  );
  if (apart.length > 0)
    throw new Error(`the hand-written cells show something else: ${apart.slice(0, 5).join(', ')}`);

  const of = (runs: readonly Spent[], part: keyof Spent): number => median(runs.map((run) => run[part]));
  for (const [part, name] of [
    ['scriptMs', 'script'],
    ['taskMs', 'main thread'],
  ] as const) {
    const figure = `${name} a second, 200 positions × 20 columns all changed`;
    const value = of(ours, part);
    const all = 'all 200 × 20 hand-written cells with prepared texts';
    report({ figure, value, unit: 'ms', baseline: all, baselineValue: of(allManual, part) });
    const seen = 'hand-written cells in view with prepared texts';
    report({ figure, value, unit: 'ms', baseline: seen, baselineValue: of(visibleManual, part) });
  }
  report({
    figure: 'script a second, compared with a hand-written page',
    value: of(ours, 'scriptMs'),
    unit: 'ms',
    baseline: 'a hand-written page: same reply, same bridge, same texts (target 2×)',
    baselineValue: of(whole.runs, 'scriptMs'),
  });
  report({
    figure: 'longest gap between frames',
    value: longest,
    unit: 'ms',
    baseline: 'a hand-written page: same reply, same bridge, same texts',
    baselineValue: whole.longest,
  });
  for (const on of missedOn)
    report({
      figure: `frames missed in ${UPDATES} polls (target 0): ${on.screen}`,
      value: on.missed,
      unit: 'frames',
      baseline: null,
      baselineValue: null,
    });
  report({
    figure: 'tasks over 50 ms',
    value: longTasks,
    unit: 'tasks',
    baseline: null,
    baselineValue: null,
  });
};
export default bench;
