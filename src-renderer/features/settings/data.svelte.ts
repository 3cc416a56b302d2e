import type { Calls } from '../../bridge.ts';
import type {
  ArchiveBackup,
  ArchiveCheck,
  Coverage,
  QuarantinedRecord,
} from '../../../src-shared/contract/archive.ts';
import type { Failure, Result } from '../../../src-shared/contract/failures.ts';

type Work = 'check' | 'backup';

/** What is known of one connection's archive, and the work asked of it. */
export class ArchiveData {
  coverage = $state.raw<Coverage | null>(null);
  quarantine = $state.raw<readonly QuarantinedRecord[] | null>(null);
  /** Why the newest reading failed; what was read before stays. */
  failure = $state.raw<Failure | null>(null);
  working = $state<Work | null>(null);
  checked = $state.raw<ArchiveCheck | null>(null);
  backup = $state.raw<ArchiveBackup | null>(null);
  /** Why a check or a backup failed. */
  workFailure = $state.raw<Failure | null>(null);
  readonly #calls: Calls;
  readonly #connectionId: string;

  constructor(calls: Calls, connectionId: string) {
    this.#calls = calls;
    this.#connectionId = connectionId;
  }

  async read(): Promise<void> {
    const input = { connectionId: this.#connectionId };
    const [coverage, quarantine] = await Promise.all([
      this.#calls.call('archive.coverage', input),
      this.#calls.call('archive.quarantine', input),
    ]);
    if (coverage.ok) this.coverage = coverage.data;
    if (quarantine.ok) this.quarantine = quarantine.data;
    this.failure = !coverage.ok ? coverage.failure : !quarantine.ok ? quarantine.failure : null;
  }

  async check(): Promise<void> {
    this.checked = null;
    const answer = await this.#work('check', () =>
      this.#calls.call('archive.check', { connectionId: this.#connectionId }),
    );
    if (answer?.ok === true) this.checked = answer.data;
  }

  async makeBackup(): Promise<void> {
    this.backup = null;
    const answer = await this.#work('backup', () =>
      this.#calls.call('archive.backup', { connectionId: this.#connectionId }),
    );
    if (answer?.ok === true) this.backup = answer.data;
  }

  async show(): Promise<void> {
    const answer = await this.#calls.call('archive.showFile', { connectionId: this.#connectionId });
    if (!answer.ok) this.workFailure = answer.failure;
  }

  async #work<T>(work: Work, ask: () => Promise<Result<T>>): Promise<Result<T> | null> {
    if (this.working !== null) return null;
    this.working = work;
    this.workFailure = null;
    const answer = await ask();
    this.working = null;
    if (!answer.ok) this.workFailure = answer.failure;
    return answer;
  }
}

/** One fault a record's two tellings differ in. */
export interface Difference {
  readonly field: string;
  readonly stored: string;
  readonly told: string;
}
/** The fields that differ, as texts; every field of the other telling when nothing stands. */
export function differences({ stored, told }: QuarantinedRecord): readonly Difference[] {
  const [kept, other] = [fieldsOf(stored), fieldsOf(told)];
  const names = new Set([...Object.keys(kept), ...Object.keys(other)]);
  return [...names].flatMap((field) => {
    const [a, b] = [textOf(kept[field]), textOf(other[field])];
    return a === b ? [] : [{ field, stored: a, told: b }];
  });
}
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '—' : JSON.stringify(value);
function fieldsOf(text: string | null): Record<string, unknown> {
  const parsed: unknown = text === null ? null : JSON.parse(text);
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;
/** 1,536,000 → `1.5 MB`: powers of 1,000, as file managers count. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 ? String(value) : value.toFixed(1)} ${UNITS[unit] ?? ''}`;
}
