/** The window by keys alone, with the shortcuts of the design language, and in other window sizes. */
import type { Page } from '@playwright/test';
import { expect, SHARED, test } from './fixture.ts';
import { goTo, rows, Ticket } from './page-objects.ts';

test('screens, palette, ticket, positions and the lock', SHARED, async ({ page }) => {
  const ticket = new Ticket(page);
  const heading = page.locator('main').getByRole('heading', { level: 1 });

  await test.step('screens and palette', async () => {
    for (const [index, name] of ['Overview', 'Positions', 'Risk'].entries()) {
      await page.keyboard.press(`Control+${index + 1}`);
      await expect(heading).toHaveText(name);
    }
    // From wherever the focus was, Tab goes on in the screen.
    await page.getByRole('switch', { name: 'Trading' }).focus();
    await page.keyboard.press('Control+1');
    await page.keyboard.press('Tab');
    await expect(page.locator('main .screen :focus')).toHaveCount(1);
    await page.keyboard.press('Control+k');
    await expect(page.locator('dialog[open]').getByRole('combobox')).toBeFocused();
    // Its results scroll, but are chosen from the text field.
    await page.keyboard.press('Tab');
    await expect(page.getByRole('listbox', { name: 'Results' })).not.toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.locator('dialog[open]')).toHaveCount(0);
    await page.keyboard.press('Control+3');
  });

  await test.step('ticket', async () => {
    // Risk folds the ticket for its own side pane: there F2 would open it again.
    await expect(ticket.root).toBeHidden();
    await page.keyboard.press('Control+1');
    const size = ticket.root.getByLabel('Size', { exact: true });
    await size.fill('0.25');
    // All of the text, and outside a text none of the window's figures.
    const selected = (): Promise<string> => page.evaluate(() => getSelection()?.toString() ?? '');
    await size.press('Control+a');
    expect(await selected()).toBe('0.25');
    await ticket.root.getByRole('radio', { name: 'Buy' }).focus();
    await page.keyboard.press('Control+a');
    expect(await selected()).toBe('0.25');
    // Folded it is not drawn at all, which loses nothing typed.
    await page.keyboard.press('F2');
    await expect(ticket.root).toHaveCount(0);
    await page.keyboard.press('F2');
    await expect(ticket.root).toBeFocused();
    await expect(size).toHaveValue('0.25');
    await page.keyboard.press('s');
    await expect(ticket.root.getByRole('radio', { name: 'Sell' })).toBeChecked();
    await page.keyboard.press('b');
    await expect(ticket.root.getByRole('radio', { name: 'Buy' })).toBeChecked();
    await page.keyboard.press('m');
    await expect(ticket.root.getByLabel('Price', { exact: true })).toBeDisabled();
    await page.keyboard.press('l');
    await expect(ticket.root.getByLabel('Price', { exact: true })).toBeEnabled();

    await page.keyboard.press('Control+1');
    await ticket.choose('SOL-USDT-M');
    await ticket.fill({ side: 'Buy', quantity: '1' });
    await page.keyboard.press('F9');
    await expect(page.getByTestId('confirm-send')).toBeFocused();
    await page.keyboard.press('F9');
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('confirm-sheet')).toHaveCount(0);
    await expect(size).toBeFocused();
  });

  await test.step('the ticket from a screen without one', async () => {
    await goTo(page, 'settings');
    await expect(ticket.root).toHaveCount(0);
    await page.keyboard.press('F2');
    await expect(ticket.root).toBeFocused();
    await expect(heading).toHaveText('Positions');
  });

  await test.step('the positions', async () => {
    await goTo(page, 'positions');
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox', { name: 'Filter positions by symbol' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Filter positions by symbol' })).toBeFocused();

    // A single position has no totals: nothing to stop at.
    const totals = page.getByRole('treegrid', { name: 'Positions' }).locator('tfoot[tabindex]');
    await expect(totals).toHaveCount(1);
    await page.getByRole('radio', { name: /^Isolated/ }).press('Space');
    await expect(totals).toHaveCount(0);
    await page.getByRole('radio', { name: /^All/ }).press('Space');
    await expect(totals).toHaveCount(1);

    // The largest value.
    const first = rows(page, 'Positions', 'BTC-USDT-M').first();
    await first.focus();
    await page.keyboard.press('ArrowDown');
    await expect(first).not.toBeFocused();
    await page.keyboard.press('Home');
    await expect(first).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(first).toHaveAttribute('aria-expanded', 'true');
    await page.keyboard.press('c');
    await expect(page.getByTestId('close-sheet').locator(':focus')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(first).toBeFocused();

    // To the review, back from it, and out of the sheet it began in.
    await page.keyboard.press('c');
    await expect(page.getByTestId('close-review')).toBeEnabled();
    await page.getByTestId('close-review').press('Enter');
    await expect(page.getByTestId('confirm-send')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('close-sheet').locator(':focus')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(page.locator('dialog[open]')).toHaveCount(0);
    await expect(first).toBeFocused();
  });

  await test.step('menus close when the focus leaves them', async () => {
    const menu = page.getByRole('menu', { name: 'Position BTC-USDT-M' });
    await page.keyboard.press('Shift+F10');
    await expect(menu.locator(':focus')).toHaveCount(1);
    await page.keyboard.press('Shift+Tab');
    await expect(menu).toBeHidden();
    // From the row, as if there had been no menu.
    await expect(page.locator('thead :focus')).toHaveCount(1);

    const connections = page.getByRole('menu', { name: 'Connections' });
    await page.locator('[data-connection]').press('Enter');
    await expect(connections.locator(':focus')).toHaveCount(1);
    await page.keyboard.press('F2');
    await expect(ticket.root).toBeFocused();
    await expect(connections).toBeHidden();

    const columns = page.getByRole('dialog', { name: 'Columns' });
    await page
      .getByRole('button', { name: /^Columns/ })
      .first()
      .press('Enter');
    await expect(columns.locator(':focus')).toHaveCount(1);
    // Its own button belongs to it.
    await page.keyboard.press('Shift+Tab');
    await expect(columns).toBeVisible();
    await page.keyboard.press('Shift+Tab');
    await expect(columns).toBeHidden();
    // What it moves keeps the focus.
    await page
      .getByRole('button', { name: /^Columns/ })
      .first()
      .press('Enter');
    const left = columns.getByRole('button', { name: /^Move .* left$/ });
    const right = columns.getByRole('button', { name: /^Move .* right$/ }).first();
    const name = (await right.getAttribute('aria-label')) ?? '';
    await right.press('Enter');
    await expect(columns.getByRole('button', { name })).toBeFocused();
    await expect(left.nth(1)).toHaveAccessibleName(name.replace(/right$/, 'left'));
    await page.keyboard.press('Escape');
    // A click beside its controls keeps the focus in it.
    await page
      .getByRole('button', { name: /^Columns/ })
      .first()
      .click();
    await columns
      .locator('li')
      .first()
      .click({ position: { x: 2, y: 2 } });
    await expect(columns).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(columns).toBeHidden();
  });

  await test.step('locking, and unlocking only on purpose', async () => {
    await page.keyboard.press('Control+l');
    await expect(page.getByRole('switch', { name: 'Trading' })).not.toBeChecked();
    await page.keyboard.press('Control+l');
    await expect(page.getByRole('button', { name: 'Stay locked' })).toBeFocused();
  });
});

