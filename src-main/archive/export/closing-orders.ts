/**
 * Closed PnL of a trade filter from the order history: `profit` of each final closing order, dated by its last stored
 * fill, since an order cancelled in January may have been filled in December.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { isNothing } from '../../../src-shared/domain/history/tax-rows.ts';
import { IS_PROFIT_UNKNOWN, NO_PROFIT } from '../orders/left-out.ts';
import { grossOfRow, PROFIT_COLUMNS, profitConvention } from '../orders/gross-profit.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { idText, storedId } from '../sqlite/ids.ts';
import { hasBounds } from '../trades/filter-sql.ts';
import type { StringTable } from '../sqlite/string-table.ts';
import { allOf, among, amongContracts, byOrder, given, type Where } from '../sqlite/where.ts';

/**
 * Which time of an order puts its profit in a file's range. An order that is cancelled long after its last fill is not
 * final before: of files that follow each other, only the one of its last change can have it.
 */
export type ProfitTime = 'fill' | 'change';

export interface ClosingOrder {
  /** Last change, ms; orders are sorted by it. */
  readonly changedAt: number;
  /** Its last fill, ms. */
  readonly time: number;
  readonly id: string;
  readonly symbol: string;
  readonly side: string;
  /** Before fees. */
  readonly profit: string;
  readonly coin: string;
  /** If false, `profit` is the profit so far. */
  readonly isFinal: boolean;
}

export interface ClosingOrders {
  /** Returns the next orders by last change, in chunks; null after the last. */
  next(): readonly ClosingOrder[] | null;
  /** Number of matching orders that are not final and have a profit so far. */
  readonly open: number;
  /** Matching final orders whose profit before fees is not known. */
  readonly unread: readonly UnreadOrder[];
}

export interface UnreadOrder {
  readonly id: string;
  readonly symbol: string;
  /** Time of its last fill, ms. */
  readonly time: number;
}

const ORDERS_PER_STEP = 2_000;
/** An order whose fee took all of its profit has none that is not 0. */
const CLOSES = `(o.profit GLOB '*[1-9]*' OR (o.reduce_only = 1 AND o.fee_amount GLOB '*[1-9]*'))`;
const FILLED_AT = `coalesce((SELECT max(x.trade_time) FROM trade AS x INDEXED BY trade_by_order
  WHERE x.order_id = o.id), o.mtime)`;

/**
 * Returns null if the filter selects single fills (liquidity, price …), since profit belongs to the whole order, or
 * noted orders: a note is with the order that opened a position, the profit with those that closed it.
 * `which`: `all` includes orders that are not final, with their profit so far.
 * `within`: the time that must be in the filter's range, of the last fill or of the last change.
 */
