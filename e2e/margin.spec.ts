/** The sheet that explains the margin ratio, from the top bar and from Overview; it shows nothing it cannot compute. */
import { expectAccessible } from './axe.ts';
import { callBridge, clientOf, expect, SHARED, test } from './fixture.ts';
import { digits, goTo, openLive, rows } from './page-objects.ts';
import { startScripted } from './scripted-exchange.ts';

test(
  'explains the margin ratio by position, with parts that add up to the exchange’s figure',
  SHARED,
  async ({ page, practice, ballast }) => {
    await goTo(page, 'overview');
    await page.getByTestId('top-margin').click();
    const sheet = page.getByRole('dialog', { name: 'Margin ratio' });
    const table = sheet.getByRole('grid', { name: 'Cross positions' });
    await expect(table.locator('tbody tr')).not.toHaveCount(0);
    const client = clientOf(practice);
    const account = await client.account();
    await client.close();
    if (!account.ok) throw new Error('the account was not read');
    const cross = account.data.positions.filter(
      (one) => one.marginMode === 'CROSSED' && one.feeAssetId === 'USDT',
    );
    await expect(table.locator('tbody tr')).toHaveCount(cross.length);
    await expect(table).not.toContainText('Not explained');
    await expect(sheet.getByRole('grid', { name: 'Isolated positions' })).toContainText('SOL-USDT-M');

    await test.step('its columns sort, and the orders stay above the total', async () => {
      const contracts = table.locator('tbody td:first-child');
      const sort = table.getByRole('button', { name: 'Contract' });
      await sort.click();
      const names = await contracts.allInnerTexts();
      expect(new Set(names).size).toBeGreaterThan(1);
      await sort.click();
      await expect(contracts).toHaveText(names.toReversed());
      const foot = table.locator('tfoot tr');
      await expect(foot.first()).toContainText(/open orders?\s*if prices (?:fall|rise)/);
      await expect(foot.last()).toContainText('Now');
    });

    await test.step('the formula is copied in full', async () => {
      const copy = await sheet.getByRole('button', { name: 'Copy the formula' }).elementHandle();
      // At one moment: a poll may change the figures between copying and reading them.
      const shown = await table.getByTestId('margin-now').evaluate((now, button) => {
        (button as HTMLElement).click();
        return (now as HTMLElement).innerText;
      }, copy);
      const copied = (): Promise<string> => ballast.app.evaluate(({ clipboard }) => clipboard.readText());
      await expect.poll(copied).toContain('BTC-USDT-M Long: maintenance');
      const [, division = ''] = (await copied()).split('\n');
      // As shown, but for the grouping.
      expect(digits(shown)).toContain(/^[\d.]+/.exec(division)?.[0] ?? 'none');
    });

    await expectAccessible(sheet);
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    const pane = page.getByRole('region', { name: 'Margin health' });
    for (const opener of [
      pane.getByRole('button', { name: /^[\d.]+%$/ }),
      pane.getByRole('button', { name: 'Healthy' }),
    ]) {
      await opener.click();
      await expect(sheet).toBeVisible();
      await sheet.getByRole('button', { name: 'Close' }).click();
    }
  },
);

test(
  'shows a rate of unknown unit unrated, a missing mark as a dash, and lets the unit be set',
  SHARED,
  async ({ page }) => {
    const exchange = await startScripted();
    // Of no relation to margin and equity in either unit.
    const account = exchange
      .reply('account')
      .replaceAll(/"crossedMaintainMarginRate": "0\.\d+"/g, '"crossedMaintainMarginRate": "7.5"')
      .replace(/"markPrice": "[\d.]+"/, '"markPrice": null');
    exchange.answer('account', account);
    await openLive(page, { url: exchange.url, credentials: { key: 'key', secret: 'secret' } });
    await goTo(page, 'overview');
    const pane = page.getByRole('region', { name: 'Margin health' });
    await expect(pane).toContainText('Not rated');
    await expect(pane).toContainText('7.5');
    await expect(pane).not.toContainText('7.5%');
    await page.getByTestId('top-margin').click();
    const sheet = page.getByRole('dialog', { name: 'Margin ratio' });
    await expect(sheet.getByTestId('margin-ratio')).toContainText('Unit unknown');
    await expect(sheet.locator('.meter')).toHaveCount(0);
    const { positions } = (
      JSON.parse(account) as { data: { positions: { symbolId: string; markPrice: string | null }[] } }
    ).data;
    const unmarked = positions.find((one) => one.markPrice === null)?.symbolId ?? '';
    await expect(
      rows(page, 'Cross positions', unmarked)
        .or(rows(page, 'Isolated positions', unmarked))
        .first(),
    ).toContainText('—');
    await sheet.getByRole('button', { name: 'Set the unit…' }).click();
    const unit = page.getByLabel('Unit of margin and profit rates');
    await expect(unit).toBeFocused();
    await unit.selectOption('100');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await goTo(page, 'overview');
    await expect(pane).toContainText('7.50%');
    await callBridge(page, 'connections.select', { connectionId: 'practice' });
    await exchange.stop();
  },
);
