/** Converts a filter to SQL over `trade` and to a test on daily totals. */
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import type { DailyTotal } from './daily-totals-cache.ts';
import type { StringTable } from '../sqlite/string-table.ts';
import { allOf, among, amongContracts, byOrder, given, type Where } from '../sqlite/where.ts';

export interface Condition extends Where {
  /** Table with its index; named explicitly, since SQLite has no statistics here. */
  readonly source: string;
}

const STRING_COLUMNS = [
  ['side', 'side', 'sides'],
  ['liquidity', 'liquidity', 'liquidities'],
  ['feeAsset', 'fee_asset', 'feeAssets'],
] as const;

/** Returns the filter as SQL over `trade`. */
export function conditionOf(filter: TradeFilter, strings: StringTable): Condition {
  const restrictions = allOf([
    amongContracts('symbol', filter.symbols, strings),
    ...STRING_COLUMNS.map(([, column, name]) => among(column, filter[name], strings)),
    given('decimal_order(price, ?) >= 0', filter.priceFrom),
    given('decimal_order(price, ?) <= 0', filter.priceTo),
    given('decimal_order(executed_qty, ?) >= 0', filter.qtyFrom),
    given('decimal_order(executed_qty, ?) <= 0', filter.qtyTo),
    ...byOrder('order_id', filter),
    given('trade_time >= ?', filter.from),
    given('trade_time <= ?', filter.to),
  ]);
  const index = picksOrders(filter) ? 'trade_by_order' : 'trade_by_time';
  return { source: `trade AS t INDEXED BY ${index}`, ...restrictions };
}

/** Rows per condition, so that each is a short query. */
const ROWS_PER_CONDITION = 2_000;
/** Yields conditions for rows given by number. */
export function* conditionsOf(rows: Uint32Array): Generator<Condition, void> {
  for (let from = 0; from < rows.length; from += ROWS_PER_CONDITION)
    yield {
      source: 'json_each(?) AS part CROSS JOIN trade AS t ON t.seq = part.value',
      where: '1',
      values: [JSON.stringify(Array.from(rows.subarray(from, from + ROWS_PER_CONDITION)))],
    };
}

/** Reports whether the filter picks orders, whose few rows have an index and no totals. */
export const picksOrders = ({ orderId, noted }: TradeFilter): boolean => orderId !== null || noted !== null;

/** Reports whether the filter has price or quantity bounds, which no index and no total covers. */
export const hasBounds = ({ priceFrom, priceTo, qtyFrom, qtyTo }: TradeFilter): boolean =>
  [priceFrom, priceTo, qtyFrom, qtyTo].some((one) => one !== null);

/** Reports whether the daily totals apply, which are not split by order, price or quantity. */
export const hasDailyTotals = (filter: TradeFilter): boolean => !picksOrders(filter) && !hasBounds(filter);

/**
 * Returns the columns of the time order, which begins an index. It is total: two trades of a symbol have one id only as the
 * sides of one trade (writer.ts). `table`: a prefix of each column.
 */
export const timeOrder = (newestFirst: boolean, table = ''): string =>
  ['trade_time', 'trade_id', 'symbol', 'side']
    .map((name) => `${table}${name}${newestFirst ? ' DESC' : ''}`)
    .join(', ');

/** Returns a test of daily totals by the filter's strings, not its times. */
export function totalMatches(filter: TradeFilter, strings: StringTable): (sum: DailyTotal) => boolean {
  const wanted = STRING_COLUMNS.filter(([, , name]) => filter[name].length > 0).map(
    ([field, , name]) => [field, strings.known(filter[name])] as const,
  );
  const contracts = filter.symbols.length === 0 ? null : strings.ofContracts(filter.symbols);
  return (sum) =>
    contracts?.includes(sum.symbol) !== false && wanted.every(([field, ids]) => ids.includes(sum[field]));
}
