/** Positions: the shown figures, selecting a row, and its actions by pointer and by keys. */
import type { Locator, Page } from '@playwright/test';
import { beside, serveLargeAccount } from './accounts.ts';
import { changeSettings, expect, SHARED, test } from './fixture.ts';
import { digits, goTo, rows, Ticket } from './page-objects.ts';
import { startScripted } from './scripted-exchange.ts';

const SYMBOL = 'SOL-USDT-M';
const rowOf = (page: Page, symbolId = SYMBOL): Locator => rows(page, 'Positions', symbolId).first();

/** A figure as shown, without its hidden digits. */
const seen = (place: Locator): Promise<string> =>
  place.evaluate((element) => {
    const copy = element.cloneNode(true) as HTMLElement;
    for (const one of copy.querySelectorAll('.cut, .unit')) one.remove();
    return copy.textContent.replaceAll(',', '').trim();
  });
const copied = (place: Locator): Promise<string> =>
  place.evaluate((element) => {
    getSelection()?.selectAllChildren(element);
    const text = String(getSelection());
    getSelection()?.removeAllRanges();
    return text;
  });

test(
  'truncates money to two decimals; tooltip, copy and a setting give every digit',
  SHARED,
  async ({ page }) => {
    const equity = page.locator('header').locator('.value .shown.amount').first();
    await expect(equity).toHaveText(/\d{3,}/);
    await goTo(page, 'positions');
    const margin = rowOf(page, 'BTC-USD-M').locator('[data-field="margin"] .shown');
    await expect(margin).toHaveText(/0\.\d{7,}/);

    await test.step('two decimals of a quote coin, six of a base coin', async () => {
      await expect.poll(() => seen(equity)).toMatch(/^\d+\.\d{2}$/);
      await expect.poll(() => seen(margin)).toMatch(/^0\.\d{6}$/);
      const title = await equity.getAttribute('title');
      expect(title).toMatch(/^\d+\.\d{3,} USDT$/);
      await margin.hover();
      await expect(margin).toHaveAttribute('title', /^0\.\d{7,} BTC$/);
    });
    await test.step('hidden digits take no width, are not rounded away, and are copied', async () => {
      await expect.poll(async () => digits(await copied(margin))).toMatch(/^0\.\d{7,}/);
      // A poll may change it between the looks.
      await expect(async () => {
        const [cut, full] = await Promise.all([seen(margin), margin.textContent()]);
        expect(digits(full).startsWith(cut)).toBe(true);
      }).toPass();
      expect(await margin.locator('.cut').evaluate((one) => one.getBoundingClientRect().width)).toBe(0);
    });
    await test.step('prices keep the contract’s decimals, and an entry no more than two beyond them', async () => {
      const row = rowOf(page, 'BTC-USD-M');
      expect(await seen(row.locator('[data-field="avgEntryPrice"]'))).toMatch(/^\d+\.\d{2}$/);
      expect(await seen(row.locator('[data-field="markPrice"]'))).toMatch(/^\d+\.\d$/);
    });
    await test.step('as received by the setting', async () => {
      await goTo(page, 'settings');
      await page.getByRole('navigation', { name: 'Settings sections' }).getByText('Appearance').click();
      const choice = page.getByRole('radiogroup', { name: 'Decimals of money' });
      await choice.getByText('As received').click();
      await expect.poll(() => seen(equity)).toMatch(/^\d+\.\d{3,}$/);
      await goTo(page, 'positions');
      await expect.poll(() => seen(margin)).toMatch(/^0\.\d{7,}$/);
      await page.reload();
      await expect.poll(() => seen(equity)).toMatch(/^\d+\.\d{3,}$/);
    });
  },
);

