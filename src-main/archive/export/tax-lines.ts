/**
 * Writes a tax tool's layout: one row per trade fee and one per closing order's profit, merged by time. Rules and texts
 * are in `src-shared/domain/history/tax-rows.ts`.
 */
import type { TaxTool } from '../../../src-shared/domain/history/tax-tools.ts';
import type { ExportQuery } from '../../../src-shared/ipc/exports.ts';
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import {
  isNothing,
  TAX_LAYOUTS,
  turned,
  type TaxEvent,
} from '../../../src-shared/domain/history/tax-rows.ts';
import { closingOrders, type ClosingOrder, type ProfitTime } from './closing-orders.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { CRLF, csvLine } from '../../../src-shared/domain/history/csv-cell.ts';
import type { CsvChunk, ExportedTrades } from './trade-lines.ts';
import type { ControlTotalsBuilder } from './control-totals.ts';
import { idText, storedId } from '../sqlite/ids.ts';

export interface TaxQuery {
  readonly preset: TaxTool;
  readonly filter: TradeFilter;
  /** The connection's name: the tool's exchange or wallet. */
  readonly account: string;
  readonly tax: ExportQuery['tax'];
  readonly profitsWithin?: ProfitTime;
}

const TRADES_PER_STEP = 2_000;

/** Yields the lines, and counts for the control totals; a chunk's `rows` are trades read, `lines` lines written. */
export function* taxLines(
  trades: ExportedTrades,
  query: TaxQuery,
  control: ControlTotalsBuilder,
): Generator<CsvChunk & { readonly lines: number }, void> {
  const layout = TAX_LAYOUTS[query.preset];
  const line = (event: TaxEvent): string => {
    const line = csvLine(layout.cells(event, query.account, query.tax));
    return layout.open === true ? CRLF + line.slice(0, -CRLF.length) : line;
  };
  const header = csvLine(layout.header(query.tax));
  const orders = closingOrders(trades.db, trades.strings, query.filter, { within: query.profitsWithin });
  control.open = orders?.open ?? null;
  control.unreadProfits = orders?.unread.length ?? 0;
  let waiting: readonly ClosingOrder[] = [];
  let place = 0;

  /** Returns the profit events up to a time. Tools refuse a row without a coin, of a profit or a fee. */
  function profitsUntil(time: number): TaxEvent[] {
    const events: TaxEvent[] = [];
    for (;;) {
      const order = waiting[place];
      if (order === undefined) {
        const more = orders?.next() ?? null;
        if (more === null) return events;
        waiting = more;
        place = 0;
        continue;
      }
      if (order.changedAt > time) return events;
      place += 1;
      if (order.coin === '') control.unreadProfits += 1;
      else {
        control.profit(order.coin, order.profit);
        events.push({ ...order, kind: 'profit', amount: order.profit });
      }
    }
  }
  const chunk = (lines: readonly string[], rows: number) => ({
    bytes: Buffer.from(lines.join(''), 'utf8'),
    rows,
    lines: lines.length,
  });

  yield { ...chunk([layout.open === true ? header.slice(0, -CRLF.length) : header], 0), lines: 0 };
  for (const fills of feeSteps(trades)) {
    const lines: string[] = [];
    for (const fill of fills) {
      for (const event of profitsUntil(fill.time - 1)) lines.push(line(event));
      control.trades += 1;
      control.fee(fill.coin, fill.amount);
      if (!fill.covered) control.uncovered += 1;
      if (!fill.read || (fill.coin === '' && !isNothing(fill.amount))) control.unreadFees += 1;
      else if (isNothing(fill.amount)) control.free += 1;
      else lines.push(line({ ...fill, kind: 'fee', amount: turned(fill.amount) }));
    }
    yield chunk(lines, fills.length);
  }
  yield chunk(profitsUntil(Number.MAX_SAFE_INTEGER).map(line), 0);
}

interface Fill extends Omit<TaxEvent, 'kind'> {
  /** Its order is stored. */
  readonly covered: boolean;
  /** Its fee could be read. */
  readonly read: boolean;
}

function* feeSteps({ db, strings, stored, conditions }: ExportedTrades): Generator<readonly Fill[], void> {
  for (const { source, where, values } of conditions) {
    const step = db.prepare(
      `SELECT t.trade_time, ${idText('t.trade_id')} AS key, t.symbol, t.side, t.fee, t.fee_asset,
         t.is_second, EXISTS (SELECT 1 FROM history_order AS o WHERE o.id = t.order_id) AS covered,
         EXISTS (SELECT 1 FROM trade_received AS r
           WHERE r.seq = t.seq AND r.field = 'fee' AND NOT is_figure(r.received)) AS unread
       FROM ${source} WHERE ${where} AND seq <= ? AND (trade_time, trade_id, symbol, t.side) > (?, ?, ?, ?)
       ORDER BY trade_time, trade_id, symbol, t.side LIMIT ${TRADES_PER_STEP}`,
    );
    let after: readonly [number, bigint | string, number, number] = [-1, 0n, 0, 0];
    for (;;) {
      const rows = step.all(...values, stored, ...after);
      const last = rows.at(-1);
      if (last === undefined) break;
      const [symbol, side] = [asInteger(last['symbol']), asInteger(last['side'])];
      after = [asInteger(last['trade_time']), storedId(asText(last['key'])), symbol, side];
      yield rows.map((row) => ({
        time: asInteger(row['trade_time']),
        id: asText(row['key']),
        symbol: strings.valueOf(asInteger(row['symbol'])),
        side: strings.valueOf(asInteger(row['side'])),
        amount: asText(row['fee']),
        coin: strings.valueOf(asInteger(row['fee_asset'])),
        isSecond: row['is_second'] === 1,
        covered: row['covered'] === 1,
        read: row['unread'] === 0,
      }));
      if (rows.length < TRADES_PER_STEP) break;
    }
  }
}
