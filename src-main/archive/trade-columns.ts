/** Columns of the whole archive in memory, read when a sort or a sum first needs them; rows are only ever added. */
import type { DatabaseSync } from 'node:sqlite';
import { asText } from './columns.ts';
import { createDecimalColumn, type DecimalColumn } from './decimal-column.ts';
import { idText } from './trade-record.ts';

const DECIMALS = {
  price: 'price',
  executedQty: 'executed_qty',
  executedQuoteQty: 'executed_quote_qty',
  fee: 'fee',
  orderId: idText('order_id'),
  tradeId: idText('trade_id'),
} as const;
const NUMBERS = {
  offset: '"offset"',
  symbol: 'symbol',
  side: 'side',
  liquidity: 'liquidity',
  feeAsset: 'fee_asset',
} as const;
export type DecimalName = keyof typeof DECIMALS;
export type NumberName = keyof typeof NUMBERS;

/** Rows read at once: a few milliseconds. */
const CHUNK = 10_000;

export interface TradeColumns {
  /** The column with every row up to `stored`; row `seq` stands at `seq`. Yields between chunks. */
  decimals(name: DecimalName, stored: number): Generator<undefined, DecimalColumn>;
  /** Words by their numbers in the dictionary. */
  numbers(name: NumberName, stored: number): Generator<undefined, Float64Array>;
}

interface Kept<T> {
  readonly column: T;
  readonly capacity: number;
  filled: number;
}

export function createTradeColumns(db: DatabaseSync): TradeColumns {
  const decimals = new Map<DecimalName, Kept<DecimalColumn>>();
  const numbers = new Map<NumberName, Kept<Float64Array>>();

  /** One text a chunk: ten thousand rows as objects cost five times as much (measured). */
  function* fill(
    sql: string,
    kept: Kept<unknown>,
    stored: number,
    take: (seq: number, value: unknown) => void,
  ) {
    const read = db.prepare(`SELECT json_group_array(${sql}) AS list FROM trade WHERE seq > ? AND seq <= ?`);
    while (kept.filled < stored) {
      const from = kept.filled;
      const to = Math.min(stored, from + CHUNK);
      const list = JSON.parse(asText(read.get(from, to)?.['list'])) as unknown[];
      for (let at = 0; at < list.length; at++) take(from + 1 + at, list[at]);
      kept.filled = to;
      yield;
    }
  }
  const roomFor = (stored: number): number => Math.ceil(stored * 1.25) + CHUNK;

  return {
    *decimals(name, stored) {
      let kept = decimals.get(name);
      if (kept === undefined || kept.capacity <= stored) {
        const capacity = roomFor(stored);
        kept = { column: createDecimalColumn(capacity), capacity, filled: 0 };
        decimals.set(name, kept);
      }
      const { column } = kept;
      yield* fill(DECIMALS[name], kept, stored, (seq, value) => column.set(seq, String(value)));
      return column;
    },
    *numbers(name, stored) {
      let kept = numbers.get(name);
      if (kept === undefined || kept.capacity <= stored) {
        const capacity = roomFor(stored);
        kept = { column: new Float64Array(capacity), capacity, filled: 0 };
        numbers.set(name, kept);
      }
      const { column } = kept;
      yield* fill(NUMBERS[name], kept, stored, (seq, value) => (column[seq] = value as number));
      return column;
    },
  };
}
