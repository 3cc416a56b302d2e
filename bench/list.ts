/**
 * Measures the trade log over the whole archive: pages at any depth, views built for sorts and filters, totals, the
 * event loop.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openArchive, type Archive } from '../src-main/archive/archive.ts';
import { openDatabase } from '../src-main/archive/sqlite/database.ts';
import { OrderWriter } from '../src-main/archive/orders/writer.ts';
import { TradeWriter } from '../src-main/archive/trades/writer.ts';
import { StringTable } from '../src-main/archive/sqlite/string-table.ts';
import {
  NEWEST_FIRST,
  NO_FILTER,
  type TradeColumn,
  type TradeFilter,
  type TradeSort,
} from '../src-shared/ipc/trades.ts';
import { median, type Bench, type BenchFile } from './harness.ts';
import { orderNumber } from '../tests/archive/orders.ts';
import { NEWEST_GROUP_FIRST } from '../tests/archive/trades.ts';
import { pages, ROWS, rowsOf, START } from './trades/made.ts';
import { scrolling } from './trades/scroll.ts';
import { dataOf } from '../tests/shared/data-of.ts';

const TIMES = 21;
const PAGE = 200;

async function taken(ask: () => Promise<{ readonly ok: boolean }>): Promise<number> {
  const from = performance.now();
  const result = await ask();
  if (!result.ok) throw new Error(`the archive did not result: ${JSON.stringify(result)}`);
  return performance.now() - from;
}
async function timed(ask: (run: number) => Promise<{ readonly ok: boolean }>): Promise<number> {
  const times: number[] = [];
  // The first run reads from disk.
  for (let run = 0; run <= TIMES; run++) times.push(await taken(() => ask(run)));
  return median(times.slice(1));
}
const target = (unit: string, value: number) => ({ unit, baseline: 'target', baselineValue: value });

async function pagesOf(
  archive: Archive,
  name: string,
  filter: TradeFilter,
  sort: TradeSort,
  { report }: Bench,
): Promise<void> {
  const all = dataOf(await archive.list({ filter, sort, offset: 0, limit: 1 }));
  const { count } = all;
  for (const [depth, share] of [
    ['first', 0],
    ['middle', 0.5],
    ['last', 1],
  ] as const) {
    const offset = Math.max(0, Math.floor(count * share) - PAGE - TIMES);
    const value = await timed((run) => archive.list({ filter, sort, offset: offset + run, limit: PAGE }));
    report({ figure: `page of ${PAGE}, ${name}, ${depth}`, value, ...target('ms', 5) });
  }
}

/** Builds a view under constant small queries, and measures how long the worker's loop was blocked at most. */
async function built(
  archive: Archive,
  name: string,
  filter: TradeFilter,
  sort: TradeSort,
  { report }: Bench,
) {
  const build = { running: true };
  let longest = 0;
  const asking = (async () => {
    while (build.running) longest = Math.max(longest, await taken(() => archive.building()));
  })();
  const value = await taken(() => archive.list({ filter, sort, offset: 0, limit: PAGE }));
  build.running = false;
  await asking;
  report({ figure: `built: ${name}`, value, ...target('ms', 1_000) });
  report({ figure: `longest wait for a reply meanwhile: ${name}`, value: longest, ...target('ms', 50) });
}

const GROUPED = { filter: NO_FILTER, sort: NEWEST_GROUP_FIRST, zone: 'UTC', contracts: [] };

