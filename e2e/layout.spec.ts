/** Panes resized by mouse and keys, and their stored sizes; what a wide window shows; all digits by focus. */
import { makeLadder, review } from './batch-page.ts';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { cutFocus, outOfReach } from './cut-texts.ts';
import { changeSettings, controls, expect, SHARED, test } from './fixture.ts';
import { ConnectionEditor, goTo, openSynced, resize, rows, settled, Ticket } from './page-objects.ts';

const edge = (page: Page, name: string): Locator => page.getByRole('separator', { name });
const now = async (of: Locator): Promise<number> =>
  Number.parseInt((await of.getAttribute('aria-valuenow')) ?? '', 10);

async function drag(page: Page, of: Locator, by: { x?: number; y?: number }): Promise<void> {
  const { x, y, width, height } = (await settled(() => of.boundingBox()))!;
  const [fromX, fromY] = [x + width / 2, y + height / 2];
  await page.mouse.move(fromX, fromY);
  await page.mouse.down();
  await page.mouse.move(fromX + (by.x ?? 0) / 2, fromY + (by.y ?? 0) / 2);
  await page.mouse.move(fromX + (by.x ?? 0), fromY + (by.y ?? 0));
  await page.mouse.up();
}

test('a pane keeps the height it was dragged to', SHARED, async ({ page }) => {
  await goTo(page, 'positions');
  const bar = edge(page, 'Height of positions');
  const pane = page.locator('.pane.positions');
  await expect(rows(page, 'Positions', 'BTC-USDT-M').first()).toBeVisible();
  await expect(bar).toHaveAttribute('aria-valuenow', /\d/);
  const designed = await settled(async () => (await pane.boundingBox())!.height);
  await drag(page, bar, { y: 60 });
  await expect.poll(async () => (await pane.boundingBox())!.height).toBe(Math.round(designed) + 60);
  // Dragged far beyond the window's edge: the orders keep their minimum height.
  await drag(page, bar, { y: 2000 });
  await expect.poll(async () => (await pane.boundingBox())!.height).toBeGreaterThan(designed + 61);
  await expect(page.locator('.pane.orders')).toBeInViewport();
  const most = await settled(async () => (await pane.boundingBox())!.height);
  expect((await page.locator('.pane.orders').boundingBox())!.height).toBeGreaterThanOrEqual(150);
  await page.reload();
  await goTo(page, 'positions');
  await expect.poll(async () => (await pane.boundingBox())?.height).toBe(most);
  // A smaller window shrinks the pane; the larger one restores its size.
  await page.setViewportSize({ width: 1440, height: 700 });
  await expect.poll(async () => (await pane.boundingBox())!.height).toBe(most - 200);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(async () => (await pane.boundingBox())!.height).toBe(most);
  await bar.dblclick();
  await expect.poll(async () => (await pane.boundingBox())!.height).toBe(designed);
});

test('an edge between panes moves by keys, on each screen separately', SHARED, async ({ page }) => {
  const ticket = edge(page, 'Width of the order ticket');
  await ticket.focus();
  // Measured a frame after it is drawn.
  await expect(ticket).toHaveAttribute('aria-valuenow', /\d/);
  const designed = await settled(() => now(ticket));
  await page.keyboard.press('ArrowLeft');
  await expect(ticket).toHaveAttribute('aria-valuenow', String(designed + 16));
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  await expect(ticket).toHaveAttribute('aria-valuenow', '480');
  await page.keyboard.press('Home');
  await expect(ticket).toHaveAttribute('aria-valuenow', '306');
  await page.reload();
  await expect(ticket).toHaveAttribute('aria-valuenow', '306');
  await ticket.focus();
  await page.keyboard.press('Enter');
  await expect(ticket).toHaveAttribute('aria-valuenow', String(designed));

  await goTo(page, 'risk');
  const contracts = edge(page, 'Width of the contracts');
  await contracts.focus();
  await page.keyboard.press('ArrowRight');
  await expect(contracts).toHaveAttribute('aria-valuenow', '248');
  const whatIf = edge(page, 'Width of the what-if');
  await expect(whatIf).toHaveAttribute('aria-valuenow', '306');
  await drag(page, whatIf, { x: -50 });
  await expect(whatIf).toHaveAttribute('aria-valuenow', '356');
  await expect(contracts).toHaveAttribute('aria-valuenow', '248');
  await expectAccessible(page, 'edges between panes');

  await goTo(page, 'batch');
  const ladder = edge(page, 'Width of the ladder');
  const totals = edge(page, 'Width of the totals');
  await drag(page, ladder, { x: 70 });
  await expect(ladder).toHaveAttribute('aria-valuenow', '400');
  await totals.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(totals).toHaveAttribute('aria-valuenow', '330');
  await page.reload();
  await goTo(page, 'batch');
  await expect(ladder).toHaveAttribute('aria-valuenow', '400');
  await expect(totals).toHaveAttribute('aria-valuenow', '330');
  await expectAccessible(page, 'batch with its edges');
});

