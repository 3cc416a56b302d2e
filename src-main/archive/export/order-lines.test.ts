import { expect, it, onTestFinished } from 'vitest';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import { NO_FILTER } from '../../../src-shared/ipc/trades.ts';
import { orderNumber, openRecords } from '../../../tests/archive/orders.ts';
import { FULL_EXPORT, START } from '../../../tests/archive/trades.ts';
import { orderLines, type OrderQuery } from './order-lines.ts';

function stepsOf(orders: readonly HistoryOrder[], query: Partial<OrderQuery> = {}) {
  const { db, strings, writer, close } = openRecords();
  onTestFinished(close);
  writer.insert(orders, null, [], 0);
  const chunks = [...orderLines(db, strings, { ...FULL_EXPORT, ...query })];
  return chunks.map(({ bytes, rows }) => ({
    rows,
    lines: Buffer.from(bytes).toString('utf8').split('\r\n').slice(0, -1),
  }));
}
const linesOf = (...args: Parameters<typeof stepsOf>): string[] =>
  stepsOf(...args).flatMap(({ lines }) => lines);
/** The ids of the rows, which are their last but one cell. */
const idsOf = (...args: Parameters<typeof stepsOf>): string[] =>
  linesOf(...args)
    .slice(1)
    .map((line) => line.split(',').at(-2)!);

it('has a header of the field names and a line of each order, with the chosen separator', () => {
  const [header, line, ...more] = linesOf([orderNumber(0, { id: '5' })], { separator: 'semicolon' });
  expect(header).toMatch(/^orderTime;mtime;symbolId;side;.*;id;uid$/);
  expect(line).toMatch(new RegExp(`^${START};${START + 500};BTC-USDT-M;BUY;.*;5;1$`));
  expect([line?.split(';').length, more]).toEqual([header?.split(';').length, []]);
});

it('has every order once, by time and id, in steps of a thousand', () => {
  const list = Array.from({ length: 2_500 }, (_, n) =>
    orderNumber(0, { id: String(n), orderTime: Math.floor(n / 900) }),
  );
  const reversed = list.toReversed();
  expect(stepsOf(reversed).map(({ rows }) => rows)).toEqual([0, 1_000, 1_000, 500]);
  expect(idsOf(reversed)).toEqual(list.map(({ id }) => id));
});

it('has the orders of its filter', () => {
  const list = Array.from({ length: 12 }, (_, n) => orderNumber(n, { id: String(n) }));
  expect(idsOf(list, { filter: { ...NO_FILTER, from: START + 4_000, to: START + 6_000 } })).toEqual([
    '4',
    '5',
    '6',
  ]);
});
