/** Overview’s charts and tables: the equity chart names its sources, and no column title or unit is cut off. */
import { expect, SHARED, test } from './fixture.ts';
import { goTo } from './page-objects.ts';

test('the equity chart separates recorded equity from results of closed orders', SHARED, async ({ page }) => {
  await goTo(page, 'overview');
  const pane = page.getByRole('region', { name: 'Equity' });
  // The archive has past orders; recording began less than a minute ago.
  await expect(pane).toContainText('from closed orders');
  await expect(pane).toContainText(/recorded here from \d\d:\d\d:\d\d/);
  await expect(pane.locator('canvas')).toBeVisible();
});

test(
  'the tag of the equity chart has the figure of the account, also between two samples',
  SHARED,
  async ({ page }) => {
    await goTo(page, 'overview');
    const tag = page.getByRole('region', { name: 'Equity' }).locator('figure .tag');
    await expect(tag).toBeVisible();
    const shown = (): Promise<(string | undefined)[]> =>
      page.evaluate(() =>
        ['main figure .tag', 'main [data-field=totalEquities]'].map((one) =>
          document.querySelector(one)?.textContent.replace(/[^\d.,]/g, ''),
        ),
      );
    const first = await shown();
    // Prices move each second, and equity is recorded each minute.
    await expect.poll(async () => (await shown())[1]).not.toBe(first[1]);
    const [onAxis, above] = await shown();
    expect(onAxis).toBe(above);
  },
);

test('gross exposure names the equity it is a multiple of', SHARED, async ({ page }) => {
  await goTo(page, 'overview');
  const figure = page.getByRole('region', { name: 'Key figures' }).locator('.figure').last();
  // A poll may change one of the two between the looks.
  await expect(async () => {
    const base = /× of ([\d,]+) held in USDT/.exec(await figure.innerText())?.[1] ?? 'none';
    const equity = page
      .getByRole('treegrid', { name: 'Balances' })
      .locator('[data-field="equities"]')
      .first();
    expect((await equity.innerText()).startsWith(base)).toBe(true);
  }).toPass();
  const bars = page.getByRole('region', { name: 'Exposure by contract' });
  const share = bars.getByRole('columnheader', { name: '% of USDT held' });
  await expect(share).toBeVisible();
  // As the figures below it.
  await expect(share).toHaveCSS('text-align', 'right');
});

test('totals end where the figures above them do', SHARED, async ({ page }) => {
  await goTo(page, 'overview');
  const balances = page.getByRole('treegrid', { name: 'Balances' });
  await expect(balances.locator('tfoot td')).not.toHaveCount(0);
  const paddings = (row: string): Promise<string[]> =>
    balances
      .locator(row)
      .first()
      .locator('td')
      .evaluateAll((cells) => cells.map((one) => getComputedStyle(one).paddingRight));
  const above = await paddings('tbody tr');
  expect((await paddings('tfoot tr')).slice(1)).toEqual(above.slice(1));
});

test('results by contract and statistics have room for their heads and units', SHARED, async ({ page }) => {
  await goTo(page, 'overview');
  for (const width of [1440, 1280, 1200, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    await page.getByRole('tab', { name: 'By contract' }).click();
    const grid = page.getByRole('grid', { name: 'Results by contract' });
    await expect(grid.getByRole('row')).not.toHaveCount(1);
    await expect(grid.getByRole('button', { name: 'Net PnL' })).toBeInViewport({ ratio: 1 });
    await page.getByRole('tab', { name: 'Statistics' }).click();
    const fees = page.getByRole('tabpanel').locator('.list .unit');
    await expect(fees).not.toHaveCount(0);
    // In the line of its figure.
    const below = (): Promise<number> =>
      fees.evaluateAll(
        (all) =>
          all.filter(
            (one) => one.getClientRects()[0]?.top !== one.previousElementSibling?.getClientRects()[0]?.top,
          ).length,
      );
    await expect.poll(below, String(width)).toBe(0);
  }
});

test('the key figures beside the ticket show their notes whole', SHARED, async ({ page }) => {
  await goTo(page, 'overview');
  const notes = page.getByRole('region', { name: 'Key figures' }).locator('.note:visible');
  for (const width of [1200, 1280, 1366, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const cut = (): Promise<string[]> =>
      notes.evaluateAll((all) =>
        all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent.trim()),
      );
    await expect.poll(async () => [width, await cut()]).toEqual([width, []]);
  }
});
