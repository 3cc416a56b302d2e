import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AccountIdentity } from '../../../src-shared/domain/reconcile/account-identity.ts';
import type { Result } from '../../../src-shared/ipc/failures.ts';
import { NO_FILTER } from '../../../src-shared/ipc/trades.ts';
import { openArchive, type Archive } from '../archive.ts';
import { putInPlace } from './restore.ts';
import { orders } from '../../../tests/archive/orders.ts';
import { NEWEST_GROUP_FIRST, START, temporaryFolder, trades } from '../../../tests/archive/trades.ts';
import { dataOf } from '../../../tests/shared/data-of.ts';

const folder = temporaryFolder();
const at = (name: string): string => join(folder.path, name);
const file = at('mine.sqlite');
const backup = at('backup.sqlite');
const clock = { now: () => START };

const messageOf = (result: Result<unknown>): string => (result.ok ? 'done' : result.failure.message);
const opened: Archive[] = [];
async function open(
  path: string,
  connectionId: string,
  account: AccountIdentity | null = null,
): Promise<Archive> {
  const archive = dataOf(await openArchive({ file: path, connectionId, clock, account }));
  opened.push(archive);
  return archive;
}

beforeAll(async () => {
  const other = await open(at('other.sqlite'), 'there');
  dataOf(await other.insertTrades(trades(0, 2_000), null));
  dataOf(await other.maintenance.backup(backup));
  await other.close();
});
afterEach(async () => {
  for (const archive of opened.splice(0)) await archive.close();
});
afterAll(() => folder.remove());

function execIn(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}
const left = (): string[] => readdirSync(folder.path).filter((name) => name.includes('.restoring'));

