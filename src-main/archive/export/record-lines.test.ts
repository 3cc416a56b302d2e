import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as f from '../../../src-shared/exchange-api/fields.ts';
import { anyDecimal, anyId, maliciousText } from '../../../tests/archive/trades.ts';
import { cellText } from '../csv/format.ts';
import { recordLines, type Dialect } from './record-lines.ts';

/** A record with a field of each kind. */
const FIELDS = {
  at: f.time('Time'),
  price: f.decimal('Price'),
  rate: f.number('Rate'),
  count: f.integer('Count'),
  isOpen: f.flag('Open'),
  mode: f.numberChoice({}, 'Mode'),
  id: f.id('ID'),
  name: f.text('Name'),
  side: f.choice({}, 'Side'),
  rest: f.list('Rest'),
  tpSl: f.object({ tpPrice: f.decimal('TP') }, 'TP/SL'),
};
type Sample = f.RecordOf<typeof FIELDS>;
const SAMPLE: Sample = {
  at: Date.UTC(2026, 10, 21, 9, 14, 3, 7),
  price: '1.50',
  rate: '0.004',
  count: 7,
  isOpen: true,
  mode: 2,
  id: '734829105569914880',
  name: 'BTC-USDT-M',
  side: 'BUY',
  rest: [1, 'a'],
  tpSl: { tpPrice: '1.5' },
};
const DIALECT: Dialect = {
  timeFormat: 'iso',
  timeZone: 'UTC',
  decimalMark: 'point',
  separator: 'comma',
  spreadsheetSafe: false,
};
const lineOf = (change: Partial<Sample> = {}, dialect: Partial<Dialect> = {}): string =>
  recordLines(FIELDS, { ...DIALECT, ...dialect })({ ...SAMPLE, ...change });
const cellsOf = (...args: Parameters<typeof lineOf>): Record<string, string> => {
  const [cells = []] = parse(lineOf(...args));
  return Object.fromEntries(Object.keys(FIELDS).map((name, at) => [name, String(cells[at])]));
};

describe('the line of a record', () => {
  it('has every field of its table, digit for digit', () => {
    expect(lineOf()).toBe(
      '2026-11-21T09:14:03.007Z,1.50,0.004,7,true,2,734829105569914880,BTC-USDT-M,BUY,"[1,""a""]","{""tpPrice"":""1.5""}"\r\n',
    );
  });

  it('has empty cells where nothing was sent', () => {
    const none = { at: null, price: null, rate: null, count: null, isOpen: null, mode: null, tpSl: null };
    expect(lineOf({ ...none, id: '', name: '', side: '', rest: [] })).toBe(',,,,,,,,,[],\r\n');
  });

  it('has the chosen decimal mark, separator, time and zone', () => {
    const own = { decimalMark: 'comma', separator: 'semicolon', timeZone: 'Asia/Kathmandu' } as const;
    expect(lineOf({ name: 'a;b', tpSl: null }, own)).toBe(
      '2026-11-21T14:59:03.007+05:45;1,50;0,004;7;true;2;734829105569914880;"a;b";BUY;"[1,""a""]";\r\n',
    );
    expect(lineOf({}, { timeFormat: 'epoch-ms' })).toMatch(/^1795252443007,/);
  });

  it('guards ids and names that a spreadsheet would change, if asked to', () => {
    const safe = { spreadsheetSafe: true };
    expect(cellsOf({ name: '007' }, safe)).toMatchObject({ id: "'734829105569914880", name: "'007" });
    expect(cellsOf({ id: '123456789012345', name: '12' }, safe)).toMatchObject({
      id: '123456789012345',
      name: '12',
    });
    expect(cellsOf({ name: '007' })).toMatchObject({ id: '734829105569914880', name: '007' });
  });

  it('has what was received where it differs, marked if it is no number', () => {
    const received = { price: '1.5E0', rate: 'n/a', count: '7.0', side: '{"a":1}' };
    const change: Partial<Sample> = { price: '1.5', rate: null, side: '', received };
    expect(cellsOf(change)).toMatchObject({ price: '1.5E0', rate: "'n/a", count: '7.0', side: `'{"a":1}` });
    expect(lineOf(change, { decimalMark: 'comma', separator: 'tab' })).toContain("\t1,5E0\t'n/a\t7,0\t");
  });

  it.each([
    `1${'0'.repeat(60)}`,
    `-${'1'.repeat(50)}.${'2'.repeat(50)}`,
    '1.5E-7',
    '-9.5E+45',
    '+5',
    `1${'0'.repeat(60)}.`,
    '',
  ])('has a number of any length and form as received: %s', (price) => {
    expect(cellsOf({ price: null, received: { price } })).toMatchObject({ price });
  });

  it.each([`x1${'0'.repeat(60)}`, `1${'0'.repeat(60)}x`, '1,5', 'n/a', '.', '-e5', "'", '=1+1'])(
    'marks what is no number in its column: %s',
    (price) => {
      expect(cellsOf({ price: null, received: { price } })).toMatchObject({ price: `'${price}` });
    },
  );

  it('is read back as it was, and runs nothing, whatever the exchange sent', () => {
    fc.assert(
      fc.property(maliciousText, maliciousText, anyDecimal, anyId, (name, side, price, id) => {
        const cells = cellsOf({ name, side, price, id });
        expect(cellText(cells['name']!)).toBe(name.toWellFormed());
        expect(cellText(cells['side']!)).toBe(side.toWellFormed());
        expect(cells).toMatchObject({ price, id });
        for (const cell of [cells['name']!, cells['side']!])
          if (/^[=+\-@\t\r]/.test(cell)) expect(cell).toMatch(/^-\d/);
      }),
    );
    expect(cellsOf({ name: '=1+12', side: '1,2' })).toMatchObject({ name: "'=1+12", side: '1,2' });
    expect(cellsOf({ name: '1,2' })).toMatchObject({ name: '1,2' });
  });

  it('is not made for an unknown zone', () => {
    expect(() => lineOf({}, { timeZone: 'Mars/Olympus' })).toThrow('Mars/Olympus');
  });
});
