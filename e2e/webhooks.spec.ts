/**
 * Settings › When away, and an alert that leaves by a webhook: set up, tested, rejected, delivered once, removed with
 * its secret. The server is here, with a certificate that only this start of the app trusts.
 */
import type { Page } from '@playwright/test';
import { createServer, type Server } from 'node:https';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CERTIFICATE, CERTIFICATE_KEY } from '../tests/exchange/certificate.ts';
import { end, listen } from '../tests/shared/listening.ts';
import { expectAccessible } from './axe.ts';
import { searchFiles } from './canary-search.ts';
import { expect, launch, test } from './fixture.ts';
import { goTo, rows } from './page-objects.ts';

interface Received {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}
let server: Server;
let received: Received[] = [];
let status = 200;
let address = '';

test.beforeEach(async () => {
  [received, status] = [[], 200];
  server = createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      received.push({
        url: request.url ?? '',
        authorization: request.headers.authorization,
        body: JSON.parse(text) as Received['body'],
      });
      // A reply that asks for anything is not read.
      response.writeHead(status, { location: 'https://localhost/elsewhere' });
      response.end('{"order":"BUY"}'.repeat(20_000));
    });
  });
  address = `https://localhost:${await listen(server)}/canary-path`;
});
test.afterEach(() => end(server));

const pane = (page: Page) => page.getByRole('region', { name: 'Webhooks' });
const webhook = (page: Page) => pane(page).getByRole('listitem', { name: 'Home server' });
async function openAway(page: Page): Promise<void> {
  await goTo(page, 'settings');
  await page.getByRole('navigation', { name: 'Settings sections' }).getByText('When away').click();
}

