/** Exchanges with other habits: every screen shows the account, and nothing fails. */
import { HabitExchange } from '../tests/session/habit-exchange.ts';
import { twelve, written } from '../tests/session/habit-sets.ts';
import { controls, expect, launch, test } from './fixture.ts';
import { goTo, rows, screensOf } from './page-objects.ts';

/** Three of the twelve sets of tests/session/habits.test.ts, which differ in most habits. */
const SHOWN = twelve().filter((_, row) => row % 5 === 0);

for (const habits of SHOWN)
  test(`every screen: ${written(habits)}`, async ({ profile }) => {
    const exchange = await HabitExchange.start(habits);
    const { practice, names } = exchange;
    const { app, page } = await launch(profile, practice);
    const thrown: string[] = [];
    page.on('pageerror', (error) => thrown.push(error.message));

    await test.step('the account', async () => {
      await goTo(page, 'positions');
      for (const symbol of ['BTC-USDT-M', 'ETH-USDT-M', 'SOL-USDT-M', 'BTC-USD-M'])
        await expect(rows(page, 'Positions', names.contract(symbol)).first()).toBeVisible();
      await expect(rows(page, 'Open orders', names.contract('DOGE-USDT-M')).first()).toBeVisible();
    });
    await test.step('the trades, all of them', async () => {
      const trades = (await controls(practice, '/trades')) as unknown[];
      await goTo(page, 'trades');
      const totals = page.getByRole('group', { name: 'Totals of this filter' });
      await expect(totals).toContainText(`Trades ${trades.length}`);
    });
    const screens = await screensOf(page);
    for (const screen of screens)
      await test.step(screen, async () => {
        await goTo(page, screen);
        await expect(page.locator('main section').first()).toBeVisible();
        await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
        // With more digits than calculations support, no margin can be judged, which is shown.
        const cannot = habits.decimals === 'longest' ? /the margin ratio of \S+ cannot be read/ : null;
        // On a busy machine the account may be old for a moment, which is shown, too.
        const alerts = async (): Promise<string[]> =>
          (await page.locator('main [role="alert"]').allTextContents()).filter(
            (text) => cannot?.test(text) !== true,
          );
        await expect.poll(alerts).toEqual([]);
      });
    expect(thrown).toEqual([]);
    await app.close();
    await exchange.stop();
  });
