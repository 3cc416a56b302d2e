/**
 * Settings, Data: exports on a schedule. A connection, a folder, a period and a layout; a file by hand; a failure with its
 * way out; and what was missed while Ballast was closed, written at the next start.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { ExportScheduleState } from '../src-shared/ipc/export-schedule.ts';
import { startPractice } from '../src-practice/index.ts';
import { expectAccessible } from './axe.ts';
import { callBridge, changeSettings, controls, expect, launch, test } from './fixture.ts';
import { openData, openFrom, openLive, ownFolder } from './page-objects.ts';

const pane = (page: Page) => page.getByRole('region', { name: 'Exports on a schedule' });
const stateOf = (page: Page) => callBridge<ExportScheduleState>(page, 'exportSchedule.get');

test('exports a connection on a schedule, by hand, and at the next start what was missed', async ({
  practice,
  profile,
}) => {
  const exchange = await startPractice({
    seed: 5,
    history: 700,
    credentials: { key: 'mk_s', secret: 'sk_s' },
  });
  const folder = join(await ownFolder(), 'exports');
  mkdirSync(folder);
  const first = await launch(profile, practice);
  const { page } = first;
  const { id } = await openLive(page, exchange, { name: 'Main desk' });
  // The schedule reads it while another is open.
  await callBridge(page, 'connections.select', { connectionId: 'practice' });
  await openData(page);
  const onSchedule = page.getByRole('checkbox', { name: 'Export on a schedule' });
  const now = page.getByRole('button', { name: 'Export now' });
  // Stored without the name of the zone, whose days count.
  await changeSettings(page, { timeZone: 'system' });
  const listed = ((await controls(exchange, '/trades')) as unknown[]).length;

  await test.step('off until a connection and a folder are chosen', async () => {
    await expect(pane(page)).toContainText('Never exported');
    await expect(onSchedule).toBeDisabled();
    await pane(page).getByLabel('Connection to export').selectOption({ label: 'Main desk' });
    await openFrom(first, folder);
    await page.getByRole('button', { name: 'Choose folder for exports…' }).click();
    await expect(pane(page)).toContainText(folder);
    await onSchedule.check({ force: true });
    await expect(pane(page).getByRole('definition').nth(1)).toHaveText(/^\d{4}-\d{2}-01 06:00:00\s*UTC$/);
    await expectAccessible(pane(page), 'export schedule, on');
  });

  await test.step('a file by hand, verified, of everything', async () => {
    await pane(page).getByLabel('Period of the files').selectOption({ label: 'Everything' });
    await now.click();
    await expect(pane(page)).toContainText(/Exported [67]\d\d rows\./);
    const [name = ''] = readdirSync(folder);
    expect(name).toBe('Ballast trades Main desk all.csv');
    const rows = readFileSync(join(folder, name), 'utf8').trimEnd().split('\r\n').length - 1;
    expect(Math.abs(listed - rows)).toBeLessThan(20);
    expect(readdirSync(join(profile, 'exports'))).toContain(`${id}.sqlite`);
    await expectAccessible(pane(page), 'export schedule, exported');
  });

  await test.step('the practice account as well', async () => {
    await pane(page).getByLabel('Connection to export').selectOption({ label: 'Practice' });
    await now.click();
    await expect.poll(() => readdirSync(folder)).toContain('Ballast trades Practice all.csv');
    await expect(now).toBeEnabled();
    await pane(page).getByLabel('Connection to export').selectOption({ label: 'Main desk' });
    await expect.poll(async () => (await stateOf(page)).schedule.connectionId).toBe(id);
  });

  await test.step('a failure is shown with its way out, and not the secret', async () => {
    await rm(folder, { recursive: true });
    await now.click();
    const alert = pane(page).getByRole('alert');
    await expect(alert.filter({ hasText: 'was not written: the folder does not exist' })).toBeVisible();
    await expect(alert.filter({ hasText: 'Connect its disk' })).toBeVisible();
    await expectAccessible(pane(page), 'export schedule, failed');
  });

  await test.step('a month that was missed is written at the next start', async () => {
    mkdirSync(folder);
    // At once: both are kept.
    await pane(page).getByLabel('Layout of the files').selectOption({ label: 'Koinly' });
    await pane(page).getByLabel('Period of the files').selectOption({ label: 'Last month' });
    await expect.poll(async () => (await stateOf(page)).schedule.period).toBe('last-month');
    const last = new Date((await stateOf(page)).dueAt ?? 0);
    last.setUTCMonth(last.getUTCMonth() - 1);
    await first.app.close();
    const file = join(profile, 'exports.json');
    const stored = JSON.parse(readFileSync(file, 'utf8')) as object;
    // Before the last time it was due and no other, whatever the day of the month is.
    writeFileSync(file, JSON.stringify({ ...stored, countedFrom: last.getTime() - 1 }));

    const again = await launch(profile, practice);
    // Not the file of another name that it is written to first.
    await expect
      .poll(() => readdirSync(folder))
      .toEqual([expect.stringMatching(/^Ballast koinly Main desk \d{4}-\d{2}\.csv$/)]);
    await openData(again.page);
    await expect(pane(again.page)).toContainText('Ballast koinly Main desk');
    await expect(pane(again.page).getByRole('alert')).toHaveCount(0);
    const { dueAt, failed } = await stateOf(again.page);
    expect({ failed, isLater: (dueAt ?? 0) > Date.now() }).toEqual({ failed: null, isLater: true });

    // Removing the connection deletes what its exports read, and the schedule says that it is gone.
    await callBridge(again.page, 'connections.remove', {
      ...{ connectionId: id, leaveSecret: false, typed: [], deleteArchive: true },
    });
    expect(readdirSync(join(profile, 'exports')).filter((name) => name.startsWith(id))).toEqual([]);
    await expect(pane(again.page).getByRole('combobox', { name: 'Connection to export' })).toHaveValue(id);
    await expect(pane(again.page)).toContainText('A removed connection');
    await again.app.close();
  });
  await exchange.stop();
});
