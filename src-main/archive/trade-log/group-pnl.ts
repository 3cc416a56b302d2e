/** PnL before fees of a group of orders from the archived order history; known only if all of them are stored and final. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { add, calculated, print, ZERO, type Amount } from '../../../src-shared/amount.ts';
import type { GroupProfit } from '../../../src-shared/ipc/trade-groups.ts';
import type { ProfitConvention } from '../../../src-shared/domain/history/profit-fit.ts';
import { conventionReader, grossOfRow, PROFIT_COLUMNS } from '../orders/gross-profit.ts';
import { asInteger } from '../sqlite/row-types.ts';
import { NO_PROFIT } from '../orders/left-out.ts';
import { storedId } from '../sqlite/ids.ts';
import type { StringTable } from '../sqlite/string-table.ts';

export class Profits {
  /** Returns what profits are read as, for a caller that computes many groups. */
  readonly convention: () => ProfitConvention;
  readonly #strings: StringTable;
  readonly #read: StatementSync;

  constructor(db: DatabaseSync, strings: StringTable) {
    this.convention = conventionReader(db);
    this.#strings = strings;
    this.#read = db.prepare(
      `SELECT is_final, position_mode, ${NO_PROFIT} AS unread, ${PROFIT_COLUMNS} FROM history_order AS o WHERE id = ?`,
    );
  }

  /** Returns the PnL; unknown if `shared`: one of the orders also belongs to another group. */
  of(orderIds: readonly string[], shared = false, convention = this.convention()): GroupProfit {
    let sum: Amount = ZERO;
    let missing = 0;
    let unsettled = 0;
    let unread = 0;
    let hedge = false;
    for (const id of orderIds) {
      const row = this.#read.get(storedId(id));
      if (row === undefined) {
        missing++;
        continue;
      }
      if (asInteger(row['is_final']) === 0) unsettled++;
      if (row['unread'] === 1) unread++;
      if (this.#strings.valueOf(asInteger(row['position_mode'])) === 'HEDGE') hedge = true;
      sum = add(sum, calculated(grossOfRow(row, convention)));
    }
    const isKnown = missing === 0 && unsettled === 0 && unread === 0 && !shared && orderIds.length > 0;
    const value = isKnown ? print(sum) : null;
    return { value, orders: orderIds.length, missing, unsettled, unread, hedge };
  }
}
