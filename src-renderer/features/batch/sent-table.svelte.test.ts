import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, expect, it } from 'vitest';
import { NOW } from '../../../tests/domain/order-samples.ts';
import { fixture, record } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { done } from '../../../src-shared/ipc/failures.ts';
import { DEFAULT_SETTINGS } from '../../../src-shared/ipc/default-settings.ts';
import { shownAs } from '../../text/shown-as.svelte.ts';
import SentTable from './SentTable.svelte';

afterEach(() => {
  cleanup();
  shownAs.value = DEFAULT_SETTINGS;
});

it.each([
  [false, 'Copy order ID of Buy 0.100 BTC-USDT-M at 96,000.0'],
  [true, 'Copy order ID of Buy ••••• BTC-USDT-M at 96,000.0'],
])('names the order whose ID is copied; amounts hidden: %s', async (privacy, name) => {
  const body = '{"quantity":"0.100","price":"96000.0"}';
  const intent = record({ body, batch: { id: 'batch-1', row: 0, of: 1, call: 0 } });
  const { app } = await fixture('live', {
    'orders.batches': () =>
      done([
        {
          progress: {
            id: 'batch-1',
            connectionId: 'live-1',
            state: 'stopped',
            rows: 1,
            sent: 1,
            stoppedBy: null,
            startedAt: NOW,
          },
          intents: [intent],
          requests: null,
        },
      ]),
  });
  shownAs.value = { ...DEFAULT_SETTINGS, privacy };
  render(InApp, { app, component: SentTable });
  expect(screen.getByRole('button', { name })).toBeTruthy();
});
