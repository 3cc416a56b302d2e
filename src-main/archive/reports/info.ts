/** Quick facts about the archive: its size and quarantine. `maintenance/integrity.ts` reads every row. */
import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Coverage, QuarantinedRecord } from '../../../src-shared/ipc/archive.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { ORDER_ROW, orderOf } from '../orders/codec.ts';
import { storedId } from '../sqlite/ids.ts';
import { areSides, quarantinedTrade, TRADE_ROW, tradeOf } from '../trades/codec.ts';
import type { StringTable } from '../sqlite/string-table.ts';

export function fileFigures(path: string, samples: number): Coverage['file'] {
  const size = (part: string): number => statSync(path + part, { throwIfNoEntry: false })?.size ?? 0;
  return { path, bytes: size('') + size('-wal'), samples };
}

/** Most quarantined records returned per kind. */
const MAX_SHOWN = 500;

/** Returns quarantined records, newest first. */
export function quarantinedRecords(db: DatabaseSync, strings: StringTable): readonly QuarantinedRecord[] {
  const trade = db.prepare(
    `SELECT ${TRADE_ROW} FROM trade t WHERE symbol = ? AND trade_id = ? ORDER BY is_second`,
  );
  const order = db.prepare(`SELECT ${ORDER_ROW} FROM history_order o WHERE id = ?`);
  const trades = db
    .prepare('SELECT * FROM quarantine ORDER BY id DESC LIMIT ?')
    .all(MAX_SHOWN)
    .map((row): QuarantinedRecord => {
      const symbol = asText(row['symbol']);
      const id = asText(row['trade_id']);
      const later = asText(row['content']);
      const other = quarantinedTrade(later);
      const found = trade.all(strings.find(symbol) ?? -1, storedId(id)).map((one) => tradeOf(one, strings));
      const stored = found.find((one) => other === null || !areSides(one, other)) ?? found[0];
      return {
        resource: 'trades',
        symbol,
        id,
        receivedAt: asInteger(row['received_at']),
        stored: stored === undefined ? null : JSON.stringify(stored),
        later,
      };
    });
  const orders = db
    .prepare('SELECT * FROM order_quarantine ORDER BY id DESC LIMIT ?')
    .all(MAX_SHOWN)
    .map((row): QuarantinedRecord => {
      const id = asText(row['order_id']);
      const found = order.get(storedId(id));
      return {
        resource: 'orders',
        symbol: asText(row['symbol']),
        id,
        receivedAt: asInteger(row['received_at']),
        stored: found === undefined ? null : JSON.stringify(orderOf(found, strings)),
        later: asText(row['content']),
      };
    });
  return [...trades, ...orders].sort((a, b) => b.receivedAt - a.receivedAt);
}
