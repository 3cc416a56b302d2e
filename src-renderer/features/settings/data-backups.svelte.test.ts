import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import type { BackupFile, BackupState, RestoreSummary } from '../../../src-shared/ipc/backup.ts';
import { done, failed, type Failure, type Result } from '../../../src-shared/ipc/failures.ts';
import { fixture, settled } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import DataBackups from './DataBackups.svelte';

const NEVER: BackupState = {
  schedule: { on: false, everyDays: 7, keep: 5 },
  folder: null,
  isFolderMissing: false,
  dueAt: null,
  working: null,
  last: null,
  failed: null,
};
const WRITTEN: BackupFile = { at: 1_790_000_000_000, path: '/backups/a.tar.gz', bytes: 1_500_000, files: 5 };
const FULL: Failure = { kind: 'file', message: 'The disk is full.', next: 'Free up space.' };
const SUMMARY: RestoreSummary = {
  ...{ file: 'a.tar.gz', createdAt: WRITTEN.at, version: '1.2.3', bytes: 1_500_000 },
  connections: [{ id: 'live-1', name: 'Main', baseUrl: 'https://api.meridian.example' }],
  ...{ archives: 1, trades: 1, orders: 2, journal: 3, alertLogs: 0, webhooks: 0, settings: true },
};

/** Draws the pane; the test replies to its requests for a backup. */
async function shown(state: BackupState) {
  const writes: ((reply: Result<BackupFile | null>) => void)[] = [];
  const { app, count, push, requests, replies } = await fixture('live', {
    'backup.get': () => done(state),
    'backup.setSchedule': () => done(state),
    'backup.write': () => new Promise((reply) => writes.push(reply)),
    'backup.cancel': () => done(null),
    'backup.examine': () => done(SUMMARY),
    'backup.discard': () => done(null),
    'backup.restore': () => done(null),
  });
  app.start();
  render(InApp, { app, component: DataBackups });
  await settled();
  return { app, writes, count, push, requests, replies };
}
const button = (name: string): HTMLElement => screen.getByRole('button', { name });

it('says that nothing was ever backed up, and offers no schedule before a folder is chosen', async () => {
  await shown(NEVER);
  expect(screen.getByText('Never backed up')).toBeDefined();
  expect(screen.getByRole('checkbox', { name: 'Back up on a schedule' })).toHaveProperty('disabled', true);
  expect(screen.queryByRole('button', { name: 'Back up to it now' })).toBeNull();
});

it('shows the last result, a missing folder and a failure with its way out', async () => {
  const schedule = { on: true, everyDays: 4, keep: 7 };
  await shown({
    ...{ ...NEVER, schedule, folder: '/backups', isFolderMissing: true, dueAt: 0, last: WRITTEN },
    failed: { at: WRITTEN.at, failure: FULL },
  });
  expect(screen.getByText('/backups/a.tar.gz')).toBeDefined();
  expect(screen.getByText(/1.5 MB, verified/)).toBeDefined();
  const alerts = screen.getAllByRole('alert').map((one) => one.textContent);
  expect(alerts[0]).toContain('Connect its disk, or choose another folder.');
  expect(alerts[1]).toContain('The disk is full. Free up space.');
  // A number that is not among the offered ones is shown as well.
  expect(screen.getByRole('option', { name: 'Every 4 days' })).toHaveProperty('selected', true);
  expect(screen.getByRole('option', { name: 'The newest 7 files' })).toHaveProperty('selected', true);
});

it('sends only what was changed, and shows what is stored when it could not be', async () => {
  const { requests } = await shown({ ...NEVER, folder: '/backups' });
  const box = (): HTMLElement => screen.getByRole('checkbox', { name: 'Back up on a schedule' });
  await fireEvent.click(box());
  await settled();
  expect(requests.filter(({ name }) => name === 'backup.setSchedule').map(({ input }) => input)).toEqual([
    { on: true },
  ]);
  cleanup();
  const again = await shown({ ...NEVER, folder: '/backups' });
  again.replies['backup.setSchedule'] = () => failed(FULL);
  await fireEvent.click(box());
  await settled();
  expect(screen.getByRole('alert').textContent).toContain('The disk is full.');
  expect(box()).toHaveProperty('checked', false);
});

it('shows the progress of a backup, which can be cancelled', async () => {
  const { writes, push, count, app } = await shown(NEVER);
  await fireEvent.click(button('Back up everything now…'));
  push('backup', { ...NEVER, working: { work: 'write', scheduled: false, percent: 42 } });
  await settled();
  expect(screen.getByRole('progressbar', { name: 'Backup of everything' })).toBeDefined();
  expect(screen.getByText('42%')).toBeDefined();
  expect(button('Backing up…')).toHaveProperty('disabled', true);
  await fireEvent.click(button('Cancel backup'));
  expect(count('backup.cancel')).toBe(1);
  writes[0]!(done(null));
  push('backup', NEVER);
  await settled();
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(app.notices.list[0]?.title).toBe('Save cancelled');
});

it('restores only after the word was typed, and says why it was refused', async () => {
  const { count, replies } = await shown(NEVER);
  replies['backup.examine'] = () => failed(FULL);
  await fireEvent.click(button('Restore everything…'));
  await fireEvent.click(button('Choose the backup…'));
  await settled();
  expect(screen.getByRole('alert').textContent).toContain('The disk is full.');
  replies['backup.examine'] = () => done(SUMMARY);
  await fireEvent.click(button('Choose the backup…'));
  await settled();
  expect(screen.getByText('https://api.meridian.example')).toBeDefined();
  const restore = button('Restore and restart Ballast');
  expect(restore).toHaveProperty('disabled', true);
  expect(document.activeElement).toBe(screen.getByLabelText('Type “restore” to restore all of it'));
  await fireEvent.input(screen.getByLabelText('Type “restore” to restore all of it'), {
    target: { value: 'restore' },
  });
  await fireEvent.click(restore);
  await settled();
  expect(count('backup.restore')).toBe(1);
  expect(button('Restarting…')).toHaveProperty('disabled', true);
});

it('discards what was chosen when the dialog is closed', async () => {
  const { count } = await shown(NEVER);
  await fireEvent.click(button('Restore everything…'));
  await fireEvent.click(button('Keep everything as it is'));
  await settled();
  expect(count('backup.discard')).toBe(1);
});
