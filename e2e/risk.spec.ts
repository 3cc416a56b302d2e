/** Risk: a what-if and a price shock on the practice account, by keyboard, in both window sizes. */
import { readFile } from 'node:fs/promises';
import { amount, multiply, printFixed } from '../src-shared/amount.ts';
import { beside } from './accounts.ts';
import { expectAccessible } from './axe.ts';
import { largeAccount, largeContracts } from './large-account.ts';
import { changeSettings, clientOf, expect, SHARED, test } from './fixture.ts';
import { digits, goTo, saveTo, settled } from './page-objects.ts';
import { startScripted } from './scripted-exchange.ts';

test('starts a what-if from the position and follows each key', SHARED, async ({ page }) => {
  await goTo(page, 'risk');
  await page.getByRole('option', { name: /BTC-USDT-M/ }).click();
  const figures = page.getByTestId('what-if');
  await expect(figures).toContainText('was');
  const before = digits(await figures.textContent());
  const quantity = page.getByLabel('Quantity', { exact: true });
  await quantity.fill('2.5');
  await expect.poll(async () => digits(await figures.textContent())).not.toBe(before);
  await expect(page.getByText('Max size at')).toBeVisible();
  await expectAccessible(page, 'what-if');
  // An inverse contract shows eight decimals before and after the arrow: all fit in the pane.
  await page.getByRole('option', { name: /BTC-USD-M/ }).click();
  await expect(page.getByText('Margin ratio, BTC cross')).toBeVisible();
  const wider = (): Promise<number> =>
    figures.locator('xpath=..').evaluate((pane) => pane.scrollWidth - pane.clientWidth);
  await expect.poll(wider).toBe(0);
  await page.getByRole('option', { name: /BTC-USDT-M/ }).click();
  await page.getByRole('button', { name: 'Copy to ticket' }).click();
  await expect(page.getByRole('complementary', { name: 'Order ticket' })).toContainText('BTC-USDT-M');
});

