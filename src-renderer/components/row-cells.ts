import { amountText, NO_VALUE, type ShownText } from '../text/shown-text.ts';
import type { CellForm, Column } from './columns.ts';
import { textWriter } from './text-writer.ts';
import { tint } from './tint.ts';

interface Cell {
  readonly element: HTMLElement;
  /** Undefined until its first row. */
  value: string | number | null | undefined;
  write: ((shown: ShownText) => void) | null;
}

/** The cells of one row of a table, by column. */
export class RowCells<R> {
  readonly #cells = new Map<string, Cell>();

  /** An action of the cell's element. */
  readonly cell = (element: HTMLElement, key: string): { destroy: () => void } => {
    this.#cells.set(key, { element, value: undefined, write: null });
    return { destroy: () => this.#cells.delete(key) };
  };

  /** Writes the cell's text, unless it has components of its own, and tints it when its value is another than before. */
  show(column: Column<R>, row: R, form: CellForm): void {
    const cell = this.#cells.get(column.key);
    if (cell === undefined) return;
    const value = column.value(row);
    if (cell.value !== undefined && value !== cell.value) tint(cell.element);
    cell.value = value;
    if (column.cell !== undefined) return;
    cell.write ??= textWriter(cell.element);
    cell.write(textOf(column, row, value, form));
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
