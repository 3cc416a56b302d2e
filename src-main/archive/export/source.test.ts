import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NO_FILTER, type TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { exportPreview, exportSource, type ArchiveExport } from './source.ts';
import { orderNumber } from '../../../tests/archive/orders.ts';
import { FULL_EXPORT, matches, openHere, START, tradeNumber, trades } from '../../../tests/archive/trades.ts';

const text = (chunks: Iterable<{ readonly bytes: Uint8Array }>): string =>
  Buffer.concat([...chunks].map(({ bytes }) => bytes)).toString('utf8');

const bound = fc.option(fc.constantFrom('60010.50', '60050.5', '60090', '0.003', '99'), { nil: null });
const bounds = fc.record({
  priceFrom: bound,
  priceTo: bound,
  qtyFrom: fc.option(fc.constantFrom('0.0030', '0.005'), { nil: null }),
  qtyTo: fc.option(fc.constantFrom('0.004', '0.00800'), { nil: null }),
  sides: fc.constantFrom<string[]>([], ['BUY']),
  // Lisbon leaves summer time an hour after the first trade.
  timeZone: fc.constantFrom('UTC', 'Europe/Lisbon'),
});

it('writes a filter by price and quantity as if only matching trades were stored', () => {
  const list = Array.from({ length: 5_000 }, (_, n) => tradeNumber(n, { tradeTime: START + n * 1_500 }));
  const all = openHere();
  all.writer.insert(list, null, 0);
  fc.assert(
    fc.property(bounds, fc.constantFrom('full', 'koinly'), ({ timeZone, ...some }, preset) => {
      const filter: TradeFilter = { ...NO_FILTER, ...some };
      const query: ArchiveExport = { ...FULL_EXPORT, preset, timeZone, timeFormat: 'iso', filter };
      const only = openHere();
      const fitting = list.filter(matches(filter));
      only.writer.insert(fitting, null, 0);
      const source = exportSource(all, query);
      const wanted = exportSource(only, { ...query, filter: { ...NO_FILTER, sides: filter.sides } });
      expect(text(source.chunks)).toBe(text(wanted.chunks));
      expect(source.total()).toBe(fitting.length);
      expect(source.controlTotals()).toMatchObject({ trades: fitting.length, agrees: true });
      only.close();
    }),
    { numRuns: 25 },
  );
  all.close();
});

it('writes the notes of orders that never traded into the table of orders, and finds orders by them', () => {
  const archive = openHere();
  archive.writer.insert([tradeNumber(0, { orderId: '1' })], null, 0);
  const never = { tradeQuantity: '0.000', status: 'CANCELED' };
  archive.orders.insert(
    [
      orderNumber(0, { id: '1' }),
      orderNumber(1, { id: '2', ...never }),
      orderNumber(2, { id: '3', ...never }),
    ],
    ...([null, [], 0] as const),
  );
  archive.notes.save(START, '2', { text: 'too far,\n"by" 2 %', tags: ['Plan', 'late'] });
  const query: ArchiveExport = { ...FULL_EXPORT, table: 'orders', notes: true };
  const lines = text(exportSource(archive, query).chunks).split('\r\n');
  expect(lines[0]).toMatch(/,id,uid,Tags,Note$/);
  expect(lines[1]).toMatch(/,1,1,,$/);
  expect(lines[2]).toMatch(/,2,1,"Plan, late","too far,\n""by"" 2 %"$/);
  expect(lines[3]).toMatch(/,3,1,,$/);
  const only = exportSource(archive, { ...query, filter: { ...NO_FILTER, noted: { tags: [], text: null } } });
  expect([only.total(), text(only.chunks)]).toEqual([1, [lines[0], lines[2], ''].join('\r\n')]);
  expect(text(exportSource(archive, { ...query, table: 'trades' }).chunks)).not.toContain('too far');
  archive.close();
});

it('finds the rows of such a filter in short steps', () => {
  const archive = openHere();
  archive.writer.insert(trades(0, 50_000), null, 0);
  const source = exportSource(archive, { ...FULL_EXPORT, filter: { ...NO_FILTER, priceFrom: '99999' } });
  // One chunk for each ten thousand rows looked at, none of them with a row of the file.
  const empty = [...source.chunks].filter(({ rows, bytes }) => rows === 0 && bytes.length === 0);
  expect(empty.length).toBeGreaterThanOrEqual(5);
  expect(source.total()).toBe(0);
  archive.close();
});

it.each([
  ['trades', NO_FILTER],
  ['trades', { ...NO_FILTER, priceFrom: '1' }],
  ['orders', NO_FILTER],
] as const)('previews the first rows of %s as the file begins', async (table, filter) => {
  const archive = openHere();
  archive.writer.insert(trades(0, 2_500), null, 0);
  archive.orders.insert(
    Array.from({ length: 12 }, (_, n) => orderNumber(n, { id: String(n) })),
    ...([null, [], 0] as const),
  );
  const query: ArchiveExport = { ...FULL_EXPORT, table, filter };
  const preview = await exportPreview(archive, query);
  expect(text(exportSource(archive, query).chunks).startsWith(preview.text)).toBe(true);
  expect(preview.text.split('\r\n')).toHaveLength(12);
  archive.close();
});