export function closingOrders(
  db: DatabaseSync,
  strings: StringTable,
  filter: TradeFilter,
  {
    which = 'final',
    within = 'fill',
  }: { readonly which?: 'final' | 'all'; readonly within?: ProfitTime | undefined } = {},
): ClosingOrders | null {
  const { liquidities, feeAssets, noted } = filter;
  if (liquidities.length > 0 || feeAssets.length > 0 || noted !== null || hasBounds(filter)) return null;
  const { where, values } = closingConditionOf(filter, strings, within);
  const convention = profitConvention(db);
  const newest = asInteger(db.prepare('SELECT coalesce(max(seq), 0) AS n FROM history_order').get()?.['n']);
  const border = db.prepare(
    `SELECT mtime, ${idText('id')} AS key FROM history_order INDEXED BY history_order_by_change
     WHERE (mtime, id) > (?, ?) ORDER BY mtime, id LIMIT 1 OFFSET ${ORDERS_PER_STEP - 1}`,
  );
  const rows = db.prepare(
    `SELECT o.mtime, ${FILLED_AT} AS filled_at, ${idText('o.id')} AS key, o.symbol_id, o.side,
       o.is_final, ${PROFIT_COLUMNS}
     FROM history_order AS o INDEXED BY history_order_by_change
     WHERE (o.mtime, o.id) > (?, ?) AND (o.mtime, o.id) <= (?, ?) AND o.seq <= ?
       AND o.is_final >= ${which === 'final' ? 1 : 0} AND ${CLOSES} AND NOT ${NO_PROFIT} AND ${where}
     ORDER BY o.mtime, o.id`,
  );
  let after: readonly [number, bigint | string] | null = [leastChange(filter) - 1, 'z'];

  return {
    ...countOrders(db, strings, { where, values }),
    next() {
      if (after === null) return null;
      const end = border.get(...after);
      const to: readonly [number, bigint | string] =
        end === undefined
          ? [Number.MAX_SAFE_INTEGER, 'z']
          : [asInteger(end['mtime']), storedId(asText(end['key']))];
      const found = rows.all(...after, ...to, newest, ...values);
      after = end === undefined ? null : to;
      return found
        .map((row): ClosingOrder => ({
          changedAt: asInteger(row['mtime']),
          time: asInteger(row['filled_at']),
          id: asText(row['key']),
          symbol: strings.valueOf(asInteger(row['symbol_id'])),
          isFinal: row['is_final'] === 1,
          side: strings.valueOf(asInteger(row['side'])),
          profit: grossOfRow(row, convention),
          coin: strings.valueOf(asInteger(row['profit_coin'])),
        }))
        .filter(({ profit }) => !isNothing(profit));
    },
  };
}

/** Finds orders whose profit is not in the totals yet, or cannot be. */
function countOrders(
  db: DatabaseSync,
  strings: StringTable,
  { where, values }: Where,
): Pick<ClosingOrders, 'open' | 'unread'> {
  const open = db
    .prepare(
      `SELECT count(*) AS n FROM history_order AS o WHERE is_final = 0 AND profit GLOB '*[1-9]*' AND ${where}`,
    )
    .get(...values);
  const unread = db
    .prepare(
      `SELECT DISTINCT ${idText('o.id')} AS key, o.symbol_id, ${FILLED_AT} AS filled_at
       FROM order_received AS r CROSS JOIN history_order AS o ON o.seq = r.seq
       WHERE ${IS_PROFIT_UNKNOWN} AND o.is_final = 1 AND ${where}`,
    )
    .all(...values);
  return {
    open: asInteger(open?.['n']),
    unread: unread.map((row) => ({
      id: asText(row['key']),
      symbol: strings.valueOf(asInteger(row['symbol_id'])),
      time: asInteger(row['filled_at']),
    })),
  };
}

/** An order may be filled this long after its last change: they are of two lists, whose clocks may differ. */
const CLOCKS_APART_MS = 60_000;
/** Returns the earliest last change of orders that are filled in the filter's time, ms. */
const leastChange = ({ from }: TradeFilter): number => Math.max(0, (from ?? 0) - CLOCKS_APART_MS);

/** Trades may spell the symbol differently than orders, so an order also matches by its trades' symbol. */
function closingConditionOf(filter: TradeFilter, strings: StringTable, within: ProfitTime): Where {
  const own = amongContracts('o.symbol_id', filter.symbols, strings);
  const traded = amongContracts('x.symbol', filter.symbols, strings);
  const time = within === 'fill' ? FILLED_AT : 'o.mtime';
  return allOf([
    own &&
      traded && [
        `(${own[0]} OR EXISTS (SELECT 1 FROM trade AS x INDEXED BY trade_by_order
        WHERE x.order_id = o.id AND ${traded[0]}))`,
        ...own.slice(1),
        ...traded.slice(1),
      ],
    among('o.side', filter.sides, strings),
    ...byOrder('o.id', filter),
    given('o.mtime >= ?', filter.from === null ? null : leastChange(filter)),
    given(`${time} >= ?`, filter.from),
    given(`${time} <= ?`, filter.to),
  ]);
}
