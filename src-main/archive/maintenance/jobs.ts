/** Starts, follows and cancels the check, the backup and the restore of one archive: one at a time, each in a thread of its own. */
import { rmSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import type { ArchiveBackup, ArchiveCheck, ArchiveWork } from '../../../src-shared/ipc/archive.ts';
import type { AccountIdentity } from '../../../src-shared/domain/reconcile/account-identity.ts';
import { denied, done, failed, type Result } from '../../../src-shared/ipc/failures.ts';
import { removeDatabase } from '../sqlite/database-files.ts';
import { partOf, type ReadyBackup } from './restore.ts';
import type { FromUpkeep, Upkeep, UpkeepSetup } from './worker.ts';

export interface ArchiveUpkeep {
  /** Reads every row; null: cancelled. */
  check(): Promise<Result<ArchiveCheck | null>>;
  /** A whole copy at `path`; what stood there stays until it is complete. null: cancelled. */
  backup(path: string): Promise<Result<ArchiveBackup | null>>;
  /**
   * A backup copied beside the archive, examined, and made this connection's. Refused when it is of another account than
   * `account`; null binds it to nobody. null: cancelled.
   */
  readyBackup(backup: string, account: AccountIdentity | null): Promise<Result<ReadyBackup | null>>;
  /** What is under way. */
  working(): ArchiveWork | null;
  /** Resolves when nothing of it is running any more. */
  cancelWork(): Promise<void>;
}

export function createUpkeep(
  file: string,
  connectionId: string,
  spawn: (setup: UpkeepSetup) => Worker,
): ArchiveUpkeep {
  let running: { readonly worker: Worker; readonly ended: Promise<void>; work: ArchiveWork } | null = null;

  function run<T extends ArchiveCheck | ArchiveBackup | ReadyBackup>(
    upkeep: Upkeep,
  ): Promise<Result<T | null>> {
    if (running !== null)
      return Promise.resolve(
        failed(
          denied(
            'A check, a backup or a restore of this archive is under way.',
            'Wait for it, or cancel it.',
          ),
        ),
      );
    const worker = spawn({ file, upkeep });
    let result: Result<T | null> = done(null);
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    const own = { worker, ended, work: { work: upkeep.work, share: 0 } };
    running = own;
    worker.on('message', (message: FromUpkeep) => {
      if (message.type === 'share') own.work = { ...own.work, share: message.share };
      // It answers what it was asked: only `runUpkeep` makes these.
      else result = message.result as Result<T>;
    });
    worker.once('error', (error: Error) => {
      result = failed({
        kind: 'bug',
        message: `The ${upkeep.work} of the archive stopped: ${error.message.slice(0, 200)}`,
        next: 'The archive is as it was. Try again.',
      });
    });
    return ended.then(() => {
      running = null;
      const cancelled = result.ok && result.data === null;
      if (cancelled && upkeep.work === 'backup') rmSync(upkeep.part, { force: true });
      if (cancelled && upkeep.work === 'restore') removeDatabase(partOf(file));
      return result;
    });
  }

  return {
    check: () => run({ work: 'check' }),
    backup: (path) => run({ work: 'backup', path, part: `${path}.part` }),
    readyBackup: (backup, account) => run({ work: 'restore', backup, connectionId, account }),
    working: () => running?.work ?? null,
    async cancelWork() {
      const { worker, ended } = running ?? {};
      await worker?.terminate();
      await ended;
    },
  };
}
