/** Fields of the order forms keep their place: what a pointer is aimed at is still there when it is pressed. */
import type { Locator, Page } from '@playwright/test';
import { controls, expect, SHARED, test } from './fixture.ts';
import { goTo, settled, Ticket } from './page-objects.ts';

/** The top of each field, in the page's pixels. */
async function topsOf(fields: Readonly<Record<string, Locator>>): Promise<Record<string, number>> {
  const tops: Record<string, number> = {};
  for (const [name, field] of Object.entries(fields)) tops[name] = Math.round((await field.boundingBox())!.y);
  return tops;
}
const ticketFields = (page: Page) => {
  const { root } = new Ticket(page);
  return {
    price: page.getByTestId('ticket-price'),
    notional: root.getByRole('radio', { name: 'Notional' }),
    size: page.getByTestId('ticket-size'),
    slider: root.getByRole('slider'),
    postOnly: root.getByRole('checkbox', { name: 'Post-only' }),
    tpSl: root.getByRole('switch', { name: 'Take profit / stop loss' }),
  };
};

test('the fields of the ticket stay where they are', SHARED, async ({ page }) => {
  await goTo(page, 'overview');
  const ticket = new Ticket(page);
  const fields = ticketFields(page);
  await ticket.choose('BTC-USDT-M');
  await ticket.fill({ side: 'Buy', quantity: '0.01', price: '60000' });
  const tops = await settled(() => topsOf(fields));

  await ticket.fill({ side: 'Buy', quantity: '0.01' });
  await expect(fields.price).toBeDisabled();
  await expect(fields.price).toHaveAttribute('placeholder', 'Market');
  await expect(fields.price).toHaveValue('');
  await expect(ticket.root).toContainText(/Price near [\d,.]+/);
  expect(await topsOf(fields), 'a market order').toEqual(tops);
  // A share that is rounded down.
  await fields.slider.focus();
  await page.keyboard.press('ArrowRight');
  await expect(ticket.root).toContainText('rounded down from');
  expect(await topsOf(fields), 'a rounded size').toEqual(tops);

  await ticket.root.getByRole('radio', { name: 'Limit' }).click({ force: true });
  await expect(fields.price).toHaveValue('60000');
  await ticket.fill({ side: 'Buy', quantity: '0.01', price: '65500' });
  await expect(ticket.root).toContainText('fills at once as taker');
  expect(await topsOf(fields), 'a limit that crosses').toEqual(tops);

  // A number that cannot be read is explained below the fields.
  await fields.price.fill('1,002');
  await fields.size.fill('0,002');
  await fields.size.blur();
  await expect(fields.size).toHaveAttribute('aria-invalid', 'true');
  await expect(ticket.root).toContainText('“0,002” has a comma. Use a point');
  expect(await topsOf(fields), 'two faults').toEqual(tops);
  await ticket.root.getByRole('button', { name: 'Use 0.002' }).click();
  await expect(fields.size).toHaveValue('0.002');

  // No position and no fresh price: the field for one opens below.
  await ticket.choose('DOGE-USDT-M');
  await expect(page.getByTestId('reference-input')).toBeVisible();
  await expect(ticket.root).toContainText('Price no recent price, see below');
  await expect(ticket.root).toContainText('The latest price is older than 60 s. The exchange API gives');
  await page.getByTestId('ticket-price-source').press('Enter');
  const why = page.getByTestId('ticket-price-why');
  await expect(why).toContainText(
    /You hold no position in DOGE-USDT-M\. Ballast uses [\d.]+ of your last fill/,
  );
  await page.keyboard.press('Escape');
  await expect(why).toBeHidden();
  expect(await topsOf(fields), 'another contract').toEqual(tops);
  // A price too old to compare with is no promise that the order rests.
  await ticket.fill({ side: 'Buy', quantity: '100', price: '0.15' });
  await expect(ticket.root).toContainText('Unknown whether this crosses: the price of your last fill is');
  expect(await topsOf(fields), 'a limit that may cross').toEqual(tops);
  await page.getByTestId('reference-input').fill('0.15');
  await page.getByTestId('reference-input').press('Enter');
  await expect(page.getByTestId('reference-input')).toHaveCount(0);
  expect(await topsOf(fields), 'with a price').toEqual(tops);
  await ticket.root.getByRole('button', { name: 'Type a reference price' }).click();
  await expect(page.getByTestId('reference-input')).toBeFocused();
  expect(await topsOf(fields), 'typing a price').toEqual(tops);
});

