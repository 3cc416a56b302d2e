/** A batch's rows: as drafted, and as checked like the ticket's order. */
import { type OrderCheck, withNextStep } from '../../../src-shared/domain/order/check.ts';
import { crossingOf, type Rests, restsOf } from '../../../src-shared/domain/order/crossing.ts';
import { withAhead } from '../../../src-shared/domain/order/day-rules.ts';
import { checkOrder } from '../../../src-shared/domain/order/rules.ts';
import {
  contractOf,
  type DraftField,
  type OrderContext,
} from '../../../src-shared/domain/instrument/trading-context.ts';
import { rowNotional } from '../../../src-shared/domain/batch/account-after.ts';
import {
  type CellFault,
  readRow,
  type RowCells,
  type RowField,
  ROW_FIELDS,
} from '../../../src-shared/domain/batch/row.ts';
import type { Reference } from '../../../src-shared/domain/instrument/reference-prices.ts';
import type { OrderSide } from '../../../src-shared/exchange-api/enums.ts';
import type { OrderRequest } from '../../../src-shared/exchange-api/order-request.ts';

export interface DraftRow {
  readonly key: string;
  /** Place in its source: the line of the file, or the step of the ladder. */
  readonly line: number;
  readonly cells: RowCells;
  /** The row as a whole can't be read. */
  readonly fault: string | null;
}

export type SourceName = 'ladder' | 'file' | 'returned';

export interface DraftGroup {
  readonly source: SourceName;
  readonly title: string;
  readonly rows: readonly DraftRow[];
  /** Columns of the file that are not order fields. No row of the file is ready until they are left out. */
  readonly unknownColumns: readonly string[];
  readonly columns: readonly RowField[];
}

/** A message of a row: a fault blocks it, a warning is only shown. */
export interface RowNote {
  readonly field: RowField | null;
  readonly message: string;
  readonly code: string | null;
}

export interface CheckedRow {
  readonly request: OrderRequest | null;
  readonly faults: readonly RowNote[];
  readonly warnings: readonly RowNote[];
  readonly checks: readonly OrderCheck[];
  readonly reference: Reference | null;
  /** Value at the order's price or the reference price; null if unknown. */
  readonly notional: string | null;
  /** Whether it would fill at once as taker, or be rejected for being post-only. */
  readonly crosses: boolean;
  readonly rests: Rests;
  readonly coin: string;
  readonly unit: string;
}

/** What is sent before a row, as far as its checks count it. */
export interface RowsAhead {
  readonly opening: number;
  /** What reduce-only rows of its symbol close, by side. */
  readonly reduced: Readonly<Record<OrderSide, string>>;
}
export const NOTHING_REDUCED: RowsAhead['reduced'] = { BUY: '0', SELL: '0' };
export const isSameAhead = (one: RowsAhead, other: RowsAhead): boolean =>
  one.opening === other.opening &&
  one.reduced.BUY === other.reduced.BUY &&
  one.reduced.SELL === other.reduced.SELL;

/** Checks one row; `contextOf` is that of its symbol. */
export function checkRow(
  row: DraftRow,
  columnsFault: string | null,
  contextOf: (symbolId: string) => OrderContext,
  ahead: RowsAhead,
): CheckedRow {
  const { request, faults } = readRow(row.cells);
  const whole = [row.fault, columnsFault].flatMap((message) =>
    message === null ? [] : [{ field: null, message, code: null }],
  );
  const cells = faults.map((one: CellFault): RowNote => ({ ...one, code: null }));
  const symbolId = row.cells.symbolId.trim();
  const context = withAhead(contextOf(symbolId), ahead.opening);
  const contract = contractOf(symbolId, context);
  const reference = context.references[0] ?? null;
  const base = { reference, coin: contract?.coins.margin ?? '', unit: contract?.coins.quantity ?? '' };
  if (request === null) {
    return {
      ...base,
      request,
      faults: [...whole, ...cells],
      warnings: [],
      checks: [],
      notional: null,
      crosses: false,
      rests: 'no',
    };
  }
  const reducedAhead = ahead.reduced[request.side];
  const checks = checkOrder({ kind: 'order', request }, { ...context, reducedAhead });
  const crossing = crossingOf(request, context);
  const note = (check: OrderCheck): RowNote => ({
    field: rowField(check.field),
    message: withNextStep(check),
    code: check.code,
  });
  return {
    ...base,
    request,
    faults: [...whole, ...checks.filter((one) => one.state === 'fail').map(note)],
    warnings: checks.filter((one) => one.state === 'warn').map(note),
    checks,
    crosses: crossing?.state === 'crosses',
    rests: restsOf(request, crossing),
    notional: rowNotional({ key: row.key, request, reference: reference?.price ?? null }, contract),
  };
}

/** Returns the cell that shows a field's check. */
function rowField(field: DraftField): RowField | null {
  if (field === 'size' || field === 'leverage') return 'quantity';
  if (field === 'tpSl') return 'tpPrice';
  if (field === 'reference') return 'price';
  return ROW_FIELDS.find((one) => one === field) ?? null;
}
