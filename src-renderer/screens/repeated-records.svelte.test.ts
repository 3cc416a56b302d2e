import { render, screen } from '@testing-library/svelte';
import type { Component } from 'svelte';
import { expect, it } from 'vitest';
import { account, asset, LINEAR, NOW, position, TIERS } from '../../tests/domain/order-samples.ts';
import { fixture } from '../../tests/renderer/app-fixture.ts';
import type { TierLine } from '../../src-shared/domain/instrument/tier-table.ts';
import InApp from '../../tests/renderer/InApp.svelte';
import ClosePositionsSheet from '../features/close/ClosePositionsSheet.svelte';
import MarginSheet from '../features/overview/MarginSheet.svelte';
import TierTable from '../features/risk/TierTable.svelte';
import { Risk } from '../features/risk/risk.svelte.ts';
import PositionStrip from '../features/ticket/PositionStrip.svelte';
import BatchScreen from './BatchScreen.svelte';

/** An account and contracts in which the exchange repeats itself, and both legs of a hedge share an id. */
async function repeated() {
  const all = await fixture('live');
  const isolated = { marginMode: 'ISOLATED', positionMode: 'HEDGE' };
  const legs = [position(isolated), position({ ...isolated, side: 'SELL' }), position(), position()];
  all.accountIs(account(legs, [asset(), asset()]));
  const same = { ...LINEAR, riskLimitConfigs: TIERS.map((tier) => ({ ...tier, level: 1 })) };
  const feed = { receivedAt: NOW, age: 0, latencyMs: 1, failure: null, failingSince: null, serial: 900 };
  all.push('feed', { connectionId: 'live-1', name: 'contracts', feed: { ...feed, value: [same, same] } });
  all.app.navigation.symbol = 'BTC-USDT-M';
  return all;
}

const linesOf = (): TierLine[] =>
  TIERS.map((tier) => ({ tier: { ...tier, level: 1 }, maintenanceAtTop: '1', topQuantity: null, use: null }));

it.each<[string, Component]>([
  ['the ticket’s positions', PositionStrip],
  ['the margin sheet', MarginSheet],
  ['Batch', BatchScreen],
])('repeated records do not break %s', async (_what, component) => {
  const { app } = await repeated();
  app.navigation.marginOpen = true;
  expect(() => render(InApp, { app, component })).not.toThrow();
});

it('repeated levels do not break the table of tiers', async () => {
  const { app } = await repeated();
  const given = { risk: new Risk(app, () => null), lines: linesOf() };
  render(InApp, { app, component: TierTable as Component<Record<string, unknown>>, given });
  expect(screen.getAllByRole('row').length).toBeGreaterThan(TIERS.length);
});

it('a position listed twice is closed once', async () => {
  const { app } = await repeated();
  app.closePositions.start();
  render(InApp, { app, component: ClosePositionsSheet });
  expect(app.closePositions.rows.map(({ position: one }) => one.side)).toEqual(['BUY', 'SELL']);
});
