import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TRADE_COLUMNS, NO_FILTER, type TradeColumn } from '../../../src-shared/ipc/trades.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { cellText } from '../csv/format.ts';
import { csvLines, type CsvQuery } from './trade-lines.ts';
import { ArchiveFault } from '../sqlite/errors.ts';
import {
  distinctTrades,
  exportedTrades,
  FULL_EXPORT,
  maliciousText,
  kept,
  openHere,
  START,
  tradeNumber,
  trades,
} from '../../../tests/archive/trades.ts';

const FULL: CsvQuery = FULL_EXPORT;

const textOf = (archive: ReturnType<typeof openHere>, query: CsvQuery): string =>
  Buffer.concat([...csvLines(exportedTrades(archive, query.filter), query)].map((one) => one.bytes)).toString(
    'utf8',
  );

function csvOf(list: readonly Trade[], query: CsvQuery): string {
  const archive = openHere();
  try {
    for (let from = 0; from < list.length; from += 1_000)
      archive.writer.insert(list.slice(from, from + 1_000), null, 0);
    return textOf(archive, query);
  } finally {
    archive.close();
  }
}

/** Parses with an independent parser, strict about quotes, with RFC 4180's line ends. */
const cellsOf = (csv: string) =>
  parse<Record<string, string>>(csv, { columns: true, record_delimiter: '\r\n' });

const TEXTS = ['symbol', 'side', 'feeAsset', 'liquidity', 'orderId', 'tradeId'] as const;
const asCells = (trade: Trade): Record<string, string> =>
  Object.fromEntries(TRADE_COLUMNS.map((name) => [name, String(trade[name])]));
/** Reads a row like an importer: removes one leading ' from text and id columns. */
const imported = (row: Record<string, string>): Record<string, string> => ({
  ...row,
  ...Object.fromEntries(TEXTS.filter((name) => name in row).map((name) => [name, cellText(row[name]!)])),
});
const byIdentity = (a: Record<string, string>, b: Record<string, string>): number =>
  JSON.stringify([a['symbol'], a['tradeId']]) < JSON.stringify([b['symbol'], b['tradeId']]) ? -1 : 1;

