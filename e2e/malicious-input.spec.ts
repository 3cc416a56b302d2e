/**
 * Hostile server text in the window: the text payloads of tests/shared/malicious-payloads.ts in every text field at
 * once, on every screen. Nothing runs, becomes an element or is requested elsewhere. All payloads × fields ×
 * endpoints through the client: tests/stress/malicious-input.ts.
 */
import type { Page } from '@playwright/test';
import { TEXT_PAYLOADS } from '../tests/shared/malicious-payloads.ts';
import { callBridge, expect, launch, test } from './fixture.ts';
import { goTo, screensOf } from './page-objects.ts';
import { startScripted } from './scripted-exchange.ts';

type Row = Readonly<Record<string, unknown>>;
/** The huge text is tested separately, so that it does not dominate a screen. */
const texts = TEXT_PAYLOADS.map((text) => text.slice(0, 2_000));

/** Copies of the sample's first record, one per payload, with the payload in the named fields. */
const withPayloads = (rows: readonly Row[], fields: readonly string[], id: string | null): Row[] =>
  texts.map((text, index) => ({
    ...rows[0],
    ...Object.fromEntries(fields.map((field) => [field, text])),
    ...(id === null ? {} : { [id]: String(900_000 + index) }),
  }));

interface Envelope {
  readonly code: string;
  readonly data: Record<string, never>;
}
const read = (text: string): Envelope => JSON.parse(text) as Envelope;
const written = (data: unknown): string => JSON.stringify({ code: '0', msg: texts[0], success: true, data });

/** What a payload would leave behind. */
const traces = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found = [
      ...document.querySelectorAll(
        'script:not([src]), iframe, object, embed, base, meta[http-equiv], form[action]',
      ),
    ].map((one) => one.outerHTML.slice(0, 100));
    for (const image of document.querySelectorAll('img'))
      if (!image.src.startsWith(location.origin)) found.push(image.outerHTML);
    for (const one of document.querySelectorAll('*'))
      for (const { name } of one.attributes) if (/^on/.test(name)) found.push(`${one.tagName} ${name}`);
    if ('ballastRan' in globalThis || 'ballastRan' in {}) found.push('IT RAN');
    return found;
  });

test('shows server text of every kind as text on every screen, and names a broken field', async ({
  profile,
}) => {
  const scripted = await startScripted();
  const account = read(scripted.reply('account')).data;
  const orders = read(scripted.reply('openOrders')).data as unknown as readonly Row[];
  const history = read(scripted.reply('orderHistory')).data as unknown as readonly Row[];
  const trades = read(scripted.reply('trades')).data['data'] as unknown as readonly Row[];
  const { assets, positions } = account as unknown as Record<'assets' | 'positions', readonly Row[]>;
  const states = ['status', 'side', 'type', 'timeInForce', 'marginMode', 'positionMode', 'feeAssetId'];
  scripted.answer(
    'account',
    written({
      ...account,
      assets: [...assets, ...withPayloads(assets, ['coin'], null)],
      positions: [...positions, ...withPayloads(positions, ['symbolId', 'side', 'marginMode'], 'positionId')],
    }),
  );
  scripted.answer(
    'openOrders',
    written([...orders, ...withPayloads(orders, ['symbolId', ...states], 'orderId')]),
  );
  scripted.answer(
    'orderHistory',
    written([...history, ...withPayloads(history, ['symbolId', ...states], 'id')]),
  );
  scripted.answer(
    'trades',
    written({
      data: [...trades, ...withPayloads(trades, ['symbol', 'side', 'feeAsset', 'liquidity'], 'tradeId')],
      total: trades.length + texts.length,
      pageCount: 1,
    }),
  );
  const line = JSON.stringify({ url: scripted.url, key: 'key', secret: 'secret' });
  const { app, page } = await launch(profile, null, { BALLAST_PRACTICE: line });
  const requests: string[] = [];
  page.on('request', (request) => void requests.push(request.url()));
  const errors: string[] = [];
  page.on('pageerror', (error) => void errors.push(error.stack ?? error.message));
  const address = page.url();
  try {
    // Screens drawn before the data arrived would show nothing.
    await expect(page.locator('main')).toContainText('98,830.40474816');
    expect(errors).toEqual([]);
    const screens = await screensOf(page);
    for (const screen of screens) {
      await goTo(page, screen);
      await expect(page.locator('main').getByRole('heading', { level: 1 })).toHaveCount(1);
      expect(await traces(page), screen).toEqual([]);
      expect(errors, screen).toEqual([]);
    }
    await goTo(page, 'overview');
    // It is shown as plain text.
    await expect(page.locator('main')).toContainText('<img src=x onerror="globalThis.ballastRan=1">');
    await goTo(page, 'positions');
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      expect(await traces(page)).toEqual([]);
    }
    expect(page.url()).toBe(address);
    expect(app.windows()).toHaveLength(1);
    expect(requests.filter((url) => !url.startsWith(new URL(address).origin) && !/^app:/.test(url))).toEqual(
      [],
    );

    await test.step('a figure that cannot be read is shown as the text it is, and no longer than its cell', async () => {
      await goTo(page, 'overview');
      const cell = page
        .getByRole('treegrid', { name: 'Balances' })
        .locator('[data-field="available"]')
        .first();
      for (const [text, shown] of [
        [texts[1]!, texts[1]!.slice(0, 5)],
        ['\u202e00.1', '⟨U+202E⟩00.1'],
        ['=1+1', '=1+1'],
        ['9'.repeat(1_000_000), '99999'],
      ] as const) {
        scripted.answer(
          'account',
          written({
            ...account,
            assets: assets.map((one, index) => (index === 0 ? { ...one, available: text } : one)),
          }),
        );
        await callBridge(page, 'feeds.refresh', { name: 'account' });
        await expect(cell).toContainText(shown);
        expect(await traces(page)).toEqual([]);
        expect(((await cell.textContent()) ?? '').length).toBeLessThan(100);
      }
    });

    await test.step('figures and names of any length leave the lock in view', async () => {
      const [asset, ...others] = assets;
      const long = {
        coin: 'C'.repeat(500),
        crossedMaintainMarginRate: `${'9'.repeat(40)}.${'9'.repeat(40)}`,
      };
      const totalEquities = long.crossedMaintainMarginRate;
      scripted.answer(
        'account',
        written({ ...account, totalEquities, assets: [{ ...asset, ...long }, ...others] }),
      );
      await callBridge(page, 'feeds.refresh', { name: 'account' });
      await expect(page.getByTestId('top-margin')).toContainText('CCC');
      await expect(page.getByRole('switch', { name: 'Trading' })).toBeInViewport({ ratio: 1 });
    });
  } finally {
    await app.close();
    await scripted.stop();
  }
});