test(
  'beside a wide ticket the tables of a 1440 px window need no horizontal scrolling',
  SHARED,
  async ({ page }) => {
    await changeSettings(page, { ticketWide: true });
    for (const [screen, name] of [
      ['positions', 'Open orders'],
      ['positions', 'Positions'],
      ['overview', 'Balances'],
    ] as const) {
      await goTo(page, screen);
      const table = page.getByRole('treegrid', { name });
      await expect(table.locator('tbody tr[data-key]').first()).toBeVisible();
      const reach = (): Promise<number> =>
        table.evaluate((one) => one.scrollWidth - (one.parentElement?.clientWidth ?? 0));
      await expect.poll(reach, name).toBe(0);
    }
  },
);

test('digits of a column end at the same place with and without a unit', SHARED, async ({ page }) => {
  await goTo(page, 'positions');
  const cells = page.getByRole('treegrid', { name: 'Positions' }).locator('[data-field="margin"]');
  await expect(cells.locator('.unit')).not.toHaveCount(0);
  expect(await cells.locator('.unit').count()).toBeLessThan(await cells.count());
  const ends = (): Promise<number[]> =>
    cells.evaluateAll((all) =>
      all.map((cell) => {
        const range = document.createRange();
        const seen = [...(cell.firstElementChild?.childNodes ?? [])].filter(
          (part) => part instanceof Text || (part instanceof Element && part.className === 'g'),
        );
        range.setStartBefore(seen[0]!);
        range.setEndAfter(seen.at(-1)!);
        return Math.round(range.getBoundingClientRect().right);
      }),
    );
  await expect.poll(async () => new Set(await ends()).size).toBe(1);
});

test('no width of the window cuts a column of the order history or scrolls it', SHARED, async ({ page }) => {
  await goTo(page, 'positions');
  await page.getByRole('tab', { name: 'Order history' }).click();
  const table = page.getByRole('treegrid', { name: 'Order history' });
  await expect(table.locator('tbody tr[data-key]').first()).toBeVisible();
  const reach = (): Promise<number> =>
    table.evaluate((one) => one.scrollWidth - (one.parentElement?.clientWidth ?? 0));
  for (const width of [1024, 1199, 1200, 1280, 1366, 1440, 1600, 1680, 1800, 2200, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(reach, String(width)).toBe(0);
    await expect(table.getByRole('button', { name: 'Closed PnL' })).toBeInViewport({ ratio: 1 });
  }
});

test('the journal with an unknown outcome is not scrolled sideways beside the ticket', async ({
  page,
  practice,
}) => {
  const ticket = new Ticket(page);
  await ticket.choose('SOL-USDT-M');
  for (const lost of [false, true]) {
    if (lost) await controls(practice, '/faults', { endpoint: 'order', action: 'reset', accept: false });
    await ticket.fill({ side: 'Buy', quantity: '1.5', price: '138.50' });
    const sheet = await ticket.review();
    await sheet.send();
    await sheet.done();
  }
  await goTo(page, 'activity');
  const table = page.getByRole('treegrid', { name: 'Journal' });
  await expect(table.locator('tbody tr[data-key]')).toHaveCount(2);
  const reach = (): Promise<number> =>
    table.evaluate((one) => one.scrollWidth - (one.parentElement?.clientWidth ?? 0));
  for (const width of [1024, 1199, 1200, 1230, 1260, 1366]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(reach, String(width)).toBe(0);
  }
});

test('a small window shows round trips and orders without scrolling sideways', SHARED, async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 700 });
  await openSynced(page);
  for (const [by, label] of [
    ['Round trip', 'Round trips'],
    ['Order', 'Trades by order'],
  ] as const) {
    await page.getByRole('radio', { name: by, exact: true }).check();
    const list = page.getByRole('treegrid', { name: label });
    await expect(rows(page, label, 'USDT').first()).toBeVisible();
    await expect(list.getByRole('columnheader', { name: 'Notes' })).toBeInViewport({ ratio: 1 });
    await expect.poll(() => list.evaluate((one) => one.scrollWidth - one.clientWidth), by).toBe(0);
    // What an opened row shows is whole: its trades' fees too.
    await rows(page, label, 'SOL-USDT-M').nth(1).click();
    const fees = list.locator('[role="row"]:has(.under)').locator('[data-field="fees"], [data-field="pnl"]');
    await expect(fees.filter({ hasText: '−' }).first()).toBeVisible();
    for (const fee of await fees.all())
      expect(await fee.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  }
});