describe('CSV of trades', () => {
  it('is restored field for field by an independent parser, whatever the exchange sent', () => {
    fc.assert(
      fc.property(distinctTrades(25), fc.boolean(), (list, spreadsheetSafe) => {
        const rows = cellsOf(csvOf(list, { ...FULL, spreadsheetSafe })).map(imported);
        expect(rows.sort(byIdentity)).toEqual(list.map(kept).map(asCells).sort(byIdentity));
      }),
      { numRuns: 50 },
    );
  });

  it('contains no spreadsheet formula: every text cell that could be one starts with an apostrophe', () => {
    fc.assert(
      fc.property(maliciousText, (text) => {
        const [row] = cellsOf(csvOf([tradeNumber(1, { symbol: text })], FULL));
        const cell = row!['symbol']!;
        expect(/^[=+\-@\t\r]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell)).toBe(false);
      }),
      { numRuns: 40 },
    );
  });

  it('is RFC 4180: header of field names, CRLF, quotes doubled, oldest first, numbers as received', () => {
    const odd = tradeNumber(2, { symbol: 'A,"B"\n', price: '0.10', fee: '-0.00100', side: '=1+1' });
    expect(csvOf([odd, tradeNumber(1)], FULL)).toBe(
      'tradeTime,symbol,side,price,executedQty,executedQuoteQty,fee,feeAsset,liquidity,offset,orderId,tradeId\r\n' +
        `${START + 1000},ETH-USDT-M,SELL,60001.50,0.0020,60.101,0.01001,USDT,TAKER,0,9007199254740993,9007199254740994\r\n` +
        `${START + 2000},"A,""B""\n",'=1+1,0.10,0.0030,60.102,-0.00100,BTC,TAKER,0,9007199254740994,9007199254740995\r\n`,
    );
  });

  it('honours the filter and the chosen columns in their order', () => {
    const columns: TradeColumn[] = ['tradeId', 'fee'];
    const filter = { ...NO_FILTER, symbols: ['BTC-USDT-M'], from: START + 3_000, to: START + 6_000 };
    expect(csvOf(trades(0, 20), { ...FULL, columns, filter })).toBe(
      'tradeId,fee\r\n9007199254740996,0.01003\r\n9007199254740999,0.01006\r\n',
    );
    expect(csvOf(trades(0, 5), { ...FULL, columns, filter: { ...NO_FILTER, sides: ['NONE'] } })).toBe(
      'tradeId,fee\r\n',
    );
    expect(csvOf([], { ...FULL, columns })).toBe('tradeId,fee\r\n');
  });

  it('has the time in any place among the columns, or none', () => {
    for (const [columns, line] of [
      [['side', 'tradeTime', 'fee'], `BUY,${START},0.01000`],
      [['side', 'fee', 'tradeTime'], `BUY,0.01000,${START}`],
      [['tradeTime'], String(START)],
      [['offset', 'side'], '0,BUY'],
    ] as const)
      expect(csvOf([tradeNumber(0)], { ...FULL, columns: [...columns] })).toBe(
        `${columns.join(',')}\r\n${line}\r\n`,
      );
  });

  it('has the chosen decimal mark and separator, also in figures as received', () => {
    const query = { ...FULL, decimalMark: 'comma', separator: 'semicolon' } as const;
    const odd: Trade = { ...tradeNumber(1, { symbol: 'A;B' }), fee: null, received: { fee: '1.5x' } };
    expect(
      csvOf([tradeNumber(0), odd, { ...tradeNumber(2), price: '1.5', received: { price: '1.5E0' } }], query),
    ).toBe(
      'tradeTime;symbol;side;price;executedQty;executedQuoteQty;fee;feeAsset;liquidity;offset;orderId;tradeId\r\n' +
        `${START};BTC-USDT-M;BUY;60000,50;0,0010;60,100;0,01000;USDT;MAKER;0;9007199254740993;9007199254740993\r\n` +
        `${START + 1000};"A;B";SELL;60001,50;0,0020;60,101;'1.5x;USDT;TAKER;0;9007199254740993;9007199254740994\r\n` +
        `${START + 2000};BTC-USD-M;BUY;1,5E0;0,0030;60,102;0,01002;BTC;TAKER;0;9007199254740994;9007199254740995\r\n`,
    );
  });

  it('has a figure as received where it is written in another way', () => {
    const odd: Trade = { ...tradeNumber(0, { price: '1.5' }), received: { price: '1.5E0' } };
    expect(csvOf([odd], { ...FULL, columns: ['price'] })).toBe('price\r\n1.5E0\r\n');
  });

  it('has the note of each trade’s order in two last columns, if asked for', () => {
    const archive = openHere();
    archive.writer.insert([tradeNumber(0, { orderId: '1' }), tradeNumber(1, { orderId: '2' })], null, 0);
    archive.notes.save(START, '2', { text: 'too; far', tags: ['Plan', 'late'] });
    const columns: TradeColumn[] = ['orderId'];
    expect(textOf(archive, { ...FULL, columns, notes: true })).toBe(
      'orderId,Tags,Note\r\n1,,\r\n2,"Plan, late",too; far\r\n',
    );
    const semicolons = { ...FULL, columns, notes: true, separator: 'semicolon' } as const;
    expect(textOf(archive, semicolons)).toBe('orderId;Tags;Note\r\n1;;\r\n2;Plan, late;"too; far"\r\n');
    expect(textOf(archive, { ...FULL, columns })).toBe('orderId\r\n1\r\n2\r\n');
    archive.close();
  });

  it('has the names that came since the last export of the same archive', () => {
    const archive = openHere();
    const query = { ...FULL, columns: ['symbol'] as TradeColumn[] };
    archive.writer.insert([tradeNumber(0, { symbol: 'A' })], null, 0);
    expect(textOf(archive, query)).toBe('symbol\r\nA\r\n');
    archive.writer.insert([tradeNumber(1, { symbol: 'B,' })], null, 0);
    expect(textOf(archive, query)).toBe('symbol\r\nA\r\n"B,"\r\n');
    expect(textOf(archive, { ...query, separator: 'tab' })).toBe('symbol\r\nA\r\nB,\r\n');
    archive.close();
  });

  it('protects long ids in spreadsheet-safe mode and leaves the others alone', () => {
    const list = ['999999999999999', '1000000000000000', '007'].map((id, n) =>
      tradeNumber(n, { orderId: id, tradeId: id }),
    );
    const cells = cellsOf(csvOf(list, { ...FULL, spreadsheetSafe: true }));
    expect(cells.map((row) => row['tradeId'])).toEqual(['999999999999999', "'1000000000000000", "'007"]);
    expect(cells.map((row) => row['orderId'])).toEqual(['999999999999999', "'1000000000000000", "'007"]);
  });

  it('keeps every row and the order over many chunks, also with equal times at their bounds', () => {
    const list = Array.from({ length: 5_500 }, (_, n) =>
      tradeNumber(n, { tradeTime: START + Math.floor(n / 1_900) }),
    );
    const rows = cellsOf(csvOf(list, FULL));
    expect(rows.map((row) => row['tradeId'])).toEqual(list.map((one) => one.tradeId));
  });

  it('has the rows of its start', () => {
    const archive = openHere();
    archive.writer.insert(trades(0, 3_000), null, 0);
    let text = '';
    for (const chunk of csvLines(exportedTrades(archive, FULL.filter), FULL)) {
      text += Buffer.from(chunk.bytes).toString('utf8');
      const n = 10_000 + archive.writer.stored();
      archive.writer.insert([tradeNumber(n), tradeNumber(n + 1, { tradeTime: START + 2_500_000 })], null, 0);
    }
    expect(cellsOf(text).map((row) => row['tradeId'])).toEqual(trades(0, 3_000).map((one) => one.tradeId));
    archive.close();
  });
});