test(
  'chip, slider, field and chart set one price shock, with PnL by position and in total',
  SHARED,
  async ({ ballast, page }) => {
    await goTo(page, 'risk');
    await page.getByRole('tab', { name: 'Price shock' }).click();
    const panel = page.getByTestId('account-shock');
    const figures = page.getByTestId('shock-figures');
    await expect(figures).toContainText('Change at this shock');
    // An isolated position is liquidated in it, which the next figure says.
    await expect(figures).toContainText('no cross liquidation in this range');
    await expect(figures).toContainText('1 of 3');
    const slider = page.getByRole('slider', { name: 'Price move, percent' });
    const chart = page.getByRole('slider', { name: 'Move on the chart, percent' });
    const field = panel.getByRole('textbox', { name: 'Move', exact: true });

    await panel.getByRole('button', { name: '−20%' }).click();
    await expect(field).toHaveValue('-20');
    await expect(slider).toHaveAttribute('aria-valuetext', '−20%');
    await expect(chart).toHaveAttribute('aria-valuenow', '-20');
    await slider.press('ArrowRight');
    await expect(field).toHaveValue('-19.5');
    await slider.press('Shift+ArrowLeft');
    await expect(field).toHaveValue('-24.5');
    await chart.press('Shift+ArrowRight');
    await expect(field).toHaveValue('-19.5');
    await field.fill('-33.3');
    await expect(chart).toHaveAttribute('aria-valuenow', '-33.3');
    const box = (await settled(() => chart.boundingBox()))!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2);
    await page.mouse.up();
    await expect(field).not.toHaveValue('-33.3');
    const presets = panel.getByRole('group', { name: 'Moves' });
    const above = await settled(() => presets.boundingBox());
    // Nothing is calculated from the "-12" on the way to "-120".
    await field.fill('-120');
    await expect(page.locator('#shock-faults')).toHaveText(
      /^\s*No result\s*Move “-120”: from -95 to 200\.\s*$/,
    );
    await expect(figures).toBeHidden();
    expect(await presets.boundingBox()).toEqual(above);
    await field.fill('-40');

    // The isolated long of SOL loses its margin; positions of other coins are left out of the sums.
    const table = page.getByRole('grid', { name: 'Positions at this shock' });
    const sol = table.getByRole('row').filter({ hasText: 'SOL-USDT-M' });
    await expect(sol).toContainText(/Liquidated first at −\d/);
    await expect(table).not.toContainText('BTC-USD-M');
    await expect(figures).toContainText('separate coin, not in the sums');
    await expect(page.getByTestId('shock-total')).toContainText('3 of 3 valued');
    const csv = await saveTo(ballast, 'shock.csv');
    await panel.getByRole('button', { name: 'CSV…' }).click();
    await expect(page.getByText('shock.csv')).toBeVisible();
    const lines = (await readFile(csv, 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(await table.getByRole('row').count());
    expect(lines.filter((line) => line.startsWith('SOL-USDT-M,Long,Isolated,'))).toHaveLength(1);
    await page.getByRole('radiogroup', { name: 'Margin coin' }).getByText('BTC').click();
    await expect(table).toContainText('BTC-USD-M');
    await expect(table).not.toContainText('SOL-USDT-M');
    await expectAccessible(panel, 'shock');

    await page.getByRole('radiogroup', { name: 'Margin coin' }).getByText('USDT').click();
    await panel.getByText('Individual').click();
    await panel.getByLabel('Move of SOL').fill('60');
    await expect(sol).toContainText('Survives');
    await panel.getByLabel('Move of BTC').fill('1,5');
    await expect(panel).toContainText('“1,5”: a plain number');
  },
);

test('fills resting orders and TP/SL on the way if asked', async ({ page, practice }) => {
  const client = clientOf(practice);
  await client.placeOrder({
    ...{ symbolId: 'BTC-USDT-M', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' },
    ...{ price: '62000.0', quantity: '0.100' },
  });
  const account = await client.account();
  const sol = account.ok ? account.data.positions.find((one) => one.symbolId === 'SOL-USDT-M') : undefined;
  const slPrice = printFixed(multiply(amount(sol?.markPrice ?? '0'), amount('0.96')), 2);
  await client.placeOrder({
    ...{ symbolId: 'SOL-USDT-M', side: 'BUY', type: 'MARKET', quantity: '2.0' },
    tpSl: { tpTriggerType: 'NONE', slTriggerType: 'MARK_PRICE', slPrice },
  });
  await client.close();
  await goTo(page, 'risk');
  await page.getByRole('tab', { name: 'Price shock' }).click();
  const panel = page.getByTestId('account-shock');
  await panel.getByRole('button', { name: '−10%' }).click();
  const orders = panel.getByRole('radiogroup', { name: 'Orders that fill on the way' });
  const row = page
    .getByRole('grid', { name: 'Positions at this shock' })
    .getByRole('row')
    .filter({ hasText: 'BTC-USDT-M' });
  const total = page.getByTestId('shock-total');
  await expect(row).toContainText('Survives');
  await expect(row).not.toContainText('fill');
  await expect(panel).toContainText('Take profit, stop loss and other orders do not fill');
  const without = await total.innerText();
  const stops = panel.getByTestId('shock-stops');
  await expect(stops).toHaveText('As if 1 TP/SL and 3 resting orders did not fill.');
  const before = await settled(() => orders.boundingBox());

  await orders.getByText('TP/SL', { exact: true }).click();
  await expect(total).toContainText('filled: 1 of 1 TP/SL');
  expect(await settled(() => orders.boundingBox())).toEqual(before);
  await expect(stops).toHaveText(
    'As if 3 resting orders did not fill. 1 stop is assumed filled at trigger price. A gap or slippage is worse.',
  );
  const { height } = (await stops.boundingBox())!;
  await expect(panel).toContainText('Resting orders do not fill');
  await orders.getByText('All', { exact: true }).click();
  await expect(total).toContainText('filled: 2 of 2 resting, 1 of 1 TP/SL');
  // Both buys, at 62,000 and below.
  await expect(row).toContainText('Survives, 2 fills');
  await expect(total).toContainText('1 not counted: No mark price of DOGE-USDT-M is known.');
  await expect(panel).toContainText('Orders fill at their price');
  expect(await total.innerText()).not.toBe(without);
  await expectAccessible(panel, 'shock with orders');

  await test.step('nothing is on the way of a small move up, and the choice stays', async () => {
    await panel.getByRole('textbox', { name: 'Move', exact: true }).fill('0.01');
    await expect(total).toContainText('filled: 0 of 2 resting, 0 of 1 TP/SL');
    await expect(stops).toHaveText('');
    expect(await stops.boundingBox()).toMatchObject({ height });
    await goTo(page, 'overview');
    await goTo(page, 'risk');
    await page.getByRole('tab', { name: 'Price shock' }).click();
    await expect(orders.getByRole('radio', { name: 'All', exact: true })).toBeChecked();
  });
});

test('stores betas per connection', SHARED, async ({ page }) => {
  await goTo(page, 'risk');
  await page.getByRole('tab', { name: 'Price shock' }).click();
  const beta = page.getByLabel('Beta of ETH');
  await beta.fill('2');
  await expect(page.getByTestId('shock-underlyings')).toContainText('−20.00%');
  await goTo(page, 'overview');
  await goTo(page, 'risk');
  await page.getByRole('tab', { name: 'Price shock' }).click();
  await expect(beta).toHaveValue('2');
  await page.getByRole('button', { name: 'Reset betas' }).click();
  await expect(beta).toHaveValue('1.2');
});

test(
  'the tier chart moves from tier to tier by keys, and is saved as picture and CSV',
  SHARED,
  async ({ ballast, page }) => {
    await goTo(page, 'risk');
    await page.getByRole('option', { name: /BTC-USDT-M/ }).click();
    const chart = page.getByRole('group', { name: /^Tiers of BTC-USDT-M/ });
    await chart.focus();
    await page.keyboard.press('End');
    await expect(chart.locator('[aria-live]')).toContainText(/^Tier (\d+) of \1:/);
    await page.keyboard.press('Home');
    await expect(chart.locator('[aria-live]')).toContainText(/^Tier 1 of /);
    // Only the drawn marks know where a tier is: again in case the pointer came before them.
    await expect(async () => {
      await page.mouse.move(0, 0);
      await chart.hover();
      await expect(chart.getByText(/^Tier \d+$/)).toBeVisible({ timeout: 2_000 });
    }).toPass();

    const csv = await saveTo(ballast, 'tiers.csv');
    await page.getByRole('button', { name: 'CSV…' }).click();
    await expect(page.getByText('tiers.csv')).toBeVisible();
    const [head, first] = (await readFile(csv, 'utf8')).split('\r\n');
    expect(head).toMatch(/^symbolId,level,minPositionValue,/);
    expect(first).toMatch(/^BTC-USDT-M,1,0,/);

    const png = await saveTo(ballast, 'tiers.png');
    await page.getByRole('button', { name: 'Chart…' }).click();
    await expect(page.getByText('tiers.png')).toBeVisible();
    const bytes = await readFile(png);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(bytes.length).toBeGreaterThan(5_000);
  },
);

test(
  'a narrow window shows the panes as tabs; the selected one stays open in any window',
  SHARED,
  async ({ page }) => {
    const narrow = { width: 1024, height: 700 };
    await page.setViewportSize(narrow);
    await goTo(page, 'risk');
    await page.getByRole('tab', { name: 'Tiers' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByTestId('what-if')).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByTestId('account-shock')).toBeVisible();
    await expectAccessible(page);

    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(page.getByTestId('account-shock')).toBeVisible();
    await page.setViewportSize(narrow);
    await expect(page.getByRole('tab', { name: 'Tiers' })).toBeVisible();
    await expect(page.getByTestId('account-shock')).toBeVisible();
    await page.getByRole('tab', { name: 'What-if' }).click();
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(page.getByTestId('what-if')).toBeVisible();
  },
);

test('the chart of a shock hides the equity with the amounts', SHARED, async ({ page }) => {
  await goTo(page, 'risk');
  await page.getByRole('tab', { name: 'Price shock' }).click();
  const chart = page.getByTestId('shock-chart');
  const amounts = chart.getByText(/\d,\d{3}/);
  await expect(amounts).not.toHaveCount(0);
  await changeSettings(page, { privacy: true });
  await expect(chart).toHaveAttribute('aria-valuetext', /equity ≈ •••••/);
  await expect(amounts).toHaveCount(0);
  await expect(chart).toContainText('80%');
  await changeSettings(page, { privacy: false });
});

test('with 400 positions the page has few rows, and no chart labels overlap', async ({ profile }) => {
  const exchange = await startScripted();
  const size = { contracts: 400, positions: 400, orders: 1 };
  exchange.answer('account', largeAccount(exchange.reply, size));
  exchange.answer('symbolConfig', largeContracts(exchange.reply, size));
  const { app, page } = await beside(exchange, profile);
  try {
    await page.setViewportSize({ width: 1440, height: 900 });
    await goTo(page, 'risk');
    await page.getByRole('tab', { name: 'Price shock' }).click();
    const table = page.getByRole('grid', { name: 'Positions at this shock' });
    await expect(table.getByRole('row').nth(5)).toContainText('USDT-M');
    expect(parseInt((await table.getAttribute('aria-rowcount')) ?? '', 10)).toBeGreaterThan(400);
    expect(await table.getByRole('row').count()).toBeLessThan(60);
    await page.getByRole('textbox', { name: 'Move', exact: true }).fill('-50');
    await expect(page.getByTestId('shock-figures')).toContainText(/\d+ of 400/);
    const labels = await settled(() =>
      page
        .locator('[data-testid="shock-chart"] text.med')
        .evaluateAll((all) =>
          all.map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right]),
        ),
    );
    expect(labels.length).toBeGreaterThan(0);
    const sorted = labels.toSorted(([a = 0], [b = 0]) => a - b);
    for (const [index, [left = 0]] of sorted.entries())
      expect(left).toBeGreaterThanOrEqual(sorted[index - 1]?.[1] ?? 0);
  } finally {
    await app.close();
    await exchange.stop();
  }
});

test('positions of one underlying stand indented below its sum', async ({ profile }) => {
  const exchange = await startScripted();
  const account = JSON.parse(exchange.reply('account')) as { data: { positions: object[] } };
  const [long] = account.data.positions;
  account.data.positions = [long!, { ...long, side: 'SELL', positionId: '77' }];
  exchange.answer('account', JSON.stringify(account));
  const { app, page } = await beside(exchange, profile);
  await goTo(page, 'risk');
  await page.getByRole('tab', { name: 'Price shock' }).click();
  const cells = page.getByRole('grid', { name: 'Positions at this shock' });
  const paddingOf = (text: string): Promise<string> =>
    cells
      .getByText(text, { exact: true })
      .first()
      .evaluate((one) => getComputedStyle(one).paddingLeft);
  expect(await paddingOf('BTC')).toBe('4px');
  expect(await paddingOf('BTC-USDT-M')).toBe('16px');
  await app.close();
  await exchange.stop();
});
