/**
 * Syncs against the real practice exchange over HTTP, with any paging and row order, late rows, faults and kills:
 * afterwards the archive holds exactly what the exchange lists. Each seed has another exchange, other faults and
 * kills.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPractice } from '../../src-practice/index.ts';
import type { SyncStatus } from '../../src-shared/ipc/trades.ts';
import { seededRandom } from '../domain/lost-orders.ts';
import { createClient, type ExchangeClient } from '../../src-main/exchange/client.ts';
import { openDatabase } from '../../src-main/archive/sqlite/database.ts';
import { checkedAtOnce } from '../archive/orders.ts';
import { idText } from '../../src-main/archive/sqlite/ids.ts';
import { openStores } from '../../src-main/archive/handlers.ts';
import { ArchiveSync, type ArchiveSyncPorts } from '../../src-main/sync/archive-sync.ts';
import { RateLimit } from '../../src-main/exchange/rate-limit.ts';
import { RequestLimiter } from '../../src-main/sync/request-limiter.ts';
import { control } from '../practice/controls.ts';
import { dataOf } from '../shared/data-of.ts';

/** Real time of a minute of the syncs' time. */
const REAL_MS_PER_MINUTE = 1;
const START = 1_795_392_000_000;
const HOUR = 3_600_000;

export interface SyncFigures {
  seeds: number;
  kills: number;
  requests: number;
  trades: number;
  orders: number;
  missing: number;
  doubled: number;
}
export const NO_FIGURES: SyncFigures = {
  seeds: 0,
  kills: 0,
  requests: 0,
  trades: 0,
  orders: 0,
  missing: 0,
  doubled: 0,
};

/** A clock that advances to each timer after a fraction of its real delay. */
function acceleratedTime() {
  let now = START;
  return {
    clock: { now: () => now, mono: () => now },
    timers: {
      after(ms: number, run: () => void) {
        const due = now + ms;
        const timer = setTimeout(
          () => {
            now = Math.max(now, due);
            run();
          },
          (ms / 60_000) * REAL_MS_PER_MINUTE,
        );
        return () => clearTimeout(timer);
      },
    },
  };
}

/** The archive's file opened in this thread. */
export function openArchive(file: string) {
  const { db } = openDatabase(file, 'fault-injection', START);
  const { writer, reader, orders } = openStores(db, file);
  const result = <T>(data: T) => Promise.resolve({ ok: true, data } as const);
  const store: ArchiveSyncPorts['archive'] = {
    state: () => result(writer.state()),
    insertTrades: (rows, checkpoint, unreadable) =>
      result(writer.insert(rows, checkpoint, START, unreadable)),
    beginPass: (checkpoint) => result(writer.beginPass(checkpoint)),
    endPass: (checkpoint, from, to) => result(writer.endPass(checkpoint, from, to)),
    count: (filter) => result(reader.count(filter)),
    symbols: () => result(reader.symbols()),
    orderState: () => result(orders.state()),
    insertOrders: (rows, checkpoint, gaps) => result(orders.insert(rows, checkpoint, gaps, START)),
    nonFinalOrders: (...input) => result(orders.nonFinal(...input)),
  };
  const column = (sql: string): string[] =>
    db
      .prepare(sql)
      .all()
      .map((row) => String(row['id']));
  return {
    store,
    tradeIds: () => column(`SELECT ${idText('trade_id')} AS id FROM trade`),
    orderIds: () => column(`SELECT ${idText('id')} AS id FROM history_order`),
    sound: () => checkedAtOnce(db).ok,
    close: () => db.close(),
  };
}

/** Every id the exchange lists, read page by page and hour by hour by an independent reader. */
async function listed(client: ExchangeClient, base: number): Promise<{ trades: string[]; orders: string[] }> {
  const trades: string[] = [];
  for (let page = base, total = 1; trades.length < total; page++) {
    const result = dataOf(await client.trades({ pageNumber: page, pageSize: 50 }));
    total = result.total;
    if (result.data.length === 0 && total > 0) throw new Error(`page ${page} is empty before its end`);
    trades.push(...result.data.map((one) => one.tradeId));
    if (total === 0) break;
  }
  const orders: string[] = [];
  const SLICES = 24;
  const from = START - 40 * 24 * HOUR;
  const width = Math.ceil((START + 12 * HOUR - from) / SLICES);
  for (let slice = 0; slice < SLICES; slice++) {
    const startTime = slice === 0 ? 0 : from + slice * width;
    const result = await client.orderHistory({
      startTime,
      endTime: from + (slice + 1) * width - 1,
      limit: 1_000,
    });
    if (!result.ok || result.data.length >= 1_000)
      throw new Error('the independent reader did not get all orders');
    orders.push(...result.data.map((one) => one.id));
  }
  return { trades, orders };
}

const difference = (a: readonly string[], b: ReadonlySet<string>): number =>
  a.filter((one) => !b.has(one)).length;

