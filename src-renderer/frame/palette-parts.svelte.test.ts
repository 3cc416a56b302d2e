import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { SIGNING_PRESETS } from '../../src-shared/ipc/signing.ts';
import { fixture, SETTINGS } from '../../tests/renderer/app-fixture.ts';
import InApp from '../../tests/renderer/InApp.svelte';
import { Past } from '../features/overview/past.svelte.ts';
import ProfitPane from '../features/overview/ProfitPane.svelte';
import Risk from '../features/risk/Risk.svelte';
import Settings from '../features/settings/Settings.svelte';
import Trades from '../features/trades/Trades.svelte';
import { SCREENS } from '../screens.ts';
import { frameCommands } from './palette-commands.ts';
import { search } from './palette-search.ts';

/** A window, and a function that runs the first entry the palette finds. */
async function palette() {
  // Charts wait for it; happy-dom has none.
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
  return { app, run };
}
const opened = (): string | undefined =>
  screen.getAllByRole('tab', { selected: true }).map((one) => one.textContent.trim())[0];

it('opens Risk on the part that was searched for, also while Risk is open', async () => {
  const { app, run } = await palette();
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

it('opens Overview on the results that were searched for, also while Overview is open', async () => {
  const { app, run } = await palette();
  run('statistics');
  expect(app.navigation.screen).toBe('overview');
  render(InApp, { app, component: ProfitPane as never, given: { past: new Past(app) } });
  expect(opened()).toBe('Statistics');
  run('calendar');
  expect(opened()).toBe('Calendar');
  run('pnl by contract');
  expect(opened()).toBe('By contract');
});

it('opens Trades in the groups that were searched for, with its filter', async () => {
  const { app, run } = await palette();
  run('round trips');
  expect(app.navigation.screen).toBe('trades');
  render(InApp, { app, component: Trades });
  flushSync();
  expect(app.tradeLog.groups.by).toBe('round-trip');
  app.tradeLog.fields.values.symbols = ['BTC-USDT-M'];
  run('trades by month');
  expect([app.tradeLog.groups.by, ...app.tradeLog.fields.values.symbols]).toEqual(['month', 'BTC-USDT-M']);
});

it('opens the practice controls though a live connection is open', async () => {
  const { app, run } = await palette();
  const { state } = app.session;
  if (state === null) throw new Error('no session');
  const practice = { ...state.connections[0]!, id: 'practice', kind: 'practice' } as const;
  const live = {
    ...state.connections[0]!,
    settings: { ...SETTINGS, signing: SIGNING_PRESETS.query.profile },
  };
  app.session.replace({
    ...state,
    connections: [live, { ...practice, settings: { ...SETTINGS, name: 'Practice' } }],
  });
  run('practice controls');
  render(InApp, { app, component: Settings });
  flushSync();
  expect(screen.getByRole('button', { name: /Practice/, pressed: true })).toBeTruthy();
});
