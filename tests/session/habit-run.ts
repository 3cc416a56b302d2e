/**
 * Runs the main process's modules against an exchange with some habits: connection test, account, orders, lost
 * replies, a rate limit, the whole history and its CSV, each compared with the exchange's state. Lists every
 * failure.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { amount, less, multiply, printFixed } from '../../src-shared/amount.ts';
import { isHeld } from '../../src-shared/exchange-api/values.ts';
import { FEED_INTERVAL_MS, type FeedName } from '../../src-shared/ipc/feeds.ts';
import { type IntentRecord, orderIntentSchema } from '../../src-shared/ipc/orders.ts';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/default-settings.ts';
import { NO_FILTER } from '../../src-shared/ipc/trades.ts';
import type { AlertFile } from '../../src-main/alerts/alert-file.ts';
import { Alerts } from '../../src-main/alerts/alerts.ts';
import { archiveHandlers } from '../../src-main/bridge/archive-handlers.ts';
import { Exports } from '../../src-main/bridge/exports.ts';
import { draftTest } from '../../src-main/session/connection-client.ts';
import { FULL_EXPORT } from '../archive/trades.ts';
import { ManualTime } from '../shared/manual-time.ts';
import { isResting } from '../../src-shared/exchange-api/enums.ts';
import type { Received } from '../../src-shared/exchange-api/fields.ts';
import type { Json } from '../../src-practice/http/json.ts';
import type { ReadResult } from '../../src-main/exchange/client.ts';
import { rateLimits } from '../../src-main/exchange/rate-limit.ts';
import { HabitExchange, type HabitSet, type Row, rowsOf, START } from './habit-exchange.ts';
import { InFlightCount, LIVE_ID, type SoakApp, startSoakApp } from './soak-app.ts';

export const STEPS = [
  'connection test',
  'account',
  'digits',
  'limit order',
  'market order',
  'order with a stop',
  'close',
  'rejected order',
  'lost limit order',
  'lost market order',
  'order never placed',
  'rate limit',
  'order filter',
  'sync',
  'trades CSV',
  'orders CSV',
  'margin alert',
] as const;
export type Step = (typeof STEPS)[number];

export interface HabitFailure {
  readonly step: Step;
  readonly what: string;
  /** A wrong statement about an order, or a missing, duplicated or changed row. */
  readonly isWrong: boolean;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const RETRY_AFTER_S = 30;
const MOST_DROPS = 20;
/** Longer than any pause the app makes by itself after one 429; with `RETRY_AFTER_S`. */
const PAUSE_MS = 50 * SECOND;
/** Tries to reach completeness: the first ones wait six seconds each, the others a minute. */
const SYNC_TRIES = 18;
/** Failures that confirm nothing about an order: unknown is the right state. */
const UNCONFIRMED = ['500', 'other-shape'];

/** Lists every failure of these habits; empty when all are supported. */
export async function runHabits(habits: HabitSet): Promise<readonly HabitFailure[]> {
  const run = await HabitRun.start(habits);
  try {
    return await run.all();
  } finally {
    await run.stop();
  }
}

/** The history alone, with more orders than a list holds. */
export async function runCrowded(habits: HabitSet): Promise<readonly HabitFailure[]> {
  const run = await HabitRun.start(habits);
  try {
    return await run.crowded();
  } finally {
    await run.stop();
  }
}

/** An order as the window sends it. */
interface OrderFields {
  readonly symbolId: string;
  readonly [field: string]: unknown;
}

class HabitRun {
  readonly #failures: HabitFailure[] = [];
  readonly #exchange: HabitExchange;
  readonly #folder = mkdtempSync(join(tmpdir(), 'ballast-habits-'));
  readonly #inFlight = new InFlightCount();
  readonly #time: ManualTime;
  #behindMs = 0;
  #app: SoakApp | null = null;

  private constructor(exchange: HabitExchange) {
    this.#exchange = exchange;
    this.#time = new ManualTime(
      START,
      async (ms) => {
        this.#behindMs += ms;
        // The exchange advances in steps of a second: one request per timer would double the requests.
        if (this.#behindMs >= SECOND) await this.#catchUp();
      },
      () => this.#inFlight.count > 0,
    );
  }

  static async start(habits: HabitSet): Promise<HabitRun> {
    return new HabitRun(await HabitExchange.start(habits));
  }

