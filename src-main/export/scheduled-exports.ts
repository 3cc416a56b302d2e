/**
 * Exports on a schedule while the app is open. One runs at a time; none begins while an order is being sent, and what was
 * missed is done at the next start.
 */
import { join } from 'node:path';
import type {
  ExportMade,
  ExportScheduleChange,
  ExportScheduleState,
} from '../../src-shared/ipc/export-schedule.ts';
import { blockedFailure, done, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import type { SyncStatus } from '../../src-shared/ipc/trades.ts';
import type { Clock, Timers } from '../../src-shared/time.ts';
import { nextOccurrence } from '../../src-shared/domain/display/occurrences.ts';
import { DueWork } from '../due-work.ts';
import { UNLOADED } from '../session/failures.ts';
import type { JsonFile } from '../session/json-file.ts';
import { StoredSchedule } from '../stored-schedule.ts';
import type { ExportEnd, ExportTask } from './run.ts';
import { NO_EXPORTS, type StoredExports } from './schedule-file.ts';
import { fileAt, occurrenceToDo, queryOf, type ScheduledSettings } from './scheduled-file.ts';

/** A connection whose history can be read now. */
export interface ExportOrigin {
  /** The connection's name. */
  readonly account: string;
  /** Reads and writes. Never rejects; fails if the account's secret is not there. */
  run(
    task: Pick<ExportTask, 'query' | 'out'>,
    control: { readonly signal: AbortSignal; readonly onStatus: (status: SyncStatus) => void },
  ): Promise<Result<ExportEnd>>;
}

export interface ScheduledExportPorts {
  readonly file: JsonFile<StoredExports>;
  /** Asks in a dialog of the system; null if the user cancelled. */
  readonly folderPath: () => Promise<string | null>;
  readonly showFile: (path: string) => void;
  /** Null if there is no such connection any more. */
  readonly origin: (connectionId: string) => ExportOrigin | null;
  /** Reports whether orders are being sent. */
  readonly isSending: () => boolean;
  /** Reports whether secrets may be read: a lock can unload them. */
  readonly mayRead: () => boolean;
  readonly settings: () => ScheduledSettings;
  readonly notice: (message: string, next: string) => void;
  readonly changed: (state: ExportScheduleState) => void;
  readonly clock: Clock;
  readonly timers: Timers;
}

const BUSY = blockedFailure('An export of the schedule is running.', 'Wait until it ends, or cancel it.');
const NO_FOLDER = blockedFailure('No folder is chosen for the exports.', 'Choose a folder first.', 'folder');
const NO_CONNECTION = blockedFailure(
  'No connection is chosen for the exports, or it was removed.',
  'Choose a connection first.',
  'connectionId',
);
const NOTHING_NEW = blockedFailure(
  'The last file reaches to the end of yesterday.',
  'Export again tomorrow, or choose another period.',
  'period',
);
const INCOMPLETE: Failure = {
  kind: 'unknown',
  message: 'The history could not be verified as complete, so no file was written.',
  next: 'It is tried again in an hour. An existing file was not changed.',
};

/** Least time between two reports of progress. */
const PROGRESS_MS = 500;

export class ScheduledExports {
  readonly #ports: ScheduledExportPorts;
  readonly #due: DueWork;
  readonly #stored: StoredSchedule<StoredExports>;
  #loaded: Promise<void> = Promise.resolve();
  #working: {
    readonly ending: AbortController;
    readonly ended: Promise<unknown>;
    status: ExportScheduleState['working'];
    announcedAt: number;
  } | null = null;

  constructor(ports: ScheduledExportPorts) {
    this.#ports = ports;
    const { isSending, mayRead, notice, clock, timers } = ports;
    this.#stored = new StoredSchedule(ports.file, NO_EXPORTS, () => this.#announce());
    this.#due = new DueWork({
      isSending,
      clock,
      timers,
      dueAt: () => this.#dueAt(),
      mayBegin: () => this.#working === null && mayRead(),
      run: () => this.#runDue(),
      announce: ({ message, next }) => notice(`Scheduled export: ${message}`, `${next} See Settings › Data.`),
    });
  }

  /** Reads the schedule and starts looking for exports that are due. */
  begin(): void {
    this.#loaded = this.#load();
    this.#due.begin();
  }
  /** Cancels what is running; nothing begins any more. */
  async stop(): Promise<void> {
    this.#due.stop();
    await this.cancel();
  }
  /** Ends a running export whose secret may not be used any more. */
  follow(): void {
    if (!this.#ports.mayRead()) void this.cancel();
  }
  /** Ends a running export of a connection that was removed, before its files are. */
  async release(connectionId: string): Promise<void> {
    if (
      this.#stored.value.schedule.connectionId === connectionId &&
      this.#ports.origin(connectionId) === null
    )
      await this.cancel();
  }

  async get(): Promise<Result<ExportScheduleState>> {
    await this.#loaded;
    await this.#stored.findFolder();
    return done(this.#state());
  }
  async chooseFolder(): Promise<Result<ExportScheduleState>> {
    await this.#loaded;
    const folder = await this.#ports.folderPath();
    if (folder !== null) await this.#stored.change(() => ({ folder }));
    await this.#stored.findFolder();
    this.#due.check();
    return done(this.#state());
  }
  async set(change: ExportScheduleChange): Promise<Result<ExportScheduleState>> {
    await this.#loaded;
    const { on, connectionId } = { ...this.#stored.value.schedule, ...change };
    if (on && this.#stored.value.folder === null) return failed(NO_FOLDER);
    if (on && this.#origin(connectionId) === null) return failed(NO_CONNECTION);
    await this.#stored.change(({ schedule: before }) => {
      const schedule = { ...before, ...change };
      // What lies before a change of the times was not missed.
      const isNewTime = (['on', 'every', 'at'] as const).some((name) => schedule[name] !== before[name]);
      return {
        schedule,
        ...(isNewTime ? { countedFrom: this.#ports.clock.now() } : {}),
        ...(schedule.connectionId === before.connectionId ? {} : { exportedTo: null }),
      };
    });
    this.#due.changed();
    return done(this.#state());
  }
  /** Writes a file now, by the schedule as it was changed last. */
  async run(): Promise<Result<ExportMade | null>> {
    await this.#loaded;
    await this.#stored.settled();
    return this.#run(this.#ports.clock.now());
  }
  /** Resolves when nothing is running any more. */
  async cancel(): Promise<void> {
    this.#working?.ending.abort();
    await this.#working?.ended;
  }
  show(): void {
    const { last } = this.#stored.value;
    if (last !== null) this.#ports.showFile(last.path);
  }

  async #load(): Promise<void> {
    try {
      await this.#stored.load();
    } catch {
      this.#ports.notice(
        'The schedule of exports could not be read.',
        'Allow reading and writing in the profile folder, then start Ballast again.',
      );
    }
  }
  #origin(connectionId: string | null): ExportOrigin | null {
    return connectionId === null ? null : this.#ports.origin(connectionId);
  }
  #state(): ExportScheduleState {
    const { schedule, folder, last, failed: failure } = this.#stored.value;
    return {
      schedule,
      folder,
      last,
      failed: failure,
      isFolderMissing: this.#stored.isFolderMissing,
      dueAt: this.#dueAt(),
      working: this.#working?.status ?? null,
    };
  }
  #dueAt(): number | null {
    const { schedule, folder, countedFrom } = this.#stored.value;
    if (!schedule.on || folder === null || schedule.connectionId === null) return null;
    const now = this.#ports.clock.now();
    // A clock that was ahead must not delay the next one.
    const from = countedFrom === null || countedFrom > now ? now : countedFrom;
    return nextOccurrence(schedule, from, this.#ports.settings().timeZone);
  }

  /** Does the oldest occurrence that is due and not replaced by a later one. */
  async #runDue(): Promise<Result<ExportMade | null>> {
    const due = this.#dueAt();
    const { schedule, exportedTo } = this.#stored.value;
    const account = this.#origin(schedule.connectionId)?.account ?? '';
    const { timeZone: zone } = this.#ports.settings();
    const now = this.#ports.clock.now();
    const at = occurrenceToDo(schedule, due ?? now, now, { zone, exportedTo, account });
    const result = await this.#run(at);
    if (result.ok && result.data !== null) await this.#stored.storeResult({ countedFrom: at });
    return result;
  }

  /** Writes the file that is due at `at`. */
  async #run(at: number): Promise<Result<ExportMade | null>> {
    if (this.#working !== null) return failed(BUSY);
    const ended = Promise.withResolvers<undefined>();
    const ending = new AbortController();
    const startedAt = this.#ports.clock.now();
    const status = { stored: 0, total: null };
    this.#working = { ending, ended: ended.promise, status, announcedAt: startedAt };
    this.#announce();
    try {
      const result = await this.#written(at, ending.signal);
      if (result.ok && result.data !== null) this.#due.succeeded();
      if (!result.ok && result.failure !== NOTHING_NEW)
        await this.#stored.storeResult({ failed: { at: startedAt, failure: plain(result.failure) } });
      return result;
    } finally {
      this.#working = null;
      void this.#stored.findFolder().then(() => this.#announce());
      ended.resolve(undefined);
    }
  }
  async #written(at: number, signal: AbortSignal): Promise<Result<ExportMade | null>> {
    const { schedule, folder, exportedTo } = this.#stored.value;
    const { settings, mayRead, clock } = this.#ports;
    const origin = this.#origin(schedule.connectionId);
    if (folder === null) return failed(NO_FOLDER);
    if (origin === null) return failed(NO_CONNECTION);
    if (!mayRead()) return failed(UNLOADED);
    const { account } = origin;
    const file = fileAt(schedule, at, { zone: settings().timeZone, exportedTo, account });
    if (file === null) return failed(NOTHING_NEW);
    const out = join(folder, file.name);
    const query = queryOf(schedule, file, settings(), account);
    const onStatus = ({ stored, total }: SyncStatus): void => this.#progress({ stored, total });
    const ended = await origin.run({ query, out }, { signal, onStatus });
    if (signal.aborted && (!ended.ok || ended.data.written === null)) return done(null);
    if (!ended.ok) return ended;
    const { written, failure, incomplete } = ended.data;
    if (written === null) return failed(failure ?? incomplete?.failure ?? INCOMPLETE);
    const made = { at: clock.now(), path: out, rows: written.rows, bytes: written.bytes };
    const reached = schedule.period === 'since-last' ? { exportedTo: file.to } : {};
    await this.#stored.storeResult({ last: made, failed: null, ...reached });
    return done(made);
  }
  #progress(status: ExportScheduleState['working']): void {
    if (this.#working === null) return;
    this.#working.status = status;
    const now = this.#ports.clock.now();
    if (Math.abs(now - this.#working.announcedAt) < PROGRESS_MS) return;
    this.#working.announcedAt = now;
    this.#announce();
  }

  #announce(): void {
    this.#ports.changed(this.#state());
  }
}

/** What is stored of a failure. */
const plain = ({ kind, message, next }: Failure): Failure => ({ kind, message, next });
