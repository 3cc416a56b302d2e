/**
 * A soak test: one day of the app at its real cadence, then sparse ones, on a manual clock, with trades, faults of
 * every kind and kills. At the end archive and journal are compared with the exchange's state.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as tick } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { FEED_INTERVAL_MS, freshness } from '../../src-shared/ipc/feeds.ts';
import { seededRandom } from '../domain/lost-orders.ts';
import type { OrderRequest } from '../../src-shared/exchange-api/order-request.ts';
import { createClient } from '../../src-main/exchange/client.ts';
import { ManualTime } from '../shared/manual-time.ts';
import { PRACTICE_ID } from '../../src-main/session/stored.ts';
import { InFlightCount, startSoakApp, type SoakApp } from './soak-app.ts';
import { startSoakExchange } from './soak-exchange.ts';
import { allOrders, archived, compared, falseVerdicts } from './soak-judge.ts';
import { dataOf } from '../shared/data-of.ts';

/** Where the practice exchange's manual clock starts (src-practice/start.ts). */
const START = 1_795_392_000_000;
const MINUTE = 60_000;
const HALF_DAY = 720 * MINUTE;
/** Far below the market; every limit order has a unique price. */
const SYMBOLS = [
  { symbolId: 'BTC-USDT-M', quantity: '0.001', price: (n: number) => `${30_000 + n}.5` },
  { symbolId: 'ETH-USDT-M', quantity: '0.01', price: (n: number) => `${1_000 + n}.25` },
  {
    symbolId: 'SOL-USDT-M',
    quantity: '0.1',
    price: (n: number) => `${40 + Math.floor(n / 80)}.${10 + (n % 80)}`,
  },
] as const;
const READS = ['account', 'openOrder', 'orderHis', 'trades'] as const;
const READ_FAULTS = [
  'reset',
  'cut',
  'status',
  'html',
  'truncated',
  'contradictory',
  'no-data',
  'unknown-enum',
] as const;
const ORDER_FAULTS = [
  { action: 'reset', accept: true },
  { action: 'reset', accept: false },
  { action: 'status', accept: true, status: 502 },
  { action: 'html', accept: true },
  { action: 'truncated', accept: true },
  { action: 'code', accept: false, code: '700017' },
] as const;

