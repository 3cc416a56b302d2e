import type { Format } from '../../text/shown-as.svelte.ts';
import { amountText, NO_VALUE, type ShownText, unreadText, withUnit } from '../../text/shown-text.ts';
import type { CellForm, Column } from './columns.ts';
import type { ColumnWidths } from './column-widths.ts';
import { inTurn } from './frame-turns.ts';
import { seenText, textWriter } from './text-writer.ts';
import { flash } from './flash.ts';

interface Cell<R> {
  readonly element: HTMLElement;
  column: Column<R> | null;
  /** Undefined before the first row is shown. */
  value: string | number | null | undefined;
  /** The received text, if it could not be read. */
  received: string | undefined;
  form: CellForm | null;
  format: Format | null;
  write: ((shown: ShownText) => boolean) | null;
  /** The text to write when it is the row's turn. */
  next: ShownText | null;
}

/** The cells of one table row, by column. */
export class RowCells<R> {
  readonly #cells = new Map<string, Cell<R>>();
  readonly #widths: ColumnWidths;

  constructor(widths: ColumnWidths) {
    this.#widths = widths;
  }

  /** Svelte action for a cell's element. */
  readonly cell = (element: HTMLElement, key: string): { destroy: () => void } => {
    this.#cells.set(key, {
      element,
      column: null,
      value: undefined,
      received: undefined,
      form: null,
      format: null,
      write: null,
      next: null,
    });
    return { destroy: () => this.#cells.delete(key) };
  };

  /**
   * Shows a row's value in a column, unless components draw it: at once in a new cell, otherwise with `inTurn`. Tints
   * the cell if its value changed. `format` is the current number format.
   */
  show(column: Column<R>, row: R, form: CellForm, format: Format): void {
    const cell = this.#cells.get(column.key);
    if (cell === undefined) return;
    const value = column.value(row);
    const changed = value !== cell.value;
    if (changed && cell.value !== undefined) flash(cell.element);
    const received = column.received?.(row);
    const isUnchanged =
      !changed && received === cell.received && sameForm(form, cell.form) && cell.format === format;
    cell.column = column;
    cell.value = value;
    cell.received = received;
    cell.form = form;
    cell.format = format;
    const isDrawn = hasComponents(column, row);
    // A column's own text may depend on more than the value.
    if (isDrawn ? cell.write === null : isUnchanged && column.text === undefined) return;
    const isNew = cell.write === null;
    cell.write ??= textWriter(cell.element);
    // Beside components nothing stays of a value that could not be read before.
    cell.next = isDrawn ? { pieces: [], className: '' } : textOf(column, row, value, form);
    if (isNew || isDrawn) this.#writeOne(cell);
    else inTurn(this.#write);
  }

  readonly #write = (): number => {
    let written = 0;
    for (const cell of this.#cells.values()) if (this.#writeOne(cell)) written += 1;
    return written;
  };

  /** Returns whether the text changed. */
  #writeOne(cell: Cell<R>): boolean {
    const { column, next } = cell;
    cell.next = null;
    if (next === null || cell.write?.(next) !== true) return false;
    if (column?.decimal || column?.align === 'right') {
      const { text, unit } = seenText(next);
      this.#widths.note(column.key, text, column.strong === true);
      if (unit !== '') this.#widths.noteUnit(column.key, unit);
    }
    return true;
  }
}

const sameForm = (one: CellForm, other: CellForm | null): boolean =>
  one.decimals === other?.decimals &&
  one.hidden === other.hidden &&
  one.unit === other.unit &&
  one.cut === other.cut;

/** Whether components draw the cell; they cannot show a figure that could not be read. */
export const hasComponents = <R>(column: Column<R>, row: R): boolean =>
  column.cell !== undefined && !isUnread(column, row);

function isUnread<R>({ value, received }: Column<R>, row: R): boolean {
  if (received?.(row) === undefined) return false;
  const own = value(row);
  return own === null || own === '';
}

function textOf<R>(column: Column<R>, row: R, value: string | number | null, form: CellForm): ShownText {
  const received = column.received?.(row);
  if (received !== undefined && (value === null || value === '')) return unreadText(received, form.hidden);
  if (column.text !== undefined) return column.text(row, form);
  if (value === null || value === '') return NO_VALUE;
  const { signed, strong } = column;
  if (column.decimal) {
    const { decimals, cut } = form;
    const text = amountText(String(value), { decimals, cut, signed, strong }, form.hidden);
    const titled = received === undefined || form.hidden ? text : { ...text, title: received };
    return withUnit(titled, form.unit);
  }
  return { pieces: [String(value)], className: '' };
}
