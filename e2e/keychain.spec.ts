/**
 * A new connection whose secret is stored in a real keychain: it survives a restart, and the secret is nowhere on
 * disk, in logs or in the window. Runs beside an unlocked gnome-keyring (scripts/with-keyring.mjs).
 */
import { join } from 'node:path';
import { startPractice } from '../src-practice/index.ts';
import { needlesOf, pageText, searchFiles } from './canary-search.ts';
import { expect, launch, test } from './fixture.ts';
import { goTo, rows } from './page-objects.ts';

test('stores a second connection’s secret in the keychain', async ({ practice, profile }) => {
  test.skip(
    process.env['CI'] === undefined && process.env['DBUS_SESSION_BUS_ADDRESS'] === undefined,
    'needs a session bus with a keyring: npm test starts one',
  );
  const exchange = await startPractice({ seed: 11 });
  const { key, secret } = exchange.credentials;
  const places = async (text: string): Promise<string[]> =>
    (await searchFiles([profile], needlesOf(text))).hits.map(({ where }) => where);

  const first = await launch(profile, practice);
  await test.step('add it by hand, test it, switch to it', async () => {
    const { page } = first;
    await goTo(page, 'settings');
    await page.getByRole('button', { name: 'Add connection' }).click();
    await page.getByLabel('Name', { exact: true }).first().fill('Second desk');
    await page.getByLabel('Base URL').fill(exchange.url);
    await page.getByLabel('API key').fill(key);
    await page.getByLabel('Secret', { exact: true }).fill(secret);
    await page.getByRole('button', { name: 'Save connection' }).click();
    await expect(page.getByRole('button', { name: /Second desk/ })).toContainText('Not tested yet');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await expect(page.locator('[data-step="account"]')).toHaveAttribute('data-state', 'passed');
    await expect(page.getByRole('button', { name: /Second desk/ })).toContainText(
      'Secret in the system keychain',
    );
    await page.getByRole('button', { name: 'Switch to it' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-account', 'live');
    expect(await pageText(page)).not.toContain(secret);
  });
  await first.app.close();

  const second = await launch(profile, practice);
  await test.step('after a restart it is open again, and reads signed', async () => {
    const { page } = second;
    await expect(page.locator('html')).toHaveAttribute('data-account', 'live');
    await goTo(page, 'positions');
    await expect(rows(page, 'Positions', 'BTC-USDT-M').first()).toBeVisible();
    expect(await pageText(page)).not.toContain(secret);
  });
  await test.step('the secret is nowhere on disk', async () => {
    expect(await places(secret)).toEqual([]);
    // The search works: the key, which is no secret, is found in the index of connections.
    expect(await places(key)).toContain(join(profile, 'connections.json'));
  });
  await second.app.close();
  expect(await places(secret)).toEqual([]);
  await exchange.stop();
});