export interface SoakOptions {
  readonly seed: number;
  /** Minutes at the real cadence. */
  readonly fullMinutes: number;
  readonly sparseDays: number;
  /** Minutes of each of a sparse day's two sessions. */
  readonly sessionMinutes: number;
  /** Share of the minutes at the real cadence that have a trade, 0–1. */
  readonly busy: number;
  readonly report?: (line: string) => void;
}
export interface SoakFigures {
  readonly days: number;
  readonly requests: number;
  readonly orders: number;
  readonly lost: number;
  readonly faults: number;
  readonly kills: number;
  /** Checks of the shown data, how many were fresh, and how many showed old data as fresh. */
  readonly checks: number;
  readonly fresh: number;
  readonly staleShownFresh: number;
  readonly duplicatePosts: number;
  readonly falseVerdicts: readonly string[];
  readonly damagedLines: number;
  readonly trades: number;
  readonly missing: number;
  readonly doubled: number;
  readonly complete: boolean;
  /** After collection, at the end of each day: bytes, and handles with open files. */
  readonly heap: readonly number[];
  readonly handles: readonly number[];
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

interface State {
  readonly received: Readonly<Record<string, number>>;
  readonly resting: readonly { readonly orderId: string }[];
}

export async function soak(options: SoakOptions): Promise<SoakFigures> {
  const random = seededRandom(options.seed);
  const often = (share: number): boolean => random() < share;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const exchange = await startSoakExchange(options.seed);
  const folder = mkdtempSync(join(tmpdir(), 'ballast-soak-'));
  const place = {
    ...exchange,
    journal: join(folder, 'orders.jsonl'),
    archive: join(folder, 'practice.sqlite'),
  };
  const inFlight = new InFlightCount();
  let behind = 0;
  async function catchUp(): Promise<void> {
    const advanceMs = behind;
    behind = 0;
    if (advanceMs > 0) await exchange.control('POST', '/clock', { advanceMs });
  }
  const time = new ManualTime(
    START,
    // The exchange advances in steps of a second: one request per timer would double the requests.
    async (ms) => {
      behind += ms;
      if (behind >= 1_000) await catchUp();
    },
    () => inFlight.count > 0,
  );
  const start = (): Promise<SoakApp> => startSoakApp(place, time, inFlight);
  const state = (): Promise<State> => exchange.control('GET', '/state');
  const count = { days: 0, sent: 0, faults: 0, kills: 0, checks: 0, fresh: 0, staleShownFresh: 0 };
  const heap: number[] = [];
  const handles: number[] = [];
  let app = await start();

  async function kill(): Promise<void> {
    count.kills++;
    await app.kill();
    await time.rest();
    app = await start();
  }
  async function trade(): Promise<void> {
    const { symbolId, quantity, price } = pick(SYMBOLS);
    const request: OrderRequest = often(0.5)
      ? { symbolId, quantity, side: pick(['BUY', 'SELL']), type: 'MARKET' }
      : {
          symbolId,
          quantity,
          side: 'BUY',
          type: 'LIMIT',
          timeInForce: pick(['GTC', 'IOC']),
          price: price(count.sent),
        };
    await catchUp();
    if (often(0.2)) {
      count.faults++;
      await exchange.control('POST', '/faults', { endpoint: 'order', ...pick(ORDER_FAULTS) });
    }
    count.sent++;
    const sending = app.send({ connectionId: PRACTICE_ID, kind: 'order', request, reference: null });
    if (often(0.05)) {
      for (let turn = Math.floor(random() * 12); turn > 0; turn--) await tick();
      await kill();
    } else await sending;
    await time.rest();
    await exchange.control('DELETE', '/faults');
    // Cancelled as a user would, so that lists stay those of a day.
    const { resting } = await state();
    if (resting.length > 20)
      for (const { orderId } of resting.slice(10)) await exchange.control('POST', '/cancel', { orderId });
  }
  /** Makes some reads fail for a while. */
  async function fault(): Promise<void> {
    count.faults++;
    const times = 1 + Math.floor(random() * 30);
    await exchange.control('POST', '/faults', { endpoint: pick(READS), action: pick(READ_FAULTS), times });
  }
  /** Data shown as fresh must equal the exchange's, within the time between two reads. */
  async function check(): Promise<void> {
    const differs = async (): Promise<boolean | null> => {
      await catchUp();
      const { value, ...feed } = app.connection.feeds.get('openOrders');
      if (freshness({ ...feed, value }, 'openOrders') !== 'fresh') return null;
      const real = new Set((await state()).resting.map((one) => one.orderId));
      return value?.length !== real.size || value.some((one) => !real.has(one.orderId));
    };
    count.checks++;
    const first = await differs();
    if (first !== null) count.fresh++;
    if (first !== true) return;
    await time.passUntil(time.now() + 3 * FEED_INTERVAL_MS.openOrders);
    if ((await differs()) === true) count.staleShownFresh++;
  }
  async function minutes(wanted: number, busy: number): Promise<void> {
    for (let minute = 0; minute < wanted; minute++) {
      // At an odd moment, so that faults also occur in the middle.
      await time.passUntil(time.now() + MINUTE / 2 + Math.floor(random() * MINUTE));
      await check();
      if (often(busy)) await trade();
      if (often(busy / 2)) await fault();
      if (often(busy / 10)) await kill();
    }
  }
  async function endOfDay(): Promise<void> {
    await exchange.control('DELETE', '/faults');
    await time.passUntil(time.now() + 2 * MINUTE);
    for (let round = 0; round < 4; round++) {
      await tick();
      collect();
    }
    count.days++;
    heap.push(process.memoryUsage().heapUsed);
    handles.push(process.getActiveResourcesInfo().length + readdirSync('/proc/self/fd').length);
    options.report?.(
      `day ${count.days}: ${count.sent} orders, ${count.kills} kills, heap ${heap.at(-1) ?? 0}`,
    );
  }
  /** Waits until reconciliation is done and the archive reports completeness; false when it never does. */
  async function settled(): Promise<boolean> {
    for (let step = 0; step < 90; step++) {
      await time.passUntil(time.now() + MINUTE);
      const history = dataOf(await app.connection.history);
      const { state: trades, orders } = history.sync.status();
      if (step >= 6 && trades === 'complete' && orders.state === 'complete') return true;
      if (step % 10 === 0) history.sync.start();
    }
    return false;
  }

  try {
    await minutes(options.fullMinutes, options.busy);
    await endOfDay();
    for (let day = 0; day < options.sparseDays; day++) {
      for (let session = 0; session < 2; session++) {
        await app.close();
        await time.passUntil(time.now() + HALF_DAY - options.sessionMinutes * MINUTE);
        await catchUp();
        app = await start();
        await minutes(options.sessionMinutes, 0.5);
      }
      await endOfDay();
    }
    const complete = await settled();
    await app.close();
    await catchUp();
    const { key, secret, url } = exchange;
    const client = createClient({
      baseUrl: url,
      credentials: { key, secret, headers: {} },
      signing: 'practice',
      clock: time,
    });
    const orders = await allOrders(client, START - 120 * HALF_DAY, time.now() + MINUTE);
    await client.close();
    const trades = await exchange.control<readonly { readonly tradeId: string }[]>('GET', '/trades');
    const { received } = await state();
    const kept = archived(place.archive, time.now());
    const [ofTrades, ofOrders] = [
      compared(
        kept.trades,
        trades.map((one) => one.tradeId),
      ),
      compared(
        kept.orders,
        orders.map((one) => one.id),
      ),
    ];
    const records = app.journal.list(PRACTICE_ID);
    return {
      ...count,
      requests: Object.values(received).reduce((sum, one) => sum + one, 0),
      orders: records.length,
      lost: records.filter((one) => one.finding !== undefined).length,
      duplicatePosts: Math.max(0, (received['order'] ?? 0) - records.length),
      falseVerdicts: falseVerdicts(records, orders),
      damagedLines: app.journal.damaged,
      trades: trades.length,
      missing: ofTrades.missing + ofOrders.missing,
      doubled: ofTrades.doubled + ofOrders.doubled,
      complete,
      heap,
      handles,
    };
  } finally {
    exchange.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
