import type { Calls } from '../../bridge.ts';
import type { Clock } from '../../state/runtime/clock.svelte.ts';
import type {
  ArchiveBackup,
  ArchiveRestored,
  ArchiveCheck,
  ArchiveWork,
  Coverage,
  QuarantinedRecord,
} from '../../../src-shared/ipc/archive.ts';
import type { Failure, Result } from '../../../src-shared/ipc/failures.ts';
import { plainNumber } from '../../text/number-text.ts';

type Work = ArchiveWork['work'];
/** Polling interval of a running job, ms. */
const WATCH_MS = 200;

/** State of one connection's archive and of its maintenance jobs. */
export class ArchiveData {
  coverage = $state.raw<Coverage | null>(null);
  quarantine = $state.raw<readonly QuarantinedRecord[] | null>(null);
  /** Why the latest read failed; earlier data stays. */
  failure = $state.raw<Failure | null>(null);
  /** The running job, even if it was started before this screen was opened; null if there is none. */
  working = $state.raw<ArchiveWork | null>(null);
  cancelling = $state(false);
  checked = $state.raw<ArchiveCheck | null>(null);
  backup = $state.raw<ArchiveBackup | null>(null);
  restored = $state.raw<ArchiveRestored | null>(null);
  /** Why a check, a backup or a restore failed. */
  workFailure = $state.raw<Failure | null>(null);
  readonly #calls: Calls;
  readonly #connectionId: string;
  readonly #clock: Clock;
  #stopWatching: (() => void) | null = null;
  /** A job started here is awaiting its reply. */
  #requested = false;

  constructor(calls: Calls, connectionId: string, clock: Clock) {
    this.#calls = calls;
    this.#connectionId = connectionId;
    this.#clock = clock;
  }

  async read(): Promise<void> {
    const input = { connectionId: this.#connectionId };
    const [coverage, quarantine] = await Promise.all([
      this.#calls.call('archive.coverage', input),
      this.#calls.call('archive.quarantine', input),
    ]);
    if (coverage.ok) this.coverage = coverage.data;
    if (quarantine.ok) this.quarantine = quarantine.data;
    if (this.working === null) await this.#poll();
    this.failure = !coverage.ok ? coverage.failure : !quarantine.ok ? quarantine.failure : null;
  }

  async check(): Promise<void> {
    this.checked = null;
    const result = await this.#work('check', () =>
      this.#calls.call('archive.check', { connectionId: this.#connectionId }),
    );
    if (result?.ok === true) this.checked = result.data;
  }

  async makeBackup(): Promise<void> {
    this.backup = null;
    const result = await this.#work('backup', () =>
      this.#calls.call('archive.backup', { connectionId: this.#connectionId }),
    );
    if (result?.ok === true) this.backup = result.data;
  }

  async restore(): Promise<void> {
    this.restored = null;
    const result = await this.#work('restore', () =>
      this.#calls.call('archive.restore', { connectionId: this.#connectionId }),
    );
    if (result?.ok === true) this.restored = result.data;
    await this.read();
  }

  async show(): Promise<void> {
    const result = await this.#calls.call('archive.showFile', { connectionId: this.#connectionId });
    if (!result.ok) this.workFailure = result.failure;
  }

  async cancel(): Promise<void> {
    this.cancelling = true;
    await this.#calls.call('archive.cancelWork', { connectionId: this.#connectionId });
    this.cancelling = false;
  }

  /** Stops polling when the screen is left; the job continues. */
  leave(): void {
    this.#stopWatching?.();
    this.#stopWatching = null;
  }

  async #work<T>(work: Work, ask: () => Promise<Result<T>>): Promise<Result<T> | null> {
    if (this.working !== null) return null;
    this.working = { work, percent: 0 };
    this.workFailure = null;
    this.#requested = true;
    this.#watch();
    const result = await ask();
    this.#requested = false;
    this.leave();
    this.working = null;
    if (!result.ok) this.workFailure = result.failure;
    return result;
  }

  #watch(): void {
    this.#stopWatching ??= this.#clock.time.every(WATCH_MS, () => void this.#poll());
  }
  async #poll(): Promise<void> {
    const result = await this.#calls.call('archive.working', { connectionId: this.#connectionId });
    if (!result.ok) return;
    // No job is running yet while the dialog for the backup's file is open.
    if (result.data !== null) {
      this.working = result.data;
      this.#watch();
    } else if (!this.#requested && this.working !== null) {
      this.working = null;
      this.leave();
    }
  }
}

/** A field that differs between the two versions of a record. */
export interface Difference {
  readonly field: string;
  readonly stored: string;
  readonly later: string;
}
/** The fields that differ, as text; all fields of the later version if nothing is stored. */
export function differences({ stored, later }: QuarantinedRecord): readonly Difference[] {
  const [kept, other] = [fieldsOf(stored), fieldsOf(later)];
  const names = new Set([...Object.keys(kept), ...Object.keys(other)]);
  return [...names].flatMap((field) => {
    const [a, b] = [textOf(kept[field]), textOf(other[field])];
    return a === b ? [] : [{ field, stored: a, later: b }];
  });
}
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '—' : JSON.stringify(value);
function fieldsOf(text: string | null): Record<string, unknown> {
  const parsed: unknown = text === null ? null : JSON.parse(text);
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;
/** 1,536,000 → `1.5 MB`: in powers of 1,000, like file managers. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 ? String(value) : plainNumber(value.toFixed(1))} ${UNITS[unit] ?? ''}`;
}
