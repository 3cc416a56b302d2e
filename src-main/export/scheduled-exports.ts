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
import { nextOccurrence } from '../../src-shared/domain/display/occurrences.ts';
import { failureOnce } from '../exchange/read-outcome.ts';
import { failedAt, Schedule, type SchedulePorts } from '../schedule.ts';
import { UNLOADED } from '../session/failures.ts';
import { unnamedIn } from './control-totals-text.ts';
import { unnamedText } from '../../src-shared/domain/history/rotki-assets.ts';
import { flawsOf } from './flaws.ts';
import type { ExportEnd, ExportTask } from './run.ts';
import { NO_EXPORTS, type StoredExports } from './schedule-file.ts';
import { fileAt, occurrenceToDo, queryOf, type ScheduledSettings } from './scheduled-file.ts';

/** A connection whose history can be read now. */
export interface ExportOrigin {
  /** The connection's name. */
  readonly account: string;
  /** Address and key, which may become another account's; null for practice. */
  readonly identity: string | null;
  /** Reads and writes. Never rejects; fails if the account's secret is not there. */
  run(
    task: Pick<ExportTask, 'query' | 'out'>,
    control: { readonly signal: AbortSignal; readonly onStatus: (status: SyncStatus) => void },
  ): Promise<Result<ExportEnd>>;
}

type Working = NonNullable<ExportScheduleState['working']>;

export interface ScheduledExportPorts extends SchedulePorts<StoredExports, Working> {
  /** Null if there is no such connection any more. */
  readonly origin: (connectionId: string) => ExportOrigin | null;
  /** Reports whether secrets may be read: a lock can unload them. */
  readonly mayRead: () => boolean;
  readonly settings: () => ScheduledSettings;
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
  next: 'Ballast retries automatically. An existing file was not changed.',
};

/** Least time between two reports of progress. */
const PROGRESS_MS = 500;