async function log(archive: Archive, out: Bench): Promise<void> {
  const { report } = out;
  const filtered: TradeFilter = {
    ...NO_FILTER,
    symbols: ['BTC-USDT-M'],
    sides: ['BUY'],
    from: Date.UTC(2025, 0, 2, 3),
    to: Date.UTC(2026, 9, 2, 3),
  };
  const bare = await timed(() => archive.building());
  report({ figure: 'a request and its reply across the thread', value: bare, ...target('ms', 1) });
  await pagesOf(archive, 'by time', NO_FILTER, NEWEST_FIRST, out);
  await pagesOf(archive, 'by time, symbol + side + range', filtered, NEWEST_FIRST, out);
  const several = { ...NO_FILTER, symbols: ['BTC-USDT-M', 'ETH-USDT-M'], feeAssets: ['USDT'] };
  await pagesOf(archive, 'by time, two symbols + fee asset', several, NEWEST_FIRST, out);
  // A different time in each run, since a cached count would not be counted again.
  const count = await timed((run) => archive.count({ ...filtered, to: Date.UTC(2026, 9, 3) + run }));
  report({ figure: 'count, symbol + side + range', value: count, ...target('ms', 5) });
  const by = (column: TradeColumn): TradeSort => ({ column, descending: true });
  const bounds = { ...NO_FILTER, priceFrom: '60010', qtyTo: '0.0060' };
  await built(archive, 'by fee', NO_FILTER, by('fee'), out);
  await built(archive, 'by order id, symbol + side + range', filtered, by('orderId'), out);
  await built(archive, 'by time, bounds of price and quantity', bounds, NEWEST_FIRST, out);
  await pagesOf(archive, 'by fee', NO_FILTER, by('fee'), out);
  await pagesOf(archive, 'bounds of price and quantity', bounds, NEWEST_FIRST, out);
  const totals = async (name: string, filter: TradeFilter, most: number): Promise<void> => {
    await archive.totals(filter);
    const value = await timed(() => archive.totals(filter));
    report({ figure: `totals, ${name}`, value, ...target('ms', most) });
  };
  await totals('everything', NO_FILTER, 5);
  await totals('symbol + side + range', filtered, 100);
  await totals('bounds of price and quantity', bounds, 100);
  for (const group of ['contract', 'day', 'month', 'order', 'round-trip'] as const) {
    const column = group === 'contract' ? 'symbol' : 'time';
    const query = { ...GROUPED, by: group, sort: { column, descending: true }, limit: 100 } as const;
    const first = await taken(() => archive.groups({ ...query, offset: 0 }));
    report({ figure: `built: by ${group}`, value: first, ...target('ms', 1_500) });
    const value = await timed((run) => archive.groups({ ...query, offset: 5_000 + run }));
    report({ figure: `page of 100, by ${group}`, value, unit: 'ms', baseline: null, baselineValue: null });
    const sorted = { ...query, sort: { column: 'fees', descending: true }, offset: 0 } as const;
    const fees = await taken(() => archive.groups(sorted));
    report({ figure: `sorted by fees: by ${group}`, value: fees, ...target('ms', 5_000) });
  }
  const tokyo = { ...GROUPED, by: 'day', zone: 'Asia/Tokyo', offset: 0, limit: 100 } as const;
  const zoned = await taken(() => archive.groups(tokyo));
  report({ figure: 'built: by day of another zone', value: zoned, ...target('ms', 1_500) });
  const month = { ...GROUPED, by: 'contract', offset: 0, limit: 100 } as const;
  const from = Date.UTC(2026, 9, 1);
  const asked = {
    ...month,
    filter: { ...NO_FILTER, from },
    sort: { column: 'fees', descending: true },
  } as const;
  const contracts = await taken(() => archive.groups(asked));
  report({ figure: 'fees by contract of the newest month', value: contracts, ...target('ms', 200) });
}

const bench: BenchFile = async (out) => {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-bench-list-'));
  try {
    const file = join(folder, 'list.db');
    const { db } = openDatabase(file, 'bench', 0);
    const writer = new TradeWriter(db, new StringTable(db));
    for (const text of pages(10_000)) writer.insert(rowsOf(text), null, 0);
    // Two trades an order, each of them in the order history.
    const orders = new OrderWriter(db, new StringTable(db));
    for (let from = 0; from < ROWS / 2; from += 5_000)
      orders.insert(
        Array.from({ length: Math.min(5_000, ROWS / 2 - from) }, (_, n) =>
          orderNumber(from + n, { mtime: START + (from + n) * 120_000 }),
        ),
        null,
        [],
        0,
      );
    db.close();
    out.note(`${ROWS} trades, ${ROWS / 2} orders`);
    const opened = dataOf(await openArchive({ file, connectionId: 'bench', clock: { now: Date.now } }));
    await log(opened, out);
    await opened.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
  await scrolling(out);
};
export default bench;
