import { expect, it } from 'vitest';
import type { OrderHistoryQuery } from '../../src-shared/exchange-api/endpoints.ts';
import { orderNumber } from '../../tests/archive/orders.ts';
import { NOW } from '../../tests/shared/manual-time.ts';
import { newestOrders } from './newest-orders.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

function exchange(
  rows: number,
  ordering: 'asc' | 'desc' | 'none',
  each = MINUTE,
  cap = 1_000,
  ignoresTimes = false,
) {
  const orderAt = (n: number, orderTime: number) => orderNumber(3 * n, { orderTime, mtime: orderTime });
  const list = Array.from({ length: rows }, (_, n) => orderAt(n, NOW - (rows - n) * each));
  const queries: OrderHistoryQuery[] = [];
  const sorted = {
    asc: () => [...list],
    desc: () => list.toReversed(),
    none: () => [...list].sort((a, b) => a.id.slice(-2).localeCompare(b.id.slice(-2))),
  };
  const client = {
    clockOffsetMs: () => 0,
    orderHistory(query: OrderHistoryQuery) {
      queries.push(query);
      const found = sorted[ordering]().filter(
        (one) => ignoresTimes || one.orderTime >= (query.startTime ?? 0),
      );
      const data = found.slice(0, cap);
      const meta = { latencyMs: 1, receivedAt: NOW, listed: data.length };
      return Promise.resolve({ ok: true, data, meta } as const);
    },
  };
  const poll = newestOrders(client, { now: () => NOW });
  const ids = async (): Promise<Set<string>> => {
    const reply = await poll();
    return new Set(reply.ok ? reply.data.map((one) => one.id) : []);
  };
  return { list, queries, ids, add: (n: number) => void list.push(orderAt(n, NOW + n)) };
}

it.each(['asc', 'none'] as const)(
  'finds the newest orders where a cut list has not: %s',
  async (ordering) => {
    for (const [rows, each, cap] of [
      [5_000, MINUTE, 1_000],
      [60_000, 1_000, 1_000],
      [1_003, 10 * DAY, 1_000],
      [5_000, MINUTE, 100],
    ] as const) {
      const { list, queries, ids, add } = exchange(rows, ordering, each, cap);
      const found = await ids();
      expect(list.slice(-cap / 10).filter((one) => !found.has(one.id))).toEqual([]);
      expect(queries.length).toBeLessThan(16);
      const seen = queries.length;
      add(rows + 1);
      expect((await ids()).has(list.at(-1)!.id)).toBe(true);
      expect(queries.length - seen).toBe(1);
    }
  },
);

it('reads once where the list is whole, or newest first', async () => {
  for (const [rows, ordering] of [
    [999, 'asc'],
    [5_000, 'desc'],
  ] as const) {
    const { queries, ids } = exchange(rows, ordering);
    expect((await ids()).size).toBe(Math.min(rows, 1_000));
    expect(queries).toEqual([{}]);
  }
});

it('looks for no start where nothing is newer, or the exchange ignores it', async () => {
  for (const [rows, ignoresTimes] of [
    [50, false],
    [1_000, false],
    [5_000, true],
  ] as const) {
    const { queries, ids } = exchange(rows, 'asc', MINUTE, 1_000, ignoresTimes);
    expect((await ids()).size).toBe(Math.min(rows, 1_000));
    expect(queries).toHaveLength(2);
  }
});
