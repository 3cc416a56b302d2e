import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { NO_FILTER } from '../../src-shared/contract/trades.ts';
import { openDatabase } from './database.ts';
import { openHere, START, temporaryFolder, trades } from './testing/trades.ts';
import { createTradeWriter } from './trade-writer.ts';
import { createWords } from './words.ts';

const columns = (db: DatabaseSync): unknown =>
  db.prepare("SELECT group_concat(name) AS names FROM pragma_index_info('trade_by_symbol')").get()?.['names'];
const BY_SYMBOL = 'symbol,trade_time,trade_id,side,liquidity';
const FULL = { synchronous: 2 };

it('is left out of an archive\u2019s first walk and made at its end; queries are answered all the while', () => {
  const archive = openHere();
  const filter = { ...NO_FILTER, symbols: ['ETH-USDT-M'] };
  const wanted = (count: number) =>
    trades(0, count)
      .filter(({ symbol }) => symbol === 'ETH-USDT-M')
      .reverse();
  archive.writer.beginWalk('begun');
  // An edge page that is not there, before the first.
  archive.writer.insert([], 'page 0', 0);
  archive.writer.insert(trades(0, 120), 'page 1', 0);
  expect(columns(archive.db)).not.toBe(BY_SYMBOL);
  expect(archive.reader.page(filter, 0, 500).rows).toEqual(wanted(120));
  archive.writer.insert(trades(120, 150), 'page 2', 0);
  archive.writer.insert([], 'end', 0);
  expect(columns(archive.db)).toBe(BY_SYMBOL);
  expect(archive.reader.page(filter, 0, 500).rows).toEqual(wanted(150));
  // The next walk finds rows, and leaves it.
  archive.writer.beginWalk('again');
  expect(columns(archive.db)).toBe(BY_SYMBOL);
  archive.close();
});

it('is made when the file is opened after a first walk that was killed; what is told to a person is on disk', () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'a.sqlite');
  const { db } = openDatabase(file, 'test', START);
  const writer = createTradeWriter(db, createWords(db));
  writer.beginWalk('begun');
  writer.insert(trades(0, 60), 'page 0', 0);
  expect(db.prepare('PRAGMA synchronous').get()).toEqual(FULL);
  db.close();
  const again = openDatabase(file, 'test', START).db;
  expect(columns(again)).toBe(BY_SYMBOL);
  expect(createTradeWriter(again, createWords(again)).state()).toMatchObject({
    stored: 60,
    checkpoint: 'page 0',
  });
  again.close();
  folder.remove();
});
