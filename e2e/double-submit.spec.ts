/**
 * However Send is pressed, one order is sent: double and triple clicks, keys held down, both at once.
 * `PRESSES=1000` is the long form (`npm run test:stress -- double-submit`).
 */
import { clearFaults, expect, holdReplies, received, test } from './fixture.ts';
import { goTo, rows, type Sheet, Ticket } from './page-objects.ts';

/** A trace stores frames and snapshots of the page, so the long form is measured without one. */
if (process.env['PRESSES'] !== undefined) test.use({ trace: 'off' });

const PRESSES = parseInt(process.env['PRESSES'] ?? '6', 10);

const mb = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

test('sends one order per confirmation, however it is pressed', async ({ page, practice }) => {
  test.setTimeout(600_000 + PRESSES * 4_000);
  const ticket = new Ticket(page);
  const send = page.getByTestId('confirm-send');
  const hold = async (key: string): Promise<void> => {
    for (let repeat = 0; repeat < 12; repeat++) await page.keyboard.down(key);
    await page.keyboard.up(key);
  };
  const together = async (key: string): Promise<void> => {
    await page.keyboard.down('Control');
    await hold(key);
    await page.keyboard.up('Control');
  };
  /** Enter and Space open the sheet, so they never send from it: key repeat would. */
  const ways: readonly (readonly [what: string, press: () => Promise<void>, sends?: false])[] = [
    ['double click', () => send.dblclick()],
    ['three clicks', () => send.click({ clickCount: 3 })],
    ['Ctrl Enter held', () => together('Enter')],
    [
      'Enter held on the button',
      async () => {
        await send.focus();
        await hold('Enter');
      },
      false,
    ],
    [
      'Space twice on the button',
      async () => {
        await send.focus();
        await page.keyboard.press('Space');
        await page.keyboard.press('Space');
      },
      false,
    ],
    [
      'a click while Ctrl Enter is held',
      async () => {
        await page.keyboard.down('Control');
        await page.keyboard.down('Enter');
        await send.click({ force: true, timeout: 500 }).catch(() => undefined);
        await page.keyboard.up('Enter');
        await page.keyboard.up('Control');
      },
    ],
  ];
  await goTo(page, 'positions');
  await ticket.choose('SOL-USDT-M');
  const size = rows(page, 'Positions', 'SOL-USDT-M').locator('[data-field="quantity"]');
  const session = await page.context().newCDPSession(page);
  /** The page's memory after a collection. */
  const held = async (): Promise<{ readonly bytes: number; readonly nodes: number }> => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const { nodes } = await session.send('Memory.getDOMCounters');
    return { bytes: usedSize, nodes };
  };
  let first = await held();
  let sent = 0;
  for (let press = 0; press < PRESSES; press++) {
    // Every sheet was drawn once by then.
    if (press === ways.length * 2) first = await held();
    const [what, way, sends = true] = ways[press % ways.length]!;
    await test.step(what, async () => {
      // Alternately buys and sells, so that the position stays the same.
      await ticket.fill({ side: press % 2 === 0 ? 'Buy' : 'Sell', quantity: '0.5' });
      const before = (await size.textContent()) ?? '';
      // The reply is held, so that a second press meets the first one in flight.
      if (sends) await holdReplies(practice, 'order', 1);
      const sheet: Sheet = await ticket.review();
      await expect(send).toBeEnabled();
      await way();
      if (!sends) {
        await expect(send).toBeEnabled();
        await page.keyboard.press('Escape');
        await expect(sheet.root).toBeHidden();
      } else {
        await clearFaults(practice);
        await expect(page.getByTestId('confirm-outcome')).toHaveAttribute('data-state', 'accepted');
        sent++;
        // A review is refused once the position changes under it, so the next one waits for this fill.
        await expect(size).not.toHaveText(before);
        await sheet.done();
      }
      expect((await received(practice))['order'] ?? 0).toBe(sent);
    });
  }
  await test.step('Enter and Space open the sheet and never send, also when an earlier close event comes late', async () => {
    const review = page.getByTestId('ticket-review');
    await ticket.fill({ side: 'Buy', quantity: '0.5' });
    for (const key of ['Enter', 'Space']) {
      await review.focus();
      await page.keyboard.down(key);
      if (key === 'Space') await page.keyboard.up(key);
      await expect(send).toBeFocused();
      await hold(key);
      await expect(send).toBeEnabled();
      // A late close event of an earlier sheet leaves this one open.
      await page.locator('dialog[open]').dispatchEvent('close');
      await expect(send).toBeEnabled();
      await page.keyboard.press('Escape');
      await expect(send).toHaveCount(0);
    }
    expect((await received(practice))['order'] ?? 0).toBe(sent);
  });
  const last = await held();
  process.stdout.write(
    `page after collection: ${mb(first.bytes)} → ${mb(last.bytes)}, ${first.nodes} → ${last.nodes} nodes\n`,
  );
  process.stdout.write(`presses: ${PRESSES} confirmations pressed, ${sent} orders meant, ${sent} POSTs\n`);
});
