/** Contracts and zones with long names, and a zoomed window: no text is cut off, and figures stay beside their labels. */
import { expect, SHARED, test } from './fixture.ts';
import { Ticket } from './page-objects.ts';


test('a figure with no room beside its label is below it', SHARED, async ({ page }) => {
  const ticket = new Ticket(page);
  await ticket.choose('BTC-USDT-M');
  await ticket.fill({ side: 'Buy', quantity: '123456789012', price: '65000' });
  const label = ticket.root.locator('dt').filter({ hasText: 'Initial margin' });
  const figure = label.locator('+ dd');
  await expect(figure).toContainText('USDT');
  const text = await figure.evaluate((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getBoundingClientRect().toJSON() as DOMRect;
  });
  const box = (await label.boundingBox())!;
  expect(text.top).toBeGreaterThan(box.y + box.height / 2);
  const { x, width } = (await ticket.root.boundingBox())!;
  expect(text.right).toBeLessThanOrEqual(x + width);
});
