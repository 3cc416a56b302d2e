/** Measures statistics over half a million orders and the trades, with the queries of Overview. */
import { openDatabase } from '../../src-main/archive/sqlite/database.ts';
import { OrderWriter } from '../../src-main/archive/orders/writer.ts';
import { orderNumber } from '../../tests/archive/orders.ts';
import type { Archive } from '../../src-main/archive/archive.ts';
import { StringTable } from '../../src-main/archive/sqlite/string-table.ts';
import { median, type Bench } from '../harness.ts';
import { ROWS, START } from './made.ts';

const ORDERS = ROWS / 2;
const EVERY_MS = 120_000;
const DAY_MS = 86_400_000;
const TIMES = 11;

/** Stores an order every two minutes over the time of the trades, one day per commit. */
export function storeOrders(file: string): void {
  const { db } = openDatabase(file, 'bench', 0);
  const writer = new OrderWriter(db, new StringTable(db));
  const aDay = DAY_MS / EVERY_MS;
  for (let from = 0; from < ORDERS; from += aDay) {
    const rows = Array.from({ length: Math.min(aDay, ORDERS - from) }, (_, index) => {
      const time = START + (from + index) * EVERY_MS;
      return orderNumber(from + index, { orderTime: time, mtime: time + 500 });
    });
    writer.insert(rows, null, [], 0);
  }
  db.close();
}

/** Queries each range cold (its rows are new to the worker), then again while nothing was added. */
export async function statistics(archive: Archive, { report }: Bench): Promise<void> {
  const year = { from: START + DAY_MS / 2, to: START + 365.5 * DAY_MS, symbol: null };
  for (const [name, range] of [
    ['everything', { from: null, to: null, symbol: null }],
    ['a year, cut days', year],
    ['one contract', { from: null, to: null, symbol: 'BTC-USDT-M' }],
  ] as const)
    for (const [what, ask] of [
      ['summary', () => archive.statsSummary(range)],
      ['daily', () => archive.statsDaily(range)],
    ] as const) {
      const taken: number[] = [];
      for (let run = 0; run <= TIMES; run++) {
        const from = performance.now();
        const result = await ask();
        if (!result.ok) throw new Error(result.failure.message);
        taken.push(performance.now() - from);
      }
      const own = { unit: 'ms', baseline: 'target', baselineValue: 50 };
      report({ figure: `statistics, ${what}, ${name}, first`, value: taken[0]!, ...own });
      report({ figure: `statistics, ${what}, ${name}`, value: median(taken.slice(1)), ...own });
    }
}