test(
  'the usual window shows the net PnL of round trips, and cuts neither the zone of the status bar nor what an open one says',
  SHARED,
  async ({ page }) => {
    const cut = (of: Locator): Promise<number[]> =>
      of.evaluateAll((all) => all.map((one) => Math.max(0, one.scrollWidth - one.clientWidth)));
    await changeSettings(page, { timeZone: 'America/New_York' });
    for (const width of [1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => cut(page.locator('footer .time .ellipsis')), `${width}`).toEqual([0]);
    }
    await openSynced(page);
    await page.getByRole('radiogroup', { name: 'Group by' }).getByText('Round trip', { exact: true }).click();
    const trips = page.getByRole('treegrid', { name: 'Round trips' });
    await expect(trips.getByRole('columnheader', { name: 'Net PnL' })).toBeInViewport({ ratio: 1 });
    const open = trips.getByRole('row').filter({ hasText: 'OPEN' });
    await expect(open).toHaveCount(4);
    await expect
      .poll(() => cut(open.locator('[role="gridcell"]:last-child .ellipsis')))
      .toEqual([0, 0, 0, 0]);
  },
);

test('a very wide window shows more panes and columns', SHARED, async ({ page }) => {
  const columns = (): Promise<number> => page.locator('.pane.positions thead th').count();
  await goTo(page, 'positions');
  await expect(rows(page, 'Positions', 'BTC-USDT-M').first()).toBeVisible();
  const narrow = await settled(columns);
  await page.setViewportSize({ width: 2560, height: 1440 });
  await expect.poll(columns).toBeGreaterThan(narrow + 2);
  const aside = page.getByRole('region', { name: 'Selected position' });
  for (const symbol of ['SOL-USDT-M', 'ETH-USDT-M']) {
    await rows(page, 'Positions', symbol).first().locator('td[data-field="symbolId"]').click();
    await expect(aside.getByRole('heading', { name: symbol })).toBeVisible();
  }
  await expectAccessible(page, 'positions, 2560');
  await goTo(page, 'overview');
  await expect(page.getByRole('treegrid', { name: 'Positions' })).toBeVisible();
  await expect(page.getByRole('treegrid', { name: 'Open orders' })).toBeVisible();
  const tops = (): Promise<(number | undefined)[]> =>
    Promise.all(
      ['Equity', 'Margin health', 'Exposure by contract'].map(
        async (name) => (await page.getByRole('region', { name }).boundingBox())?.y,
      ),
    );
  await expect.poll(async () => new Set(await tops()).size).toBe(1);
  const ticket = page.getByTestId('ticket');
  await expect(page.getByTestId('ticket-wide-preview')).toBeVisible();
  await ticket.getByRole('button', { name: 'Narrow ticket' }).click();
  await expect(page.getByTestId('ticket-wide-preview')).toHaveCount(0);
  await ticket.getByRole('button', { name: /^Wide ticket/ }).click();
  await expect(page.getByTestId('ticket-wide-preview')).toBeVisible();
  // An order's preview and checks are whole, with what is below the ticket.
  await new Ticket(page).fill({ side: 'Sell', quantity: '0.05' });
  await ticket.getByText('Take profit / stop loss').click();
  await ticket.getByTestId('ticket-tpPrice').fill('5%');
  await ticket.getByTestId('ticket-slPrice').fill('2%');
  await expect(ticket.getByTestId('ticket-checks')).toContainText('pass');
  const hidden = (): Promise<number> =>
    page.getByTestId('ticket-wide-preview').evaluate((one) => one.scrollHeight - one.clientHeight);
  await expect.poll(hidden).toBe(0);
  // Below the ticket, and all of the screen in view.
  const dock = page.getByRole('complementary', { name: 'Order ticket' });
  await expect(dock.getByRole('region', { name: 'Journal' })).toBeVisible();
  const curve = dock.getByRole('region', { name: 'Liquidation price by size' });
  await expect(curve).toContainText('ETH-USDT-M');
  await expect(curve.getByRole('img', { name: /^Liquidation price by size/ })).toBeVisible();
  const wider = (): Promise<number> =>
    dock.getByRole('treegrid', { name: 'Journal' }).evaluate((one) => {
      const box = one.closest('.scroll, .table') ?? one.parentElement!;
      return box.scrollWidth - box.clientWidth;
    });
  await expect.poll(wider).toBe(0);
  const overflow = (): Promise<number> =>
    page.locator('main .screen').evaluate((one) => one.scrollHeight - one.clientHeight);
  await expect.poll(overflow).toBe(0);
  await expectAccessible(page, 'overview, 2560');
  await goTo(page, 'batch');
  await expect(page.getByRole('treegrid', { name: 'Positions' })).toBeVisible();
  await expect(page.getByRole('treegrid', { name: 'Open orders' })).toBeVisible();
  await expectAccessible(page, 'batch, 2560');
  // This screen has no ticket: what fills it in leads to one that has.
  await rows(page, 'Positions', 'SOL-USDT-M').first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Add…' }).click();
  await expect(page.locator('[data-screen="positions"]')).toHaveAttribute('aria-current', 'page');
  await expect(page.getByTestId('ticket-symbol')).toContainText('SOL-USDT-M');
  await expect(page.getByTestId('ticket')).toBeFocused();
  await openSynced(page);
  const results = page.getByRole('group', { name: 'Results of this filter' });
  await expect(results.getByRole('region', { name: 'Net PnL by day' })).toBeVisible();
  await expectAccessible(page, 'trades, 2560');
  const sums = results.getByRole('grid', { name: 'Results by contract' });
  await expect
    .poll(() => sums.evaluate((one) => one.scrollWidth - (one.parentElement?.clientWidth ?? 0)), 'cut off')
    .toBe(0);
  const contract = rows(page, 'Results by contract', 'ETH-USDT-M').first();
  const trades = await contract.locator('td').nth(1).innerText();
  await contract.click();
  await expect(page.locator('[data-figure="count"]')).toHaveText(trades);
  await expect(rows(page, 'Results by contract', '-M')).toHaveCount(1);
  // A grouped list has these sums itself.
  await page.getByRole('radio', { name: 'Day', exact: true }).check();
  await expect(results).toHaveCount(0);
  await page.getByRole('radio', { name: 'None', exact: true }).check();
  await expect(results).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).click();
});

