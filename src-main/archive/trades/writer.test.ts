import { describe, expect, it } from 'vitest';
import { NO_FILTER } from '../../../src-shared/ipc/trades.ts';
import { openHere, START, tradeNumber, trades } from '../../../tests/archive/trades.ts';
import { StringTable } from '../sqlite/string-table.ts';
import { totalsOf } from '../trade-log/totals.ts';

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
      const sums = totalsOf(archive.db, archive.strings, NO_FILTER, archive.reader.days);
      expect(sums.count).toBe(130);
      const again = openHere();
      for (const trade of trades(0, 130)) again.writer.insert([trade], null, 0);
      expect(sums).toEqual(totalsOf(again.db, again.strings, NO_FILTER, again.reader.days));
      again.close();
      archive.close();
    }
  });

  it('rolls back rows, strings, totals and checkpoint together if a row cannot be stored', () => {
    const archive = openHere();
    archive.writer.insert(trades(0, 4), 'good', 0);
    const before = {
      state: archive.writer.state(),
      totals: totalsOf(archive.db, archive.strings, NO_FILTER, archive.reader.days),
    };
    // A decimal in a STRICT integer column: SQLite rejects the row in the middle of the batch.
    const broken = [tradeNumber(10, { symbol: 'NEW-USDT-M' }), tradeNumber(11, { tradeTime: 1.5 })];
    expect(() => archive.writer.insert(broken, 'bad', 0)).toThrow(/REAL value in INTEGER column/);
    // And in the middle of a statement of many.
    const many = trades(100, 160).map((one, n) => (n === 30 ? broken[1]! : one));
    expect(() => archive.writer.insert(many, 'bad', 0)).toThrow(/REAL value in INTEGER column/);
    expect(archive.writer.state()).toEqual(before.state);
    expect(totalsOf(archive.db, archive.strings, NO_FILTER, archive.reader.days)).toEqual(before.totals);
    expect(archive.reader.symbols()).not.toContain('NEW-USDT-M');
    // And it works as before.
    expect(archive.writer.insert([tradeNumber(10, { symbol: 'NEW-USDT-M' })], 'next', 0)).toMatchObject({
      added: 1,
      seen: 5,
    });
    expect(archive.reader.page({ ...NO_FILTER, symbols: ['NEW-USDT-M'] }, 0, 9).rows).toHaveLength(1);
    expect(totalsOf(archive.db, archive.strings, NO_FILTER, archive.reader.days).count).toBe(5);
    // On disk too: a new string table has the string.
    expect(new StringTable(archive.db).find('NEW-USDT-M')).not.toBeNull();
    archive.close();
  });
});
