import type { TaxTool } from '../../../src-shared/domain/history/tax-tools.ts';
import type { Calls } from '../../bridge.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import {
  COMMA_TWICE,
  type ExportPreview,
  type ExportProgress,
  type ExportQuery,
  type ExportTable,
  type Preset,
} from '../../../src-shared/ipc/exports.ts';
import { NO_FILTER, TRADE_COLUMNS, type TradeColumn } from '../../../src-shared/ipc/trades.ts';
import type { Clock } from '../runtime/clock.svelte.ts';
import { movedBy } from '../runtime/moved-by.ts';
import type { Notices } from '../session/notices.svelte.ts';
import type { Settings } from '../session/settings.svelte.ts';
import type { TradeLog } from './log.svelte.ts';

/** Delay after typing before the first lines are requested again, ms. */
const PREVIEW_AFTER_MS = 120;
/** Until then, ms, the rate of the first rows means little. */
const MIN_ELAPSED_MS = 300;

/** The state of the CSV export: what the file contains, its first lines, and the progress. Outlives the screen. */
export class TradeExport {
  open = $state(false);
  table = $state<ExportTable>('trades');
  preset = $state<Preset>('full');
  rows = $state<'filter' | 'everything'>('filter');
  /** Chosen columns of the layout Custom, in the file's order. */
  columns = $state.raw<readonly TradeColumn[]>(TRADE_COLUMNS);
  timeFormat = $state<ExportQuery['timeFormat']>('iso');
  /** '' means the window's time zone. */
  timeZone = $state('');
  decimalMark = $state<ExportQuery['decimalMark']>('point');
  separator = $state<ExportQuery['separator']>('comma');
  /** Off by default: the file then holds every field digit for digit. */
  spreadsheetSafe = $state(false);
  /** Off by default: the file then has the exchange's fields alone. */
  notes = $state(false);
  /** The file's first lines; null until they were requested. */
  preview = $state.raw<ExportPreview | null>(null);
  previewFailure = $state.raw<Failure | null>(null);
  /** Why the export did not start, or its file could not be shown. */
  failure = $state.raw<Failure | null>(null);
  /** The save dialog is open. */
  choosing = $state(false);
  progress = $state.raw<ExportProgress | null>(null);
  #connectionId = $state.raw<string | null>(null);
  /** The export in progress, and when it began. */
  #begun: { readonly id: string; readonly at: number } | null = null;
  #requestId = 0;
  readonly #calls: Calls;
  readonly #clock: Clock;
  readonly #settings: Settings;
  readonly #log: TradeLog;
  readonly #notices: Notices;

  constructor(calls: Calls, clock: Clock, settings: Settings, log: TradeLog, notices: Notices) {
    this.#calls = calls;
    this.#clock = clock;
    this.#settings = settings;
    this.#log = log;
    this.#notices = notices;
  }

