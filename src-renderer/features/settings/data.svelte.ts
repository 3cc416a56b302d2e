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
  readonly #of: { readonly connectionId: string };
  readonly #clock: Clock;
  #stopWatching: (() => void) | null = null;
  /** A job started here is awaiting its reply. */
  #requested = false;

  constructor(calls: Calls, connectionId: string, clock: Clock) {
    this.#calls = calls;
    this.#of = { connectionId };
    this.#clock = clock;
  }

  async read(): Promise<void> {
    const [coverage, quarantine] = await Promise.all([
      this.#calls.call('archive.coverage', this.#of),
      this.#calls.call('archive.quarantine', this.#of),
    ]);
    if (coverage.ok) this.coverage = coverage.data;
    if (quarantine.ok) this.quarantine = quarantine.data;
    if (this.working === null) await this.#poll();
    this.failure = !coverage.ok ? coverage.failure : !quarantine.ok ? quarantine.failure : null;
  }

  async check(): Promise<void> {
    this.checked = null;
    this.checked = await this.#work('check', () => this.#calls.call('archive.check', this.#of));
  }

  async makeBackup(): Promise<void> {
    this.backup = null;
    this.backup = await this.#work('backup', () => this.#calls.call('archive.backup', this.#of));
  }

  async restore(): Promise<void> {
    this.restored = null;
    this.restored = await this.#work('restore', () => this.#calls.call('archive.restore', this.#of));
    await this.read();
  }

  async show(): Promise<void> {
    const result = await this.#calls.call('archive.showFile', this.#of);
    if (!result.ok) this.workFailure = result.failure;
  }

  async cancel(): Promise<void> {
    this.cancelling = true;
    await this.#calls.call('archive.cancelWork', this.#of);
    this.cancelling = false;
  }

  /** Stops polling when the screen is left; the job continues. */
  leave(): void {
    this.#stopWatching?.();
    this.#stopWatching = null;
  }

  async #work<T>(work: Work, ask: () => Promise<Result<T>>): Promise<T | null> {
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
    return result.ok ? result.data : null;
  }

  #watch(): void {
    this.#stopWatching ??= this.#clock.time.every(WATCH_MS, () => void this.#poll());
  }
  async #poll(): Promise<void> {
    const result = await this.#calls.call('archive.working', this.#of);
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
/** The fields that differ, as text; those with a value in the later version if nothing is stored. */
export function differences({ stored, later }: QuarantinedRecord): readonly Difference[] {
  const [kept, other] = [fieldsOf(stored), fieldsOf(later)];
  const names = new Set([...Object.keys(kept), ...Object.keys(other)]);
  return [...names].flatMap((field) => {
    const [a, b] = [textOf(kept[field]), textOf(other[field])];
    const isBlank = stored === null && (other[field] === null || other[field] === '');
    return a === b || isBlank ? [] : [{ field, stored: a, later: b }];
  });
}
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '—' : JSON.stringify(value);
function fieldsOf(text: string | null): Record<string, unknown> {
  const parsed: unknown = text === null ? null : JSON.parse(text);
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
}