const inView = async (page: Page, testId: string): Promise<void> => {
  await expect(page.getByTestId(testId)).toBeInViewport({ ratio: 1 });
};

test(
  'small and tall windows: no figure is cut off, lock and Review stay visible, charts fill the rest',
  SHARED,
  async ({ page }) => {
    await test.step('no figure of the overview is cut off', async () => {
      const values = page.getByRole('region', { name: 'Key figures' }).locator('.value:visible');
      for (const width of [1024, 1280, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await expect(values.first()).toBeVisible();
        const cut = (): Promise<string[]> =>
          values.evaluateAll((all) =>
            all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
          );
        await expect.poll(cut, `${width}`).toEqual([]);
      }
    });

    await test.step('the charts of Overview fill the height of a tall window', async () => {
      const last = page.locator('main section').last();
      const left = (): Promise<number> =>
        last.evaluate((one) => innerHeight - one.getBoundingClientRect().bottom);
      for (const [width, height] of [
        [2560, 1440],
        [1920, 1300],
      ] as const) {
        await page.setViewportSize({ width, height });
        // The status bar and the gap above it.
        await expect.poll(left, `${width}×${height}`).toBeLessThan(60);
      }
    });

    await test.step('the focused row stays in view where the screen scrolls', async () => {
      await page.setViewportSize({ width: 1024, height: 700 });
      const coins = rows(page, 'Balances', /./).and(page.locator('[data-index]'));
      await coins.first().focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('End');
      await expect(coins.last()).toBeFocused();
      await expect(coins.last()).toBeInViewport({ ratio: 1 });
    });

    await test.step('the export leaves what it covers in a narrow window', async () => {
      await goTo(page, 'trades');
      await page.keyboard.press('Control+e');
      const panel = page.getByRole('region', { name: 'Export CSV' });
      await expect(panel).toBeFocused();
      // Back through the screen, whose controls at the left stay in view.
      await page
        .getByRole('button', { name: /^Period/ })
        .first()
        .focus();
      await expect(panel).toBeVisible();
      const last = page.locator('main').getByRole('button', { name: 'Export', exact: true });
      await last.focus();
      await expect(panel).toBeHidden();
      await expect(last).toBeInViewport({ ratio: 1 });
    });

    await test.step('a window zoomed to 200 %', async () => {
      await page.setViewportSize({ width: 720, height: 450 });
      await expect(page.getByRole('switch', { name: 'Trading' })).toBeInViewport({ ratio: 1 });
      await expect(page.getByTestId('ticket')).toBeHidden();
      await page.keyboard.press('F2');
      await inView(page, 'ticket-review');
      await page.getByRole('button', { name: 'Decimals and fees of this contract' }).click();
      await expect(page.getByRole('dialog', { name: /^Contract specs/ })).toBeInViewport({ ratio: 1 });
      // Not the ticket around it, too.
      await page.keyboard.press('Escape');
      await inView(page, 'ticket-review');
      const ticket = new Ticket(page);
      await ticket.choose('SOL-USDT-M');
      await ticket.fill({ side: 'Buy', quantity: '1' });
      await ticket.review();
      await inView(page, 'confirm-send');
    });
  },
);
