import { describe, expect, it } from 'vitest';
import { reversalOf } from './position-actions.ts';
import { position } from '../../../tests/domain/order-samples.ts';

describe('reversing a position', () => {
  const long = position({ quantity: '2.050' });
  it('asks for the size as the connection says the quantity is meant', () => {
    const order = { symbolId: 'BTC-USDT-M', side: 'SELL', type: 'MARKET', reverseOrder: true };
    expect(reversalOf(long, 'new-position')).toEqual({ seed: { ...order, quantity: '2.050' } });
    expect(reversalOf(long, 'sum')).toEqual({ seed: { ...order, quantity: '4.1' } });
    expect(reversalOf({ ...long, side: 'SELL' }, 'sum')).toMatchObject({ seed: { side: 'BUY' } });
  });
  it('is offered in hedge mode: nothing in the interface forbids it', () => {
    expect(reversalOf({ ...long, positionMode: 'HEDGE' }, 'sum')).toHaveProperty('seed');
  });
  it('is off, with the reason, where its meaning is open', () => {
    expect(reversalOf(long, 'unset')).toEqual({ off: expect.stringContaining('connection') as string });
    expect(reversalOf({ ...long, side: 'NET' }, 'sum')).toHaveProperty('off');
  });
});