describe('a restore', () => {
  it('restores another computer’s backup for this connection, and keeps the replaced archive', async () => {
    const mine = await open(file, 'here');
    dataOf(await mine.insertTrades(trades(5_000, 5_010), null));
    const ready = dataOf(await mine.maintenance.readyBackup(backup, null))!;
    expect(ready).toMatchObject({ trades: 2_000, orders: 0 });
    // Until it is closed nothing has changed.
    expect(dataOf(await mine.state()).stored).toBe(10);
    await mine.close();
    const replaced = dataOf(putInPlace(ready.part, file, START));
    const restored = await open(file, 'here');
    expect(dataOf(await restored.state()).stored).toBe(2_000);
    expect(dataOf(await restored.maintenance.check())).toMatchObject({ ok: true });
    await restored.close();
    const before = await open(replaced, 'here');
    expect(dataOf(await before.state()).stored).toBe(10);
    expect(left()).toEqual([]);
  });

  it('that a kill ended between its two renames is finished when the archive is opened', async () => {
    const killed = at('killed.sqlite');
    const mine = await open(killed, 'here');
    dataOf(await mine.insertTrades(trades(5_000, 5_010), null));
    dataOf(await mine.maintenance.readyBackup(backup, null));
    await mine.close();
    renameSync(killed, at('killed.sqlite.replaced'));
    writeFileSync(`${killed}-wal`, 'of the replaced one');
    const restored = await open(killed, 'here');
    expect(dataOf(await restored.state()).stored).toBe(2_000);
    expect(readdirSync(folder.path)).toContain('killed.sqlite.replaced-20261025T000000Z-wal');
    expect(left()).toEqual([]);
  });

  it('whose copy a kill cut is not finished', async () => {
    const cut = at('cut.sqlite');
    writeFileSync(`${cut}.restoring`, readFileSync(backup).subarray(0, 20_000));
    const empty = await open(cut, 'here');
    expect(dataOf(await empty.state()).stored).toBe(0);
    expect(left()).toEqual([]);
  });

  it('keeps the notes of both: of one order’s two the later edit, and a deletion', async () => {
    let now = START;
    const openAt = async (path: string): Promise<Archive> => {
      const archive = dataOf(
        await openArchive({ file: path, connectionId: 'here', clock: { now: () => now++ } }),
      );
      opened.push(archive);
      return archive;
    };
    const mine = await openAt(at('noted.sqlite'));
    dataOf(await mine.insertTrades(trades(0, 3), null));
    const [first, last] = ['9007199254740993', '9007199254740994'] as const;
    dataOf(await mine.saveNote(first, { text: 'deleted since', tags: [] }));
    dataOf(await mine.saveNote(last, { text: 'before', tags: [] }));
    dataOf(await mine.saveNote('7', { text: 'in the backup, and since', tags: [] }));
    dataOf(await mine.maintenance.backup(at('noted-backup.sqlite')));
    dataOf(await mine.saveNote(first, { text: '', tags: [] }));
    dataOf(await mine.saveNote(last, { text: 'since', tags: ['Plan'] }));
    const ready = dataOf(await mine.maintenance.readyBackup(at('noted-backup.sqlite'), null))!;
    await mine.close();
    dataOf(putInPlace(ready.part, at('noted.sqlite'), START));
    const restored = await openAt(at('noted.sqlite'));
    const { rows } = dataOf(
      await restored.groups({
        ...{ by: 'order', filter: NO_FILTER, sort: NEWEST_GROUP_FIRST, zone: 'UTC', contracts: [] },
        ...{ offset: 0, limit: 9 },
      }),
    );
    const noted = rows.flatMap((row) => (row.kind === 'order' ? row.noted : []));
    expect(noted).toMatchObject([{ orderId: last, text: 'since', tags: ['Plan'] }]);
    // Order 7 never traded, so no group has its note.
    expect(dataOf(await restored.notesOf([first, '7']))).toMatchObject([
      { orderId: '7', text: 'in the backup, and since' },
    ]);
    expect(dataOf(await restored.maintenance.check())).toMatchObject({ ok: true });
  });

  it.each<[what: string, make: (path: string) => void, reason: RegExp]>([
    [
      'a damaged file',
      (path) => writeFileSync(path, readFileSync(backup).fill(7, 5_000, 60_000)),
      /damaged, or not an archive/,
    ],
    ['no database', (path) => writeFileSync(path, 'trades, perhaps'), /damaged, or not an archive/],
    [
      'another program’s database',
      (path) => execIn(path, 'CREATE TABLE note (text TEXT)'),
      /it is not an archive of Ballast/,
    ],
    [
      'a newer Ballast’s',
      (path) => {
        copyFileSync(backup, path);
        execIn(path, "UPDATE meta SET value = '99' WHERE key = 'schema_version'");
      },
      /a newer version of Ballast wrote it/,
    ],
    ['nothing', () => undefined, /folder does not exist/],
  ])('of %s is rejected with a reason, and the archive is unchanged', async (what, make, reason) => {
    const path = at(`${what.replaceAll(/\W+/g, '-')}.sqlite`);
    make(path);
    const mine = await open(file, 'here');
    const before = dataOf(await mine.state()).stored;
    const refusal = messageOf(await mine.maintenance.readyBackup(path, null));
    expect(refusal).toMatch(reason);
    expect(refusal).toContain('was not restored');
    expect(dataOf(await mine.state()).stored).toBe(before);
    expect(left()).toEqual([]);
  });

  it.each<[what: string, sql: string]>([
    [
      'a trigger that rewrites fees',
      "CREATE TRIGGER t AFTER INSERT ON trade BEGIN UPDATE trade SET fee = '0' WHERE seq = new.seq; END",
    ],
    [
      'a view in place of a table, without end',
      `DROP TABLE quarantine; CREATE VIEW quarantine (id, symbol, trade_id, content, received_at) AS
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, '', '', '', 0 FROM n`,
    ],
    ['a table of its own', 'CREATE TABLE extra (a)'],
    ['an index that computes', 'CREATE INDEX slow ON trade (length(price))'],
    ['a column more', 'ALTER TABLE trade ADD COLUMN note TEXT'],
    ['an index less', 'DROP INDEX trade_by_time'],
    [
      'notes without their check',
      `DROP TABLE order_note; CREATE TABLE order_note (seq INTEGER PRIMARY KEY,
       order_id ANY NOT NULL UNIQUE, text TEXT NOT NULL, tags TEXT NOT NULL, edited_at INTEGER NOT NULL) STRICT`,
    ],
    [
      'a table with a check of its own',
      'DROP TABLE seen_stretch; CREATE TABLE seen_stretch (first_seq INTEGER PRIMARY KEY, last_seq INTEGER NOT NULL CHECK (last_seq > 0)) STRICT',
    ],
  ])('of a file with %s is rejected before anything of it runs', async (what, sql) => {
    const path = at(`schema-${what.replaceAll(/\W+/g, '-')}.sqlite`);
    copyFileSync(backup, path);
    execIn(path, sql);
    const mine = await open(file, 'here');
    const refusal = messageOf(await mine.maintenance.readyBackup(path, null));
    expect(refusal).toMatch(/not made by Ballast|was changed/);
    expect(left()).toEqual([]);
  });

  it('of a file with tags that are no list is rejected', async () => {
    const path = at('tags.sqlite');
    copyFileSync(backup, path);
    execIn(path, "PRAGMA ignore_check_constraints = ON; INSERT INTO order_note VALUES (1, 7, '', '{', 0)");
    const mine = await open(file, 'here');
    expect(messageOf(await mine.maintenance.readyBackup(path, null))).toMatch(/damaged, or not an archive/);
    expect(left()).toEqual([]);
  });

  it('of a pipe or device is rejected: it might never end', async () => {
    const mine = await open(file, 'here');
    expect(messageOf(await mine.maintenance.readyBackup(folder.path, null))).toMatch(/it is not a file/);
  });

  describe('compares accounts', () => {
    const account: AccountIdentity = { address: 'https://api.meridian.example', key: 'k', uid: '7' };
    async function backupOf(name: string, owner: AccountIdentity | null): Promise<string> {
      const from = await open(
        at(`${name}-from.sqlite`),
        'there',
        owner === null ? null : { ...owner, uid: null },
      );
      dataOf(await from.insertTrades(trades(0, 10), 'proof of trades'));
      dataOf(await from.insertOrders([], 'proof of orders', []));
      if (owner !== null && owner.uid !== null) dataOf(await from.bindUser(owner.uid));
      dataOf(await from.maintenance.backup(at(`${name}.sqlite`)));
      return at(`${name}.sqlite`);
    }
    const restoredBy = async (path: string, owner: AccountIdentity) => {
      const mine = await open(at(`mine-${basename(path)}`), 'here', { ...owner, uid: null });
      const ready = await mine.maintenance.readyBackup(path, owner);
      const to = dataOf(await mine.figures()).path;
      await mine.close();
      if (!ready.ok) return { refused: ready.failure.message };
      dataOf(putInPlace(ready.data?.part ?? '', to, START));
      const restored = await open(to, 'here', { ...owner, uid: null });
      expect(restored.movedAside).toBeNull();
      return {
        verificationKept: ready.data?.verificationKept,
        stored: dataOf(await restored.state()).stored,
        trades: dataOf(await restored.state()).checkpoint,
        orders: dataOf(await restored.orderState()).checkpoint,
      };
    };

    it('keeps its verification for the same account', async () => {
      const path = await backupOf('same', account);
      expect(await restoredBy(path, account)).toEqual({
        ...{ verificationKept: true, stored: 10, trades: 'proof of trades', orders: 'proof of orders' },
      });
    });

    it.each<[string, AccountIdentity | null]>([
      ['of an older Ballast, that names no account', null],
      ['by another key, and no user id to tell by', { ...account, key: 'old', uid: null }],
      ['by another key of the same user', { ...account, key: 'old' }],
    ])('clears its verification %s, and keeps the rows', async (what, owner) => {
      const path = await backupOf(`unsure-${what.length}`, owner);
      expect(await restoredBy(path, account)).toEqual({
        ...{ verificationKept: false, stored: 10, trades: null, orders: null },
      });
    });

    it.each<[string, AccountIdentity]>([
      ['another user', { ...account, uid: '8' }],
      ['another exchange', { ...account, address: 'https://other.example' }],
    ])('is rejected for %s', async (what, owner) => {
      const path = await backupOf(`other-${what.length}`, owner);
      expect(await restoredBy(path, account)).toEqual({ refused: expect.stringMatching(/another account/) });
    });

    it('compares by the user id of its orders if nothing else is stored', async () => {
      const from = await open(at('rows-from.sqlite'), 'there');
      dataOf(await from.insertOrders(orders(0, 3), 'proof', [])); // of user 1
      dataOf(await from.maintenance.backup(at('rows.sqlite')));
      expect(await restoredBy(at('rows.sqlite'), account)).toMatchObject({ refused: expect.any(String) });
      expect(await open(at('rows-from.sqlite'), 'there').then((one) => one.bindUser('7'))).toMatchObject({
        data: 'other',
      });
    });
  });

  it('of the archive itself is rejected, and so is a backup to it, also by another path', async () => {
    const mine = await open(file, 'here');
    const other = at('linked');
    symlinkSync(dirname(file), other, 'junction');
    for (const path of [file, join(other, basename(file))]) {
      expect(messageOf(await mine.maintenance.readyBackup(path, null))).toContain(
        'this is the archive itself',
      );
      expect(messageOf(await mine.maintenance.backup(path))).toContain('this is the archive itself');
    }
  });

  it('that cannot be put in place leaves the archive in place', () => {
    const archive = at('in place.sqlite');
    copyFileSync(backup, archive);
    const failedWith = putInPlace(at('no such copy'), archive, START + 60_000);
    expect(failedWith.ok).toBe(false);
    expect(readFileSync(archive).equals(readFileSync(backup))).toBe(true);
    expect(readdirSync(folder.path).some((name) => name.includes('20261025T000100'))).toBe(false);
  });

  it('that is missing is not put in place of a damaged archive either', () => {
    const archive = at('damaged.sqlite');
    writeFileSync(archive, 'no database');
    expect(messageOf(putInPlace(at('no such copy'), archive, START + 120_000))).toContain('its copy beside');
    expect(readFileSync(archive, 'utf8')).toBe('no database');
    expect(existsSync(at('no such copy'))).toBe(false);
  });
});