export class ScheduledExports extends Schedule<StoredExports, Working, ScheduledExportPorts> {
  #working: {
    readonly ending: AbortController;
    readonly ended: Promise<unknown>;
    status: Working;
    announcedAt: number;
  } | null = null;

  constructor(ports: ScheduledExportPorts) {
    super(ports, NO_EXPORTS, { what: 'exports', failed: 'Scheduled export: ' });
  }

  protected working(): Working | null {
    return this.#working?.status ?? null;
  }
  protected mayBegin(): boolean {
    return this.#working === null && this.ports.mayRead();
  }
  protected folderChange(folder: string): Partial<StoredExports> {
    return { folder };
  }
  /** Ends a running export whose secret may not be used any more. */
  follow(): void {
    if (!this.ports.mayRead()) void this.cancel();
  }
  /** Ends a running export of a connection that was removed, before its files are. */
  async release(connectionId: string): Promise<void> {
    if (this.value.schedule.connectionId === connectionId && this.ports.origin(connectionId) === null)
      await this.cancel();
  }

  async set(change: ExportScheduleChange): Promise<Result<ExportScheduleState>> {
    await this.loaded;
    const { on, connectionId } = { ...this.value.schedule, ...change };
    if (on && this.value.folder === null) return failed(NO_FOLDER);
    if (on && this.#origin(connectionId) === null) return failed(NO_CONNECTION);
    await this.change(({ schedule: before }) => {
      const schedule = { ...before, ...change };
      // What lies before a change of the times was not missed.
      const isNewTime = (['on', 'every', 'at'] as const).some((name) => schedule[name] !== before[name]);
      return {
        schedule,
        ...(isNewTime ? { countedFrom: this.ports.clock.now() } : {}),
        ...(schedule.connectionId === before.connectionId ? {} : { exportedTo: null }),
      };
    });
    this.tryAgain();
    return done(this.state());
  }
  /** Writes a file now, by the schedule as it was changed last. */
  async run(): Promise<Result<ExportMade | null>> {
    await this.settled();
    return this.#run(this.ports.clock.now(), false);
  }
  async cancel(): Promise<void> {
    this.#working?.ending.abort();
    await this.#working?.ended;
  }

  #origin(connectionId: string | null): ExportOrigin | null {
    return connectionId === null ? null : this.ports.origin(connectionId);
  }
  /** Null also where the connection has had another account's key since: none of this one's history is in a file. */
  #exportedTo(identity: string | null): number | null {
    const { exportedTo, exportedOf } = this.value;
    return exportedOf === undefined || identity === null || exportedOf === identity ? exportedTo : null;
  }
  protected dueAt(): number | null {
    const { schedule, folder, countedFrom } = this.value;
    if (!schedule.on || folder === null || schedule.connectionId === null) return null;
    const now = this.ports.clock.now();
    // A clock that was ahead must not delay the next one.
    const from = countedFrom === null || countedFrom > now ? now : countedFrom;
    return nextOccurrence(schedule, from, this.ports.settings().zone);
  }

  /** Does the oldest occurrence that is due and not replaced by a later one. */
  protected async runDue(): Promise<Result<ExportMade | null>> {
    const due = this.dueAt();
    const { schedule, countedFrom } = this.value;
    const { account = '', identity = null } = this.#origin(schedule.connectionId) ?? {};
    const exportedTo = this.#exportedTo(identity);
    const { zone } = this.ports.settings();
    const now = this.ports.clock.now();
    const at = occurrenceToDo(schedule, due ?? now, now, { zone, exportedTo, account });
    const result = await this.#run(at);
    // As after one made manually on that day.
    const isNothing = !result.ok && result.failure === NOTHING_NEW;
    if (isNothing || (result.ok && result.data !== null))
      await this.storeResult((stored) => (stored.countedFrom === countedFrom ? { countedFrom: at } : {}));
    return isNothing ? done(null) : result;
  }

  /** Writes the file that is due at `at`. A failure is tried again in an hour only if it really is due. */
  async #run(at: number, isDue = true): Promise<Result<ExportMade | null>> {
    if (this.#working !== null) return failed(BUSY);
    const ended = Promise.withResolvers<undefined>();
    const ending = new AbortController();
    const startedAt = this.ports.clock.now();
    const status = { stored: 0, total: null };
    this.#working = { ending, ended: ended.promise, status, announcedAt: startedAt };
    this.announce();
    try {
      const result = await this.#written(at, ending.signal);
      if (result.ok && result.data !== null) this.succeeded();
      if (result.ok || result.failure === NOTHING_NEW) return result;
      const failure = isDue ? result.failure : failureOnce(result.failure);
      await this.storeResult(() => ({ failed: failedAt(startedAt, failure) }));
      return failed(failure);
    } finally {
      this.#working = null;
      void this.findFolder().then(() => this.announce());
      ended.resolve(undefined);
    }
  }
  async #written(at: number, signal: AbortSignal): Promise<Result<ExportMade | null>> {
    const { schedule, folder } = this.value;
    const { settings, mayRead, clock } = this.ports;
    const origin = this.#origin(schedule.connectionId);
    if (folder === null) return failed(NO_FOLDER);
    if (origin === null) return failed(NO_CONNECTION);
    if (!mayRead()) return failed(UNLOADED);
    const { account, identity } = origin;
    const exportedTo = this.#exportedTo(identity);
    const file = fileAt(schedule, at, { zone: settings().zone, exportedTo, account });
    if (file === null) return failed(NOTHING_NEW);
    const out = join(folder, file.name);
    const query = queryOf(schedule, file, settings(), account);
    const onStatus = ({ stored, total }: SyncStatus): void => this.#progress({ stored, total });
    const ended = await origin.run({ query, out }, { signal, onStatus });
    if (signal.aborted && (!ended.ok || ended.data.written === null)) return done(null);
    if (!ended.ok) return ended;
    const { written, failure, incomplete, status } = ended.data;
    if (written === null) return failed(failure ?? incomplete?.failure ?? INCOMPLETE);
    const flaws = status === null ? [] : flawsOf(status);
    this.#announceFlaws(flaws);
    const warnings = [...flaws, ...unnamedWarning(unnamedIn(written.controlTotals, query))];
    const made = { at: clock.now(), path: out, rows: written.rows, bytes: written.bytes, warnings };
    // By a clock that is ahead the period is over too early: the next file has what this one could not have yet.
    const reachedTo = Math.min(file.to ?? Infinity, written.listedTo);
    await this.storeResult((stored) => ({
      last: made,
      failed: null,
      // The next file of another connection does not begin where this one ended.
      ...(schedule.period === 'since-last' && stored.schedule.connectionId === schedule.connectionId
        ? { exportedTo: reachedTo, ...(identity === null ? {} : { exportedOf: identity }) }
        : {}),
    }));
    return done(made);
  }
  /** Gaps last: those of the file before are only in Settings. */
  #announceFlaws(flaws: readonly string[]): void {
    const before = this.value.last?.warnings ?? [];
    if (flaws.some((one) => !before.includes(one)))
      this.ports.notice(`Scheduled export: ${flaws.join(' ')}`, 'The file was written. See Settings › Data.');
  }
  #progress(status: Working): void {
    if (this.#working === null) return;
    this.#working.status = status;
    const now = this.ports.clock.now();
    if (Math.abs(now - this.#working.announcedAt) < PROGRESS_MS) return;
    this.#working.announcedAt = now;
    this.announce();
  }
}

const unnamedWarning = (coins: readonly string[]): readonly string[] =>
  coins.length === 0
    ? []
    : [
        `${unnamedText(coins, ' in the last file')} Enter ${coins.length === 1 ? 'it' : 'each'} in Trades › Export, layout rotki, then export again.`,
      ];
