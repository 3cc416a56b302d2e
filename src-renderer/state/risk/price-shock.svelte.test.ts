import { flushSync } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';
import type { Position } from '../../../src-shared/exchange-api/account.ts';
import { account, asset, LINEAR, openOrder, position } from '../../../tests/domain/order-samples.ts';
import { FakeBridge, FakeTime, feed } from '../../../tests/renderer/fake-bridge.ts';
import { AccountShock } from './price-shock.svelte.ts';
import { AppState } from '../app/app-state.svelte.ts';
import { DeferredState } from '../app/deferred-state.svelte.ts';
import { FirstLiquidation } from '../../features/overview/first-liquidation.svelte.ts';

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

async function start(positions: readonly Position[], time = new FakeTime()) {
  const bridge = new FakeBridge();
  const app = new AppState(bridge, time, () => Promise.resolve(DeferredState));
  app.attach(new DeferredState(app));
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

/** A slow computer: each look at the clock takes 3 ms, and each timer at least one. */
class SlowTime extends FakeTime {
  override now(): number {
    this.set += 3;
    return super.now();
  }
  override after(ms: number, then: () => void): () => void {
    return super.after(Math.max(ms, 1), then);
  }
}

describe('the account under a price move', () => {
  it('is calculated although polls with other margins come faster than it ends', async () => {
    const time = new SlowTime();
    const of = (margin: string) => [
      { ...held('BTC-USDT-M', 'BUY', '0.01', '100000'), margin },
      { ...held('ETH-USDT-M', 'SELL', '1', '3000'), margin },
    ];
    const { bridge, shock, first } = await start(of('100'), time);
    expect([shock.ready, first.value]).toEqual([false, undefined]);
    for (let poll = 2; poll < 400 && !(shock.ready && first.value !== undefined); poll++) {
      const read = account(of(String(100 + poll)), [asset({ balance: '12000', isolatedMargin: '0' })]);
      bridge.emit('feed', { connectionId: 'practice', name: 'account', feed: feed(read, poll) });
      flushSync();
      time.pass(1);
    }
    expect(shock.ready).toBe(true);
    expect(first.value?.first).not.toBeUndefined();
  });

  it('is calculated for a common move, and its first liquidation is the one on Overview', async () => {
    const { shock, first } = await start([held('BTC-USDT-M', 'BUY', '1', '100000')]);
    expect(shock.ready).toBe(true);
    expect(shock.first?.move).toBe(first.value?.first?.move);
    expect(shock.positions.map((one) => [one.pnl, one.liquidation])).toEqual([['-10000', null]]);
    shock.slide(-20);
    expect(shock.positions[0]?.liquidation?.order).toBe(1);
    expect([shock.moves[0], shock.moves[20], shock.moves.at(-1)]).toEqual(['-0.5', '0', '0.5']);
  });

  it('is not finished for an account that is left before it ends', async () => {
    const time = new SlowTime();
    const two = [held('BTC-USDT-M', 'BUY', '0.01', '100000'), held('ETH-USDT-M', 'SELL', '1', '3000')];
    const { app, shock, first } = await start(two, time);
    expect([shock.ready, first.value]).toEqual([false, undefined]);
    app.feeds.account.forget();
    flushSync();
    time.pass(10_000);
    expect([shock.ready, first.value]).toEqual([false, undefined]);
  });

  it('has one value, typed or from the slider, and keeps the last valid one', async () => {
    const { shock } = await start([held('BTC-USDT-M', 'BUY', '0.01', '100000')]);
    shock.set('-12.34');
    expect([shock.move, shock.at, shock.fault]).toEqual(['-12.34', -12.34, null]);
    // As it is shown, and so pasted.
    shock.set('−12.34');
    expect([shock.move, shock.typed, shock.faults]).toEqual(['-12.34', '-12.34', null]);
    shock.set('-12,');
    expect([shock.move, shock.typed]).toEqual(['-12.34', '-12,']);
    expect(shock.faults).toBe('Move “-12,”: a plain number, such as -12.5.');
    shock.set('-96');
    expect(shock.faults).toBe('Move “-96”: from -95 to 200.');
    shock.slide(-7.3);
    expect([shock.move, shock.typed, shock.faults]).toEqual(['-7.5', '-7.5', null]);
    // A move beyond the range widens the range.
    shock.set('-80');
    flushSync();
    expect([shock.span.min, shock.moves[0]]).toEqual([-95, '-0.95']);
  });

  it('counts what coins held beside it lose at the mark, and names those that are not counted', async () => {
    const { bridge, shock } = await start([held('BTC-USDT-M', 'BUY', '0.01', '100000')]);
    const assets = [
      asset({ balance: '12000', isolatedMargin: '0' }),
      asset({ coin: 'BTC', equities: '0.5' }),
      asset({ coin: 'XYZ', equities: '3' }),
      asset({ coin: 'ABC', equities: '0' }),
      asset({ coin: 'DEF', equities: null }),
    ];
    const read = account([held('BTC-USDT-M', 'BUY', '0.01', '100000')], assets);
    bridge.emit('feed', { connectionId: 'practice', name: 'account', feed: feed(read, 2) });
    flushSync();
    shock.set('-20');
    expect(shock.held).toEqual({ change: '-10000', valued: ['BTC'], unpriced: ['XYZ'], unread: ['DEF'] });
  });

  it('lets one underlying lead, with the others following by beta or standing still', async () => {
    const { shock } = await start([
      held('BTC-USDT-M', 'BUY', '0.01', '100000'),
      held('ETH-USDT-M', 'SELL', '1', '3000'),
    ]);
    expect([shock.input.mode, shock.leader]).toEqual(['leads', 'BTC']);
    expect(shock.underlyings.map((one) => [one.coin, one.leads, one.move])).toEqual([
      ['BTC', true, '-10'],
      ['ETH', false, '-12'],
    ]);
    expect(shock.positions.map((one) => one.pnl)).toEqual(['-100', '360']);
    await shock.setBeta('ETH', '1.');
    expect(shock.faults).toContain('Beta of ETH “1.”');
    shock.input.othersStill = true;
    flushSync();
    expect(shock.faults).toBeNull();
    expect(shock.positions.map((one) => one.pnl)).toEqual(['-100', '0']);
    shock.input.leader = 'ETH';
    flushSync();
    expect(shock.positions.map((one) => one.pnl)).toEqual(['0', '300']);
    shock.input.mode = 'all';
    flushSync();
    expect(shock.positions.map((one) => one.pnl)).toEqual(['-100', '300']);
  });

  it.each(['__proto__', 'constructor'])('has the default beta of an underlying named %s', async (coin) => {
    const { shock } = await start([held(`${coin}-USDT-M`, 'BUY', '1', '100')]);
    expect(shock.underlyings.map((one) => [one.coin, one.beta])).toEqual([[coin, '1.5']]);
    expect(shock.faults).toBeNull();
  });

  it('moves each underlying by its own percent', async () => {
    const { shock } = await start([
      held('BTC-USDT-M', 'BUY', '1', '100000'),
      held('ETH-USDT-M', 'SELL', '1', '3000'),
    ]);
    shock.input.mode = 'own';
    flushSync();
    expect(shock.underlyings.map((one) => one.own)).toEqual(['-10', '-10']);
    expect(shock.first?.position.symbolId).toBe('BTC-USDT-M');
    shock.setOwn('BTC', '0');
    flushSync();
    expect(shock.first).toBeNull();
    expect(shock.coinAt('USDT')?.equity).toBe('12300');
    shock.slide(50);
    expect(shock.coinAt('USDT')?.equity).toBe('12150');
    shock.setOwn('ETH', '12,5');
    expect(shock.underlyings[1]?.ownFault).toContain('“12,5”');
    expect(shock.faults).toContain('Move of ETH “12,5”');
    shock.setOwn('ETH', '201');
    expect(shock.underlyings[1]?.ownFault).toContain('from -95 to 200');
  });

  it('counts resting orders and TP/SL that fill apart', async () => {
    const tpSlOrders = [{ kind: 'TP', triggerPrice: '120000', triggerType: 'MARK_PRICE' }];
    const { bridge, shock } = await start([{ ...held('BTC-USDT-M', 'BUY', '0.01', '100000'), tpSlOrders }]);
    const resting = openOrder({ side: 'BUY', price: '95000', quantity: '0.01', reduceOnly: false });
    bridge.emit('feed', { connectionId: 'practice', name: 'openOrders', feed: feed([resting], 1) });
    shock.input.orders = 'tp-sl';
    flushSync();
    expect(shock.fills).toEqual([{ isTpSl: true, filled: 0, of: 1 }]);
    shock.input.orders = 'all';
    flushSync();
    expect(shock.fills).toEqual([
      { isTpSl: false, filled: 1, of: 1 },
      { isTpSl: true, filled: 0, of: 1 },
    ]);
  });

  it('names the stops that the chosen move fills, of the orders that may fill', async () => {
    const stop = { kind: 'SL', triggerPrice: '95000', triggerType: 'MARK_PRICE' };
    const { shock } = await start([{ ...held('BTC-USDT-M', 'BUY', '0.01', '100000'), tpSlOrders: [stop] }]);
    const filled = (): number => shock.filledStops.length;
    shock.set('-10');
    expect(filled()).toBe(0);
    shock.input.orders = 'tp-sl';
    flushSync();
    expect(filled()).toBe(1);
    shock.set('-4');
    expect(filled()).toBe(0);
  });

  it('keeps its input when the screen is reopened, and for each connection', async () => {
    const { app, shock } = await start([held('BTC-USDT-M', 'BUY', '0.01', '100000')]);
    shock.input.mode = 'all';
    shock.set('-20');
    const again = (): AccountShock => {
      end();
      let made = shock;
      end = $effect.root(() => {
        made = new AccountShock(app);
      });
      return made;
    };
    expect([again().input.mode, again().move]).toEqual(['all', '-20']);
    const own = app.session.activeId ?? '';
    app.riskInput.follow('live-2');
    expect([again().input.mode, again().move]).toEqual(['leads', '-10']);
    app.riskInput.follow(own);
    expect([again().input.mode, again().move]).toEqual(['all', '-20']);
  });

  it('leaves out positions without a mark, and names them', async () => {
    const { shock } = await start([
      held('BTC-USDT-M', 'BUY', '0.01', '100000'),
      { ...held('ETH-USDT-M', 'BUY', '1', '3000'), markPrice: null, marginMode: 'ISOLATED' },
    ]);
    expect(shock.notCounted.map((one) => one.symbolId)).toEqual(['ETH-USDT-M']);
    expect(shock.underlyings.map((one) => one.move)).toEqual(['-10', null]);
    expect(shock.positions).toHaveLength(1);
  });

  it('stores betas for the connection, valid numbers only', async () => {
    const { app, shock } = await start([held('ETH-USDT-M', 'BUY', '1', '3000')]);
    expect(shock.underlyings).toMatchObject([{ coin: 'ETH', beta: '1.2', betaFault: null }]);
    await shock.setBeta('ETH', '1.');
    expect(shock.underlyings[0]?.betaFault).toContain('“1.”');
    expect(shock.faults).toBeNull();
    expect(app.settings.value.risk.betas).toEqual({});
    await shock.setBeta('ETH', '1.75');
    expect(app.settings.value.risk.betas).toEqual({ 'practice ETH': '1.75' });
    expect(shock.betasChanged).toBe(true);
    await shock.resetBetas();
    expect(app.settings.value.risk.betas).toEqual({});
    expect(shock.underlyings[0]?.beta).toBe('1.2');
  });
});
