/**
 * Backups of everything: manual ones, scheduled ones while the app is open, and the restore of one. One job runs at a
 * time; a scheduled backup never starts while an order is being sent.
 */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  BackupFile,
  BackupState,
  BackupWork,
  RestoreSummary,
  ScheduleChange,
} from '../../src-shared/ipc/backup.ts';
import { blockedFailure, done, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import { DAY_MS, type Clock, type Timers } from '../../src-shared/time.ts';
import { DueWork } from '../due-work.ts';
import type { JsonFile } from '../session/json-file.ts';
import { StoredSchedule } from '../stored-schedule.ts';
import type { BackupJob, RunningBackup, startBackup } from './job.ts';
import { backupName } from './manifest.ts';
import { discardRestore, planRestore } from './place.ts';
import type { Staged } from './stage.ts';
import { NO_BACKUPS, type StoredBackups } from './stored.ts';

export interface BackupPorts {
  /** The profile's folder. */
  readonly profile: string;
  readonly file: JsonFile<StoredBackups>;
  /** The running version. */
  readonly version: string;
  readonly start: typeof startBackup;
  /** Each asks for a path in a system dialog; null if the user cancelled. */
  readonly savePath: (suggested: string) => Promise<string | null>;
  readonly folderPath: () => Promise<string | null>;
  readonly openPath: () => Promise<string | null>;
  readonly showFile: (path: string) => void;
  /** Reports whether orders are being sent. */
  readonly isSending: () => boolean;
  /** Reports whether orders are being sent or files written. */
  readonly isBusy: () => boolean;
  /** Withholds stored secrets that these connections would send to another address. */
  readonly withholdSecrets: (connections: Staged['connections']) => Promise<void>;
  /** Shuts down and starts the app again. */
  readonly restart: () => void;
  readonly notice: (message: string, next: string) => void;
  readonly changed: (state: BackupState) => void;
  readonly clock: Clock;
  readonly timers: Timers;
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

export class Backups {
  readonly #ports: BackupPorts;
  readonly #stored: StoredSchedule<StoredBackups>;
  #loaded: Promise<void> = Promise.resolve();
  #working: {
    readonly work: BackupWork;
    readonly running: Pick<RunningBackup<BackupJob>, 'cancel'> | null;
  } | null = null;
  #staged: Staged | null = null;
  readonly #due: DueWork;
  /** Whether a restore is planned: the staged files may not change before the restart. */
  #restarting = false;

  constructor(ports: BackupPorts) {
    this.#ports = ports;
    const { isSending, notice, clock, timers } = ports;
    this.#stored = new StoredSchedule(ports.file, NO_BACKUPS, () => this.#announce());
    this.#due = new DueWork({
      isSending,
      clock,
      timers,
      dueAt: () => this.#dueAt(),
      mayBegin: () => this.#working === null && !this.#restarting,
      run: () => this.#writeDue(),
      announce: ({ message, next }) => notice(message, `${next} See Settings › Data.`),
    });
  }

  /** Reads the schedule and starts checking for due backups. */
  begin(): void {
    this.#loaded = this.#load();
    this.#due.begin();
  }
  /** Cancels what is running and starts nothing more. */
  async stop(): Promise<void> {
    this.#due.stop();
    await this.cancel();
  }
  async get(): Promise<Result<BackupState>> {
    await this.#loaded;
    await this.#stored.findFolder();
    return done(this.#state());
  }
  #state(): BackupState {
    const { schedule, folder, last, failed: failure } = this.#stored.value;
    return {
      schedule,
      folder,
      last,
      failed: failure,
      isFolderMissing: this.#stored.isFolderMissing,
      dueAt: this.#dueAt(),
      working: this.#working?.work ?? null,
    };
  }
  /** Reports whether a manual backup is being written. */
  isWritingManual(): boolean {
    return this.#working?.work.work === 'write' && !this.#working.work.scheduled;
  }

  async chooseFolder(): Promise<Result<BackupState>> {
    await this.#loaded;
    const folder = await this.#ports.folderPath();
    // The schedule has not written to another folder yet, so a backup is due.
    if (folder !== null && folder !== this.#stored.value.folder)
      await this.#stored.change(() => ({ folder, writtenAt: null }));
    await this.#stored.findFolder();
    this.#due.check();
    return done(this.#state());
  }
  async setSchedule(change: ScheduleChange): Promise<Result<BackupState>> {
    await this.#loaded;
    if (change.on === true && this.#stored.value.folder === null) return failed(NO_FOLDER);
    await this.#stored.change(({ schedule, id }) => ({
      schedule: { ...schedule, ...change },
      id: id ?? this.#ports.newId(),
    }));
    this.#due.changed();
    return done(this.#state());
  }
  async write(): Promise<Result<BackupFile | null>> {
    if (this.#working !== null) return failed(BUSY);
    const path = await this.#ports.savePath(backupName(this.#ports.clock.now()));
    return path === null ? done(null) : this.#write(path, null);
  }
  async writeScheduled(): Promise<Result<BackupFile | null>> {
    await this.#loaded;
    await this.#stored.settled();
    const { folder, id } = this.#stored.value;
    if (folder === null) return failed(NO_FOLDER);
    if (id === null) await this.#stored.change(() => ({ id: this.#ports.newId() }));
    return this.#write(this.#unusedPath(folder), this.#stored.value.id);
  }
  /** Resolves when nothing is running any more. */
  async cancel(): Promise<void> {
    await this.#working?.running?.cancel();
  }
  show(): void {
    const { last } = this.#stored.value;
    if (last !== null) this.#ports.showFile(last.path);
  }

  async examine(): Promise<Result<RestoreSummary | null>> {
    const path = await this.#ports.openPath();
    if (path === null) return done(null);
    if (this.#working !== null || this.#restarting) return failed(BUSY);
    this.#staged = null;
    const job = { work: 'examine', profile: this.#ports.profile, path } as const;
    const found = await this.#run(job, false);
    if (!found.ok) return found;
    this.#staged = found.data;
    return done(found.data?.summary ?? null);
  }
  discard(): void {
    if (this.#restarting) return;
    this.#staged = null;
    if (this.#working === null) discardRestore(this.#ports.profile);
  }
  /** Restores what is staged: the app restarts, and the next start puts it in place. */
  async restore(): Promise<Result<null>> {
    const staged = this.#staged;
    if (staged === null) return failed(NOTHING_STAGED);
    if (this.#working !== null || this.#restarting) return failed(BUSY);
    if (this.#ports.isBusy()) return failed(IN_USE);
    this.#restarting = true;
    try {
      await this.#ports.withholdSecrets(staged.connections);
      planRestore(this.#ports.profile, staged.summary.file, this.#ports.clock.now());
    } catch {
      this.#restarting = false;
      return failed({
        kind: 'file',
        message: 'The restore could not be prepared.',
        next: 'Free up disk space, or allow writing to the profile folder. Nothing was changed.',
      });
    }
    this.#ports.restart();
    return done(null);
  }

  async #load(): Promise<void> {
    try {
      await this.#stored.load();
      await rm(this.#scratch(), { recursive: true, force: true }); // left by a crash
    } catch {
      this.#ports.notice(
        'The schedule of backups could not be read.',
        'Allow reading and writing in the profile folder, then start Ballast again.',
      );
    }
  }
  #scratch(): string {
    return join(this.#ports.profile, 'backup-work');
  }
  #unusedPath(folder: string): string {
    let at = this.#ports.clock.now();
    while (existsSync(join(folder, backupName(at)))) at += 1_000;
    return join(folder, backupName(at));
  }
  #dueAt(): number | null {
    const { schedule, folder, writtenAt } = this.#stored.value;
    if (!schedule.on || folder === null) return null;
    const now = this.#ports.clock.now();
    // A clock that was ahead must not delay the next one.
    return writtenAt === null || writtenAt > now ? now : writtenAt + schedule.everyDays * DAY_MS;
  }
  /** Writes the schedule's next file. */
  async #writeDue(): Promise<Result<BackupFile | null>> {
    const { folder, id } = this.#stored.value;
    if (folder === null || id === null) return done(null);
    return this.#write(this.#unusedPath(folder), id, true);
  }

  async #write(path: string, schedule: string | null, scheduled = false): Promise<Result<BackupFile | null>> {
    if (this.#working !== null) return failed(BUSY);
    const { profile, clock, version, newId } = this.#ports;
    const createdAt = clock.now();
    const result = await this.#run(
      {
        work: 'write',
        profile,
        path,
        scratch: this.#scratch(),
        token: newId(),
        keep: this.#stored.value.schedule.keep,
        origin: { version, createdAt, schedule },
      },
      scheduled,
    );
    void this.#stored.findFolder().then(() => this.#announce());
    if (!result.ok) {
      await this.#stored.storeResult({ failed: { at: createdAt, failure: storable(result.failure) } });
      return result;
    }
    if (result.data === null) return done(null);
    const { written, undeleted } = result.data;
    this.#due.succeeded();
    await this.#stored.storeResult({
      last: written,
      ...(schedule === null ? {} : { writtenAt: createdAt }),
      // A manual backup does not show that the schedule works again.
      ...(schedule === null && this.#stored.value.schedule.on
        ? {}
        : { failed: undeletedFailure(undeleted, createdAt) }),
    });
    return done(written);
  }

  /** Runs one job and announces its progress. */
  async #run<J extends BackupJob>(job: J, scheduled: boolean): ReturnType<typeof startBackup<J>>['ended'] {
    const progress = (percent: number): void => {
      this.#working = { work: { work: job.work, scheduled, percent }, running };
      this.#announce();
    };
    const running = this.#ports.start(job, progress);
    progress(0);
    const result = await running.ended;
    this.#working = null;
    this.#announce();
    return result;
  }

  #announce(): void {
    this.#ports.changed(this.#state());
  }
}

/** Reduces a failure to what is stored of it. */
const storable = ({ kind, message, next }: Failure): Failure => ({
  kind: kind === 'bug' ? 'bug' : 'file',
  message,
  next,
});

const undeletedFailure = (undeleted: readonly string[], at: number): StoredBackups['failed'] =>
  undeleted.length === 0
    ? null
    : {
        at,
        failure: {
          kind: 'file',
          message: `The backup was written, but older ones could not be deleted: ${undeleted.join(', ')}.`,
          next: 'Delete them manually, or allow deleting in this folder.',
        },
      };
