import { expect, it } from 'vitest';
import { newFills, NO_FILLS_SEEN } from './new-fills.ts';
import { NOW, openOrder, pastOrder } from '../../../tests/domain/order-samples.ts';

const ended = pastOrder({ id: '9', tradeQuantity: '2', mtime: NOW });
const start = newFills(NO_FILLS_SEEN, [], [pastOrder({ id: '1', mtime: NOW })], NOW).seen;

it('finds a fill of the very time of the newest order at the start, and in a list beside one that stayed', () => {
  expect(newFills(start, [], [ended], NOW).fills).toMatchObject([{ orderId: '9' }]);
  const open = [openOrder({})];
  const { seen } = newFills(start, open, [], NOW);
  expect(newFills(seen, open, [ended], NOW).fills).toMatchObject([{ orderId: '9' }]);
});

it('finds a fill without a time of an order that was listed before', () => {
  const listed = (tradeQuantity: string) => [openOrder({ orderId: '5', tradeQuantity, mtime: null })];
  const { seen, fills } = newFills(start, listed('0'), [], NOW);
  expect(fills).toEqual([]);
  expect(newFills(seen, listed('0.5'), [], NOW).fills).toMatchObject([{ orderId: '5', filled: '0.5' }]);
});

it('remembers a bounded number of orders, and every listed one', () => {
  const many = Array.from({ length: 4_500 }, (_, id) => pastOrder({ id: String(id), mtime: NOW }));
  const listed = [many[0]!, many[4_499]!];
  const { seen } = newFills(newFills(NO_FILLS_SEEN, [], many, NOW).seen, [], listed, NOW);
  expect(seen.filled?.size).toBe(4_000);
  expect(newFills(seen, [], [...listed], NOW).fills).toEqual([]);
});
