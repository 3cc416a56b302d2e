import type { Calls } from '../bridge.ts';
import type { Failure } from '../../src-shared/contract/failures.ts';
import {
  type ExportProgress,
  type ExportQuery,
  NO_FILTER,
  TRADE_COLUMNS,
  type TradeColumn,
} from '../../src-shared/contract/trades.ts';
import type { Clock } from './clock.svelte.ts';
import type { Settings } from './settings.svelte.ts';
import type { TradeLog } from './trade-log.svelte.ts';

/** Typing settles before the first lines are asked for again, ms. */
const PREVIEW_AFTER_MS = 120;

/** What goes into the CSV file, its first lines, and how far the writing is. Outlives the screen. */
export class TradeExport {
  open = $state(false);
  rows = $state<'filter' | 'everything'>('filter');
  #chosen = $state.raw<readonly TradeColumn[]>(TRADE_COLUMNS);
  timeFormat = $state<ExportQuery['timeFormat']>('iso');
  /** '' is the window's own. */
  timeZone = $state('');
  /** Off at first: the file then holds every field digit for digit. */
  spreadsheetSafe = $state(false);
  /** The file's beginning; null until it was asked for. */
  preview = $state.raw<string | null>(null);
  previewFailure = $state.raw<Failure | null>(null);
  /** Why the export did not begin, or its file could not be shown. */
  failure = $state.raw<Failure | null>(null);
  /** The save dialog is open. */
  choosing = $state(false);
  progress = $state.raw<ExportProgress | null>(null);
  #connectionId = $state.raw<string | null>(null);
  #asked = 0;
  readonly #calls: Calls;
  readonly #clock: Clock;
  readonly #settings: Settings;
  readonly #log: TradeLog;

  constructor(calls: Calls, clock: Clock, settings: Settings, log: TradeLog) {
    this.#calls = calls;
    this.#clock = clock;
    this.#settings = settings;
    this.#log = log;
  }

  /** In the file's order. */
  readonly columns: readonly TradeColumn[] = $derived(
    TRADE_COLUMNS.filter((column) => this.#chosen.includes(column)),
  );
  readonly zone: string = $derived.by(() => this.timeZone || this.#settings.timeZone);

  /** Null while there is nothing that could be written. */
  readonly query: ExportQuery | null = $derived.by(() => {
    if (this.#connectionId === null || this.columns.length === 0) return null;
    return {
      connectionId: this.#connectionId,
      filter: this.rows === 'filter' ? this.#log.applied : NO_FILTER,
      columns: [...this.columns],
      timeFormat: this.timeFormat,
      timeZone: this.zone,
      spreadsheetSafe: this.spreadsheetSafe,
    };
  });
  /** Rows the file will hold; null until they were counted. */
  readonly expected: number | null = $derived.by(() =>
    this.rows === 'filter' ? this.#log.count : this.#log.stored,
  );
  readonly running: boolean = $derived(this.progress?.state === 'running');
  /** Why Export is off; null when it is on. */
  readonly missing: string | null = $derived.by(() => {
    if (this.columns.length === 0) return 'Choose at least one column';
    if (this.running) return 'An export is being written';
    if (this.expected === null) return 'The trades are not counted yet';
    return this.expected === 0 ? 'No trades to write' : null;
  });

  follow(connectionId: string): void {
    this.#connectionId = connectionId;
    this.#asked++;
    this.open = false;
    this.preview = null;
    this.previewFailure = null;
    this.failure = null;
    this.choosing = false;
    this.progress = null;
    this.rows = 'filter';
  }

  has(column: TradeColumn): boolean {
    return this.#chosen.includes(column);
  }
  choose(column: TradeColumn, chosen: boolean): void {
    const others = this.#chosen.filter((one) => one !== column);
    this.#chosen = chosen ? [...others, column] : others;
  }
  chooseAll(): void {
    this.#chosen = TRADE_COLUMNS;
  }

  /** Asks for the first lines after a moment; answers what takes the question back. */
  look(query: ExportQuery): () => void {
    const asked = ++this.#asked;
    return this.#clock.time.after(PREVIEW_AFTER_MS, () => {
      void this.#calls.call('trades.exportPreview', query).then((answer) => {
        if (asked !== this.#asked) return;
        this.preview = answer.ok ? answer.data : null;
        this.previewFailure = answer.ok ? null : answer.failure;
      });
    });
  }

  async start(): Promise<void> {
    const query = this.query;
    if (query === null || this.missing !== null || this.choosing) return;
    this.failure = null;
    this.choosing = true;
    const answer = await this.#calls.call('trades.export', query);
    this.choosing = false;
    if (query.connectionId !== this.#connectionId) return;
    if (!answer.ok) {
      this.failure = answer.failure;
      return;
    }
    // Null: the dialog was cancelled. A push about this export may have come before the answer.
    if (answer.data !== null && this.progress?.id !== answer.data.id) this.progress = answer.data;
  }

  receive(progress: ExportProgress): void {
    if (this.choosing || progress.id === this.progress?.id) this.progress = progress;
  }

  cancel(): void {
    if (this.progress !== null) void this.#calls.call('trades.cancelExport', { id: this.progress.id });
  }

  async showFile(): Promise<void> {
    if (this.progress === null) return;
    const answer = await this.#calls.call('files.show', { id: this.progress.id });
    if (!answer.ok) this.failure = answer.failure;
  }
}
