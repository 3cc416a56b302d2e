import type { Calls } from '../../bridge.ts';
import type {
  BackupMade,
  BackupState,
  RestoreSummary,
  ScheduleChange,
} from '../../../src-shared/ipc/backup.ts';
import type { Failure, Result } from '../../../src-shared/ipc/failures.ts';

/** Backups of everything and their schedule; main makes them, the window shows. */
export class Backups {
  /** null until it is loaded. */
  state = $state.raw<BackupState | null>(null);
  /** Why the last request failed. */
  failure = $state.raw<Failure | null>(null);
  /** The backup made here by hand last. */
  made = $state.raw<BackupMade | null>(null);
  /** What the chosen backup holds, until it is restored or discarded. */
  chosen = $state.raw<RestoreSummary | null>(null);
  /** Whether the app is about to restart. */
  restarting = $state(false);
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  async load(): Promise<void> {
    this.#take(await this.#calls.call('backup.get', undefined));
  }
  receive(state: BackupState): void {
    this.state = state;
  }
  async chooseFolder(): Promise<void> {
    this.#take(await this.#calls.call('backup.chooseFolder', undefined));
  }
  async change(part: ScheduleChange): Promise<void> {
    this.#take(await this.#calls.call('backup.setSchedule', part));
  }
  /** Returns whether a file was written; not if the user cancelled. */
  write(): Promise<boolean> {
    return this.#written(this.#calls.call('backup.write', undefined));
  }
  writeScheduled(): Promise<boolean> {
    return this.#written(this.#calls.call('backup.writeScheduled', undefined));
  }
  async cancel(): Promise<void> {
    await this.#calls.call('backup.cancel', undefined);
  }
  async show(): Promise<void> {
    await this.#calls.call('backup.show', undefined);
  }

  async examine(): Promise<void> {
    this.chosen = null;
    const result = await this.#calls.call('backup.examine', undefined);
    this.failure = result.ok ? null : result.failure;
    if (result.ok) this.chosen = result.data;
  }
  async discard(): Promise<void> {
    this.chosen = null;
    this.failure = null;
    await this.#calls.call('backup.discard', undefined);
  }
  async restore(): Promise<void> {
    this.restarting = true;
    const result = await this.#calls.call('backup.restore', undefined);
    this.failure = result.ok ? null : result.failure;
    this.restarting = result.ok;
  }

  async #written(request: Promise<Result<BackupMade | null>>): Promise<boolean> {
    this.made = null;
    this.failure = null;
    const result = await request;
    // A failed write is part of the state, which says it until one succeeds.
    if (!result.ok && result.failure.kind === 'denied') this.failure = result.failure;
    if (result.ok) this.made = result.data;
    return !result.ok || result.data !== null;
  }
  #take(result: Result<BackupState>): void {
    this.failure = result.ok ? null : result.failure;
    if (result.ok) this.receive(result.data);
  }
}