test('long checks leave every field of the ticket in view in a low window', SHARED, async ({ page }) => {
  await goTo(page, 'positions');
  await expect(rows(page, 'Positions', 'BTC-USDT-M').first()).toBeVisible();
  const ticket = new Ticket(page);
  await ticket.choose('BTC-USDT-M');
  await page.setViewportSize({ width: 1024, height: 700 });
  // Priced far above the mark, and of more than the account can carry: each adds a line.
  await ticket.fill({ side: 'Buy', price: '90000', quantity: '40' });
  const checks = page.getByTestId('ticket-checks');
  await expect(checks).toContainText(/to fix, \d dangers?/);
  /** How far the fields reach below what is in view, unless scrolled. */
  const covered = (): Promise<number> =>
    ticket.root.evaluate((pane) => {
      const body = pane.querySelector('.body.scroller')!;
      const last = pane.querySelector('[data-draft="tpSl"]')!.getBoundingClientRect();
      return Math.ceil(last.bottom + body.scrollTop - body.getBoundingClientRect().bottom);
    });
  await expect.poll(covered).toBeLessThanOrEqual(0);
  await ticket.root.getByText('Take profit / stop loss').click();
  await expect(page.getByTestId('ticket-slPrice')).toBeVisible();
  await expect.poll(covered).toBeLessThanOrEqual(0);
  // What the order leaves is beside the button, although the preview is out of view.
  await expect(page.getByTestId('ticket-after')).toContainText(/After.*Liq\. .*Ratio /);
  await expect(page.getByTestId('ticket-after')).toBeInViewport({ ratio: 1 });
  // The number of dangers and the beginning of the gravest fault are still beside the button.
  await expect(checks.locator('.grade')).toBeInViewport({ ratio: 1 });
  await expect(checks.locator('li .breaks').first()).toBeInViewport({ ratio: 0.5 });
});