  readonly zone: string = $derived.by(() => this.timeZone || this.#settings.timeZone);
  /** The tax tool whose layout is chosen, which prescribes columns, times and marks; else null. */
  readonly tool: TaxTool | null = $derived.by(() =>
    this.table === 'trades' && this.preset !== 'full' && this.preset !== 'custom' ? this.preset : null,
  );
  readonly canHaveNotes: boolean = $derived(
    this.table === 'orders' || (this.table === 'trades' && this.tool === null),
  );
  readonly custom: boolean = $derived(this.table === 'trades' && this.preset === 'custom');
  /** What is wrong with the combination of decimal mark and separator; null when nothing is. */
  readonly markFault: string | null = $derived(
    this.tool === null && this.decimalMark === 'comma' && this.separator === 'comma' ? COMMA_TWICE : null,
  );

  /** The export request; null while there is nothing to write. */
  readonly query: ExportQuery | null = $derived.by(() => {
    if (this.#connectionId === null || this.markFault !== null) return null;
    if (this.custom && this.columns.length === 0) return null;
    return {
      connectionId: this.#connectionId,
      table: this.table,
      preset: this.preset,
      filter: this.rows === 'filter' ? this.#log.applied : NO_FILTER,
      columns: [...(this.custom ? this.columns : TRADE_COLUMNS)],
      timeFormat: this.timeFormat,
      timeZone: this.zone,
      decimalMark: this.tool === null ? this.decimalMark : 'point',
      separator: this.tool === null ? this.separator : 'comma',
      spreadsheetSafe: this.spreadsheetSafe,
      notes: this.canHaveNotes && this.notes,
      tax: this.#settings.value.tax,
    };
  });
  /** How many trades the file covers; null until they were counted, and for the other tables. */
  readonly expected: number | null = $derived.by(() => {
    if (this.table !== 'trades') return null;
    return this.rows === 'filter' ? this.#log.count : this.#log.stored;
  });
  readonly running: boolean = $derived(this.progress?.state === 'running');
  /** Why Export is off; null when it is on. */
  readonly missing: string | null = $derived.by(() => {
    if (this.custom && this.columns.length === 0) return 'Choose at least one column';
    if (this.markFault !== null) return 'Choose another separator';
    if (this.running) return 'Another export is running';
    const { fields, applied } = this.#log;
    if (this.rows === 'filter' && (this.table === 'trades' || this.table === 'orders')) {
      if (fields.query === null) return 'Correct the filter';
      // The list follows what is chosen a moment later.
      if (JSON.stringify(fields.query) !== JSON.stringify(applied)) return 'Applying the filter';
    }
    if (this.table !== 'trades') return null;
    if (this.expected === null) return 'Counting the trades';
    return this.expected === 0 ? 'No trades to write' : null;
  });

  follow(connectionId: string): void {
    this.#connectionId = connectionId;
    this.#requestId++;
    this.open = false;
    this.preview = null;
    this.previewFailure = null;
    this.failure = null;
    this.choosing = false;
    this.progress = null;
    this.rows = 'filter';
  }

  has(column: TradeColumn): boolean {
    return this.columns.includes(column);
  }
  /** Adds a column at the end, so that columns stand in the order they were chosen in. */
  choose(column: TradeColumn, chosen: boolean): void {
    const others = this.columns.filter((one) => one !== column);
    this.columns = chosen ? [...others, column] : others;
  }
  /** Moves a column one place towards the beginning (−1) or the end (1). */
  move(column: TradeColumn, by: -1 | 1): void {
    this.columns = movedBy(this.columns, column, by);
  }
  chooseAll(): void {
    this.columns = TRADE_COLUMNS;
  }

  /** Requests the first lines after a delay. Returns the function that cancels it. */
  requestPreview(query: ExportQuery): () => void {
    const requestId = ++this.#requestId;
    return this.#clock.time.after(PREVIEW_AFTER_MS, () => {
      void this.#calls.call('trades.exportPreview', query).then((result) => {
        if (requestId !== this.#requestId) return;
        this.preview = result.ok ? result.data : null;
        this.previewFailure = result.ok ? null : result.failure;
      });
    });
  }

  async start(): Promise<void> {
    const query = this.query;
    if (query === null || this.missing !== null || this.choosing) return;
    this.failure = null;
    this.choosing = true;
    const result = await this.#calls.call('trades.export', query);
    this.choosing = false;
    if (query.connectionId !== this.#connectionId) return;
    if (!result.ok) {
      this.failure = result.failure;
      return;
    }
    if (result.data === null) this.#notices.notSaved();
    // A push about this export may arrive before the reply.
    else if (this.progress?.id !== result.data.id) this.#take(result.data);
  }

  receive(progress: ExportProgress): void {
    if (this.choosing || progress.id === this.progress?.id) this.#take(progress);
  }

  #take(progress: ExportProgress): void {
    if (this.#begun?.id !== progress.id) this.#begun = { id: progress.id, at: this.#clock.time.now() };
    this.progress = progress;
  }

  /** Throughput and remaining time; null while unknown. */
  get throughput(): { readonly perSecond: number; readonly leftMs: number } | null {
    const { progress } = this;
    if (progress?.state !== 'running' || this.#begun === null) return null;
    const passed = this.#clock.time.now() - this.#begun.at;
    if (passed < MIN_ELAPSED_MS || progress.rows === 0) return null;
    const perMs = progress.rows / passed;
    return { perSecond: perMs * 1_000, leftMs: Math.max(0, progress.total - progress.rows) / perMs };
  }

  cancel(): void {
    if (this.progress !== null) void this.#calls.call('trades.cancelJob', { id: this.progress.id });
  }

  async showFile(): Promise<void> {
    if (this.progress === null) return;
    const result = await this.#calls.call('files.show', { id: this.progress.id });
    if (!result.ok) this.failure = result.failure;
  }
}
