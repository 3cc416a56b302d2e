import type {
  BackupFile,
  BackupState,
  RestoreSummary,
  ScheduleChange,
} from '../../../src-shared/ipc/backup.ts';
import type { Result } from '../../../src-shared/ipc/failures.ts';
import { MainState } from './main-state.svelte.ts';

/** State of the backups of everything and their schedule. The main process writes and restores them. */
export class Backups extends MainState<BackupState> {
  /** The last manual backup since the window opened. */
  written = $state.raw<BackupFile | null>(null);
  /** What the chosen backup holds, until it is restored or discarded. */
  chosen = $state.raw<RestoreSummary | null>(null);
  /** Whether the app is about to restart. */
  restarting = $state(false);

  async load(): Promise<void> {
    this.take(await this.calls.call('backup.get', undefined));
  }
  async chooseFolder(): Promise<void> {
    this.take(await this.calls.call('backup.chooseFolder', undefined));
  }
  async change(part: ScheduleChange): Promise<void> {
    this.take(await this.calls.call('backup.setSchedule', part));
  }
  /** Returns false only if the user cancelled. */
  write(): Promise<boolean> {
    return this.#written(this.calls.call('backup.write', undefined));
  }
  writeScheduled(): Promise<boolean> {
    return this.#written(this.calls.call('backup.writeScheduled', undefined));
  }
  async cancel(): Promise<void> {
    await this.calls.call('backup.cancel', undefined);
  }
  async show(): Promise<void> {
    await this.calls.call('backup.show', undefined);
  }

  async examine(): Promise<void> {
    this.chosen = null;
    const result = await this.calls.call('backup.examine', undefined);
    this.failure = result.ok ? null : result.failure;
    if (result.ok) this.chosen = result.data;
  }
  async discard(): Promise<void> {
    this.chosen = null;
    this.failure = null;
    await this.calls.call('backup.discard', undefined);
  }
  async restore(): Promise<void> {
    this.restarting = true;
    const result = await this.calls.call('backup.restore', undefined);
    this.failure = result.ok ? null : result.failure;
    this.restarting = result.ok;
  }

  async #written(request: Promise<Result<BackupFile | null>>): Promise<boolean> {
    this.written = null;
    this.failure = null;
    const result = await request;
    // Other failures are in the state, until a backup succeeds.
    if (!result.ok && result.failure.kind === 'blocked') this.failure = result.failure;
    if (result.ok) this.written = result.data;
    return !result.ok || result.data !== null;
  }
}