  async crowded(): Promise<readonly HabitFailure[]> {
    await this.#time.passUntil(await this.#exchange.crowd());
    // The exchange is already there.
    this.#behindMs = 0;
    // Older than the minute that a backfill leaves out.
    await this.#pass(2 * MINUTE);
    await this.#step('account', () => this.#account());
    if (this.#app !== null) await this.#history(this.#app);
    return this.#failures;
  }

  async all(): Promise<readonly HabitFailure[]> {
    await this.#step('connection test', () => this.#connectionTest());
    await this.#step('account', () => this.#account());
    const app = this.#app;
    if (app === null) return this.#failures;
    await this.#step('limit order', () => this.#limitOrder(app));
    await this.#step('market order', () => this.#marketOrder(app));
    await this.#step('order with a stop', () => this.#orderWithStop(app));
    await this.#step('close', () => this.#close(app));
    await this.#step('rejected order', () => this.#rejectedOrder(app));
    await this.#step('lost limit order', () => this.#lostLimitOrder(app));
    await this.#step('lost market order', () => this.#lostMarketOrder(app));
    await this.#step('order never placed', () => this.#neverPlaced(app));
    await this.#step('digits', () => this.#digits(app));
    await this.#step('rate limit', () => this.#rateLimit(app));
    await this.#step('order filter', () => this.#orderFilter(app));
    await this.#history(app);
    await this.#step('margin alert', () => this.#marginAlert(app));
    return this.#failures;
  }

  async #history(app: SoakApp): Promise<void> {
    await this.#step('sync', () => this.#sync(app));
    await this.#step('trades CSV', () => this.#csv(app, 'trades'));
    await this.#step('orders CSV', () => this.#csv(app, 'orders'));
  }

  async stop(): Promise<void> {
    await this.#app?.close();
    await this.#exchange.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #step(step: Step, work: () => Promise<string | null>): Promise<void> {
    try {
      const what = await work();
      if (what !== null) this.#failures.push({ step, what, isWrong: what.startsWith(WRONG) });
    } catch (error) {
      const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      this.#failures.push({ step, what: `thrown: ${what}`, isWrong: false });
    }
  }

