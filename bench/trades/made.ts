/** Generates `BENCH_ROWS` trades: one a minute over three contracts, in pages as the exchange sends them. */
import { tradeNumber } from '../../tests/archive/trade-number.ts';
import type { Trade } from '../../src-shared/exchange-api/trade.ts';

export const ROWS = Number.parseInt(process.env['BENCH_ROWS'] ?? '200000', 10);
const MINUTE_MS = 60_000;
export const START = Date.UTC(2025, 0, 1);

/** Pages of `size` rows, oldest first, each as the JSON text of a reply. */
export function* pages(size: number): Generator<string> {
  for (let from = 0; from < ROWS; from += size) {
    const rows: Trade[] = [];
    for (let n = from; n < Math.min(from + size, ROWS); n++)
      rows.push(tradeNumber(n, { tradeTime: START + n * MINUTE_MS }));
    yield JSON.stringify({ code: '0', msg: 'success', success: true, data: { total: ROWS, list: rows } });
  }
}

interface Page {
  readonly data: { readonly list: readonly Trade[] };
}
export const rowsOf = (page: string): readonly Trade[] => (JSON.parse(page) as Page).data.list;
