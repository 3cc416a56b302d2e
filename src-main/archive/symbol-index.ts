/**
 * The index by symbol, left out while an empty archive is filled for the first time: keeping it in order row by row costs
 * more than the table itself, made at the end it costs a tenth. Meanwhile a second index by time stands under its name, so that
 * every query that names it is answered. Its own text in the schema says which of the two it is: nothing else has to
 * be remembered over a crash.
 */
import type { DatabaseSync } from 'node:sqlite';
import { asText } from './columns.ts';

const NAME = 'trade_by_symbol';
const put = (columns: string): string =>
  `DROP INDEX IF EXISTS ${NAME}; CREATE INDEX ${NAME} ON trade (${columns});`;
const BY_SYMBOL = 'symbol, trade_time, trade_id, side, liquidity';
const BY_TIME = 'trade_time, trade_id, symbol, side, liquidity';

/** Only while `trade` is empty, inside a transaction. */
export function leaveSymbolIndex(db: DatabaseSync): void {
  db.exec(put(BY_TIME));
}

/** Half a second for a million rows, once. Inside a transaction, or when the file is opened. */
export function finishSymbolIndex(db: DatabaseSync): void {
  const found = db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(NAME);
  if (found === undefined || !asText(found['sql']).includes(`(${BY_SYMBOL})`)) db.exec(put(BY_SYMBOL));
}