/** Wall-clock time of an instant in a zone, by Intl. */
function wall(time: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(time);
  return parts.replace(' ', 'T');
}

describe('times of a CSV', () => {
  const zones = [
    'UTC',
    'Europe/Zurich',
    'Asia/Kathmandu',
    'America/St_Johns',
    'Africa/Casablanca',
    'Australia/Lord_Howe',
  ];
  it('have the exact instant and the zone’s wall clock, across changes of its offset', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.array(fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }), {
          minLength: 1,
          maxLength: 40,
        }),
        (timeZone, times) => {
          const sorted = [...times].sort((a, b) => a - b);
          const list = sorted.map((tradeTime, n) => tradeNumber(n, { tradeTime }));
          const query: CsvQuery = { ...FULL, columns: ['tradeTime'], timeFormat: 'iso', timeZone };
          const cells = cellsOf(csvOf(list, query)).map((row) => row['tradeTime']!);
          expect(cells.map((cell) => Date.parse(cell))).toEqual(sorted);
          expect(cells.map((cell) => cell.slice(0, 19))).toEqual(sorted.map((time) => wall(time, timeZone)));
          for (const cell of cells) expect(cell).toMatch(timeZone === 'UTC' ? /Z$/ : /[+-]\d\d:\d\d$/);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('changes the offset at the very millisecond the zone does', () => {
    const change = Date.UTC(2026, 9, 25, 1);
    // In the middle of a chunk, and between two of them.
    for (const before of [1, 700, 1_999, 2_000, 2_100]) {
      const list = Array.from({ length: before + 2_500 }, (_, n) =>
        tradeNumber(n, { tradeTime: change - before + n }),
      );
      const query: CsvQuery = {
        ...FULL,
        columns: ['tradeTime'],
        timeFormat: 'iso',
        timeZone: 'Europe/Zurich',
      };
      const cells = cellsOf(csvOf(list, query)).map((row) => row['tradeTime']!);
      expect(cells.slice(before - 1, before + 1)).toEqual([
        '2026-10-25T02:59:59.999+02:00',
        '2026-10-25T02:00:00.000+01:00',
      ]);
      expect(cells.map((cell) => Date.parse(cell))).toEqual(list.map((one) => one.tradeTime));
      expect(cells.filter((cell) => cell.endsWith('+02:00'))).toHaveLength(before);
    }
  });

  it.each([
    [
      'in UTC where zones have no rules, and in milliseconds where ISO 8601 has no year',
      [Date.UTC(2100, 0) - 1, Date.UTC(2100, 0), Date.UTC(9999, 0) - 1, Date.UTC(9999, 0)],
      [
        '2100-01-01T00:59:59.999+01:00',
        '2100-01-01T00:00:00.000Z',
        '9998-12-31T23:59:59.999Z',
        '253370764800000',
      ],
    ],
    [
      'in the new offset if the newest trade is the first with it',
      [Date.UTC(2026, 9, 25, 1) - 1, Date.UTC(2026, 9, 25, 1)],
      ['2026-10-25T02:59:59.999+02:00', '2026-10-25T02:00:00.000+01:00'],
    ],
    ['in milliseconds if so chosen', [0, Date.UTC(2100, 0)], ['0', '4102444800000'], 'epoch-ms'],
  ] as const)('are %s', (_how, times, expected, timeFormat: CsvQuery['timeFormat'] = 'iso') => {
    const list = times.map((tradeTime, n) => tradeNumber(n, { tradeTime }));
    const query: CsvQuery = { ...FULL, columns: ['tradeTime'], timeFormat, timeZone: 'Europe/Zurich' };
    expect(cellsOf(csvOf(list, query)).map((row) => row['tradeTime'])).toEqual(expected);
  });

  it('rejects an unknown zone before anything is written', () => {
    expect(() => csvOf([], { ...FULL, timeFormat: 'iso', timeZone: 'Mars/Olympus' })).toThrow(ArchiveFault);
  });
});
