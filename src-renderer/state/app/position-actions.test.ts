import { describe, expect, it } from 'vitest';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import { positionEntries, reversalOf } from './position-actions.ts';
import { position } from '../../../tests/domain/order-samples.ts';

describe('reversing a position', () => {
  const long = position({ quantity: '2.050' });
  it('sizes the order by the connection’s setting for what the quantity means', () => {
    const order = { symbolId: 'BTC-USDT-M', side: 'SELL', type: 'MARKET', reverseOrder: true };
    expect(reversalOf(long, 'new-position')).toEqual({ seed: { ...order, quantity: '2.050' } });
    expect(reversalOf(long, 'sum')).toEqual({ seed: { ...order, quantity: '4.1' } });
    expect(reversalOf({ ...long, side: 'SELL' }, 'sum')).toMatchObject({ seed: { side: 'BUY' } });
  });
  it('is offered in hedge mode, which the exchange API does not forbid', () => {
    expect(reversalOf({ ...long, positionMode: 'HEDGE' }, 'sum')).toHaveProperty('seed');
  });
  it('is disabled, with the reason, while the meaning of the quantity is unknown', () => {
    expect(reversalOf(long, 'unset')).toEqual({ off: expect.stringContaining('connection') as string });
    expect(reversalOf({ ...long, side: 'NET' }, 'sum')).toHaveProperty('off');
  });
});

describe('the entries of a position', () => {
  const entries = async (quantity: string, changes = {}) => {
    const { app } = await fixture('live');
    const all = positionEntries(
      app,
      position({ quantity, tpSlOrders: [], tpSlSize: 0, tpSl: null, ...changes }),
    );
    return { app, all, shown: all.map(({ label, note, disabled }) => [label, note, disabled === true]) };
  };
  it('round shares down to the lot, and disable one that comes to 0', async () => {
    const { app, shown } = await entries('0.003');
    expect(app.specs.of('BTC-USDT-M').quantityDecimals).toBe(3);
    expect(shown.slice(0, 3)).toEqual([
      ['Close 25%', '0.000', true],
      ['Close 50%', '0.001', false],
      ['Close 100%', '0.003', false],
    ]);
  });
  it('open the sheet with that share or fill in the ticket, and send nothing', async () => {
    const { app, all } = await entries('2.050');
    const run = (label: string): void => all.find((one) => one.label === label)?.run();
    run('Close 25%');
    expect([app.close.mode, app.close.sizeMode, app.close.size]).toEqual(['part', 'share', '25']);
    run('Close at limit…');
    expect([app.close.mode, app.close.size]).toEqual(['limit', '100']);
    run('Take profit…');
    expect(app.close.mode).toBe('take-profit');
    run('Add…');
    expect(app.navigation.takeSeed()).toEqual({ symbolId: 'BTC-USDT-M', side: 'BUY', reduceOnly: false });
    run('Liquidation price…');
    expect(app.navigation.liquidationOf).toMatchObject({ symbolId: 'BTC-USDT-M', side: 'BUY' });
    run('What-if');
    expect([app.navigation.screen, app.navigation.link?.part]).toEqual(['risk', 'what-if']);
  });
  it('offer no order for an unknown side', async () => {
    const { shown } = await entries('2.050', { side: 'NET' });
    expect(shown.filter(([, , disabled]) => !disabled).map(([label]) => label)).toEqual([
      'What-if',
      'Liquidation price…',
      'Trades',
      'Copy',
    ]);
  });
});