test(
  'largest value first; columns depend on the table’s width only, and the head names hidden ones',
  SHARED,
  async ({ page }) => {
    await goTo(page, 'positions');
    const table = page.getByRole('treegrid', { name: 'Positions' });
    await expect(rowOf(page)).toBeVisible();
    // A poll may change them between the looks.
    await expect(async () => {
      const values = await Promise.all(
        (await table.locator('tbody tr[data-key]').all())
          .slice(0, 3)
          .map(async (row) => Number.parseFloat(await seen(row.locator('td').nth(3)))),
      );
      expect(values).toEqual(values.toSorted((a, b) => b - a));
    }).toPass();
    const heads = (): Promise<string[]> => table.locator('thead th[data-column]').allTextContents();
    const full = ['Symbol', 'Size', 'Value ≈', 'Entry', 'Mark', 'Liquidation', 'TP / SL'];
    const shown = async (): Promise<string[]> => (await heads()).map((one) => one.replace(/[↓↑]|USDT$/g, ''));
    // The most frequent coin, which the figures do not show.
    await expect.poll(heads).toContain('MarginUSDT');
    await expect.poll(shown).toEqual([...full, 'Unrealised · ROE', 'Margin', 'Actions']);
    const pane = page.getByRole('region', { name: 'Positions' });
    const columns = pane.getByRole('button', { name: /^Columns/ });
    await expect(columns).toHaveText('Columns');

    await page.setViewportSize({ width: 1024, height: 700 });
    await expect(columns).toHaveText('Columns· 1 hidden');
    await expect(columns).toHaveAttribute('title', 'No space at this width: Margin.');
    // With every digit each figure is longer, and the set of columns stays the same.
    await changeSettings(page, { precision: 'received' });
    await expect
      .poll(() => seen(rowOf(page, 'BTC-USD-M').locator('[data-field="profitUnreal"]')))
      .toMatch(/\.\d{7,}/);
    expect(await shown()).toEqual([...full, 'Unrealised · ROE', 'Actions']);
    await columns.click();
    const choice = page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox', { name: /^Margin/ });
    await expect(choice).not.toBeChecked();
    await choice.check({ force: true });
    await page.keyboard.press('Escape');
    await expect(columns).toHaveText('Columns');
    await expect.poll(shown).toEqual([...full, 'Unrealised · ROE', 'Margin', 'Actions']);
    await page.reload();
    await goTo(page, 'positions');
    await expect.poll(shown).toContain('Margin');
  },
);

test(
  'an expanded row shows cards, and all fields on request; no liquidation and a far one are marked',
  SHARED,
  async ({ page }) => {
    await goTo(page, 'positions');
    const row = rowOf(page);
    await row.focus();
    await page.keyboard.press('ArrowRight');
    const table = page.getByRole('treegrid', { name: 'Positions' });
    for (const name of ['Risk line', 'Protection', 'Costs'])
      await expect(table.getByRole('region', { name })).toBeVisible();
    const risk = table.getByRole('region', { name: 'Risk line' });
    await expect(risk).toContainText(/Distance to liquidation\s*−[\d.]+% · [\d.,]+\s*USDT/);
    await expect(risk).toContainText(/Risk tier\s*1 of 7/);
    const costs = table.getByRole('region', { name: 'Costs' });
    await expect(costs).toContainText('closed − fees + funding');
    // The line above the sum runs through.
    const tops = (): Promise<number[]> =>
      costs.locator('.sum').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    await expect.poll(async () => new Set(await tops()).size).toBe(1);
    const field = table.locator('dd[data-field="bkrFee"]');
    await expect(field).toHaveCount(0);
    await table.getByText('All 37 fields').click();
    await expect(field).toBeVisible();
    // Shown digit for digit there, whatever is cut off elsewhere.
    await expect(table.locator('dd[data-field="feeAmount"]').locator('.cut')).toHaveCount(0);

    const none = rowOf(page, 'BTC-USDT-M').locator('[data-field="liquidPrice"] .shown');
    await expect(none).toHaveText('No liquidation');
    await none.hover();
    await expect(none).toHaveAttribute('title', /reports 0: no price liquidates/);
    await expect(rowOf(page, 'ETH-USDT-M').locator('[data-field="liquidPrice"]')).toContainText('>1,000%');
  },
);

