/**
 * An exchange whose liquidation price differs from the estimate by its own fields: shown at the position, never
 * hidden.
 */
import { fireEvent, render, screen, within } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';
import { Engine } from '../../src-practice/engine/engine.ts';
import type { Position } from '../../src-shared/exchange-api/account.ts';
import { parseLossless } from '../../src-shared/exchange-api/lossless-json.ts';
import { readData, type Replies } from '../../src-shared/exchange-api/replies.ts';
import { amount, multiply, printFixed } from '../../src-shared/amount.ts';
import { done } from '../../src-shared/ipc/failures.ts';
import { NOW } from '../../tests/domain/order-samples.ts';
import { fixture } from '../../tests/renderer/app-fixture.ts';
import { feed, noFeeds } from '../../tests/renderer/fake-bridge.ts';
import InApp from '../../tests/renderer/InApp.svelte';
import Risk from '../features/risk/Risk.svelte';
import PositionsScreen from './PositionsScreen.svelte';

const read = <K extends 'account' | 'symbolConfig'>(endpoint: K, text: string): Replies[K] =>
  readData(endpoint, parseLossless(text), {
    drift: () => undefined,
    unreadable({ message }) {
      throw new Error(message);
    },
  });

/** A window on the practice exchange's account, with the liquidation price of SOL 2 % lower. */
async function lowered() {
  const engine = new Engine({
    ...{ seed: 7, start: NOW, history: 120, convention: 'flat', order: 'desc', contracts: 13 },
  });
  const account = read('account', engine.account(NOW));
  const positions = account.positions.map((one): Position => {
    if (one.symbolId !== 'SOL-USDT-M') return one;
    return { ...one, liquidPrice: printFixed(multiply(amount(one.liquidPrice!), amount('0.98')), 2) };
  });
  const at = { receivedAt: NOW };
  const feeds = {
    ...noFeeds('live-1'),
    account: feed({ ...account, positions }, 1, at),
    contracts: feed(read('symbolConfig', engine.symbolConfig(NOW)), 1, at),
  };
  return fixture('practice', { 'feeds.get': () => done(feeds) });
}

const rows = (): HTMLElement[] =>
  within(screen.getByRole('treegrid', { name: 'Positions' })).getAllByRole('row');
const tagged = (): HTMLElement[] =>
  rows().filter((row) => row.textContent.includes('Differs from the estimate'));

it('tags a liquidation price that differs from the estimate, unless the limit allows it', async () => {
  const { app } = await lowered();
  render(InApp, { app, component: PositionsScreen });
  await expect.poll(() => tagged().length).toBe(1);
  expect(tagged()[0]!.textContent).toMatch(
    /SOL-USDT-M.*Differs from the estimate: Liquidation price \+1\.9928%/s,
  );

  app.settings.take({ ...app.settings.value, risk: { divergencePercent: '3', betas: {} } });
  await expect.poll(() => tagged().length).toBe(0);
  expect(rows().some((row) => row.textContent.includes('SOL-USDT-M'))).toBe(true);
});

it('gives the difference in Risk, at its contract only', async () => {
  // The chart of the tiers is drawn when the browser is idle.
  vi.stubGlobal('requestIdleCallback', () => 0);
  vi.stubGlobal('cancelIdleCallback', () => undefined);
  const { app } = await lowered();
  render(InApp, { app, component: Risk });
  const difference = () => screen.queryByText('Liquidation price +1.9928%');
  await fireEvent.click(screen.getByRole('option', { name: /SOL-USDT-M/ }));
  expect(difference()).not.toBeNull();
  await fireEvent.click(screen.getByRole('option', { name: /ETH-USDT-M/ }));
  expect(difference()).toBeNull();
});
