/** Trades for tests: simple ones by number, and malicious ones by fast-check. */
import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareText } from '../../src-shared/amount.ts';
import { DEFAULT_TAX } from '../../src-shared/ipc/default-settings.ts';
import type { GroupSort } from '../../src-shared/ipc/trade-groups.ts';
import { NO_FILTER, TRADE_COLUMNS, type TradeFilter } from '../../src-shared/ipc/trades.ts';
import type { Trade } from '../../src-shared/exchange-api/trade.ts';
import { openDatabase } from '../../src-main/archive/sqlite/database.ts';
import type { ArchiveExport } from '../../src-main/archive/export/source.ts';
import type { ExportedTrades } from '../../src-main/archive/export/trade-lines.ts';
import { conditionOf } from '../../src-main/archive/trades/filter-sql.ts';
import { openStores } from '../../src-main/archive/handlers.ts';
import { START, tradeNumber, trades } from './trade-number.ts';

export { START, tradeNumber, trades };

const digits = (most: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: most }).map((list) => list.join(''));
/** Ids of every kind: short, above 2^53, above 64 bits, with leading zeros. */
export const anyId = fc.oneof(
  digits(20),
  fc.bigInt({ min: 0n, max: 2n ** 64n }).map(String),
  fc.constantFrom('0', '00', '9223372036854775807', '9223372036854775808', '99999999999999999999'),
);
export const anyDecimal = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 24n - 1n }), fc.option(digits(18)))
  .map(([minus, whole, fraction]) => `${minus ? '-' : ''}${whole}${fraction === null ? '' : `.${fraction}`}`);
/** Names a server could send to attack a spreadsheet, a parser or a reader. */
export const maliciousText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc
    .tuple(
      fc.constantFrom('=', '+', '-', '@', '\t', '\r', "'", "''", '"', '', ' '),
      fc.string({ maxLength: 8 }),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom(
    "=cmd|'/c calc'!A0",
    '=HYPERLINK("http://x","y")',
    '-1',
    '+1',
    '-1.5e3',
    'a,b',
    'a\r\nb',
    'a\nb',
    '\u202Egnp.exe',
    'a\u0000b',
    '"',
    '""',
    '\uD800',
    '\uFEFF',
    'BTC-USDT-M',
  ),
);
const anyTime = fc.oneof(
  fc.integer({ min: START - 86_400_000 * 30, max: START + 86_400_000 * 30 }),
  fc.integer({ min: 0, max: 8_640_000_000_000_000 }),
);

export const maliciousTrade: fc.Arbitrary<Trade> = fc.record({
  tradeTime: anyTime,
  symbol: maliciousText,
  side: fc.oneof(fc.constantFrom('BUY', 'SELL'), maliciousText),
  price: anyDecimal,
  executedQty: anyDecimal,
  executedQuoteQty: anyDecimal,
  fee: anyDecimal,
  feeAsset: fc.oneof(fc.constantFrom('USDT', 'BTC'), maliciousText),
  liquidity: fc.oneof(fc.constantFrom('TAKER', 'MAKER'), maliciousText),
  offset: fc.maxSafeInteger(),
  orderId: anyId,
  tradeId: anyId,
});
/** The trade as stored: UTF-8 has no lone surrogates. */
export const kept = (trade: Trade): Trade => ({
  ...trade,
  symbol: trade.symbol.toWellFormed(),
  side: trade.side.toWellFormed(),
  feeAsset: trade.feeAsset.toWellFormed(),
  liquidity: trade.liquidity.toWellFormed(),
});
export const distinctTrades = (maxLength: number): fc.Arbitrary<Trade[]> =>
  fc.uniqueArray(maliciousTrade, {
    maxLength,
    selector: ({ symbol, tradeId }) => JSON.stringify([symbol.toWellFormed(), tradeId]),
  });

export const NEWEST_GROUP_FIRST: GroupSort = { column: 'time', descending: true };

/** Every field, times as milliseconds, no formatting. */
export const FULL_EXPORT: ArchiveExport = {
  table: 'trades',
  preset: 'full',
  account: 'Meridian',
  filter: NO_FILTER,
  columns: [...TRADE_COLUMNS],
  timeFormat: 'epoch-ms',
  timeZone: 'UTC',
  decimalMark: 'point',
  separator: 'comma',
  spreadsheetSafe: false,
  notes: false,
  tax: DEFAULT_TAX,
};

export function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'ballast-archive-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** An archive in this thread; in memory it has the same SQL without disk syncs. */
export function openHere(file = ':memory:', connectionId = 'test') {
  const { db, movedAside } = openDatabase(file, connectionId, START);
  return { ...openStores(db, file), movedAside, close: () => db.close() };
}

/** The trades that an export of the filter reads now. */
export const exportedTrades = (
  { db, strings, writer }: ReturnType<typeof openHere>,
  filter: TradeFilter,
): ExportedTrades => ({
  db,
  strings,
  stored: writer.stored(),
  conditions: [conditionOf(filter, strings)],
});

const anyOf = (wanted: readonly string[], value: string): boolean =>
  wanted.length === 0 || wanted.includes(value);
const within = (value: string, from: string | null, to: string | null): boolean =>
  (from === null || compareText(value, from) >= 0) && (to === null || compareText(value, to) <= 0);
/** The meaning of a filter, field by field: the oracle of every query. */
export const matches = (filter: TradeFilter) => (one: Trade) =>
  anyOf(filter.symbols, one.symbol) &&
  anyOf(filter.sides, one.side) &&
  anyOf(filter.liquidities, one.liquidity) &&
  anyOf(filter.feeAssets, one.feeAsset) &&
  (filter.orderId === null || one.orderId === filter.orderId) &&
  (filter.from === null || one.tradeTime >= filter.from) &&
  (filter.to === null || one.tradeTime <= filter.to) &&
  within(one.price ?? '', filter.priceFrom, filter.priceTo) &&
  within(one.executedQty ?? '', filter.qtyFrom, filter.qtyTo);