test(
  'a row selects its contract for ticket and Risk, and keeps its colour while figures flash',
  SHARED,
  async ({ page }) => {
    await goTo(page, 'positions');
    const row = rowOf(page, 'ETH-USDT-M');
    await row.locator('[data-field="quantity"]').click();
    await expect(page.getByTestId('ticket-symbol')).toContainText('ETH-USDT-M');
    await expect(row).toHaveAttribute('aria-selected', 'true');
    await expect(rowOf(page)).toHaveAttribute('aria-selected', 'false');
    // Selected, not expanded.
    await expect(row).toHaveAttribute('aria-expanded', 'false');
    await goTo(page, 'risk');
    await expect(page.locator('main')).toContainText('ETH-USDT-M');
    await goTo(page, 'positions');
    await rowOf(page).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('ticket-symbol')).toContainText(SYMBOL);

    // A cell's flash ends transparent: the row must show behind it.
    const colours = (of: Locator): Promise<string[]> =>
      of.evaluate((line) => [
        getComputedStyle(line).backgroundColor,
        getComputedStyle(line.querySelector('[data-field="markPrice"]')!).backgroundColor,
      ]);
    await expect.poll(async () => (await colours(rowOf(page)))[1]).toBe('rgba(0, 0, 0, 0)');
    await row.hover();
    // The row under the pointer changes with the next frame.
    const different = async (): Promise<number> => {
      const shown = await Promise.all([rowOf(page), row, rowOf(page, 'BTC-USDT-M')].map(colours));
      return new Set(shown.map(([background]) => background)).size;
    };
    await expect.poll(different).toBe(3);
  },
);

