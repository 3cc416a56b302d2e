/**
 * Backups of everything: manual ones, scheduled ones while the app is open, and the restore of one. One job runs at a
 * time; a scheduled backup never starts while an order is being sent.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { remove } from '../../src-files/remove.ts';
import type {
  BackupFile,
  BackupState,
  BackupWork,
  RestoreSummary,
  ScheduleChange,
} from '../../src-shared/ipc/backup.ts';
import { blockedFailure, done, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import { DAY_MS } from '../../src-shared/time.ts';
import { failedAt, Schedule, type SchedulePorts } from '../schedule.ts';
import type { WorkerJob } from '../worker-job.ts';
import type { BackupJob, startBackup } from './job.ts';
import { backupName } from './manifest.ts';
import { discardRestore, planRestore } from './place.ts';
import type { Staged } from './stage.ts';
import { NO_BACKUPS, type StoredBackups } from './stored.ts';
import type { ConnectionSettings } from '../../src-shared/ipc/connections.ts';
import type { StoredSession } from '../session/stored.ts';

export interface BackupPorts extends SchedulePorts<StoredBackups, BackupWork> {
  /** The profile's folder. */
  readonly profile: string;
  /** The running version. */
  readonly version: string;
  readonly start: typeof startBackup;
  /** Each asks for a path in a system dialog; null if the user cancelled. */
  readonly savePath: (suggested: string) => Promise<string | null>;
  readonly openPath: () => Promise<string | null>;
  /** Reports whether orders are being sent or files written. */
  readonly isBusy: () => boolean;
  /** Lets the window save what is typed. Resolves with the number of notes that could not be saved. */
  readonly unsavedNotes: () => Promise<number>;
  /** Withholds stored secrets that these connections would send to another address. Returns the function that takes it back. */
  readonly withholdSecrets: (connections: Staged['connections']) => Promise<() => Promise<void>>;
  /** Shuts down and starts the app again. */
  readonly restart: () => void;
  readonly newId: () => string;
}

const BUSY = blockedFailure(
  'A backup is already being written or read.',
  'Wait until it ends, or cancel it.',
);
const NO_FOLDER = blockedFailure('No folder is chosen for the backups.', 'Choose a folder first.', 'folder');
const NOTHING_STAGED = blockedFailure('No backup is ready to be restored.', 'Choose a backup first.');
const IN_USE = blockedFailure(
  'An order is being sent or a file is being written.',
  'Wait until it is done, then restore. Nothing was changed.',
);
const NOTE_NOT_SAVED = blockedFailure(
  'What you typed last in a note is not saved.',
  'Save or discard it, then restore. Nothing was changed.',
);

