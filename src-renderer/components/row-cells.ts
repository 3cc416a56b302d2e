import { amountText, NO_VALUE, type ShownText } from '../text/shown-text.ts';
import type { CellForm, Column } from './columns.ts';
import type { ColumnRoom } from './column-room.ts';
import { inTurn } from './frame-turns.ts';
import { plainText, textWriter } from './text-writer.ts';
import { tint } from './tint.ts';

interface Cell {
  readonly element: HTMLElement;
  /** Undefined until its first row. */
  value: string | number | null | undefined;
  write: ((shown: ShownText) => boolean) | null;
  /** To be written when it is the row's turn. */
  next: ShownText | null;
  /** The column's width follows its figures. */
  figure: boolean;
  strong: boolean;
}

/** The cells of one row of a table, by column. */
export class RowCells<R> {
  readonly #cells = new Map<string, Cell>();
  readonly #room: ColumnRoom;

  constructor(room: ColumnRoom) {
    this.#room = room;
  }

  /** An action of the cell's element. */
  readonly cell = (element: HTMLElement, key: string): { destroy: () => void } => {
    this.#cells.set(key, {
      element,
      value: undefined,
      write: null,
      next: null,
      figure: false,
      strong: false,
    });
    return { destroy: () => this.#cells.delete(key) };
  };

  /**
   * Shows a column of the row, unless it has components of its own: a new cell's text at once, another text in place of
   * one that stands there with `inTurn`. Tints the cell when its value is another than before.
   */
  show(column: Column<R>, row: R, form: CellForm): void {
    const cell = this.#cells.get(column.key);
    if (cell === undefined) return;
    const value = column.value(row);
    if (cell.value !== undefined && value !== cell.value) tint(cell.element);
    cell.value = value;
    if (column.cell !== undefined) return;
    const shown = textOf(column, row, value, form);
    const isNew = cell.write === null;
    cell.write ??= textWriter(cell.element);
    cell.figure = column.decimal === true || column.align === 'right';
    cell.strong = column.strong === true;
    cell.next = shown;
    if (isNew) this.#writeOne(column.key, cell);
    else inTurn(this.#write);
  }

  readonly #write = (): number => {
    let written = 0;
    for (const [key, cell] of this.#cells) if (this.#writeOne(key, cell)) written += 1;
    return written;
  };

  /** Answers whether there was anything else to say. */
  #writeOne(key: string, cell: Cell): boolean {
    const { next } = cell;
    cell.next = null;
    if (next === null || cell.write?.(next) !== true) return false;
    if (cell.figure) this.#room.note(key, plainText(next), cell.strong);
    return true;
  }
}

function textOf<R>(column: Column<R>, row: R, value: string | number | null, form: CellForm): ShownText {
  if (column.text !== undefined) return column.text(row, form);
  if (value === null || value === '') return NO_VALUE;
  const { signed, strong } = column;
  if (column.decimal)
    return amountText(String(value), { decimals: form.decimals, signed, strong }, form.hidden);
  return { pieces: [String(value)], look: '' };
}
