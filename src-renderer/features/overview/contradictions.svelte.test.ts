import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { account, asset } from '../../../tests/domain/order-samples.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { spokenOf } from '../../../tests/renderer/spoken.ts';
import Overview from './Overview.svelte';

it('has contradicting figures said once, not again with every poll', async () => {
  // Charts wait for it; happy-dom has none.
  vi.stubGlobal('requestIdleCallback', () => 0);
  vi.stubGlobal('cancelIdleCallback', () => undefined);
  const { app, accountIs } = await fixture();
  render(InApp, { app, component: Overview });
  const seen = new Set<string>();
  const said = new Set<string>();
  for (const available of ['1.5', '1.6']) {
    accountIs(account([], [asset({ available })]));
    flushSync();
    const [banner] = screen.getAllByRole('alert');
    seen.add(banner!.textContent);
    said.add(spokenOf(banner!));
  }
  expect(seen.size).toBe(2);
  expect([...said]).toEqual(['The exchange’s figures contradict each other']);
});
