import { flushSync } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';
import type { Position } from '../../../src-shared/exchange-api/account.ts';
import { account, asset, LINEAR, position } from '../../../tests/domain/order-samples.ts';
import type { Steps } from '../../../src-shared/domain/numeric/steps.ts';
import { FakeBridge, FakeTime, feed } from '../../../tests/renderer/fake-bridge.ts';
import { AccountShock } from './price-shock.svelte.ts';
import { AppState } from '../app/app-state.svelte.ts';
import { FirstLiquidation } from './first-liquidation.svelte.ts';
import { inSlices } from '../runtime/time-slicing.ts';

const held = (symbolId: string, side: string, quantity: string, price: string): Position =>
  position({
    symbolId,
    side,
    quantity,
    avgEntryPrice: price,
    markPrice: price,
    entryValue: '0',
    positionId: symbolId,
  });

let end = (): void => undefined;
afterEach(() => end());

async function start(positions: readonly Position[]) {
  const bridge = new FakeBridge();
  const time = new FakeTime();
  const app = new AppState(bridge, time);
  app.start();
  await new Promise((done) => setImmediate(done));
  const contracts = positions.map((one) => ({ ...LINEAR, symbolId: one.symbolId }));
  const read = account(positions, [asset({ balance: '12000', isolatedMargin: '0' })]);
  bridge.emit('feed', { connectionId: 'practice', name: 'account', feed: feed(read, 1) });
  bridge.emit('feed', { connectionId: 'practice', name: 'contracts', feed: feed(contracts, 1) });
  const made: { shock: AccountShock; first: FirstLiquidation }[] = [];
  end = $effect.root(() => {
    made.push({ shock: new AccountShock(app), first: new FirstLiquidation(app) });
  });
  flushSync();
  const [{ shock, first }] = made as [{ shock: AccountShock; first: FirstLiquidation }];
  return { app, bridge, shock, first };
}

describe('the account under a price move', () => {
  it('is worked out for a common move, and its first is Overview’s number', async () => {
    const { shock, first } = await start([held('BTC-USDT-M', 'BUY', '1', '100000')]);
    expect(shock.ready).toBe(true);
    expect(shock.first?.move).toBe(first.value?.move);
    expect(shock.gone).toEqual([]);
    shock.slide(-20);
    expect(shock.gone).toHaveLength(1);
    expect([shock.moves[0], shock.moves[20], shock.moves.at(-1)]).toEqual(['-0.5', '0', '0.5']);
  });

  it('moves each contract by its own percent', async () => {
    const { shock } = await start([
      held('BTC-USDT-M', 'BUY', '1', '100000'),
      held('ETH-USDT-M', 'SELL', '1', '3000'),
    ]);
    shock.preset = 'each';
    flushSync();
    expect(shock.own.map((one) => one.move)).toEqual(['-10', '-10']);
    expect(shock.first?.position.symbolId).toBe('BTC-USDT-M');
    shock.setOwn('BTC-USDT-M', '0');
    flushSync();
    expect(shock.first).toBeNull();
    expect(shock.after).toMatchObject([{ coin: 'USDT', before: '12000', after: '12300' }]);
    shock.slide(50);
    expect(shock.after).toMatchObject([{ after: '12150' }]);
    shock.setOwn('ETH-USDT-M', '12,5');
    expect(shock.own[1]?.fault).toContain('“12,5”');
    shock.setOwn('ETH-USDT-M', '201');
    expect(shock.own[1]?.fault).toContain('from -95 to 200');
  });

  it('keeps betas for the connection, and only numbers', async () => {
    const { app, shock } = await start([held('ETH-USDT-M', 'BUY', '1', '3000')]);
    expect(shock.betas).toEqual([{ coin: 'ETH', beta: '1.2', fault: null }]);
    await shock.setBeta('ETH', '1.');
    expect(shock.betas[0]?.fault).toContain('“1.”');
    expect(app.settings.value.risk.betas).toEqual({});
    await shock.setBeta('ETH', '1.75');
    expect(app.settings.value.risk.betas).toEqual({ 'practice ETH': '1.75' });
    expect(shock.betasChanged).toBe(true);
    await shock.resetBetas();
    expect(app.settings.value.risk.betas).toEqual({});
    expect(shock.betas[0]?.beta).toBe('1.2');
  });
});

describe('work in slices', () => {
  const time = new FakeTime();
  function* slow(seen: number[]): Steps<string> {
    for (let n = 1; n <= 6; n++) {
      seen.push(n);
      time.pass(2);
      yield;
    }
    return 'done';
  }

  it('stops when its few ms are over and goes on later', () => {
    const seen: number[] = [];
    const ends: string[] = [];
    inSlices(slow(seen), time, (end) => ends.push(end));
    expect([seen.length, ends]).toEqual([3, []]);
    time.pass(20);
    time.pass(20);
    expect([seen.length, ends]).toEqual([6, ['done']]);
  });

  it('is left undone when something newer is asked', () => {
    const seen: number[] = [];
    const ends: string[] = [];
    inSlices(slow(seen), time, (end) => ends.push(end))();
    time.pass(10);
    expect([seen.length, ends]).toEqual([3, []]);
  });
});