/** The files with a text; the app goes on writing them. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const { hits } = await searchFiles([folder], [{ encoding: 'UTF-8', bytes: Buffer.from(text) }]);
  return hits.map(({ where }) => where);
}

test('sends an alert to a webhook once, after its set-up by keys and a test', async ({ profile }) => {
  await mkdir(profile, { recursive: true });
  const trusted = join(profile, 'trusted.pem');
  await writeFile(trusted, CERTIFICATE);
  const { app, page } = await launch(profile, null, { NODE_EXTRA_CA_CERTS: trusted });
  try {
    await openAway(page);
    await expect(pane(page)).toContainText('Alerts stay on this computer');
    await expectAccessible(page, 'no webhook');

    await test.step('an address that is not https is denied at the field', async () => {
      await pane(page).getByRole('button', { name: 'Add webhook' }).press('Enter');
      await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
      await page.keyboard.type('Home server');
      await page.getByLabel('Service').selectOption('json');
      await page.getByLabel('Address', { exact: true }).fill(address.replace('https', 'http'));
      await page.getByLabel('Authorization header (optional)').fill('Bearer canary-token');
      await page.keyboard.press('Enter');
      await expect(pane(page)).toContainText('Must be an address that starts with https://');
      await expectAccessible(pane(page), 'form with a fault');
    });

    await test.step('saved, then tested: the verdict says what the server replied', async () => {
      await page.getByLabel('Address', { exact: true }).fill(address);
      await page.keyboard.press('Enter');
      await expect(webhook(page)).toContainText('all alerts · without amounts');
      await expect(pane(page).getByRole('button', { name: 'Add webhook' })).toBeFocused();
      expect(received).toEqual([]);
      const button = webhook(page).getByRole('button', { name: 'Test' });
      await button.press('Enter');
      await expect(webhook(page).getByRole('status')).toContainText('accepted the test message');
      expect(received).toMatchObject([
        {
          url: '/canary-path',
          authorization: 'Bearer canary-token',
          body: { rule: 'test', account: 'Ballast' },
        },
      ]);
      status = 404;
      await button.press('Enter');
      await expect(webhook(page).getByRole('status')).toContainText('There is no webhook at this address');
      status = 308;
      await button.press('Enter');
      await expect(webhook(page).getByRole('status')).toContainText('which Ballast does not follow');
      expect(received).toHaveLength(3);
      await expectAccessible(pane(page), 'a webhook, tested');
    });

    await test.step('an alert arrives once, without amounts', async () => {
      [received, status] = [[], 204];
      await goTo(page, 'settings');
      await page.getByRole('navigation', { name: 'Settings sections' }).getByText('Connections').click();
      const controls = page.getByRole('region', { name: 'Practice controls' });
      await controls.getByLabel('Contract', { exact: true }).selectOption('SOL-USDT-M');
      await controls.getByLabel('Move in percent').fill('-7');
      await controls.getByRole('button', { name: 'Move the price' }).click();
      await expect(page.getByTestId('alert-banner')).toContainText('SOL-USDT-M long: liquidation');
      await goTo(page, 'alerts');
      const row = rows(page, 'Alerts', 'SOL-USDT-M long: liquidation').first();
      await expect(row).toContainText('Message delivered');
      const danger = received.filter((one) => one.body['rule'] === 'liquidation-danger');
      expect(danger).toHaveLength(1);
      expect(danger[0]?.body).toMatchObject({ critical: true, account: 'PRACTICE' });
      expect(danger[0]?.body['title']).toMatch(/^SOL-USDT-M long: liquidation ≈ \d\.\d\d% away$/);
      await row.focus();
      await page.keyboard.press('Enter');
      await expect(page.locator('.details').first()).toContainText('Message delivered: Home server.');
      await expectAccessible(page.locator('.details').first(), 'log with a message');
    });

    await test.step('rejected: the alert says why', async () => {
      status = 403;
      await goTo(page, 'settings');
      const controls = page.getByRole('region', { name: 'Practice controls' });
      await controls.getByLabel('Contract', { exact: true }).selectOption('BTC-USDT-M');
      await controls.getByLabel('Move in percent').fill('-12');
      await controls.getByRole('button', { name: 'Move the price' }).click();
      await goTo(page, 'alerts');
      const rejected = rows(page, 'Alerts', 'Message failed').first();
      await expect(rejected.getByText('Message failed')).toHaveAttribute('title', /rejected the token.*403/);
      await page.setViewportSize({ width: 1024, height: 700 });
      await expect(rejected.getByText('open')).toBeInViewport({ ratio: 1 });
      await page.setViewportSize({ width: 1440, height: 900 });
    });

    await test.step('no secret in any file; removed with the webhook', async () => {
      expect(await filesWith(profile, 'canary-path')).toEqual([]);
      expect(await filesWith(profile, 'canary-token')).toEqual([]);
      await openAway(page);
      await expect(webhook(page)).toBeVisible();
      await webhook(page).getByRole('button', { name: 'Remove…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove webhook' }).click();
      await expect(pane(page)).toContainText('Alerts stay on this computer');
      for (const file of ['webhooks.json', 'secrets-index.json'])
        await expect
          .poll(() => readFile(join(profile, file), 'utf8').catch(() => ''))
          .not.toContain('webhook-');
    });
  } finally {
    await app.close();
  }
});

test('a server that no one trusts gets nothing', async ({ profile }) => {
  const { app, page } = await launch(profile, null);
  try {
    await openAway(page);
    await pane(page).getByRole('button', { name: 'Add webhook' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Home server');
    await page.getByLabel('Service').selectOption('json');
    await page.getByLabel('Address', { exact: true }).fill(address);
    await pane(page).getByRole('button', { name: 'Save' }).click();
    await webhook(page).getByRole('button', { name: 'Test' }).click();
    await expect(webhook(page).getByRole('status')).toContainText('certificate is not valid');
    expect(received).toEqual([]);
    await webhook(page).getByRole('button', { name: 'Remove…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove webhook' }).click();
    await expect(webhook(page)).toHaveCount(0);
  } finally {
    await app.close();
  }
});