  async #catchUp(): Promise<void> {
    const advanceMs = this.#behindMs;
    this.#behindMs = 0;
    if (advanceMs > 0) await this.#exchange.control('POST', '/clock', { advanceMs });
  }

  async #pass(ms: number): Promise<void> {
    await this.#time.passUntil(this.#time.now() + ms);
    await this.#catchUp();
  }

  async #connectionTest(): Promise<string | null> {
    const test = draftTest({
      clock: this.#time,
      limitOf: rateLimits(this.#time.mono),
      redact: () => () => undefined,
    });
    const { secret } = this.#exchange.practice.credentials;
    const steps = await test(this.#exchange.settings(), { secret, headers: {} });
    const failed = steps.filter(({ state }) => state === 'failed');
    return failed.length === 0 ? null : failed.map(({ name, detail }) => `${name}: ${detail}`).join(' · ');
  }

  /** Opens the connection and reads every feed. */
  async #account(): Promise<string | null> {
    const { practice } = this.#exchange;
    const { key, secret } = practice.credentials;
    this.#app = await startSoakApp(
      {
        ...{ url: practice.url, key, secret, live: this.#exchange.settings() },
        ...{ journal: join(this.#folder, 'orders.jsonl'), archive: join(this.#folder, 'live.sqlite') },
      },
      this.#time,
      this.#inFlight,
    );
    await this.#pass(2 * FEED_INTERVAL_MS.openOrders);
    return this.#feedFaults(this.#app);
  }

  #feedFaults({ connection }: SoakApp): string | null {
    const names: readonly FeedName[] = ['account', 'openOrders', 'history', 'contracts'];
    const faults = names.flatMap((name) => {
      const { value, failure } = connection.feeds.get(name);
      return failure === null && value !== null ? [] : [`${name}: ${failure?.message ?? 'not read'}`];
    });
    return faults.length === 0 ? null : faults.join(' · ');
  }

  /** Compares every field the app reads with the reply's own digits at the same moment. */
  async #digits({ connection: { client } }: SoakApp): Promise<string | null> {
    await this.#catchUp();
    const read = await this.#inFlight.of(client.account());
    if (!read.ok) return read.failure.message;
    const account = await this.#exchange.data('/ftapi/v1/account/info');
    if (!(account instanceof Map)) return 'the account is no record';
    const list = async (
      name: string,
      target: string,
      reading: Promise<ReadResult<readonly object[]>>,
      ids: readonly string[],
    ): Promise<string | null> => {
      const found = await this.#inFlight.of(reading);
      return found.ok
        ? compare(name, await this.#exchange.data(target), found.data, ids)
        : found.failure.message;
    };
    const faults = [
      compare('totals', [account], [read.data], []),
      compare('assets', account.get('assets'), read.data.assets, ['coin']),
      compare('positions', account.get('positions'), read.data.positions, ['symbolId', 'side']),
      await list('open orders', '/ftapi/v1/openOrder?limit=1000', client.openOrders(), ['orderId']),
      await list('order history', '/ftapi/v1/orderHis?limit=1000', client.orderHistory(), ['id']),
      await list('contracts', '/ftapi/v1/symbolConfig', client.symbolConfig(), ['symbolId']),
    ].filter((one) => one !== null);
    return faults.length === 0 ? null : faults.join(' · ');
  }

  /** Sends like the window, through the bridge's schema, after setting the fault. */
  async #send(app: SoakApp, request: OrderFields, fault?: object): Promise<IntentRecord> {
    await this.#catchUp();
    const kind = 'quantity' in request ? 'order' : 'close-all';
    const reference = {
      price: await this.#exchange.mark(request.symbolId),
      source: 'typed',
      at: this.#time.now(),
    };
    const intent = v.safeParse(orderIntentSchema, { connectionId: LIVE_ID, kind, request, reference });
    if (!intent.success) throw new Error(`the bridge refuses it: ${intent.issues[0].message}`);
    if (fault !== undefined) await this.#exchange.control('POST', '/faults', { endpoint: 'order', ...fault });
    const sent = await app.send(intent.output);
    await this.#exchange.control('DELETE', '/faults');
    await this.#time.rest();
    if (!sent.ok) throw new Error(`refused here: ${sent.failure.message}`);
    return sent.data;
  }

  /** A market order with a time in force where the exchange requires one. */
  #market(symbolId: string, side: 'BUY' | 'SELL', rest: object): OrderFields {
    const wanted = this.#exchange.practice.habits['market-orders'] === 'time-in-force';
    return {
      ...{ symbolId: this.#exchange.names.contract(symbolId), side, type: 'MARKET', ...rest },
      ...(wanted ? { timeInForce: 'IOC' } : {}),
    };
  }

  /** A resting buy order at that share of the mark. */
  async #limit(symbol: string, quantity: string, share: string, decimals: number): Promise<OrderFields> {
    const symbolId = this.#exchange.names.contract(symbol);
    const price = multiply(amount(await this.#exchange.mark(symbolId)), amount(share));
    return {
      ...{ symbolId, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity },
      price: printFixed(price, decimals, 'down'),
    };
  }

  /** Ids of all existing orders. */
  async #orderIds(): Promise<ReadonlySet<string>> {
    return new Set((await this.#exchange.orders()).map((row) => row.get('id') ?? ''));
  }

  /** Checks that the order was accepted with the id of the created one. */
  async #isAccepted(app: SoakApp, request: OrderFields): Promise<string | null> {
    const before = await this.#orderIds();
    const { state, orderId, events } = await this.#send(app, request);
    const made = [...(await this.#orderIds())].filter((id) => !before.has(id));
    const description = `${state} ${orderId ?? ''} (${events.at(-1)?.text ?? ''})`;
    if (state === 'rejected' && made.length > 0) return `${WRONG} ${description}, but it was placed`;
    if (state === 'accepted' && !made.includes(orderId ?? ''))
      return `${WRONG} ${description}, placed is ${made.join()}`;
    await this.#pass(4 * FEED_INTERVAL_MS.openOrders);
    return state === 'accepted' ? null : `not accepted: ${description}`;
  }

  async #limitOrder(app: SoakApp): Promise<string | null> {
    const fault = await this.#isAccepted(app, await this.#limit('BTC-USDT-M', '0.001', '0.91', 1));
    if (fault !== null) return fault;
    const open = (app.connection.feeds.get('openOrders').value ?? []).filter(isResting);
    return open.length === 3 ? null : `${open.length} orders rest, not 3`;
  }

  #quantity(app: SoakApp, symbolId: string): string | null | undefined {
    const name = this.#exchange.names.contract(symbolId);
    const positions = app.connection.feeds.get('account').value?.positions ?? [];
    return positions.find((one) => one.symbolId === name && one.side === 'BUY' && isHeld(one))?.quantity;
  }

  async #marketOrder(app: SoakApp): Promise<string | null> {
    const before = this.#quantity(app, 'SOL-USDT-M');
    const fault = await this.#isAccepted(app, this.#market('SOL-USDT-M', 'BUY', { quantity: '1.5' }));
    if (fault !== null) return fault;
    const after = this.#quantity(app, 'SOL-USDT-M');
    return before !== undefined && after !== undefined && before !== after
      ? null
      : `the position was ${before ?? 'not read'} and is ${after ?? 'not read'}`;
  }

  async #orderWithStop(app: SoakApp): Promise<string | null> {
    const mark = amount(await this.#exchange.mark(this.#exchange.names.contract('DOGE-USDT-M')));
    const [, byMark = ''] = this.#exchange.practice.settings.triggerTypes;
    const tpSl = {
      tpTriggerType: 'NONE',
      slTriggerType: byMark,
      slPrice: printFixed(multiply(mark, amount('0.97')), 5, 'down'),
    };
    return this.#isAccepted(app, this.#market('DOGE-USDT-M', 'BUY', { quantity: '100', tpSl }));
  }

  async #close(app: SoakApp): Promise<string | null> {
    const fault = await this.#isAccepted(app, this.#market('SOL-USDT-M', 'SELL', { reduceOnly: true }));
    if (fault !== null) return fault;
    const left = this.#quantity(app, 'SOL-USDT-M');
    return left === undefined ? null : `${left} are left of the position`;
  }

  async #rejectedOrder(app: SoakApp): Promise<string | null> {
    const fault = { action: 'code', accept: false, code: '700017' };
    const request = await this.#limit('LINK-USDT-M', '10', '0.92', 3);
    const { state, events } = await this.#send(app, request, fault);
    const description = `${state} (${events.at(-1)?.text ?? ''})`;
    if (state === 'accepted') return `${WRONG} ${description}`;
    const { failures } = this.#exchange.practice.habits;
    return state === (UNCONFIRMED.includes(failures) ? 'unknown' : 'rejected') ? null : description;
  }

  /** Loses the reply, and checks that reconciliation finds the created order. */
  async #isFound(app: SoakApp, request: OrderFields): Promise<string | null> {
    const before = await this.#orderIds();
    const sent = await this.#send(app, request, { action: 'reset', accept: true });
    const [made = ''] = [...(await this.#orderIds())].filter((id) => !before.has(id));
    if (sent.state !== 'unknown') return `${WRONG} ${sent.state} after a lost result`;
    const isOpen = (): boolean => app.journal.get(sent.id)?.state === 'unknown';
    for (let waited = 0; waited < MINUTE && isOpen(); waited += 5 * SECOND) await this.#pass(5 * SECOND);
    const { state, orderId, finding } = app.journal.get(sent.id) ?? sent;
    if (state === 'matched')
      return orderId === made ? null : `${WRONG} found ${orderId ?? ''}, made was ${made}`;
    return `${state} after ${finding?.rounds ?? 0} rounds: ${finding?.checks.at(-1)?.verdict ?? 'none'}`;
  }

  async #lostLimitOrder(app: SoakApp): Promise<string | null> {
    return this.#isFound(app, await this.#limit('ETH-USDT-M', '0.01', '0.93', 2));
  }

  #lostMarketOrder(app: SoakApp): Promise<string | null> {
    return this.#isFound(app, this.#market('DOGE-USDT-M', 'SELL', { quantity: '50' }));
  }

  async #neverPlaced(app: SoakApp): Promise<string | null> {
    const request = await this.#limit('XRP-USDT-M', '10', '0.92', 4);
    const sent = await this.#send(app, request, { action: 'reset', accept: false });
    if (sent.state !== 'unknown') return `${WRONG} ${sent.state} after a lost result`;
    await this.#pass(MINUTE / 3);
    const { state, finding } = app.journal.get(sent.id) ?? sent;
    if (state !== 'unknown') return `${WRONG} ${state}, though it was never placed`;
    return finding?.checks.at(-1)?.verdict === 'absent'
      ? null
      : `verdict ${finding?.checks.at(-1)?.verdict ?? 'none'}, not absent`;
  }

  /** Checks that nothing is read before `Retry-After` ends, and that reading resumes then. */
  async #rateLimit(app: SoakApp): Promise<string | null> {
    const faultsBefore = this.#feedFaults(app);
    const rule = { endpoint: 'account', action: 'rate-limit', retryAfter: RETRY_AFTER_S };
    await this.#exchange.control('POST', '/faults', rule);
    const reads = async (): Promise<number> => {
      const { order: _, batchOrders: __, ...rest } = await this.#exchange.received();
      return Object.values(rest).reduce((sum, one) => sum + one, 0);
    };
    const isMet = async (): Promise<boolean> =>
      (await this.#exchange.control('GET', '/faults')).includes('"hits":1');
    for (let tries = 0; tries < 40 && !(await isMet()); tries++) await this.#pass(SECOND / 2);
    const wasMet = await isMet();
    const before = await reads();
    if (wasMet) await this.#pass((RETRY_AFTER_S - 2) * SECOND);
    const inside = (await reads()) - before;
    await this.#exchange.control('DELETE', '/faults');
    if (!wasMet) return 'the account is not read any more';
    if (inside > 0) return `${inside} reads inside Retry-After`;
    await this.#pass(PAUSE_MS);
    const faults = this.#feedFaults(app);
    return faultsBefore === null && faults !== null ? `not read again: ${faults}` : null;
  }

  /** The order history of one contract, as the window requests it. */
  async #orderFilter({ connection }: SoakApp): Promise<string | null> {
    const symbolId = this.#exchange.names.contract('BTC-USDT-M');
    const session = {
      current: () => connection,
      opened: () => Promise.resolve(connection),
      summary: () => null,
    };
    const handlers = archiveHandlers(session, NO_EXPORTS);
    const query = { connectionId: LIVE_ID, symbolId, orderId: null, startTime: null, endTime: null };
    const result = await this.#inFlight.of(handlers['history.query'](query));
    if (!result.ok) return result.failure.message;
    const others = result.data.rows.filter((one) => one.symbolId !== symbolId).length;
    const wanted = (await this.#exchange.orders()).filter((row) => row.get('symbolId') === symbolId).length;
    if (others > 0) return `${others} orders of other contracts are shown`;
    return result.data.rows.length === wanted
      ? null
      : `${result.data.rows.length} orders are shown, not ${wanted}`;
  }

  /** Syncs until the archive reports completeness. */
  async #sync({ connection }: SoakApp): Promise<string | null> {
    const history = await connection.history;
    if (!history.ok) return history.failure.message;
    const { sync } = history.data;
    const from = this.#time.now();
    // The trades above are now older than the minute a backfill leaves out.
    sync.start();
    for (let tries = 0; tries < SYNC_TRIES; tries++) {
      await this.#pass(tries < 10 ? MINUTE / 10 : MINUTE);
      const { state, completedAt, orders } = sync.status();
      if (state === 'complete' && orders.state === 'complete' && (completedAt ?? 0) > from) return null;
    }
    const { state, failure, orders } = sync.status();
    return `trades ${state} (${failure?.message ?? ''}), orders ${orders.state} (${orders.failure?.message ?? ''})`;
  }

  /** Drops the price until the maintenance margin is some percent of equity: no alert is due. */
  async #marginAlert(app: SoakApp): Promise<string | null> {
    const coin = this.#exchange.names.coin('BTC');
    const hundred = amount(this.#exchange.practice.habits.ratios);
    for (let drops = 0; drops < MOST_DROPS; drops++) {
      if (!less(amount(await this.#exchange.rate(coin)), multiply(amount('0.01'), hundred))) break;
      await this.#exchange.control('POST', '/shock', { symbolId: 'BTC-USDT-M', share: '0.8' });
    }
    await this.#pass(3 * FEED_INTERVAL_MS.openOrders);
    const raised: string[] = [];
    const alerts = new Alerts({
      session: {
        current: () => app.connection,
        opened: () => Promise.resolve(app.connection),
        summary: () => app.summary,
      },
      portfolio: { readers: () => [] },
      file: () => Promise.resolve(NO_LOG),
      journal: { list: () => [] },
      settings: () => DEFAULT_SETTINGS,
      push: (update) => {
        if (update.do === 'raised' && update.record.rule.startsWith('margin'))
          raised.push(update.record.text);
      },
      ...{ desktop: () => Promise.resolve('unsupported'), notice: () => undefined, newId: () => 'alert' },
      ...{ message: () => undefined, worst: () => undefined },
      ...{ clock: this.#time, timers: this.#time },
    });
    alerts.start();
    await this.#pass(3 * SECOND);
    alerts.stop();
    const rate = await this.#exchange.rate(coin);
    return raised.length === 0 ? null : `${WRONG} the rate is ${rate}, the alert says: ${raised.join(' · ')}`;
  }

  async #csv({ connection }: SoakApp, table: 'trades' | 'orders'): Promise<string | null> {
    const history = await connection.history;
    if (!history.ok) return history.failure.message;
    const path = join(this.#folder, `${table}.csv`);
    const query = { ...FULL_EXPORT, table, filter: NO_FILTER };
    const step = await this.#inFlight.of(history.data.archive.exportCsv(query, path, () => undefined).done);
    if (step.state !== 'done') return `${step.state}: ${step.failure?.message ?? ''}`;
    const rows = parse<Record<string, string>>(readFileSync(path), { columns: true });
    // Text that a spreadsheet could take for a formula has a leading apostrophe, which an import removes.
    const found = rows.map(
      (row) => new Map(Object.entries(row).map(([name, text]) => [name, text.replace(/^'/, '')])),
    );
    const wanted = await this.#exchange[table]();
    const id = table === 'trades' ? 'tradeId' : 'id';
    const { state, orders } = history.data.sync.status();
    const isWhole = (table === 'trades' ? state : orders.state) === 'complete';
    const stored = new Set(found.map((row) => row.get(id)));
    // An incomplete history may lack rows; the others are compared all the same.
    const fault = difference(isWhole ? wanted : wanted.filter((row) => stored.has(row.get(id))), found, [id]);
    return fault === null ? null : `${WRONG} ${fault}`;
  }
}

const WRONG = 'wrong:';
const NO_LOG: AlertFile = {
  records: [],
  append: () => Promise.resolve(),
  acknowledge: () => Promise.resolve([]),
  message: () => Promise.resolve(),
};
const NO_EXPORTS = new Exports({
  ...{
    savePath: () => Promise.resolve(null),
    openPath: () => Promise.resolve(null),
    showFile: () => undefined,
  },
  ...{ changed: () => undefined, imported: () => undefined, notice: () => undefined },
  ...{ clock: { now: () => START }, newId: () => '' },
});

function compare(
  name: string,
  wanted: Json | undefined,
  found: readonly object[],
  ids: readonly string[],
): string | null {
  const fault = difference(rowsOf(wanted), found.map(rowOf), ids);
  return fault === null ? null : `${name}: ${fault}`;
}

/** A record of the app as texts, by the received text where it differs from the value. */
const rowOf = ({ received = {}, ...record }: { readonly received?: Received }): Row =>
  new Map(
    Object.entries({ ...record, ...received }).map(([name, value]: [string, unknown]) => {
      const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
      return [name, isPlain ? `${value as string | number | boolean}` : ''];
    }),
  );

/** Fields of the habit `extra-fields`, which no record of the app has. */
const ADDED: readonly string[] = ['addedLater', 'addedRecord'];

/** The first difference between records and the exchange's, matched by the fields `ids`. */
function difference(wanted: readonly Row[], found: readonly Row[], ids: readonly string[]): string | null {
  const keyOf = (row: Row): string => ids.map((id) => row.get(id) ?? '').join('|');
  const byKey = new Map(found.map((row) => [keyOf(row), row]));
  const missing = wanted.filter((row) => !byKey.has(keyOf(row))).length;
  if (missing > 0 || found.length !== wanted.length || byKey.size !== found.length)
    return `${found.length} records, ${found.length - byKey.size} of them doubled; the exchange has ${wanted.length}, ${missing} of them missing`;
  for (const row of wanted) {
    const own = byKey.get(keyOf(row));
    for (const [name, text] of row)
      if (!ADDED.includes(name) && own?.get(name) !== text)
        return `${name} is ${own?.get(name) ?? 'missing'}, the exchange says ${text}`;
  }
  return null;
}
