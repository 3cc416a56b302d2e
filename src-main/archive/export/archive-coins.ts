/** Lists the coins an export can name: of fees and of profits, from the daily totals. */
import type { DatabaseSync } from 'node:sqlite';
import { asInteger } from '../sqlite/row-types.ts';
import type { StringTable } from '../sqlite/string-table.ts';

/** Returns the names of the whole archive, sorted; a filter may have fewer. */
export const archiveCoins = (db: DatabaseSync, strings: StringTable): string[] =>
  db
    .prepare('SELECT fee_asset AS coin FROM trade_day UNION SELECT coin FROM order_day')
    .all()
    .map((row) => strings.valueOf(asInteger(row['coin'])))
    .filter((coin) => coin !== '')
    .sort();
