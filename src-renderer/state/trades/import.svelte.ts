import type { Calls } from '../../bridge.ts';
import type { ImportProgress } from '../../../src-shared/ipc/exports.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';

/** The import of a file of trades into the archive. Outlives the screen. */
export class TradeImport {
  progress = $state.raw<ImportProgress | null>(null);
  /** Why the import did not start. */
  failure = $state.raw<Failure | null>(null);
  /** The open dialog is shown. */
  choosing = $state(false);
  #connectionId: string | null = null;
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  readonly running: boolean = $derived(
    this.progress?.state === 'checking' || this.progress?.state === 'storing',
  );

  follow(connectionId: string): void {
    this.#connectionId = connectionId;
    this.progress = null;
    this.failure = null;
    this.choosing = false;
  }

  async start(): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null || this.running || this.choosing) return;
    this.failure = null;
    this.choosing = true;
    const result = await this.#calls.call('trades.import', { connectionId });
    this.choosing = false;
    if (connectionId !== this.#connectionId) return;
    if (!result.ok) this.failure = result.failure;
    // Null: the dialog was cancelled. A push about this import may arrive before the reply.
    else if (result.data !== null && this.progress?.id !== result.data.id) this.progress = result.data;
  }

  receive(progress: ImportProgress): void {
    if (this.choosing || progress.id === this.progress?.id) this.progress = progress;
  }

  cancel(): void {
    if (this.progress !== null) void this.#calls.call('trades.cancelJob', { id: this.progress.id });
  }
}
