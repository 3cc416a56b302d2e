import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import type { SyncStatus } from '../../../src-shared/ipc/trades.ts';
import SyncStrip from './SyncStrip.svelte';

const STATUS: SyncStatus = {
  ...{ connectionId: 'live-1', state: 'running', stored: 4, total: 48, oldest: null, newest: null },
  ...{ completedAt: null, quarantined: 0, unreadable: 0, pageSize: 500, rate: null, leftMs: null },
  failure: null,
  orders: {
    ...{ state: 'complete', stored: 0, unsettled: 0, quarantined: 0, gaps: 0, percent: null },
    ...{ completedAt: null, failure: null },
  },
};

it('leaves the space of the progress to the reason once the sync has failed', async () => {
  const { app } = await fixture();
  render(InApp, { app, component: SyncStrip });
  const shown = (): boolean[] => [
    screen.queryByRole('progressbar') !== null,
    screen.queryByText('8.3%') !== null,
    screen.queryByRole('alert') !== null,
  ];
  flushSync(() => (app.tradeSync.status = STATUS));
  expect(shown()).toEqual([true, true, false]);
  const failure = { kind: 'offline', message: 'No server responds.', next: '' } as const;
  flushSync(() => (app.tradeSync.status = { ...STATUS, state: 'failed', failure }));
  expect(shown()).toEqual([false, false, true]);
});