export async function injectSyncFaults(seed: number): Promise<SyncFigures> {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const pageBase = pick([0, 1] as const);
  const practice = await startPractice({
    ...{ seed, speed: 0, start: START, pageBase, order: pick(['asc', 'desc', 'none'] as const) },
    history: 60 + Math.floor(random() * 240),
    maxPageSize: pick([7, 20, 50, 100, 500]),
  });
  const folder = mkdtempSync(join(tmpdir(), 'ballast-faults-'));
  const file = join(folder, 'archive.sqlite');
  const time = acceleratedTime();
  const limit = new RateLimit();
  const client = createClient({
    limit,
    baseUrl: practice.url,
    credentials: { ...practice.credentials, headers: {} },
    signing: 'practice',
    clock: time.clock,
  });
  const cap = pick([50, 100, 1_000]);
  const figures = { ...NO_FIGURES, seeds: 1 };
  let archive = openArchive(file);
  let stop = (): Promise<void> => Promise.resolve();
  try {
    for (const fault of faultsOf(random)) await control(practice, 'POST', '/faults', fault);
    const kills = Math.floor(random() * 4);
    for (let life = 0; life <= kills; life++) {
      const quiet = life === kills;
      if (quiet) {
        // Late rows are shown and fresh rows are final by now; then the last verification.
        await control(practice, 'DELETE', '/faults');
        await control(practice, 'POST', '/clock', { advanceMs: 30 * 60_000 });
      }
      // New rows, some of them shown only after the minute the sync leaves out.
      else await control(practice, 'POST', '/clock', { advanceMs: Math.floor(random() * 300_000) });
      // The client notices its clock's jump, as the app does a second later.
      await client.account();
      const lives = quiet ? Infinity : 1 + Math.floor(random() * 25);
      const killed = await live(lives);
      if (killed) figures.kills += 1;
      // A backfill pass that a kill interrupted ends at its own end; the next one at the end of time.
      else if (quiet) await live(Infinity);
    }
    const truth = await listed(client, pageBase);
    const [trades, orders] = [archive.tradeIds(), archive.orderIds()];
    const [kept, keptOrders] = [new Set(trades), new Set(orders)];
    figures.trades = truth.trades.length;
    figures.orders = truth.orders.length;
    figures.missing = difference(truth.trades, kept) + difference(truth.orders, keptOrders);
    figures.doubled = trades.length - kept.size + (orders.length - keptOrders.size);
    // The archive must not hold unlisted rows, nor totals that differ from its rows.
    figures.doubled += difference(trades, new Set(truth.trades)) + difference(orders, new Set(truth.orders));
    if (!archive.sound()) throw new Error(`seed ${seed}: the archive’s own check fails`);
  } finally {
    await stop();
    archive.close();
    await client.close();
    await practice.stop();
    rmSync(folder, { recursive: true });
  }
  return figures;

  /** Runs until complete, or until killed at a request; true: killed. */
  async function live(requests: number): Promise<boolean> {
    let left = requests;
    let kill = (): void => undefined;
    const dead = new Promise<true>((resolve) => {
      kill = () => resolve(true);
    });
    /** A killed process gets no reply any more. */
    const counted = <T>(result: () => Promise<T>): Promise<T> => {
      figures.requests += 1;
      left -= 1;
      if (left >= 0) return result();
      kill();
      return new Promise(() => undefined);
    };
    let complete = (): void => undefined;
    const verified = new Promise<false>((resolve) => {
      complete = () => resolve(false);
    });
    const one = new ArchiveSync({
      connectionId: 'fault-injection',
      client: {
        trades: (query) => counted(() => client.trades(query)),
        orderHistory: (query) =>
          counted(() => client.orderHistory({ ...query, limit: Math.min(cap, query.limit ?? cap) })),
        clockOffsetMs: () => client.clockOffsetMs(),
      },
      archive: archive.store,
      limiter: new RequestLimiter(limit, time.clock),
      clock: time.clock,
      timers: time.timers,
      listed: () => [],
      restMs: 0,
      onStatus(status: SyncStatus) {
        if (status.state === 'complete' && status.orders.state === 'complete') complete();
      },
    });
    stop = () => one.stop();
    one.start();
    const killed = await Promise.race([dead, verified]);
    await one.stop();
    archive.close();
    archive = openArchive(file);
    return killed;
  }
}

/** Faults of the exchange: late rows, moving rows, failed replies. */
function faultsOf(random: () => number): object[] {
  const nth = (): number => 1 + Math.floor(random() * 20);
  const some = (chance: number, fault: object): object[] => (random() < chance ? [fault] : []);
  return [
    ...some(0.5, { endpoint: 'trades', action: 'page-drift', times: 0 }),
    ...some(0.5, {
      ...{ endpoint: 'trades', action: 'delayed-visibility', nth: nth(), times: nth() },
      ms: Math.floor(random() * 600_000),
    }),
    ...some(0.4, {
      ...{ endpoint: 'orderHis', action: 'delayed-visibility', nth: nth(), times: nth() },
      ms: Math.floor(random() * 600_000),
    }),
    ...some(0.3, { endpoint: '*', action: 'status', status: 503, nth: nth(), times: 2 }),
    ...some(0.3, { endpoint: '*', action: 'truncated', nth: nth() }),
    ...some(0.2, { endpoint: '*', action: 'rate-limit', retryAfter: 1, nth: nth() }),
  ];
}
