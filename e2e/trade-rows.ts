/** An exported CSV of trades and the exchange's own list, both as rows of texts in the same order. */
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { TRADE_COLUMNS } from '../src-shared/ipc/trades.ts';
import type { Trade } from '../src-shared/exchange-api/trade.ts';

type Row = Readonly<Record<string, string>>;

const byId = (a: Row, b: Row): number => ((a['tradeId'] ?? '') < (b['tradeId'] ?? '') ? -1 : 1);

export const rowsOfFile = async (path: string): Promise<Row[]> =>
  parse<Record<string, string>>(await readFile(path), { columns: true }).toSorted(byId);

export const rowsOfTrades = (trades: readonly Trade[]): Row[] =>
  trades
    .map((trade) => ({
      ...Object.fromEntries(TRADE_COLUMNS.map((name) => [name, String(trade[name])])),
      tradeTime: new Date(trade.tradeTime).toISOString(),
    }))
    .toSorted(byId);