test(
  'opens a menu by right click, Shift F10 and the menu key; each entry fills the ticket or opens a sheet',
  SHARED,
  async ({ page, ballast }) => {
    await goTo(page, 'positions');
    const row = rowOf(page);
    const menu = page.getByRole('menu', { name: `Position ${SYMBOL}` });
    const entry = (name: string | RegExp): Locator => menu.getByRole('menuitem', { name });

    await test.step('shares are rounded down to the lot and shown', async () => {
      await row.locator('[data-field="quantity"]').click({ button: 'right' });
      await expect(menu).toBeVisible();
      await expect(page.getByTestId('ticket-symbol')).toContainText(SYMBOL);
      await expect(entry(/^Close 25%/)).toHaveText('Close 25%8.0');
      await expect(entry(/^Close 50%/)).toHaveText('Close 50%16.0');
      await expect(entry(/^Close 100%/)).toHaveText('Close 100%32.0 · C');
      await expect(entry(/^Reverse/)).toContainText('to short 32.0');
    });
    await test.step('arrows, first letter, Esc back to the row', async () => {
      await expect(entry(/^Close 25%/)).toBeFocused();
      await page.keyboard.press('ArrowDown');
      await expect(entry(/^Close 50%/)).toBeFocused();
      await page.keyboard.press('r');
      await expect(entry(/^Reverse/)).toBeFocused();
      await page.keyboard.press('t');
      await expect(entry(/^Trades/)).toBeFocused();
      await page.keyboard.press('t');
      await expect(entry(/^Take profit/)).toBeFocused();
      await page.keyboard.press('ArrowUp');
      await expect(entry(/^Close at limit/)).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(menu).toHaveCount(0);
      await expect(row).toBeFocused();
      for (const key of ['Shift+F10', 'ContextMenu']) {
        await page.keyboard.press(key);
        await expect(menu).toBeVisible();
        await page.keyboard.press('Escape');
        await expect(menu).toHaveCount(0);
        await expect(row).toBeFocused();
      }
    });
    /** By the row's key. The menu takes the focus once it is placed; a click before that may miss it. */
    const open = async (): Promise<void> => {
      await row.focus();
      await page.keyboard.press('Shift+F10');
      await expect(entry(/^Close 25%/)).toBeFocused();
    };
    await test.step('closing', async () => {
      const sheet = page.getByTestId('close-sheet');
      for (const [name, words] of [
        [/^Close 25%/, 'Review close · 8.0 SOL'],
        [/^Close 100%/, 'Review close of all'],
        [/^Close at limit/, 'Enter a price'],
        [/^Take profit/, 'Enter a price'],
      ] as const) {
        await open();
        await entry(name).click();
        await expect(sheet).toBeVisible();
        await expect(page.getByTestId('close-review')).toHaveText(words);
        await page.keyboard.press('Escape');
        await expect(sheet).toBeHidden();
      }
    });
    await test.step('adding and reversing fill the ticket', async () => {
      const ticket = new Ticket(page);
      await open();
      await entry(/^Add/).click();
      await expect(ticket.root.getByRole('radio', { name: 'Buy' })).toBeChecked();
      await open();
      await entry(/^Reverse/).click();
      await expect(ticket.root.getByLabel('Size', { exact: true })).toHaveValue('32.0');
      await expect(ticket.root.getByRole('radio', { name: 'Sell' })).toBeChecked();
    });
    await test.step('copying gives every digit, also by Ctrl C on the row', async () => {
      const clipboard = (): Promise<string> => ballast.app.evaluate(({ clipboard }) => clipboard.readText());
      await open();
      await entry(/^Copy/).click();
      await expect.poll(clipboard).toContain(`"symbolId": "${SYMBOL}"`);
      await rowOf(page, 'ETH-USDT-M').focus();
      await page.keyboard.press('Control+c');
      await expect.poll(clipboard).toContain('"symbolId": "ETH-USDT-M"');
    });
    await test.step('the same in the palette', async () => {
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: 'Search or run a command' });
      await palette.getByRole('combobox').fill(`${SYMBOL} close 25`);
      await expect(palette.getByRole('option', { name: /Close 25%/ })).toContainText('8.0');
      await page.keyboard.press('Enter');
      await expect(page.getByTestId('close-review')).toHaveText('Review close · 8.0 SOL');
      await page.keyboard.press('Escape');
    });
    await test.step('What-if and Trades', async () => {
      await open();
      await entry('What-if').click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Risk');
      await goTo(page, 'positions');
      await open();
      await entry('Trades').click();
      await expect(page.getByRole('button', { name: `Symbol: ${SYMBOL}` })).toBeVisible();
    });
  },
);

test('a large account: Find neither moves the pane nor cuts off a symbol', async ({ profile }) => {
  const exchange = await startScripted();
  serveLargeAccount(exchange, false);
  const { app, page } = await beside(exchange, profile);
  await goTo(page, 'positions');
  const pane = page.getByRole('region', { name: 'Positions' });
  const symbol = pane.locator('td[data-field="symbolId"]').first();
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(symbol).toBeVisible();
    await page.keyboard.press('/');
    const find = page.getByRole('searchbox', { name: 'Filter positions by symbol' });
    await expect(find).toBeFocused();
    await expect(find).toBeInViewport({ ratio: 1 });
    expect(await pane.evaluate((one) => [one.scrollLeft, one.scrollTop])).toEqual([0, 0]);
    await page.keyboard.type('MOGWAI');
    await expect(pane.locator('tbody tr[data-key]').first()).toContainText('MOGWAI');
    expect(await pane.evaluate((one) => [one.scrollLeft, one.scrollTop])).toEqual([0, 0]);
    const edge = (await pane.boundingBox())!.x;
    for (const one of await pane.locator('td[data-field="symbolId"] .semi').all())
      expect((await one.boundingBox())!.x).toBeGreaterThan(edge);
    await page.keyboard.press('Escape');
  }
  // Figures of the totals go below the pinned column too, where a cut one would be misread.
  const total = pane.locator('tfoot td').last();
  await expect(total).toHaveText('');
  await expect(total).toBeInViewport({ ratio: 1 });
  await app.close();
  await exchange.stop();
});
