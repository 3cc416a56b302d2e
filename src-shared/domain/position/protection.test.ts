import { describe, expect, it } from 'vitest';
import type { Position } from '../../exchange-api/account.ts';
import {
  coveredBy,
  excess,
  firstTrigger,
  profitAt,
  protectionOf,
  rewardToRisk,
  triggeredOnWay,
} from './protection.ts';
import { amount } from '../../amount.ts';
import { position } from '../../../tests/domain/order-samples.ts';

const order = (kind: string, triggerPrice: string, quantity: string) => ({
  conditionOrderId: '1',
  kind,
  triggerPrice,
  triggerType: 'MARK_PRICE',
  executePrice: null,
  quantity,
});
const held = (tpSlOrders: readonly unknown[], changes: Partial<Position> = {}) =>
  position({ tpSlOrders, tpSlSize: tpSlOrders.length, ...changes });

describe('the protection of a position', () => {
  const one = held([
    order('TAKE_PROFIT', '99000', '2.000'),
    order('STOP_LOSS', '94000', '0.500'),
    order('STOP_LOSS', '95000', '0.250'),
  ]);
  it('is read from its TP/SL orders, with the quantity they cover together', () => {
    const protection = protectionOf(one);
    expect(protection.unread).toBe(0);
    expect(coveredBy(one, protection, 'TP')).toEqual({ quantity: '2', extent: 'all' });
    expect(coveredBy(one, protection, 'SL')).toEqual({ quantity: '0.75', extent: 'part' });
  });
  it('names the trigger that fires first, by the side', () => {
    expect(firstTrigger(one, protectionOf(one), 'SL')).toBe('95000');
    const short = { ...one, side: 'SELL' };
    expect(firstTrigger(short, protectionOf(short), 'SL')).toBe('94000');
    expect(firstTrigger(held([]), protectionOf(held([])), 'SL')).toBeNull();
  });
  it('triggers while the mark moves to its price, in either direction', () => {
    const at = (prices: readonly string[], markPrice: string | null = '97000') =>
      triggeredOnWay({ ...one, markPrice }, prices).map(({ trigger }) => trigger);
    expect(at([])).toEqual([]);
    expect(at(['95000.1', '98999'])).toEqual([]);
    expect(at(['95000', '96000'])).toEqual(['95000']);
    expect(at(['93000', '99000'])).toEqual(['99000', '94000', '95000']);
    expect(at(['93000'], null)).toEqual([]);
  });
  it('can exceed the position, or have an unknown quantity', () => {
    const much = held([order('TAKE_PROFIT', '99000', '2.5')]);
    const covered = coveredBy(much, protectionOf(much), 'TP');
    expect([covered.extent, excess(much, covered)]).toEqual(['more', '0.5']);
    const silent = held([{ kind: 'STOP_LOSS', triggerPrice: '95000' }]);
    expect(coveredBy(silent, protectionOf(silent), 'SL').extent).toBe('unknown');
  });
  it('counts unreadable entries and is then never called absent', () => {
    for (const entry of [null, 'text', 7, {}, { kind: 'STOP_LOSS' }, { kind: 'X', triggerPrice: '1' }])
      expect(protectionOf(held([entry]))).toEqual({ orders: [], unread: 1 });
    expect(protectionOf(held([], { tpSl: 'something' })).unread).toBe(1);
    expect(protectionOf(held([], { tpSlSize: 2 })).unread).toBe(2);
    expect(protectionOf(held([]))).toEqual({ orders: [], unread: 0 });
  });
  it('is unknown if the count cannot be read', () => {
    expect(protectionOf(held([], { tpSlSize: null, received: { tpSlSize: 'many' } })).unread).toBeNull();
    expect(protectionOf(held([], { tpSlSize: null, received: { tpSlOrders: '7' } })).unread).toBeNull();
    expect(protectionOf(held([], { tpSlSize: null }))).toEqual({ orders: [], unread: 0 });
  });
  it('has unknown coverage if a quantity is unreadable', () => {
    const unsized = { ...one, quantity: null };
    const protection = protectionOf(unsized);
    expect(coveredBy(unsized, protection, 'SL')).toEqual({ quantity: null, extent: 'unknown' });
    expect(profitAt(unsized, protection.orders[0]!, 'FORWARD', (quantity) => quantity)).toBeNull();
    expect(
      profitAt({ ...one, avgEntryPrice: null }, protection.orders[0]!, 'FORWARD', (quantity) => quantity),
    ).toBeNull();
  });
  it('is read from an open order’s settings, too', () => {
    const set = held([], { tpSl: '{"tpPrice":"99000","slPrice":"95000","slExecutePrice":"94900"}' });
    expect(protectionOf(set).orders).toEqual([
      { kind: 'TP', trigger: '99000', triggerType: null, orderPrice: null, quantity: null },
      { kind: 'SL', trigger: '95000', triggerType: null, orderPrice: '94900', quantity: null },
    ]);
    for (const tpSl of ['NONE', '{', '[]', '{}', '{"slPrice":0.1}', '{"slPrice":"0"}'])
      expect(protectionOf(held([], { tpSl })).orders, tpSl).toEqual([]);
  });
  it('has the PnL of what closes, from entry, before fees', () => {
    const [tp, sl] = protectionOf(one).orders;
    const same = (quantity: string): string => quantity;
    expect(profitAt(one, tp!, 'FORWARD', same)).toBe('8000');
    expect(profitAt(one, sl!, 'FORWARD', same)).toBe('-500');
    expect(profitAt(one, { ...tp!, quantity: '9' }, 'FORWARD', same)).toBe('8000');
    expect(rewardToRisk(amount('8000'), amount('-500'))).toBe('16');
    expect(rewardToRisk(amount('8000'), amount('500'))).toBeNull();
  });
});
