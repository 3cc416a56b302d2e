import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { SYNC_STATUS } from '../../../tests/renderer/sync-status.ts';
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