test('a review opens at its beginning in a low window', SHARED, async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 700 });
  await makeLadder(page, 8);
  const sheet = await review(page);
  const content = sheet.locator('.content');
  expect(await content.evaluate((one) => one.scrollHeight - one.clientHeight)).toBeGreaterThan(100);
  expect(await content.evaluate((one) => one.scrollTop)).toBe(0);
});

test('the keyboard can show all digits of a shortened figure', SHARED, async ({ page }) => {
  const tip = page.getByTestId('full-digits');
  await goTo(page, 'overview');
  await expect(page.locator('.figures .cut').first()).toBeAttached();
  // By keys: only a keyboard focus shows the digits.
  await page.locator('main').getByRole('radio').first().focus();
  const figures = page.getByRole('region', { name: 'Key figures' });
  for (let steps = 0; steps < 12 && !(await figures.evaluate((one) => one.matches(':focus'))); steps++)
    await page.keyboard.press('Shift+Tab');
  await expect(tip).toContainText(/Total equity\s*\d+\.\d{3,}/);
  await page.keyboard.press('Escape');
  await expect(tip).toBeHidden();

  await goTo(page, 'positions');
  await rows(page, 'Positions', 'BTC-USDT-M').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await expect(tip).toContainText('Unrealised');
  await expect(tip).toContainText('Margin USDT');
  // Not over what an opened row shows.
  await page.keyboard.press('ArrowRight');
  await expect(tip).toBeHidden();
  await page.keyboard.press('ArrowLeft');
  await expect(tip).toContainText('Margin USDT');
  // The ticket is open, so F2 goes to it; from there it hides it, and the focus is in the row again.
  await page.keyboard.press('F2');
  await expect(page.getByTestId('ticket')).toBeFocused();
  await expect(tip).toBeHidden();
  await page.keyboard.press('F2');
  await expect(page.getByTestId('ticket')).toBeHidden();
  await expect(rows(page, 'Positions', 'BTC-USDT-M').first()).toBeFocused();
  await rows(page, 'Positions', 'BTC-USDT-M').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await expect(tip).toContainText('Unrealised');
  await page.mouse.click(10, 10);
  await expect(tip).toBeHidden();
});

test('Settings opens at the section used last, unless a link says otherwise', SHARED, async ({ page }) => {
  const sections = page.getByRole('navigation', { name: 'Settings sections' });
  const current = sections.locator('[aria-current]');
  await goTo(page, 'settings');
  await expect(current).toHaveText('Connections');
  await sections.getByRole('button', { name: 'Appearance' }).click();
  await goTo(page, 'positions');
  await goTo(page, 'settings');
  await expect(current).toHaveText('Appearance');
  await goTo(page, 'alerts');
  await page.getByRole('button', { name: 'Set up alerts' }).click();
  await expect(current).toHaveText('Alerts');
});

test('nothing cuts off the outline of what has the focus', SHARED, async ({ page }) => {
  for (const screen of ['overview', 'positions', 'trades', 'settings']) {
    await goTo(page, screen);
    await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
    const cut = new Set<string | null>();
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab');
      cut.add(await cutFocus(page));
    }
    cut.delete(null);
    expect([...cut], screen).toEqual([]);
  }
});

