import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from './database.ts';
import { ArchiveFault, isDamage } from './errors.ts';
import { temporaryFolder, trades } from '../../../tests/archive/trades.ts';
import { TradeWriter } from '../trades/writer.ts';
import { StringTable } from './string-table.ts';

let folder = temporaryFolder();
afterEach(() => {
  folder.remove();
  folder = temporaryFolder();
});
afterAll(() => folder.remove());
const NOW = Date.UTC(2026, 10, 21, 3, 4, 5, 678);
const hash = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

function filled(name: string, count: number): string {
  const file = join(folder.path, name);
  const { db } = openDatabase(file, 'one', NOW);
  new TradeWriter(db, new StringTable(db)).insert(trades(0, count), 'here', NOW);
  db.close();
  return file;
}

describe('opening an archive', () => {
  it('creates folder and file, and reopens with the same rows', () => {
    const file = filled(join('deep', 'er', 'a.sqlite'), 3);
    const { db, movedAside } = openDatabase(file, 'one', NOW);
    expect(movedAside).toBeNull();
    expect(new TradeWriter(db, new StringTable(db)).state()).toMatchObject({
      stored: 3,
      checkpoint: 'here',
    });
    expect(db.prepare('PRAGMA journal_mode').get()?.['journal_mode']).toBe('wal');
    expect(db.prepare('PRAGMA synchronous').get()?.['synchronous']).toBe(2);
    // It has an effect on macOS only, and every system returns it.
    expect(db.prepare('PRAGMA fullfsync').get()?.['fullfsync']).toBe(1);
    expect(db.prepare("SELECT value FROM meta WHERE key = 'schema_version'").get()?.['value']).toBe('10');
    db.close();
  });

  describe('bound to its account', () => {
    const account = { address: 'https://api.meridian.example', key: 'k', uid: null };
    const state = (db: DatabaseSync) => new TradeWriter(db, new StringTable(db)).state();

    it('binds to the first account that opens it', () => {
      const file = filled('a.sqlite', 3);
      for (let turn = 0; turn < 2; turn++) {
        const { db, movedAside } = openDatabase(file, 'one', NOW, account);
        expect([movedAside, state(db).stored, state(db).checkpoint]).toEqual([null, 3, 'here']);
        db.close();
      }
    });

    it.each([
      ['key', { ...account, key: 'other' }],
      ['address', { ...account, address: 'https://other.example' }],
    ])('moves the old file aside, with a message, when the %s has changed', (_what, other) => {
      const file = filled('a.sqlite', 3);
      openDatabase(file, 'one', NOW, account).db.close();
      const { db, movedAside } = openDatabase(file, 'one', NOW, other);
      expect(state(db)).toMatchObject({ stored: 0, checkpoint: null });
      const path = `${file}.other-account-20261121T030405Z`;
      expect(movedAside).toContain(`It is kept as ${path};`);
      db.close();
      const kept = openDatabase(path, 'one', NOW, account);
      expect(state(kept.db)).toMatchObject({ stored: 3, checkpoint: 'here' });
      kept.db.close();
    });
  });

  it.skipIf(process.platform === 'win32')('creates it whole: a kill meanwhile leaves no empty file', () => {
    const file = join(folder.path, 'a.sqlite');
    const program = `import(${JSON.stringify(new URL('./database.ts', import.meta.url).href)})
      .then(({ openDatabase }) => openDatabase(${JSON.stringify(file)}, 'one', 0))`;
    // The system ends it at its first write beyond 4 kB.
    const limited = ['-c', 'ulimit -f 8; exec "$0" -e "$1"', process.execPath, program];
    expect(spawnSync('sh', limited).status).not.toBe(0);
    expect(existsSync(file)).toBe(false);
    const { db, movedAside } = openDatabase(file, 'one', NOW);
    expect(movedAside).toBeNull();
    db.close();
    expect(readdirSync(folder.path)).toEqual(['a.sqlite']);
  });

  it('keeps the write-ahead log of an archive that is gone, and applies it to no new one', () => {
    const file = filled('a.sqlite', 3);
    const { db } = openDatabase(file, 'one', NOW);
    new TradeWriter(db, new StringTable(db)).insert(trades(3, 6), 'there', NOW);
    const wal = readFileSync(`${file}-wal`);
    db.close();
    rmSync(file);
    writeFileSync(`${file}-wal`, wal);
    const again = openDatabase(file, 'one', NOW);
    const path = `${file}.damaged-20261121T030405Z`;
    expect(again.movedAside).toContain(path);
    expect(readFileSync(`${path}-wal`)).toEqual(wal);
    expect(new TradeWriter(again.db, new StringTable(again.db)).state().stored).toBe(0);
    expect(again.db.prepare('PRAGMA integrity_check').get()?.['integrity_check']).toBe('ok');
    again.db.close();
  });

  it('moves an emptied file aside with its write-ahead log, and starts a new one', () => {
    const file = filled('a.sqlite', 3);
    writeFileSync(file, '');
    writeFileSync(`${file}-wal`, 'the rest');
    const { db, movedAside } = openDatabase(file, 'one', NOW);
    const path = `${file}.damaged-20261121T030405Z`;
    expect(movedAside).toContain(`was damaged. It is kept as ${path};`);
    expect(readFileSync(`${path}-wal`, 'utf8')).toBe('the rest');
    expect(new TradeWriter(db, new StringTable(db)).state().stored).toBe(0);
    db.close();
  });

  it.each([
    ['overwritten from its start', 0],
    ['a page of it overwritten', 8 * 4096],
  ])('moves a damaged file aside, %s, and starts a new one', (_, at) => {
    const file = filled('a.sqlite', 2_000);
    const bytes = readFileSync(file);
    bytes.fill(0x5a, at, at + 4096);
    writeFileSync(file, bytes);
    const damaged = hash(file);
    for (const wanted of [`${file}.damaged-20261121T030405Z`, `${file}.damaged-20261121T030405Z-2`]) {
      writeFileSync(file, bytes);
      const { db, movedAside } = openDatabase(file, 'one', NOW);
      expect(movedAside).toContain(`It is kept as ${wanted};`);
      expect(hash(wanted)).toBe(damaged);
      expect(new TradeWriter(db, new StringTable(db)).state()).toMatchObject({
        stored: 0,
        checkpoint: null,
      });
      db.close();
    }
  });

  it('leaves files of a newer Ballast, another connection or another program unchanged', () => {
    const newer = filled('newer.sqlite', 1);
    const change = new DatabaseSync(newer);
    change.exec("UPDATE meta SET value = '99' WHERE key = 'schema_version'; PRAGMA journal_mode = DELETE");
    change.close();
    const other = filled('other.sqlite', 1);
    const foreign = join(folder.path, 'foreign.sqlite');
    const theirs = new DatabaseSync(foreign);
    theirs.exec('CREATE TABLE theirs (x)');
    theirs.close();
    for (const [file, connection, message] of [
      [newer, 'one', /newer version of Ballast/],
      [other, 'two', /another connection/],
      [foreign, 'one', /another program/],
    ] as const) {
      const before = readFileSync(file);
      expect(() => openDatabase(file, connection, NOW)).toThrow(message);
      expect(() => openDatabase(file, connection, NOW)).toThrow(ArchiveFault);
      expect(readFileSync(file)).toEqual(before);
      expect(existsSync(`${file}.damaged-20261121T030405Z`)).toBe(false);
    }
  });

  it('reports an unusable path without treating it as damage', () => {
    const taken = join(folder.path, 'file');
    writeFileSync(taken, 'x');
    let caught: unknown;
    try {
      openDatabase(join(taken, 'a.sqlite'), 'one', NOW);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(Error);
    expect(isDamage(caught)).toBe(false);
  });
});
