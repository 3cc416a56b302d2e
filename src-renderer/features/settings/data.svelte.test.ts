import { fireEvent, render, screen, within } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import type { ArchiveCheck, ResourceCoverage } from '../../../src-shared/ipc/archive.ts';
import type { BackupState } from '../../../src-shared/ipc/backup.ts';
import { done, type Result } from '../../../src-shared/ipc/failures.ts';
import { fixture, settled } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import Data from './Data.svelte';
import DataQuarantine from './DataQuarantine.svelte';

const NOTHING: ResourceCoverage = {
  stored: 130,
  oldest: null,
  newest: null,
  verifiedTo: null,
  completedAt: null,
  gaps: [],
  quarantined: 0,
};
const NEVER_BACKED_UP: BackupState = {
  schedule: { on: false, everyDays: 7, keep: 5 },
  ...{ folder: null, isFolderMissing: false, dueAt: null, working: null, last: null, failed: null },
};
const CHECKED: ArchiveCheck = {
  ok: false,
  checks: [
    { name: 'Rows', ok: true, detail: '130 read' },
    { name: 'Sums of trades by day', ok: false, detail: 'one differs' },
  ],
};

/** Draws the screen; the test replies to its checks. */
async function shown() {
  const checks: ((reply: Result<ArchiveCheck | null>) => void)[] = [];
  const { app, count } = await fixture('live', {
    'archive.coverage': () =>
      done({
        trades: NOTHING,
        orders: { ...NOTHING, unsettled: 0 },
        file: { path: '/archive/live-1.sqlite', bytes: 1_000, samples: 1 },
      }),
    'archive.quarantine': () => done([]),
    'backup.get': () => done(NEVER_BACKED_UP),
    'exportSchedule.get': () => new Promise(() => undefined),
    'archive.working': () => done(null),
    'archive.check': () => new Promise((reply) => checks.push(reply)),
    'archive.cancelWork': () => done(null),
  });
  render(InApp, { app, component: Data });
  await settled();
  return { checks, count };
}
const press = (name: string): Promise<boolean> => fireEvent.click(screen.getByRole('button', { name }));
const bar = (): HTMLElement | null => screen.queryByRole('progressbar', { name: 'Check of the archive' });

it('shows the progress of a check, and no result of a cancelled one', async () => {
  const { checks, count } = await shown();
  await press('Check');
  expect(bar()).not.toBeNull();
  expect(screen.getByRole('button', { name: 'Checking…' })).toHaveProperty('disabled', true);
  await press('Cancel check');
  expect(count('archive.cancelWork')).toBe(1);
  checks[0]!(done(null));
  await settled();
  expect(bar()).toBeNull();
  expect(screen.queryByRole('list', { name: 'Result of the check' })).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('can check again, and names what is damaged', async () => {
  const { checks } = await shown();
  await press('Check');
  checks[0]!(done(null));
  await settled();
  await press('Check');
  checks[1]!(done(CHECKED));
  await settled();
  const [sound, broken] = within(screen.getByRole('list', { name: 'Result of the check' })).getAllByRole(
    'listitem',
  );
  expect(sound?.dataset['ok']).toBe('true');
  expect(broken?.dataset['ok']).toBe('false');
  expect(broken?.textContent).toContain('Sums of trades by day: fault');
});

it('lists only the values of a quarantined record without a stored first version', async () => {
  const { app } = await fixture();
  const of = { resource: 'orders', symbol: 'BTC-USDT-M', id: '9', receivedAt: 0 } as const;
  const later = JSON.stringify({ price: '2', tpPrice: null, note: '', side: 'BUY' });
  const records = [
    { ...of, id: '8', stored: null, later },
    { ...of, stored: JSON.stringify({ price: '1', tpPrice: null, note: 'x', side: 'BUY' }), later },
  ];
  render(InApp, { app, component: DataQuarantine as never, given: { records } });
  const [missing, kept] = screen
    .getAllByRole('table')
    .map((table) => within(table).getAllByRole('row'))
    .map((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  expect(missing).toEqual([
    ['Field', 'Received later'],
    ['price', '2'],
    ['side', 'BUY'],
  ]);
  expect(kept).toEqual([
    ['Field', 'Kept', 'Received later'],
    ['price', '1', '2'],
    ['note', 'x', ''],
  ]);
});