test('the words that fill in a price are as high as a button', SHARED, async ({ page }) => {
  await goTo(page, 'positions');
  const { root } = new Ticket(page);
  for (const word of ['Mark', 'Last', 'Fill']) {
    const { width, height } = (await root.getByRole('button', { name: word, exact: true }).boundingBox())!;
    expect([width > 17, height], word).toEqual([true, 24]);
  }
  expect(await root.locator('.body').evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
});

test('the sections of Settings all end where the window does', SHARED, async ({ page }) => {
  await goTo(page, 'settings');
  const sections = page.getByRole('navigation', { name: 'Settings sections' });
  const end = async (): Promise<number> => {
    const { y, height } = (await sections.boundingBox())!;
    return (await page.locator('footer').last().boundingBox())!.y - y - height;
  };
  for (const section of ['Connections', 'Appearance', 'Data']) {
    await sections.getByRole('button', { name: section }).click();
    await expect.poll(end, section).toBe(6);
  }
});

test('an order stays in view above the warnings of its review', SHARED, async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 640 });
  await goTo(page, 'positions');
  await page.keyboard.press('F2');
  const ticket = new Ticket(page);
  await ticket.choose('BTC-USDT-M');
  await ticket.fill({ side: 'Sell', quantity: '9' });
  const { root } = await ticket.review();
  // It takes the focus, and with it the place in the sheet.
  await expect(root.getByRole('checkbox').first()).toBeFocused();
  await expect(page.getByTestId('confirm-sheet').getByText('Sell 9 BTC')).toBeInViewport({ ratio: 1 });
});

test(
  'a small window keeps the button that opens the review of a batch in sight',
  SHARED,
  async ({ page }) => {
    await page.setViewportSize({ width: 1024, height: 700 });
    await makeLadder(page, 8);
    const button = page.getByRole('button', { name: /^Review 8 practice orders/ });
    for (const tab of ['Ladder', 'File', 'Totals']) {
      await page.getByRole('tab', { name: tab }).click();
      await expect(button).toBeInViewport({ ratio: 1 });
    }
    const totals = page.getByTestId('batch-totals');
    await expect.poll(() => totals.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    await button.click();
    await expect(page.getByTestId('batch-send')).toBeVisible();
  },
);

test(
  'no width of the window cuts the rows of a batch, however many flags and errors',
  SHARED,
  async ({ page }) => {
    await goTo(page, 'batch');
    const columns =
      'symbolId,side,type,quantity,price,timeInForce,postOnly,reduceOnly,reverseOrder,tpPrice,slPrice,tpTriggerType,slTriggerType';
    await page
      .getByLabel('Or paste rows, header first')
      .fill(
        [
          columns,
          'BTC-USDT-M,BUY,LIMIT,0.123,64123.4,IOC,true,true,true,71580.9,61819.8,MARK_PRICE,MARK_PRICE',
          'BTC-USDT-M,SELL,LIMIT,1.5,65123.4,FOK,true,true,true,,,,',
          'SHIB-USDT-M,BUY,LIMIT,25000000,0.00002012,GTC,true,true,false,0.0000301,0.0000101,MARK_PRICE,SOMETHING_ELSE',
        ].join('\n'),
      );
    await page.getByRole('button', { name: 'Import the text' }).click();
    const table = page.getByTestId('batch-rows');
    await expect(table.locator('tr[data-row]')).toHaveCount(3);
    for (const width of [1024, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 700 });
      await expect
        .poll(
          () => table.evaluate((one) => one.scrollWidth - one.parentElement!.clientWidth),
          `cut at ${width}`,
        )
        .toBeLessThanOrEqual(0);
    }
  },
);

test(
  'in a small window the ticket leaves when a press or the focus goes to the rows it covers',
  SHARED,
  async ({ page }) => {
    await page.setViewportSize({ width: 1024, height: 700 });
    await goTo(page, 'positions');
    const ticket = page.getByTestId('ticket');
    const row = rows(page, 'Positions', 'SOL-USDT-M').first();
    await expect(row).toBeVisible();
    await page.keyboard.press('F2');
    await ticket.getByLabel('Price', { exact: true }).fill('140');
    await row.getByText('SOL-USDT-M', { exact: true }).click();
    await expect(ticket).toBeHidden();
    await row.getByRole('button', { name: /^Close SOL/ }).click();
    const sheet = page.getByRole('dialog', { name: /Close/ });
    await expect(sheet).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();

    await page.keyboard.press('F2');
    await expect(ticket).toBeVisible();
    await expect(ticket).toBeFocused();
    for (let presses = 0; presses < 5 && (await ticket.isVisible()); presses++)
      await page.keyboard.press('Shift+Tab');
    await expect(ticket).toBeHidden();
    await expect(page.locator('main :focus')).toHaveCount(1);
    // Also where the ticket had lost the focus, as by another connection.
    await page.keyboard.press('F2');
    await expect(ticket).toBeFocused();
    await ticket.evaluate((one) => one.blur());
    await row.focus();
    await expect(ticket).toBeHidden();
    // An entry of a row that fills the ticket still opens it.
    await row.getByRole('button', { name: 'More for SOL-USDT-M' }).click();
    await page.getByRole('menuitem', { name: /^Add/ }).click();
    await expect(ticket).toBeVisible();
  },
);

