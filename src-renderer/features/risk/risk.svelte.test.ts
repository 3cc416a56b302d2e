import { describe, expect, it } from 'vitest';
import type { AccountInfo, Position } from '../../../src-shared/exchange-api/account.ts';
import type { SymbolConfig } from '../../../src-shared/exchange-api/symbol-config.ts';
import { LINEAR, position as record, tier } from '../../../tests/domain/order-samples.ts';
import { FakeBridge, FakeTime, feed } from '../../../tests/renderer/fake-bridge.ts';
import { AppState } from '../../state/app/app-state.svelte.ts';
import { DeferredState } from '../../state/app/deferred-state.svelte.ts';
import { Risk } from './risk.svelte.ts';

const contract = (symbolId: string, more: Partial<SymbolConfig> = {}): SymbolConfig => ({
  ...LINEAR,
  symbolId,
  riskLimitConfigs: [tier(1, '0', '50000', '0.004', '125'), tier(2, '50000', '250000', '0.005', '100')],
  ...more,
});
const position = (symbolId: string, side: string, quantity: string, entryValue = '60000'): Position =>
  record({
    symbolId,
    side,
    quantity,
    positionId: `${symbolId}${side}`,
    markPrice: '60000',
    lastPrice: null,
    avgEntryPrice: '60000',
    entryValue,
    positionMode: 'HEDGE',
  });

async function start(contracts: readonly SymbolConfig[], positions: readonly Position[]) {
  const bridge = new FakeBridge();
  const app = new AppState(bridge, new FakeTime(), () => Promise.resolve(DeferredState));
  app.attach(new DeferredState(app));
  app.start();
  await new Promise((done) => setImmediate(done));
  const account = { balance: '1', assets: [], positions } as unknown as AccountInfo;
  bridge.emit('feed', { connectionId: 'practice', name: 'account', feed: feed(account, 1) });
  bridge.emit('feed', { connectionId: 'practice', name: 'contracts', feed: feed(contracts, 1) });
  return { app, risk: new Risk(app, () => null), bridge };
}
const BTC = contract('BTC-USDT-M');
const ETH = contract('ETH-USDT-M');
const INVERSE = contract('BTC-USD-M', { contractSide: 'REVERSE' });
const DELIVERY = contract('ETH1225-USDT-M', { contractType: 'DELIVERY' });

describe('Risk', () => {
  it('lists held contracts first, and finds by name, side and type', async () => {
    const { risk } = await start([ETH, DELIVERY, INVERSE, BTC], [position('ETH-USDT-M', 'BUY', '1')]);
    const listed = (): string[] => [...risk.held, ...risk.others].map((one) => one.config.symbolId);
    expect(listed()).toEqual(['ETH-USDT-M', 'BTC-USD-M', 'BTC-USDT-M', 'ETH1225-USDT-M']);
    risk.text = ' eth ';
    expect(listed()).toEqual(['ETH-USDT-M', 'ETH1225-USDT-M']);
    risk.type = 'DELIVERY';
    expect(listed()).toEqual(['ETH1225-USDT-M']);
    risk.side = 'REVERSE';
    expect([listed(), risk.filtered]).toEqual([[], true]);
    risk.clear();
    risk.side = 'REVERSE';
    expect(listed()).toEqual(['BTC-USD-M']);
  });

  it('shows the window’s contract, else a held one; a search does not change it', async () => {
    const { risk, app } = await start([BTC, ETH], [position('ETH-USDT-M', 'BUY', '1')]);
    app.navigation.symbol = null;
    expect(risk.selected?.symbolId).toBe('ETH-USDT-M');
    risk.choose('BTC-USDT-M');
    risk.text = 'eth';
    expect([app.navigation.symbol, risk.selected?.symbolId]).toEqual(['BTC-USDT-M', 'BTC-USDT-M']);
    app.navigation.symbol = 'GONE-USDT-M';
    expect(risk.selected?.symbolId).toBe('ETH-USDT-M');
  });

  it('places both legs of a hedge, and marks the tier of the larger one', async () => {
    const legs = [position('BTC-USDT-M', 'BUY', '0.5', '30000'), position('BTC-USDT-M', 'SELL', '1')];
    const { risk } = await start([BTC], legs);
    risk.choose('BTC-USDT-M');
    expect(risk.tieredPositions.map((one) => one.tier.tier.level)).toEqual([1, 2]);
    const lines = risk.tiers?.ok === true ? risk.tiers.lines : [];
    expect(lines.map((line) => line.use?.kind)).toEqual(['passed', 'position']);
  });

  it('marks the ticket’s draft while the ticket is about the same contract', async () => {
    const { risk, app } = await start([BTC, ETH], [position('BTC-USDT-M', 'BUY', '0.5', '30000')]);
    risk.choose('BTC-USDT-M');
    expect(risk.draft).toBeNull();
    app.ticket.fill({
      symbolId: 'BTC-USDT-M',
      side: 'SELL',
      type: 'LIMIT',
      price: '60000',
      quantity: '1',
    });
    expect(risk.draft).toBe('60000');
    risk.choose('ETH-USDT-M');
    expect(risk.draft).toBeNull();
  });

  it('says why tiers cannot be calculated with', async () => {
    const [first] = BTC.riskLimitConfigs;
    const torn = { ...BTC, riskLimitConfigs: [first!, { ...first!, level: 2 }] };
    const { risk } = await start([torn], [position('BTC-USDT-M', 'BUY', '0.5', '30000')]);
    risk.choose('BTC-USDT-M');
    expect(risk.tieredPositions).toEqual([]);
    expect(risk.tiers).toMatchObject({ ok: false });
  });
});