export class Backups extends Schedule<StoredBackups, BackupWork, BackupPorts> {
  #working: {
    readonly work: BackupWork;
    readonly running: Pick<WorkerJob<unknown>, 'cancel'>;
  } | null = null;
  #staged: Staged | null = null;
  /** Ends when the files of a discarded restore are deleted: the next ones have the same place. */
  #discarding: Promise<void> = Promise.resolve();
  /** Whether a restore is planned: the staged files may not change before the restart. */
  #restarting = false;

  constructor(ports: BackupPorts) {
    super(ports, NO_BACKUPS, { what: 'backups', failed: '' });
  }

  protected override tidy(): Promise<void> {
    return remove(this.#scratch(), { recursive: true });
  }
  protected working(): BackupWork | null {
    return this.#working?.work ?? null;
  }
  protected mayBegin(): boolean {
    return this.#working === null && !this.#restarting;
  }
  protected folderChange(folder: string): Partial<StoredBackups> {
    // The schedule has not written to another folder yet, so a backup is due.
    return { folder, writtenAt: null };
  }
  /** Reports whether a manual backup is being written. */
  isWritingManual(): boolean {
    return this.#working?.work.work === 'write' && !this.#working.work.scheduled;
  }

  async setSchedule(change: ScheduleChange): Promise<Result<BackupState>> {
    await this.loaded;
    if (change.on === true && this.value.folder === null) return failed(NO_FOLDER);
    await this.change(({ schedule, id }) => ({
      schedule: { ...schedule, ...change },
      id: id ?? this.ports.newId(),
    }));
    this.tryAgain();
    return done(this.state());
  }
  async write(): Promise<Result<BackupFile | null>> {
    if (this.#working !== null) return failed(BUSY);
    const path = await this.ports.savePath(backupName(this.ports.clock.now()));
    return path === null ? done(null) : this.#write(path, null);
  }
  async writeScheduled(): Promise<Result<BackupFile | null>> {
    await this.settled();
    const { folder, id } = this.value;
    if (folder === null) return failed(NO_FOLDER);
    if (id === null) await this.change(() => ({ id: this.ports.newId() }));
    return this.#write(this.#unusedPath(folder), this.value.id);
  }
  async cancel(): Promise<void> {
    await this.#working?.running.cancel();
  }

  async examine(): Promise<Result<RestoreSummary | null>> {
    const path = await this.ports.openPath();
    if (path === null) return done(null);
    await this.#discarding.catch(() => undefined);
    if (this.#working !== null || this.#restarting) return failed(BUSY);
    this.#staged = null;
    const job = { work: 'examine', profile: this.ports.profile, path } as const;
    const found = await this.#run(job, false);
    if (!found.ok) return found;
    this.#staged = found.data;
    return done(found.data?.summary ?? null);
  }
  /** Rejects with the system's error. */
  async discard(): Promise<void> {
    if (this.#restarting) return;
    this.#staged = null;
    if (this.#working !== null) return;
    this.#discarding = discardRestore(this.ports.profile);
    await this.#discarding;
  }
  /** Restores what is staged: the app restarts, and the next start puts it in place. */
  async restore(): Promise<Result<null>> {
    const staged = this.#staged;
    if (staged === null) return failed(NOTHING_STAGED);
    if (this.#working !== null || this.#restarting) return failed(BUSY);
    this.#restarting = true;
    const refusal = await this.#refusal();
    if (refusal !== null) {
      this.#restarting = false;
      return failed(refusal);
    }
    try {
      await this.#plan(staged);
    } catch {
      this.#restarting = false;
      return failed({
        kind: 'file',
        message: 'The restore could not be prepared.',
        next: 'Free up disk space, or allow writing to the profile folder. Nothing was changed.',
      });
    }
    this.ports.restart();
    return done(null);
  }

  /** Secrets first: no crash may leave a plan by which one goes to another address. */
  async #plan({ connections, summary }: Staged): Promise<void> {
    const takeBack = await this.ports.withholdSecrets(connections);
    try {
      planRestore(this.ports.profile, summary.file, this.ports.clock.now());
    } catch (error) {
      await takeBack();
      throw error;
    }
  }

  /** Returns why a restore may not be planned now, after which it could not be taken back. */
  async #refusal(): Promise<Failure | null> {
    if ((await this.ports.unsavedNotes()) > 0) return NOTE_NOT_SAVED;
    return this.ports.isBusy() ? IN_USE : null;
  }
  #scratch(): string {
    return join(this.ports.profile, 'backup-work');
  }
  #unusedPath(folder: string): string {
    let at = this.ports.clock.now();
    while (existsSync(join(folder, backupName(at)))) at += 1_000;
    return join(folder, backupName(at));
  }
  protected dueAt(): number | null {
    const { schedule, folder, writtenAt } = this.value;
    if (!schedule.on || folder === null) return null;
    const now = this.ports.clock.now();
    // A clock that was ahead must not delay the next one.
    return writtenAt === null || writtenAt > now ? now : writtenAt + schedule.everyDays * DAY_MS;
  }
  protected async runDue(): Promise<Result<BackupFile | null>> {
    const { folder, id } = this.value;
    if (folder === null || id === null) return done(null);
    return this.#write(this.#unusedPath(folder), id, true);
  }

  async #write(path: string, schedule: string | null, scheduled = false): Promise<Result<BackupFile | null>> {
    if (this.#working !== null) return failed(BUSY);
    const { profile, clock, version, newId } = this.ports;
    const { folder } = this.value;
    const createdAt = clock.now();
    const result = await this.#run(
      {
        work: 'write',
        profile,
        path,
        scratch: this.#scratch(),
        token: newId(),
        keep: this.value.schedule.keep,
        origin: { version, createdAt, schedule },
      },
      scheduled,
    );
    void this.findFolder().then(() => this.announce());
    if (!result.ok) {
      await this.storeResult(() => ({ failed: failedAt(createdAt, result.failure) }));
      return result;
    }
    if (result.data === null) return done(null);
    const { written, undeleted } = result.data;
    this.succeeded();
    await this.storeResult((stored) => ({
      last: written,
      // A folder that was chosen meanwhile has none yet.
      ...(schedule === null || stored.folder !== folder ? {} : { writtenAt: createdAt }),
      // A manual backup does not show that the schedule works again.
      ...(schedule === null && stored.schedule.on ? {} : { failed: undeletedFailure(undeleted, createdAt) }),
    }));
    return done(written);
  }

  /** Runs one job and announces its progress. */
  async #run<J extends BackupJob>(job: J, scheduled: boolean): ReturnType<typeof startBackup<J>>['ended'] {
    const progress = (percent: number): void => {
      this.#working = { work: { work: job.work, scheduled, percent }, running };
      this.announce();
    };
    const running = this.ports.start(job, progress);
    progress(0);
    const result = await running.ended;
    this.#working = null;
    this.announce();
    return result;
  }
}

const undeletedFailure = (undeleted: readonly string[], at: number): StoredBackups['failed'] =>
  undeleted.length === 0
    ? null
    : failedAt(at, {
        kind: 'file',
        message: `The backup was written, but older ones could not be deleted: ${undeleted.join(', ')}.`,
        next: 'Delete them manually, or allow deleting in this folder.',
      });

/**
 * Returns the restored connections that may not use a stored secret: their address or signing differs from the present
 * one, or they are unknown here. An untrusted backup could send it to any address.
 */
export const idsToWithhold = (
  restored: StoredSession['connections'],
  present: (id: string) => ConnectionSettings | null,
): readonly string[] =>
  restored
    .filter(({ id, settings }) => {
      const now = present(id);
      return now === null || placeOf(now) !== placeOf(settings);
    })
    .map(({ id }) => id);

const placeOf = ({ baseUrl, signing }: ConnectionSettings): string => JSON.stringify([baseUrl, signing]);