test(
  'a small window keeps the actions and the test of a connection in view below its fields',
  SHARED,
  async ({ page }) => {
    await page.setViewportSize({ width: 1024, height: 700 });
    const editor = await ConnectionEditor.add(page, { Name: 'Desk' });
    const button = page.getByRole('button', { name: 'Test', exact: true });
    const save = editor.form.getByRole('button', { name: 'Save connection' });
    for (const one of [button, save]) await expect(one).toBeInViewport({ ratio: 1 });
    // They cover no field that takes the focus, and move nothing when they take it.
    const field = editor.field('The exchange’s website');
    await field.focus();
    const above = async (): Promise<number> =>
      (await save.boundingBox())!.y - (await field.boundingBox())!.y - (await field.boundingBox())!.height;
    await expect.poll(above).toBeGreaterThan(0);
    const place = await settled(() => field.boundingBox());
    for (const one of [save, button]) {
      await one.focus();
      expect(await settled(() => field.boundingBox())).toEqual(place);
    }
    // A message above them, too.
    await save.click();
    await expect(editor.form.getByText('Not saved')).toBeInViewport({ ratio: 1 });
    await expect(save).toBeInViewport({ ratio: 1 });
  },
);

test('a window made smaller, as by zooming in, keeps what is in use', SHARED, async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await goTo(page, 'positions');
  const size = page.getByTestId('ticket').getByLabel('Size', { exact: true });
  await size.fill('0.5');
  await page.setViewportSize({ width: 1024, height: 700 });
  await expect(page.getByTestId('ticket')).toBeVisible();
  await expect(size).toBeFocused();
  await expect(size).toHaveValue('0.5');

  await page.setViewportSize({ width: 1920, height: 1080 });
  await rows(page, 'Positions', 'SOL-USDT-M').first().click({ button: 'right' });
  const menu = page.getByRole('menu');
  await expect(menu).toBeVisible();
  await page.setViewportSize({ width: 1024, height: 700 });
  await expect(menu).toBeInViewport({ ratio: 1 });
});

test('at a zoom of 200% whole rows of orders and trades can be scrolled to', SHARED, async ({ page }) => {
  // Of 450 px a banner takes 40.
  await page.setViewportSize({ width: 720, height: 410 });
  await goTo(page, 'positions');
  const order = rows(page, 'Open orders', /BTC-USDT-M|SOL-USDT-M|ETH-USDT-M/).first();
  await order.scrollIntoViewIfNeeded();
  await expect(order).toBeInViewport({ ratio: 0.9 });
  await goTo(page, 'trades');
  const trade = rows(page, 'Trades', 'USDT-M').first();
  await trade.scrollIntoViewIfNeeded();
  await expect(trade).toBeInViewport({ ratio: 0.9 });
});

test(
  'zoomed to 300% every control of the screens with panes can be scrolled to',
  SHARED,
  async ({ page }) => {
    for (const [width, height] of [
      [720, 450],
      [480, 300],
    ] as const) {
      await resize(page, { width, height });
      await goTo(page, 'risk');
      for (const tab of ['Tiers', 'What-if', 'Price shock']) {
        await page.getByRole('tab', { name: tab, exact: true }).click();
        await expect(page.getByRole('tabpanel', { name: tab })).toBeVisible();
        expect(await outOfReach(page), `${tab}, ${width} px`).toEqual([]);
      }
      await goTo(page, 'batch');
      expect(await outOfReach(page), `batch, ${width} px`).toEqual([]);
      await goTo(page, 'settings');
      for (const section of ['Alerts', 'Connections']) {
        await page.getByRole('navigation', { name: 'Settings sections' }).getByText(section).click();
        expect(await outOfReach(page), `${section}, ${width} px`).toEqual([]);
      }
    }
  },
);
