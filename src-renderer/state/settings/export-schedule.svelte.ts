import type {
  ExportMade,
  ExportScheduleChange,
  ExportScheduleState,
} from '../../../src-shared/ipc/export-schedule.ts';
import { MainState } from './main-state.svelte.ts';

/** Exports on a schedule; main makes them, the window shows. */
export class ExportSchedules extends MainState<ExportScheduleState> {
  /** The file last exported manually here. */
  made = $state.raw<ExportMade | null>(null);

  async load(): Promise<void> {
    this.take(await this.calls.call('exportSchedule.get', undefined));
  }
  async chooseFolder(): Promise<void> {
    this.take(await this.calls.call('exportSchedule.chooseFolder', undefined));
  }
  async change(part: ExportScheduleChange): Promise<void> {
    this.take(await this.calls.call('exportSchedule.set', part));
  }
  async run(): Promise<void> {
    this.made = null;
    this.failure = null;
    const result = await this.calls.call('exportSchedule.run', undefined);
    // A failed export is part of the state, which says it until one succeeds.
    if (!result.ok && result.failure.kind === 'blocked') this.failure = result.failure;
    if (result.ok) this.made = result.data;
  }
  async cancel(): Promise<void> {
    await this.calls.call('exportSchedule.cancel', undefined);
  }
  async show(): Promise<void> {
    await this.calls.call('exportSchedule.show', undefined);
  }
}
