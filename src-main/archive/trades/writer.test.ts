import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { NO_FILTER } from '../../../src-shared/ipc/trades.ts';
import { checkedAtOnce } from '../../../tests/archive/orders.ts';
import { openHere, START, temporaryFolder, tradeNumber, trades } from '../../../tests/archive/trades.ts';
import { quarantinedRecords } from '../reports/info.ts';
import { StringTable } from '../sqlite/string-table.ts';
import { idOfStored, storedId } from '../sqlite/ids.ts';
import { TradeWriter } from './writer.ts';

describe('storing trades', () => {
  it('stores each trade once by symbol and id, with the text received first', () => {
    const archive = openHere();
    const first = tradeNumber(1, { price: '60000.50' });
    expect(archive.writer.insert([first, first], null, 0)).toMatchObject({ added: 1, known: 1 });
    const again = { ...first, price: '60000.5' };
    expect(archive.writer.insert([again], null, 0)).toMatchObject({ added: 0, known: 1, quarantined: 0 });
    expect(archive.reader.page(NO_FILTER, 0, 9).rows).toEqual([first]);
    // The same id under another symbol is another trade.
    expect(archive.writer.insert([{ ...first, symbol: 'X-Y-M' }], null, 0)).toMatchObject({ added: 1 });
    archive.close();
  });

  it.each([
    { price: '60001.51' },
    { tradeTime: START },
    { side: 'BUY' },
    { fee: '0.1' },
    { executedQty: '9' },
    { executedQuoteQty: '9' },
    { feeAsset: 'BNB' },
    { liquidity: 'MAKER' },
    { offset: 1 },
    { orderId: '1' },
  ])('quarantines the same id with other content, once: %o', (change) => {
    const archive = openHere();
    const stored = tradeNumber(1);
    const other = { ...stored, ...change };
    archive.writer.insert([stored], null, 0);
    expect(archive.writer.insert([other], null, 77)).toMatchObject({ added: 0, known: 0, quarantined: 1 });
    archive.writer.insert([other], null, 78);
    expect(archive.writer.state()).toMatchObject({ stored: 1, quarantined: 1 });
    expect(archive.reader.page(NO_FILTER, 0, 9).rows).toEqual([stored]);
    const kept = archive.db.prepare('SELECT content, received_at FROM quarantine').get();
    expect(JSON.parse(String(kept?.['content']))).toEqual(other);
    expect(kept?.['received_at']).toBe(77);
    archive.close();
  });

  it('stores both sides of a trade of the account with itself, each once', () => {
    const archive = openHere();
    const buy = tradeNumber(1, { side: 'BUY', orderId: '1' });
    const sell: Trade = { ...buy, side: 'SELL', orderId: '2', liquidity: 'MAKER', fee: '0' };
    archive.writer.beginPass('begun');
    expect(archive.writer.insert([buy, sell], 'page 0', 0)).toMatchObject({ added: 2, seen: 2 });
    expect(archive.writer.insert([sell, buy], 'page 1', 0)).toMatchObject({ added: 0, known: 2, seen: 2 });
    expect(archive.reader.page(NO_FILTER, 0, 9).rows).toEqual([sell, buy]);
    expect(archive.reader.page(NO_FILTER, 1, 1).rows).toEqual([buy]);
    // Another content of either is a conflict as ever, and so is a third record.
    for (const other of [
      { ...sell, fee: '1' },
      { ...buy, fee: '1' },
      { ...sell, side: 'SHORT' },
    ])
      expect(archive.writer.insert([other], null, 0)).toMatchObject({ added: 0, quarantined: 1 });
    // Each is shown beside the side it is a version of.
    const shown = quarantinedRecords(archive.db, archive.strings);
    expect(shown.map(({ stored }) => JSON.parse(stored ?? '') as Trade)).toEqual([buy, buy, sell]);
    archive.close();
  });

  it('counts rows seen by a pass, known or new, each once, and no others', () => {
    const archive = openHere();
    archive.writer.insert(trades(0, 5), null, 0);
    archive.writer.beginPass('begun');
    expect(archive.writer.insert(trades(3, 8), 'page 0', 0)).toMatchObject({ added: 3, known: 2, seen: 5 });
    expect(archive.writer.insert(trades(6, 9), 'page 1', 0)).toMatchObject({ seen: 6 });
    expect(archive.writer.insert(trades(20, 30), null, 0)).toMatchObject({ added: 10, seen: 6 });
    expect(archive.writer.state()).toEqual({
      stored: 19,
      oldest: START,
      newest: START + 29_000,
      quarantined: 0,
      unreadable: 0,
      checkpoint: 'page 1',
    });
    archive.writer.beginPass('anew');
    expect(archive.writer.insert([], 'nothing', 0)).toMatchObject({ seen: 0 });
    // Known rows and unreadable records of no pass, such as those of a new fill.
    const unread = { record: 'data[0]', symbolId: null, message: 'no id', raw: '{}', from: 0, to: START };
    expect(archive.writer.insert(trades(0, 2), null, 0, [unread])).toMatchObject({
      ...{ known: 2, seen: 0, unreadable: 0 },
    });
    expect(archive.writer.state()).toMatchObject({ unreadable: 1, checkpoint: 'nothing' });
    archive.close();
  });

  it('stores a page with already stored and repeated rows', () => {
    for (const knownAt of [0, 19, 20, 41, 64]) {
      const archive = openHere();
      const page = trades(0, 65);
      archive.writer.insert([tradeNumber(knownAt)], null, 0);
      archive.writer.beginPass('begun');
      const twice = [...page.slice(0, 50), tradeNumber(3), tradeNumber(4, { fee: '9' }), ...page.slice(50)];
      expect(archive.writer.insert(twice, 'page 0', 0)).toEqual({
        added: 64,
        known: 2,
        quarantined: 1,
        seen: 65,
        unreadable: 0,
      });
      expect(archive.writer.insert(trades(65, 130), 'page 1', 0)).toMatchObject({ added: 65, seen: 130 });
      expect(archive.writer.stored()).toBe(130);
      expect(archive.reader.page(NO_FILTER, 0, 500).rows).toEqual(trades(0, 130).reverse());
      const sums = archive.totals.of(NO_FILTER);
      expect(sums.count).toBe(130);
      const again = openHere();
      for (const trade of trades(0, 130)) again.writer.insert([trade], null, 0);
      expect(sums).toEqual(again.totals.of(NO_FILTER));
      again.close();
      archive.close();
    }
  });

  it('shares a statement between the new rows of a page', () => {
    const archive = openHere();
    const odd = tradeNumber(0, { fee: null, received: { fee: 'n/a' } });
    archive.writer.insert([odd], null, 0);
    const run = vi.spyOn(StatementSync.prototype, 'run');
    onTestFinished(() => run.mockRestore());
    archive.writer.insert(trades(1, 101), null, 0);
    expect(run.mock.calls.length).toBeLessThan(20);
    expect(archive.writer.stored()).toBe(101);
    archive.close();
  });

  it('rolls back rows, strings, totals and checkpoint together if a row cannot be stored', () => {
    const archive = openHere();
    archive.writer.insert(trades(0, 4), 'good', 0);
    const before = {
      state: archive.writer.state(),
      totals: archive.totals.of(NO_FILTER),
    };
    // A decimal in a STRICT integer column: SQLite rejects the row in the middle of the batch.
    const broken = [tradeNumber(10, { symbol: 'NEW-USDT-M' }), tradeNumber(11, { tradeTime: 1.5 })];
    expect(() => archive.writer.insert(broken, 'bad', 0)).toThrow(/REAL value in INTEGER column/);
    // And in the middle of a statement of many.
    const many = trades(100, 160).map((one, n) => (n === 30 ? broken[1]! : one));
    expect(() => archive.writer.insert(many, 'bad', 0)).toThrow(/REAL value in INTEGER column/);
    expect(archive.writer.state()).toEqual(before.state);
    expect(archive.totals.of(NO_FILTER)).toEqual(before.totals);
    expect(archive.reader.symbols()).not.toContain('NEW-USDT-M');
    // And it works as before.
    expect(archive.writer.insert([tradeNumber(10, { symbol: 'NEW-USDT-M' })], 'next', 0)).toMatchObject({
      added: 1,
      seen: 5,
    });
    expect(archive.reader.page({ ...NO_FILTER, symbols: ['NEW-USDT-M'] }, 0, 9).rows).toHaveLength(1);
    expect(archive.totals.of(NO_FILTER).count).toBe(5);
    // On disk too: a new string table has the string, and the stored daily totals are those of the rows.
    expect(new StringTable(archive.db).find('NEW-USDT-M')).not.toBeNull();
    expect(checkedAtOnce(archive.db)).toMatchObject({ ok: true });
    archive.close();
  });

  it('counts no row as seen that a rolled back page listed', () => {
    const archive = openHere();
    archive.writer.insert(trades(0, 3), null, 0);
    archive.writer.beginPass('begun');
    const broken = [...trades(0, 3), tradeNumber(9, { tradeTime: 1.5 })];
    expect(() => archive.writer.insert(broken, 'bad', 0)).toThrow(/REAL value/);
    expect(archive.writer.insert(trades(0, 1), 'page 0', 0)).toMatchObject({ known: 1, seen: 1 });
    archive.close();
  });

  it.each(['price', 'executedQty', 'executedQuoteQty', 'fee', 'offset'] as const)(
    'restores a %s that was not readable, as it was received or as missing',
    (name) => {
      const archive = openHere();
      const missing = tradeNumber(1, { [name]: null });
      const unreadable = { ...tradeNumber(2, { [name]: null }), received: { [name]: '"n/a"' } };
      const rows = [missing, unreadable, tradeNumber(3)];
      expect(archive.writer.insert(rows, null, 0)).toMatchObject({ added: 3 });
      expect(archive.reader.page(NO_FILTER, 0, 9).rows).toEqual([...rows].reverse());
      expect(archive.writer.insert(rows, null, 0)).toMatchObject({ known: 3, quarantined: 0 });
      const other = { ...unreadable, received: { [name]: '"none"' } };
      expect(archive.writer.insert([other], null, 0)).toMatchObject({ known: 0, quarantined: 1 });
      archive.close();
    },
  );

  it('stores a trade once whose text is not well-formed', () => {
    for (const name of ['symbol', 'side', 'feeAsset', 'liquidity', 'tradeId'] as const) {
      const archive = openHere();
      const odd = tradeNumber(1, { [name]: 'a\uD800' });
      archive.writer.insert([odd], null, 0);
      expect(archive.writer.insert([odd], null, 0)).toMatchObject({ added: 0, known: 1, quarantined: 0 });
      expect(archive.reader.page(NO_FILTER, 0, 9).rows).toEqual([{ ...odd, [name]: 'a\uFFFD' }]);
      archive.close();
    }
  });

  it('waits for the disk at the end of a pass and for rows of no pass, not for the pages between', () => {
    const archive = openHere();
    const exec = archive.db.exec.bind(archive.db);
    const statements: string[] = [];
    archive.db.exec = (sql) => {
      statements.push(sql);
      exec(sql);
    };
    const pragmas = (work: () => unknown): string[] => {
      statements.length = 0;
      work();
      return statements.filter((sql) => sql.startsWith('PRAGMA'));
    };
    const page = ['PRAGMA synchronous = NORMAL', 'PRAGMA synchronous = FULL'];
    expect(pragmas(() => archive.writer.beginPass('begun'))).toEqual([]);
    expect(pragmas(() => archive.writer.insert(trades(0, 2), 'page 0', 0))).toEqual(page);
    expect(pragmas(() => archive.writer.insert([], 'end', 0))).toEqual([]);
    expect(pragmas(() => archive.writer.endPass('ended', null, null))).toEqual([]);
    expect(pragmas(() => archive.writer.insert(trades(2, 4), null, 0))).toEqual([]);
    const broken = () => archive.writer.insert([tradeNumber(9, { tradeTime: 1.5 })], 'page 1', 0);
    expect(pragmas(() => expect(broken).toThrow(/REAL value/))).toEqual(page);
    expect(archive.db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
    archive.close();
  });

  it('keeps the checkpoint of the last step, and which records could not be read', () => {
    const archive = openHere();
    const { writer } = archive;
    expect(writer.state()).toEqual({
      stored: 0,
      oldest: null,
      newest: null,
      quarantined: 0,
      unreadable: 0,
      checkpoint: null,
    });
    const unread = {
      record: 'data[0]',
      symbolId: 'BTC-USDT-M',
      message: 'no id',
      raw: '{}',
      from: START,
      to: START,
    };
    writer.beginPass('begun');
    expect(writer.state().checkpoint).toBe('begun');
    expect(writer.insert([], 'page 0', 0, [unread])).toMatchObject({ unreadable: 1 });
    expect(writer.state()).toMatchObject({ checkpoint: 'page 0', unreadable: 1 });
    expect(writer.endPass('ended', START, START)).toBeNull();
    expect(writer.state()).toMatchObject({ checkpoint: 'ended', unreadable: 1 });
    writer.insert([], null, 0);
    expect(writer.state().checkpoint).toBe('ended');
    // A complete pass over its time that no longer lists it.
    writer.beginPass('again');
    expect(writer.insert([], 'page 0', 0)).toMatchObject({ unreadable: 0 });
    writer.endPass('ended again', START, START);
    expect([writer.state().unreadable, writer.unreadable()]).toEqual([0, []]);
    archive.close();
  });

  it('reads its counts and strings again after another connection stored rows', () => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const here = openHere(join(folder.path, 'a.sqlite'));
    const there = new DatabaseSync(join(folder.path, 'a.sqlite'));
    const other = new TradeWriter(there, new StringTable(there));
    here.writer.insert(trades(0, 3), null, 0);
    other.reload();
    expect(other.stored()).toBe(3);
    other.insert([tradeNumber(3, { symbol: 'NEW-USDT-M' })], null, 0);
    here.writer.reload();
    expect(here.writer.stored()).toBe(4);
    const next = tradeNumber(4, { symbol: 'NEW-USDT-M' });
    expect(here.writer.insert([next, tradeNumber(5)], null, 0)).toMatchObject({ added: 2 });
    expect(here.reader.page({ ...NO_FILTER, symbols: ['NEW-USDT-M'] }, 0, 9).rows).toHaveLength(2);
    expect(here.totals.of(NO_FILTER).count).toBe(6);
    // Both add to the same total of a day.
    here.writer.insert([tradeNumber(12)], null, 0);
    other.reload();
    other.insert([tradeNumber(24)], null, 0);
    here.writer.reload();
    here.writer.insert([tradeNumber(36)], null, 0);
    expect(checkedAtOnce(there)).toMatchObject({ ok: true });
    there.close();
    here.close();
  });

  it('is part of an import’s transaction, which undoes all of it', () => {
    const archive = openHere();
    archive.db.exec('BEGIN');
    archive.writer.insert(trades(0, 60), null, 0);
    expect(archive.db.isTransaction).toBe(true);
    archive.db.exec('ROLLBACK');
    archive.writer.reload();
    expect(archive.writer.stored()).toBe(0);
    expect(archive.reader.page(NO_FILTER, 0, 9).rows).toEqual([]);
    archive.close();
  });
});

describe('a stored id', () => {
  it.each([
    ['0', 0n],
    ['7', 7n],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['9223372036854775808', '09223372036854775808/9223372036854775808'],
    ['9300000000000000000', '09300000000000000000/9300000000000000000'],
    ['99999999999999999999', '99999999999999999999/99999999999999999999'],
    ['00', '00000000000000000000/00'],
    ['007', '00000000000000000007/007'],
    ['', '00000000000000000000/'],
    ['123456789012345678901', '/123456789012345678901'],
    ['a/b', '/a/b'],
    ['7a', '/7a'],
    ['a7', '/a7'],
    ['\uD800', '/\uFFFD'],
  ])('of %o is exact, and sorts by value', (id, stored) => {
    expect(storedId(id)).toBe(stored);
    if (typeof stored === 'string') expect(idOfStored(stored)).toBe(id.toWellFormed());
  });
});
