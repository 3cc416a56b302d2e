import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { done, failed } from '../../../src-shared/ipc/failures.ts';
import { fixture, settled } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import Trades from './Trades.svelte';

const BROKEN = failed({ kind: 'file', message: 'The archive did not reply.', next: 'Try again.' });

it.each([
  ['log', 'The trade log could not be read'],
  ['groups', 'The groups could not be calculated'],
] as const)('shows no totals as being read where the %s cannot be', async (what, fact) => {
  // The chart waits for it; happy-dom has none.
  vi.stubGlobal('requestIdleCallback', () => 0);
  vi.stubGlobal('cancelIdleCallback', () => undefined);
  const { app } = await fixture('live', {
    'trades.page': () =>
      what === 'log' ? BROKEN : done({ rows: [], noted: [], count: 1, stored: 1 } as never),
    'trades.groups': () => BROKEN,
  });
  const log = app.tradeLog;
  await log.apply();
  if (what === 'groups') await log.groups.show('day', log.applied);
  render(InApp, { app, component: Trades });
  await settled();
  flushSync();
  expect(screen.getByText(fact)).toBeTruthy();
  expect(screen.queryByRole('group', { name: /^Totals of/ })).toBeNull();
});
