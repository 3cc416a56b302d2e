import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { fixture } from '../../tests/renderer/app-fixture.ts';
import InApp from '../../tests/renderer/InApp.svelte';
import Risk from '../features/risk/Risk.svelte';
import { SCREENS } from '../screens.ts';
import { frameCommands } from './palette-commands.ts';
import { search } from './palette-search.ts';

it('opens Risk on the part that was searched for, also while Risk is open', async () => {
  // The charts of Risk wait for it; happy-dom has none.
  vi.stubGlobal('requestIdleCallback', () => 0);
  vi.stubGlobal('cancelIdleCallback', () => undefined);
  const { app } = await fixture('live');
  const run = (query: string): string | undefined => {
    const [first] = search(
      query,
      frameCommands(app, SCREENS, () => undefined),
    );
    first?.item.run();
    flushSync();
    return first?.item.title;
  };
  const opened = (): string | undefined =>
    screen.getAllByRole('tab', { selected: true }).map((one) => one.textContent.trim())[0];
  expect(run('shock')).toBe('Price shock');
  expect(app.navigation.screen).toBe('risk');
  render(InApp, { app, component: Risk });
  expect(opened()).toBe('Price shock');
  expect(run('tiers')).toBe('Contract tiers');
  expect(opened()).toBe('Contract tiers');
  run('price shock');
  expect(opened()).toBe('Price shock');
  app.navigation.go('risk', { symbolId: 'BTC-USDT-M' });
  flushSync();
  expect(opened()).toBe('Contract tiers');
});
