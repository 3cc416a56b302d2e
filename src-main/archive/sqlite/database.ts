/** Opens a connection's archive file; a damaged one is set aside under a name of its own, never overwritten. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AccountIdentity } from '../../../src-shared/domain/reconcile/account-identity.ts';
import { compareText, plainDecimal } from '../../../src-shared/amount.ts';
import { isOfAccount, nameAccount } from './account.ts';
import { asText } from './row-types.ts';
import { figureCell, idCell, textCell, type Separator } from '../csv/format.ts';
import { moveAside } from './database-files.ts';
import { ArchiveFault, isDamage } from './errors.ts';
import { migrate } from './migrations.ts';
import { idOfStored } from '../trades/codec.ts';

/** What happened to a file that could not be read, or is another account's. */
export interface SetAside {
  readonly path: string;
  /** For the person: what happened, where the file is, what follows. */
  readonly message: string;
}

export interface OpenedDatabase {
  readonly db: DatabaseSync;
  readonly setAside: SetAside | null;
}

/**
 * Opens `file`, made when it is missing. `now` (wall clock, ms) names a file that is set aside: a damaged one, or one of
 * another account than `account`, whose proof of completeness says nothing here. Without `account` it is bound to none.
 * Throws ArchiveFault (another connection's, another program's, a newer version's file) or SQLite's error (no
 * rights, full disk); both leave the file untouched.
 */
export function openDatabase(
  file: string,
  connectionId: string,
  now: number,
  account: AccountIdentity | null = null,
): OpenedDatabase {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const anew = (why: 'damaged' | 'other-account'): OpenedDatabase => {
    const path = setAside(file, why, now);
    const db = open(file, connectionId);
    if (account !== null) nameAccount(db, account);
    return { db, setAside: { path, message: ASIDE[why](path) } };
  };
  let db: DatabaseSync;
  try {
    db = open(file, connectionId);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return anew('damaged');
  }
  if (account === null || isOfAccount(db, account)) return { db, setAside: null };
  db.close();
  return anew('other-account');
}

const ASIDE = {
  damaged: (path: string) =>
    `The trade archive was damaged. It is kept as ${path}; a new one is filled from the exchange.`,
  'other-account': (path: string) =>
    `The address or key of this connection has changed, so its archive may be another account’s. It is kept as ${path}; a new one is filled from the exchange. If it is the same account, restore it under Settings › Data.`,
} as const;

function open(file: string, connectionId: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 5_000 });
  try {
    // FULL, not NORMAL: after a power cut NORMAL may have lost the last commits, and the exchange may no longer list
    // them (its retention is not shown). Only the pages of a walk go without (`trade-writer.ts`).
    // The write-ahead log may grow to 80 MB: ingest of a million rows is a third faster than with the default. What it
    // holds is carried over beside us (`wal-checkpoint.ts`), so the commit that fills it has little left to do.
    db.exec(`PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = 20000;
      PRAGMA cache_size = -32000;
      PRAGMA temp_store = MEMORY;
      PRAGMA foreign_keys = OFF;
      PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON;`);
    // Decimals are text; a filter's bounds are compared exactly, only where it has some.
    db.function('decimal_order', { deterministic: true, directOnly: true }, (a, b) =>
      compareText(asText(a), asText(b)),
    );
    // Cells of an export that are more than plain decimals and digits.
    db.function('csv_id', { deterministic: true, directOnly: true }, (stored, separator, safe) => {
      const id = idOfStored(asText(stored));
      return /^\d+$/.test(id) ? idCell(id, safe === 1) : textCell(id, separatorOf(separator));
    });
    db.function('csv_figure', { deterministic: true, directOnly: true }, (received, separator, comma) => {
      return figureCell(asText(received), separatorOf(separator), comma === 1);
    });
    db.function('is_figure', { deterministic: true, directOnly: true }, (received) =>
      plainDecimal(asText(received)) === null ? 0 : 1,
    );
    const found = db.prepare('PRAGMA quick_check(1)').get();
    if (found?.['quick_check'] !== 'ok') throw new Damage();
    migrate(db, connectionId);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function separatorOf(sign: unknown): Separator {
  if (sign === ',' || sign === ';' || sign === '\t') return sign;
  throw new TypeError('no separator of a CSV');
}

const SQLITE_CORRUPT = 11;
/** A fault the check found without SQLite throwing; treated as SQLite's own. */
class Damage extends Error {
  override readonly name = 'Damage';
  readonly errcode = SQLITE_CORRUPT;
}

/** With its log, which may hold rows of it. */
function setAside(file: string, why: 'damaged' | 'other-account', now: number): string {
  try {
    return moveAside(file, why, now);
  } catch {
    const what = why === 'damaged' ? 'damaged' : 'of another account';
    throw new ArchiveFault({
      kind: 'file',
      message: `The trade archive ${file} is ${what} and could not be set aside.`,
      next: `Move it out of its folder, or allow writing to the folder, then start Ballast again.`,
      field: 'file',
    });
  }
}
