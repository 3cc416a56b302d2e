/** Numbers that cannot be calculated with: stored, shown and exported as received, and excluded from totals. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { readData } from '../../../src-shared/exchange-api/replies.ts';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { NO_FILTER } from '../../../src-shared/ipc/trades.ts';
import { orderNumber } from '../../../tests/archive/orders.ts';
import { exportedTrades, FULL_EXPORT, openHere } from '../../../tests/archive/trades.ts';
import { tradeNumber } from '../../../tests/archive/trade-number.ts';
import { csvLines } from '../export/trade-lines.ts';
import { ORDER_ROW, orderOf } from '../orders/codec.ts';
import { OrderWriter } from '../orders/writer.ts';
import { orderLines } from '../export/order-lines.ts';

const REPORT = { drift: () => undefined, unreadable: () => undefined };
const LONG = `0.${'123456789'.repeat(7)}`;
const FINE = `12345678901234567890123456789012345678.${'1'.repeat(40)}`;

/** As replies carry them. */
const trades = (changes: readonly Readonly<Record<string, unknown>>[]): readonly Trade[] =>
  readData(
    'trades',
    {
      data: changes.map((change, n) => ({ ...tradeNumber(n), ...change })),
      pageCount: 1,
      total: changes.length,
    },
    REPORT,
  ).data;
const ODD = [
  { price: '0E-8', executedQty: '1.5E-7' },
  { price: 'n/a, "none"', tradeId: '=№ 1, “ß”;"\'/±' },
  { fee: LONG, tradeId: 'a5f0-11' },
  { executedQty: FINE, executedQuoteQty: '', tradeId: '00012345678901234567890' },
  { fee: null, offset: 'first', symbol: 'btc_1币-usdt-M' },
  {},
];

function open() {
  const archive = openHere();
  onTestFinished(() => archive.close());
  return archive;
}

describe('a trade with an unreadable number', () => {
  it('is restored as received, in pages and when received again', () => {
    const { writer, reader } = open();
    const given = trades(ODD);
    expect(writer.insert(given, null, 0)).toMatchObject({ added: 6 });
    expect(writer.insert(given, null, 0)).toMatchObject({ added: 0, known: 6, quarantined: 0 });
    const other = trades([{ ...ODD[1], price: 'n/b' }]);
    expect(
      writer.insert(
        other.map((one) => ({ ...one, ...given[1], received: { price: 'n/b' } })),
        null,
        0,
      ),
    ).toMatchObject({ quarantined: 1 });
    const { rows } = reader.page(NO_FILTER, 0, 10, false);
    expect(rows).toHaveLength(6);
    for (const one of given) expect(rows).toContainEqual(one);
  });

  it('is exported digit for digit', () => {
    const archive = open();
    archive.writer.insert(trades(ODD), null, 0);
    const query = {
      ...FULL_EXPORT,
      columns: ['price', 'executedQty', 'fee', 'tradeId', 'offset'] as const,
      filter: NO_FILTER,
    };
    const lines = csvLines(exportedTrades(archive, NO_FILTER), {
      ...query,
      columns: [...query.columns],
      spreadsheetSafe: false,
    });
    const text = Buffer.concat([...lines].map(({ bytes }) => bytes)).toString();
    const rows = text.split('\r\n');
    expect(rows.find((line) => line.startsWith('0E-8,1.5E-7,'))).toBeDefined();
    expect(text).toContain(`"'n/a, ""none"""`);
    expect(text).toContain(`"'=№ 1, “ß”;""'/±"`);
    expect(text).toContain(`,${LONG},a5f0-11,`);
    expect(text).toContain(`${FINE},`);
    expect(text).toContain(',00012345678901234567890,');
    expect(text).toMatch(/,'first\r\n/);
  });

  it('is excluded from totals and counted, while 40 + 40 digits are summed exactly', () => {
    const { writer, totals } = open();
    const side = { side: 'BUY', symbol: 'A', feeAsset: 'USDT', fee: '0.1' };
    writer.insert(
      trades([
        { ...side, executedQty: FINE },
        { ...side, executedQty: `0.${'0'.repeat(39)}1` },
        { ...side, executedQty: 'many' },
        { ...side, executedQty: '1e2', fee: LONG },
      ]),
      null,
      0,
    );
    for (const filter of [NO_FILTER, { ...NO_FILTER, symbols: ['A'], priceFrom: '0' }]) {
      const found = totals.of(filter);
      expect(found).toMatchObject({ count: 4, leftOut: 2, fees: [{ asset: 'USDT', amount: '0.3' }] });
      expect(found.symbols[0]?.boughtQty).toBe(`12345678901234567890123456789012345778.${'1'.repeat(39)}2`);
    }
  });
});

it('restores an order’s received texts that its columns cannot hold', () => {
  const { db, strings } = open();
  const writer = new OrderWriter(db, strings);
  const given = readData(
    'orderHistory',
    [
      { ...orderNumber(1), profit: 'soon', price: '', leverage: '20x', reduceOnly: 'maybe', uid: 'ü/7' },
      { ...orderNumber(2), avgPrice: LONG, feeRateTaker: '5E-4', conditionOrderId: '/a' },
      orderNumber(3),
    ],
    REPORT,
  ) as HistoryOrder[];
  const all = () =>
    db
      .prepare(`SELECT ${ORDER_ROW} FROM history_order o ORDER BY seq`)
      .all()
      .map((row) => orderOf(row, strings));
  expect(writer.insert(given, null, [], 0)).toMatchObject({ added: 3 });
  expect(writer.insert(given, null, [], 0)).toMatchObject({ known: 3 });
  expect(all()).toEqual(given);
  const text = Buffer.concat(
    [...orderLines(db, strings, { ...FULL_EXPORT, filter: NO_FILTER })].map(({ bytes }) => bytes),
  ).toString();
  for (const cell of ["'soon", "'20x", "'maybe", LONG, '5E-4', '/a']) expect(text).toContain(`,${cell},`);
  expect(text).toContain(',ü/7\r\n');
});
