import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import type { ExportScheduleState } from '../../../src-shared/ipc/export-schedule.ts';
import { done, failed, type Failure } from '../../../src-shared/ipc/failures.ts';
import { fixture, settled } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import DataExports from './DataExports.svelte';

const NEVER_EXPORTED: ExportScheduleState = {
  schedule: {
    ...{ on: false, every: 'month', at: '06:00', connectionId: null, format: 'full' },
    period: 'since-last',
  },
  ...{ folder: null, isFolderMissing: false, dueAt: null, working: null, last: null, failed: null },
};
const FULL: Failure = { kind: 'file', message: 'The disk is full.', next: 'Free up space.' };
const LAST = {
  at: 1_790_000_000_000,
  path: '/exports/a.csv',
  rows: 12_345,
  bytes: 1_500_000,
  warnings: ['One gap in the order history.', 'No identifier for SHIB.'],
};

async function shown(state: ExportScheduleState) {
  const { app, push, requests, replies } = await fixture('live', {
    'exportSchedule.get': () => done(state),
    'exportSchedule.set': () => done(state),
    'exportSchedule.run': () => done(LAST),
    'exportSchedule.cancel': () => done(null),
  });
  app.start();
  await settled();
  render(InApp, { app, component: DataExports });
  await settled();
  const sent = (name: string) => requests.filter((one) => one.name === name).map(({ input }) => input);
  return { app, push, replies, sent };
}
const box = (): HTMLElement => screen.getByRole('checkbox', { name: 'Export on a schedule' });

it('is off until a connection and a folder are chosen', async () => {
  const { app, sent } = await shown(NEVER_EXPORTED);
  expect(screen.getByText('Never exported')).toBeDefined();
  expect(box()).toHaveProperty('disabled', true);
  expect(screen.getByRole('button', { name: 'Export now' })).toHaveProperty('disabled', true);
  const connection = screen.getByRole('combobox', { name: 'Connection to export' });
  expect(screen.getByRole('option', { name: 'Choose a connection' })).toHaveProperty('selected', true);
  const [first] = app.session.connections;
  await fireEvent.change(connection, { target: { value: first!.id } });
  await settled();
  expect(sent('exportSchedule.set')).toEqual([{ connectionId: first!.id }]);
});

it('shows when it is next, the last file, a missing folder and a failure with its way out', async () => {
  await shown({
    ...NEVER_EXPORTED,
    schedule: { ...NEVER_EXPORTED.schedule, on: true, connectionId: 'live-gone', format: 'orders' },
    ...{ folder: '/exports', isFolderMissing: true, dueAt: 0, last: LAST },
    failed: { at: LAST.at, failure: FULL },
  });
  expect(screen.getByText(/Due: when/)).toBeDefined();
  expect(screen.getByText('/exports/a.csv')).toBeDefined();
  expect(screen.getByText(/12,345 rows, 1.5 MB/)).toBeDefined();
  expect(screen.getByText('One gap in the order history. No identifier for SHIB.')).toBeDefined();
  expect(screen.getByRole('option', { name: 'A removed connection' })).toHaveProperty('selected', true);
  expect(screen.getByRole('option', { name: 'Order history, all fields' })).toHaveProperty('selected', true);
  const alerts = screen.getAllByRole('alert').map((one) => one.textContent);
  expect(alerts[0]).toContain('Connect its disk, or choose another folder.');
  expect(alerts[1]).toContain('The disk is full. Free up space.');
});

it('shows what a running one has read, cancels it, and says what was denied', async () => {
  const { app, push, replies, sent } = await shown({ ...NEVER_EXPORTED, folder: '/exports' });
  const id = app.session.connections[0]!.id;
  const set = {
    ...NEVER_EXPORTED,
    folder: '/exports',
    schedule: { ...NEVER_EXPORTED.schedule, connectionId: id },
  };
  push('exportSchedule', { ...set, working: { stored: 30, total: 120 } });
  await settled();
  expect(
    screen.getByRole('progressbar').getAttribute('aria-valuenow') ?? screen.getByText(/25/),
  ).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: 'Cancel export' }));
  expect(sent('exportSchedule.cancel')).toHaveLength(1);
  push('exportSchedule', set);
  await settled();
  await fireEvent.click(screen.getByRole('button', { name: 'Export now' }));
  await settled();
  expect(screen.getByText('Exported 12,345 rows.')).toBeDefined();
  replies['exportSchedule.set'] = () => failed(FULL);
  await fireEvent.click(box());
  await settled();
  expect(screen.getByRole('alert').textContent).toContain('The disk is full.');
  expect(box()).toHaveProperty('checked', false);
});
