import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { fixture } from '../../tests/renderer/app-fixture.ts';
import { connection, session } from '../../tests/renderer/fake-bridge.ts';
import InApp from '../../tests/renderer/InApp.svelte';
import LockSwitch from './LockSwitch.svelte';

it('says that trading is on only where an order could be sent', async () => {
  const { app, push } = await fixture();
  render(InApp, { app, component: LockSwitch, given: { onlock: () => undefined } });
  // Said when a key changes it, wherever the focus is.
  expect(screen.getByRole('status').textContent).toBe('Trading on');
  push('session', session({ activeId: 'live-1', connections: [connection('live-1', { verified: false })] }));
  flushSync();
  expect(screen.getByText('Cannot trade')).toBeTruthy();
  expect(screen.getByTitle('Trading is off until a test of this connection succeeds')).toBeTruthy();
});
