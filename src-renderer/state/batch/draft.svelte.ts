import { untrack } from 'svelte';
import { add, amount, print } from '../../../src-shared/amount.ts';
import { MAX_BATCH_ROWS, type RowFault } from '../../../src-shared/ipc/batch.ts';
import {
  type BatchAccount,
  batchAccount,
  type BatchOrder,
} from '../../../src-shared/domain/batch/account-after.ts';
import { withNextStep } from '../../../src-shared/domain/order/check.ts';
import { countsAsOpening } from '../../../src-shared/domain/order/day-rules.ts';
import { readImport } from '../../../src-shared/domain/batch/import.ts';
import type { RowCells, RowField } from '../../../src-shared/domain/batch/row.ts';
import type { OrderContext } from '../../../src-shared/domain/instrument/trading-context.ts';
import type { OrderRequest } from '../../../src-shared/exchange-api/order-request.ts';
import {
  type DraftGroup,
  type DraftRow,
  type CheckedRow,
  checkRow,
  isSameAhead,
  NOTHING_REDUCED,
  type RowNote,
  type RowsAhead,
  type SourceName,
} from './rows.ts';
import { accountContextOf, orderContextOf, type TradingContext } from '../order/trading-context.ts';

/** A draft row and its check results. */
export interface ReviewRow {
  readonly row: DraftRow;
  readonly checked: CheckedRow;
  readonly faults: readonly RowNote[];
  /** Selected to be sent. */
  readonly ticked: boolean;
}
/** A row that can be sent. */
export type SendRow = ReviewRow & { readonly checked: CheckedRow & { readonly request: OrderRequest } };

export interface ReviewGroup {
  readonly group: DraftGroup;
  readonly rows: readonly ReviewRow[];
  readonly errors: number;
}

export type RowFilter = 'all' | 'ready' | 'errors';

/** Above this many rows, checks are renewed at intervals instead of every second. */
const MANY = 30;
const MANY_EVERY_MS = 10_000;

/** The batch draft: rows by source, which are selected, and their combined effect on the account. */
export class BatchDraft {
  #groups = $state.raw<readonly DraftGroup[]>([]);
  #off = $state.raw<ReadonlySet<string>>(new Set());
  /** Faults from main's last review, by row; an edit of the row removes them. */
  #blocked = $state.raw<ReadonlyMap<string, RowNote>>(new Map());
  filter = $state<RowFilter>('all');
  /** Resting orders are counted as filled too. */
  withResting = $state(false);
  /** Why the last import failed. */
  importFault = $state.raw<{ readonly name: string; readonly message: string; readonly next: string } | null>(
    null,
  );
  readonly #context: TradingContext;
  #made = 0;

  constructor(context: TradingContext) {
    this.#context = context;
  }

  readonly count: number = $derived(this.#groups.reduce((all, { rows }) => all + rows.length, 0));

  /** Changes when the checks have to be renewed. */
  readonly #turn: number = $derived.by(() => {
    const every = this.count > MANY ? MANY_EVERY_MS : 1_000;
    return Math.floor(this.#context.clock.now / every);
  });
  /** The account at the last renewal: each row is checked once per renewal, and at once when edited. */
  readonly #snapshot = $derived.by(() => {
    void this.#turn;
    void [
      this.#context.feeds.contracts.value,
      this.#context.feeds.account.value === null,
      this.#context.settings.value.limits,
      this.#context.day.state,
    ];
    const contexts = new Map<string, OrderContext>();
    const checked = new Map<DraftRow, { readonly ahead: RowsAhead; readonly now: CheckedRow }>();
    const counts = (this.#context.day.state?.limits.orders ?? null) !== null;
    const contextOf = (symbolId: string): OrderContext => {
      const known = contexts.get(symbolId) ?? untrack(() => orderContextOf(this.#context, symbolId));
      contexts.set(symbolId, known);
      return known;
    };
    const checkOnce = (row: DraftRow, columnsFault: string | null, sent: RowsAhead): CheckedRow => {
      const before = checked.get(row);
      const ahead = counts ? sent : { ...sent, opening: 0 };
      if (before && isSameAhead(before.ahead, ahead)) return before.now;
      const now = checkRow(row, columnsFault, contextOf, ahead);
      checked.set(row, { ahead, now });
      return now;
    };
    return { checkOnce, account: untrack(() => accountContextOf(this.#context)) };
  });

  readonly groups: readonly ReviewGroup[] = $derived.by(() => {
    let opening = 0;
    const reduced = new Map<string, RowsAhead['reduced']>();
    return this.#groups.map((group) => {
      const unknown = group.unknownColumns;
      const columnsFault =
        unknown.length === 0
          ? null
          : `The file has ${unknown.length === 1 ? 'a column' : 'columns'} that no order has: ${unknown.join(', ')}.`;
      const rows = group.rows.map((row): ReviewRow => {
        const closed = reduced.get(row.cells.symbolId.trim()) ?? NOTHING_REDUCED;
        const checked = this.#snapshot.checkOnce(row, columnsFault, { opening, reduced: closed });
        const blocked = this.#blocked.get(row.key);
        const faults = blocked === undefined ? checked.faults : [...checked.faults, blocked];
        const ticked = faults.length === 0 && !this.#off.has(row.key);
        if (ticked && checked.request !== null) {
          const { symbolId, side, quantity } = checked.request;
          if (countsAsOpening(checked.request)) opening++;
          else
            reduced.set(symbolId, {
              ...closed,
              [side]: print(add(amount(closed[side]), amount(quantity ?? '0'))),
            });
        }
        return { row, checked, faults, ticked };
      });
      return { group, rows, errors: rows.filter((one) => one.faults.length > 0).length };
    });
  });
  readonly errors: number = $derived(this.groups.reduce((all, one) => all + one.errors, 0));
  readonly shown: readonly ReviewGroup[] = $derived.by(() =>
    this.filter === 'all'
      ? this.groups
      : this.groups.map((one) => ({
          ...one,
          rows: one.rows.filter((row) => row.faults.length > 0 === (this.filter === 'errors')),
        })),
  );
  /** What will be sent, in this order. */
  readonly sending: readonly SendRow[] = $derived.by(() =>
    this.groups.flatMap(({ rows }) =>
      rows.filter((one): one is SendRow => one.ticked && one.checked.request !== null),
    ),
  );
  readonly account: BatchAccount | null = $derived.by(() => {
    const orders = this.sending.map(({ row, checked }): BatchOrder => ({
      key: row.key,
      request: checked.request,
      reference: checked.reference?.price ?? null,
    }));
    return batchAccount(orders, this.#snapshot.account, this.withResting);
  });

  /** Replaces the rows of a source. Returns why it could not, or null. */
  #put(group: DraftGroup): string | null {
    const others = this.#groups.filter((one) => one.source !== group.source);
    const all = others.reduce((sum, one) => sum + one.rows.length, group.rows.length);
    if (all > MAX_BATCH_ROWS) return `That would be ${all} rows; a batch has at most ${MAX_BATCH_ROWS}.`;
    const order: readonly SourceName[] = ['ladder', 'file', 'returned'];
    this.#groups = [...others, group].sort((a, b) => order.indexOf(a.source) - order.indexOf(b.source));
    this.#forget(group.rows.map((row) => row.key));
    return null;
  }

  takeLadder(rows: readonly DraftRow[]): string | null {
    return this.#put({ source: 'ladder', title: 'Ladder', rows, unknownColumns: [], columns: [] });
  }

  /** Imports CSV text. The previous import is kept if it cannot be read. */
  import(name: string, text: string): boolean {
    const result = readImport(text, MAX_BATCH_ROWS);
    if (!result.ok) {
      this.importFault = { name, message: result.message, next: result.next };
      return false;
    }
    const { columns, unknown, rows } = result.file;
    const made = ++this.#made;
    const fault = this.#put({
      source: 'file',
      title: name,
      columns,
      unknownColumns: unknown,
      rows: rows.map(({ line, cells, fault }) => ({ key: `file ${made} ${line}`, line, cells, fault })),
    });
    this.importFault = fault === null ? null : { name, message: fault, next: 'Remove rows first.' };
    return fault === null;
  }