test('the fields of the ladder stay where they are', SHARED, async ({ page }) => {
  await goTo(page, 'positions');
  await new Ticket(page).choose('BTC-USDT-M');
  await goTo(page, 'batch');
  const ladder = page.getByTestId('ladder');
  const fields = {
    from: ladder.getByLabel('From', { exact: true }),
    orders: ladder.getByLabel('Orders', { exact: true }),
    total: ladder.getByLabel('Total size', { exact: true }),
    spacing: ladder.getByLabel('Spacing'),
    postOnly: ladder.getByRole('checkbox', { name: 'Post-only' }),
    add: page.getByTestId('ladder-add'),
  };
  const contract = page.getByTestId('ladder-contract');
  await expect(contract).toContainText(/Mark ?[\d,.]+ ?the ticket’s contract/);
  const tops = await settled(() => topsOf(fields));
  for (const symbolId of ['SOL-USDT-M', 'DOGE-USDT-M']) {
    await ladder.getByLabel('Symbol').selectOption(symbolId);
    await expect(contract).not.toContainText('ticket');
    expect(await topsOf(fields), symbolId).toEqual(tops);
  }
  await ladder.getByLabel('Symbol').selectOption('SOL-USDT-M');
  await fields.from.fill('140.00');
  await ladder.getByLabel('To', { exact: true }).fill('136.00');
  await fields.orders.fill('4');
  await fields.total.fill('12');
  await expect(ladder).toContainText(/From ?−\d+\.\d\d%/);
  await expect(page.getByTestId('ladder-add')).toContainText('4 rows');
  expect(await topsOf(fields), 'with its rows').toEqual(tops);
  await fields.orders.fill('1.5');
  await expect(fields.orders).toHaveAttribute('aria-invalid', 'true');
  expect(await topsOf(fields), 'with a fault').toEqual(tops);
});

test('the strip of a position has its liquidation price before its entry, and its PnL before both', async ({
  page,
  practice,
}) => {
  await goTo(page, 'positions');
  const ticket = new Ticket(page);
  const strip = page.getByTestId('ticket-position');
  const pnl = page.getByTestId('ticket-position-pnl');
  const isIn = async (part: Locator): Promise<boolean> => {
    const [inside, shown] = [(await strip.boundingBox())!, (await part.boundingBox())!];
    return (
      shown.x + shown.width <= inside.x + inside.width && shown.y + shown.height <= inside.y + inside.height
    );
  };
  /** Space between the PnL and the figure before it, px. The entry has no room for all of it, and is not shown. */
  const gap = (): Promise<number> =>
    strip.evaluate((one) => {
      const { x, bottom } = one.querySelector('[data-testid="ticket-position-pnl"]')!.getBoundingClientRect();
      const before = [...one.querySelectorAll('.own > .shown, .entry > span')]
        .map((part) => part.getBoundingClientRect())
        .filter(({ top }) => top < bottom);
      return x - Math.max(...before.map(({ right }) => right));
    });
  await ticket.choose('ETH-USDT-M');
  await expect.poll(() => isIn(strip.getByText(/^Liq/))).toBe(true);
  await expect.poll(gap).toBeLessThan(8);
  await ticket.choose('BTC-USDT-M');
  await expect(pnl).toBeVisible();
  await controls(practice, '/shock', { symbolId: 'BTC-USDT-M', share: '0.8' });
  await expect(pnl).toContainText(/−[1-9],?\d{3}/);
  await expect.poll(() => isIn(pnl)).toBe(true);
});
