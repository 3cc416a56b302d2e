/** Rows of a file as trades: which column is which, and what is wrong where, by line, column and value. */
import { tradeFields, type Trade } from '../../src-shared/interface/trade.ts';
import type { Field } from '../../src-shared/interface/fields.ts';
import { TRADE_COLUMNS, type TradeColumn } from '../../src-shared/contract/trades.ts';
import { cellText, SEPARATOR_SIGNS, type Separator } from './csv.ts';
import type { CsvRow } from './csv-read.ts';
import { readTime } from './csv-time.ts';
import { ArchiveFault } from './faults.ts';

const UNTOUCHED = 'Nothing was stored. Correct the file, or export it again with the layout Full.';

export const importFault = (message: string, field = 'path'): ArchiveFault =>
  new ArchiveFault({ kind: 'denied', message, next: UNTOUCHED, field });

/** Long texts and control characters are shortened: the value stands in a sentence. */
const shown = (value: string): string =>
  `“${value.slice(0, 40).replace(/\p{C}/gu, '·')}${value.length > 40 ? '…' : ''}”`;

/** The separator a header line was written with. Null when the line is none of ours. */
export function separatorOf(header: string): Separator | null {
  const found = Object.values(SEPARATOR_SIGNS).filter((sign) => header.includes(sign));
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Reads rows under this header. Throws ArchiveFault when a column is missing, unknown or there twice. */
export function rowReader(header: CsvRow, separator: Separator): (row: CsvRow) => Trade {
  const names = header.cells;
  const strange = names.find((name) => !TRADE_COLUMNS.some((column) => column === name));
  const missing = TRADE_COLUMNS.find((column) => !names.includes(column));
  if (strange !== undefined)
    throw importFault(`Line ${header.line}: ${shown(strange)} is no column of the layout Full.`);
  if (missing !== undefined)
    throw importFault(`Line ${header.line}: the column ${missing} is missing; all twelve are needed.`);
  if (new Set(names).size !== names.length)
    throw importFault(`Line ${header.line}: a column is there more than once.`);
  const place = (column: TradeColumn): number => names.indexOf(column);
  const at: Readonly<Record<TradeColumn, number>> = {
    tradeTime: place('tradeTime'),
    symbol: place('symbol'),
    side: place('side'),
    price: place('price'),
    executedQty: place('executedQty'),
    executedQuoteQty: place('executedQuoteQty'),
    fee: place('fee'),
    feeAsset: place('feeAsset'),
    liquidity: place('liquidity'),
    offset: place('offset'),
    orderId: place('orderId'),
    tradeId: place('tradeId'),
  };
  // With a comma between cells it cannot also be the decimal mark.
  const comma = separator !== ',';

  return (row) => {
    if (row.cells.length !== names.length)
      throw importFault(
        `Line ${row.line} has ${row.cells.length} cells where the header has ${names.length}.`,
      );
    const read = <T>(column: TradeColumn, field: Field<T>): T =>
      fieldOf(field, column, row.cells[at[column]] ?? '', row.line, comma);
    return {
      tradeTime: read('tradeTime', tradeFields.tradeTime),
      symbol: read('symbol', tradeFields.symbol),
      side: read('side', tradeFields.side),
      price: read('price', tradeFields.price),
      executedQty: read('executedQty', tradeFields.executedQty),
      executedQuoteQty: read('executedQuoteQty', tradeFields.executedQuoteQty),
      fee: read('fee', tradeFields.fee),
      feeAsset: read('feeAsset', tradeFields.feeAsset),
      liquidity: read('liquidity', tradeFields.liquidity),
      offset: read('offset', tradeFields.offset),
      orderId: read('orderId', tradeFields.orderId),
      tradeId: read('tradeId', tradeFields.tradeId),
    };
  };
}

function fieldOf<T>(field: Field<T>, column: string, cell: string, line: number, comma: boolean): T {
  const value = valueOf(field.kind, cell, comma);
  if (accepted(field, value)) return value;
  throw importFault(`Line ${line}, ${column}: ${shown(cell)} is no ${field.expected}.`, column);
}

const accepted = <T>(field: Field<T>, value: unknown): value is T => field.accepts(value);

function valueOf(kind: Field['kind'], cell: string, comma: boolean): unknown {
  switch (kind) {
    case 'time':
      return readTime(cell);
    case 'decimal':
      return comma ? cell.replace(',', '.') : cell;
    case 'integer':
      return /^(?:0|-?[1-9]\d{0,15})$/.test(cell) ? Number.parseInt(cell, 10) : null;
    default:
      return cellText(cell);
  }
}