  /** Adds the unsent rows of a sent batch. */
  takeBack(cells: readonly RowCells[]): string | null {
    const before = this.#groups.find((one) => one.source === 'returned')?.rows ?? [];
    const made = ++this.#made;
    const rows = [
      ...before,
      ...cells.map((one, index) => ({
        key: `returned ${made} ${index}`,
        line: before.length + index + 1,
        cells: one,
        fault: null,
      })),
    ];
    return this.#put({ source: 'returned', title: 'Unsent rows', rows, unknownColumns: [], columns: [] });
  }

  /** Ignores the unknown columns of the file. */
  leaveOutColumns(): void {
    this.#groups = this.#groups.map((one) => ({
      ...one,
      unknownColumns: [],
      // New objects, so that they are checked again.
      rows: one.unknownColumns.length === 0 ? one.rows : one.rows.map((row) => ({ ...row })),
    }));
  }

  edit(key: string, field: RowField, text: string): void {
    this.#change((row) => (row.key === key ? { ...row, cells: { ...row.cells, [field]: text } } : row));
    this.#forget([key]);
  }

  #change(to: (row: DraftRow) => DraftRow): void {
    this.#groups = this.#groups.map((one) => ({ ...one, rows: one.rows.map(to) }));
  }
  #forget(keys: readonly string[]): void {
    this.#blocked = new Map([...this.#blocked].filter(([key]) => !keys.includes(key)));
  }

  tick(key: string, on: boolean): void {
    this.tickAll([key], on);
  }
  tickAll(keys: readonly string[], on: boolean): void {
    const off = new Set(this.#off);
    for (const key of keys) {
      if (on) off.delete(key);
      else off.add(key);
    }
    this.#off = off;
  }

  removeErrors(): void {
    this.remove(
      this.groups.flatMap(({ rows }) =>
        rows.filter((one) => one.faults.length > 0).map((one) => one.row.key),
      ),
    );
    this.filter = 'all';
  }
  remove(keys: readonly string[]): void {
    const gone = new Set(keys);
    this.#groups = this.#groups
      .map((one) => ({ ...one, rows: one.rows.filter((row) => !gone.has(row.key)) }))
      .filter((one) => one.rows.length > 0);
    this.#off = new Set([...this.#off].filter((key) => !gone.has(key)));
  }
  removeSource(source: SourceName): void {
    this.remove(this.#groups.find((one) => one.source === source)?.rows.map((row) => row.key) ?? []);
  }

  /** Stores the faults from main at their rows. */
  block(sent: readonly SendRow[], faults: readonly RowFault[]): void {
    const notes = faults.flatMap(({ row, failure }) => {
      const one = sent[row];
      const message = withNextStep(failure);
      return one === undefined
        ? []
        : [[one.row.key, { field: null, message, code: failure.code ?? null }] as const];
    });
    this.#blocked = new Map([...this.#blocked, ...notes]);
  }

  reset(): void {
    this.#groups = [];
    this.#off = new Set();
    this.#blocked = new Map();
    this.filter = 'all';
    this.withResting = false;
    this.importFault = null;
  }
}
