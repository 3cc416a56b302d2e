import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { SYNC_STATUS } from '../../../tests/renderer/sync-status.ts';
import { spokenOf } from '../../../tests/renderer/spoken.ts';
import { EXPORT_BEGINS } from '../../../src-shared/ipc/exports.ts';
import ExportProgressBox from './ExportProgressBox.svelte';
import SyncStrip from './SyncStrip.svelte';

it('leaves the space of the progress to the reason once the sync has failed', async () => {
  const { app } = await fixture();
  render(InApp, { app, component: SyncStrip });
  const shown = (): boolean[] => [
    screen.queryByRole('progressbar') !== null,
    screen.queryByText('8.3%') !== null,
    screen.queryByRole('alert') !== null,
  ];
  flushSync(() => (app.tradeSync.status = SYNC_STATUS));
  expect(shown()).toEqual([true, true, false]);
  const failure = { kind: 'offline', message: 'No server responds.', next: '' } as const;
  flushSync(() => (app.tradeSync.status = { ...SYNC_STATUS, state: 'failed', failure }));
  expect(shown()).toEqual([false, false, true]);
});

it('has the state of the sync said, not each page', async () => {
  const { app } = await fixture();
  render(InApp, { app, component: SyncStrip });
  const said = (): string => spokenOf(screen.getByRole('status'));
  for (const stored of [4, 12]) {
    flushSync(() => (app.tradeSync.status = { ...SYNC_STATUS, stored }));
    expect(said()).toBe('Syncing');
  }
  for (const completedAt of [1_000, 61_000]) {
    flushSync(() => (app.tradeSync.status = { ...SYNC_STATUS, state: 'complete', completedAt }));
    expect(said()).toBe('Complete');
  }
});

it('has a file named as it is written, not each percent of it', async () => {
  const { app } = await fixture();
  for (const rows of [100, 200]) {
    const progress = { ...EXPORT_BEGINS, id: 'one', path: '/home/trades.csv', rows, total: 1_000 };
    const { unmount } = render(InApp, { app, component: ExportProgressBox, given: { progress } });
    screen.getByText(`${rows / 10}.0%`);
    expect(spokenOf(screen.getByRole('status'))).toBe('Writing trades.csv');
    unmount();
  }
});
