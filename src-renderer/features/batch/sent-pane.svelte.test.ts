import { fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { NOW } from '../../../tests/domain/order-samples.ts';
import { fixture, record, settled } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { done, failed } from '../../../src-shared/ipc/failures.ts';
import type { OrderState } from '../../../src-shared/domain/reconcile/lifecycle.ts';
import SentPane from './SentPane.svelte';

it.each<[OrderState, string]>([
  ['unknown', 'Do not send it again.'],
  ['matched', 'No row’s outcome is open any more.'],
])('a batch that a lost reply stopped, its row %s, says %s', async (state, text) => {
  const intent = record({ state, batch: { id: 'batch-1', row: 0, of: 1, call: 0 } });
  const { app } = await fixture('live', {
    'orders.batches': () =>
      done([
        {
          progress: {
            ...{ id: 'batch-1', connectionId: 'live-1', state: 'stopped', rows: 1, sent: 1 },
            stoppedBy: { kind: 'unknown', message: 'Reply lost.', next: 'Do not send it again.' },
            startedAt: NOW,
          },
          intents: [intent],
          requests: null,
        },
      ]),
  });
  render(InApp, { app, component: SentPane });
  expect(screen.getByTestId('batch-stopped-by').textContent).toBe(`Reply lost. ${text}`);
  expect(screen.getByTestId('batch-status').textContent).toMatch(/1\s+of 1 row sent/);
});

it('says that a stop was not heard', async () => {
  const sending = { id: 'batch-1', connectionId: 'live-1', state: 'sending', rows: 2, sent: 1 } as const;
  const progress = { ...sending, stoppedBy: null, startedAt: NOW };
  const { app } = await fixture('live', {
    'orders.batches': () => done([{ progress, intents: [], requests: null }]),
    'orders.stopBatch': () => failed({ kind: 'bug', message: 'No reply.', next: 'Press it again.' }),
  });
  render(InApp, { app, component: SentPane });
  await fireEvent.click(screen.getByTestId('batch-stop'));
  await settled();
  flushSync();
  expect(screen.getByTestId('batch-status').textContent).toContain('Not stopped. No reply. Press it again.');
  expect(screen.getByTestId('batch-stop')).toHaveProperty('disabled', false);
});
