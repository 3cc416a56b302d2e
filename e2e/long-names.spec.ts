/** Contracts and zones with long names, and a zoomed window: no text is cut off, and figures stay beside their labels. */
import { beside } from './accounts.ts';
import { cutTexts } from './cut-texts.ts';
import { changeSettings, expect, SHARED, test } from './fixture.ts';
import { ConnectionEditor, goTo, openData, rows, Ticket } from './page-objects.ts';
import { startScripted } from './scripted-exchange.ts';

const COIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGH';
const CONTRACT = `${COIN}-USDT-M`;

test('a long name of a contract leaves room for its size and its review', async ({ profile }) => {
  const exchange = await startScripted();
  for (const endpoint of ['account', 'openOrders', 'symbolConfig'] as const)
    exchange.answer(endpoint, exchange.reply(endpoint).replaceAll('BTC-USDT-M', CONTRACT));
  const { app, page } = await beside(exchange, profile);
  await page.setViewportSize({ width: 1440, height: 900 });
  await goTo(page, 'positions');
  const ticket = new Ticket(page);
  await ticket.choose(CONTRACT);
  await ticket.fill({ side: 'Buy', quantity: '0.1', price: '61000' });
  const size = ticket.root.getByLabel('Size', { exact: true });
  const widthOf = async (one: typeof size): Promise<number> => (await one.boundingBox())!.width;
  const share = async (): Promise<number> => (await widthOf(size)) / (await widthOf(ticket.root));
  await expect.poll(share).toBeGreaterThan(1 / 3);
  await expect.poll(() => cutTexts(page)).toEqual([]);

  const sheet = await ticket.review();
  const content = sheet.root.locator('.content');
  await expect.poll(() => content.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  await expect.poll(() => cutTexts(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await test.step('and for the figures of its position', async () => {
    await rows(page, 'Positions', CONTRACT).first().focus();
    await page.keyboard.press('ArrowRight');
    const card = page.getByRole('region', { name: 'Risk line' });
    const figures = card.locator('dd');
    await expect(figures).not.toHaveCount(0);
    const outside = (): Promise<number> =>
      card.evaluate(
        (one) =>
          [...one.querySelectorAll('dd')].filter(
            (figure) => figure.getBoundingClientRect().right > one.getBoundingClientRect().right,
          ).length,
      );
    await expect.poll(outside).toBe(0);
  });
  await test.step('and in Risk, for what is typed and for the name among its moves', async () => {
    await goTo(page, 'risk');
    const quantity = page.locator('.what-if').getByLabel('Quantity');
    await expect(quantity).toHaveValue(/^0\.\d85$/);
    expect(await quantity.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    await page.getByRole('tab', { name: 'Price shock' }).click();
    const name = page.getByTestId('shock-underlyings').getByText(COIN, { exact: true });
    await expect.poll(() => name.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  });
  await test.step('or is whole in a title', async () => {
    const cell = page.getByRole('grid', { name: 'Positions at this shock' }).getByText(CONTRACT);
    await cell.hover();
    await expect(cell).toHaveAttribute('title', CONTRACT);
    await page.keyboard.press('Shift');
    await expect(cell).not.toHaveAttribute('title');
    await goTo(page, 'trades');
    const short = page.getByRole('region', { name: 'Trades' }).getByText('stored', { exact: true });
    await short.hover();
    await expect(short).not.toHaveAttribute('title');
  });
  await app.close();
  await exchange.stop();
});

test('a figure with no room beside its label is below it', SHARED, async ({ page }) => {
  const ticket = new Ticket(page);
  await ticket.choose('BTC-USDT-M');
  await ticket.fill({ side: 'Buy', quantity: '123456789012', price: '65000' });
  const label = ticket.root.locator('dt').filter({ hasText: 'Initial margin' });
  const figure = label.locator('+ dd');
  await expect(figure).toContainText('USDT');
  // A poll may draw them again between the looks.
  await expect(async () => {
    const text = await figure.evaluate((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return range.getBoundingClientRect().toJSON() as DOMRect;
    });
    const box = (await label.boundingBox())!;
    expect(text.top).toBeGreaterThan(box.y + box.height / 2);
    const { x, width } = (await ticket.root.boundingBox())!;
    expect(text.right).toBeLessThanOrEqual(x + width);
  }).toPass();
});

test('a long liquidation price does not run into the distance beside it', SHARED, async ({ page }) => {
  await goTo(page, 'risk');
  const main = page.locator('main');
  await main.getByRole('radio', { name: /Short/ }).click();
  await main.getByRole('radio', { name: 'Isolated' }).click();
  await main.getByLabel('Entry price').fill('123456789012.1');
  const figures = page.getByTestId('what-if');
  await expect(figures).toContainText(/≈\s*\d{2,3}(?:,\d{3}){3}/);
  const tooWide = (): Promise<number> =>
    figures
      .locator('> div')
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
  await expect.poll(tooWide).toBe(0);
});

test('a window at 200 % shows its times whole', SHARED, async ({ page }) => {
  await changeSettings(page, { timeZone: 'America/Argentina/Buenos_Aires' });
  await page.setViewportSize({ width: 720, height: 450 });
  await openData(page);
  await expect(page.locator('tr[data-resource="Trades"] time').first()).toBeVisible();
  await expect.poll(() => cutTexts(page)).toEqual([]);
});

test('a long name of a header is whole, or below where it has no room', SHARED, async ({ page }) => {
  const { form } = await ConnectionEditor.add(page, {});
  await form.getByRole('button', { name: 'Fill in like…' }).click();
  await page.getByRole('menuitem', { name: 'Signed like Bybit' }).click();
  for (const width of [1440, 1200, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    const hidden = form
      .getByLabel('Name', { exact: true })
      .evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth));
    expect(await hidden).toEqual([0, 0, 0, 0]);
  }
});
