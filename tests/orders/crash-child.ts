/**
 * Runs the app's order path in a process that is killed: the real journal file, order service, client and
 * reconciler. Each start is also the restart after the previous kill, and reports what it read before it sends.
 */
import { appendFileSync } from 'node:fs';
import type { BatchIntent } from '../../src-shared/ipc/batch.ts';
import type { OrderRequest } from '../../src-shared/exchange-api/order-request.ts';
import { createClient } from '../../src-main/exchange/client.ts';
import { clock, timers } from '../../src-main/app/system.ts';
import { practiceSettings } from '../../src-main/session/stored.ts';
import { RateLimit } from '../../src-main/exchange/rate-limit.ts';
import { RequestLimiter } from '../../src-main/sync/request-limiter.ts';
import type { OrderService } from '../../src-main/orders/order-service.ts';
import { Reconciler } from '../../src-main/orders/reconcile/reconciler.ts';
import { journalFile } from '../../src-main/orders/journal/file.ts';
import { openJournal, type JournalFile } from '../../src-main/orders/journal/journal.ts';
import { openConnection, orderServiceOf, PRACTICE } from './simple-order-service.ts';
import { dataOf } from '../shared/data-of.ts';
import { LIMIT } from '../domain/order-samples.ts';

/** Where a process kills itself: the n-th write point at the start or after the confirmation. */
export interface KillPoint {
  readonly phase: 'start' | 'send';
  readonly at: number;
  /** The share of a line that reaches the file at a torn write, 0 to 1. */
  readonly torn: number;
}

export interface ChildOrder {
  readonly url: string;
  readonly file: string;
  readonly kill: KillPoint | null;
  /** What is sent once started; null: nothing, the journal is only read. */
  readonly send: { readonly prices: readonly string[]; readonly callSize: number } | null;
  /** Distinguishes this start's intents from every other's. */
  readonly name: string;
}

/** A line of the child's stdout. */
export type ChildLine =
  | { readonly found: readonly { body: string; state: string; orderId: string | null }[] }
  | { readonly confirmed: true }
  | { readonly done: true; readonly points: number };

const SYMBOL = 'BTC-USDT-M';
const CREDENTIALS = { key: 'kill-key', secret: 'kill-secret' };
/** More than two sends leave behind. */
const SHOWN = 12;

export async function runChild(order: ChildOrder): Promise<void> {
  const writeLine = (line: ChildLine): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
  let phase: KillPoint['phase'] = 'start';
  let points = 0;
  async function point(atKill: (torn: number) => void = () => undefined): Promise<void> {
    points++;
    if (order.kill?.phase !== phase || order.kill.at !== points) return;
    atKill(order.kill.torn);
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => undefined);
  }

  const real = journalFile(order.file);
  const file: JournalFile = {
    read: () => real.read(),
    async append(text) {
      await point();
      await point((torn) => appendFileSync(order.file, text.slice(0, Math.floor(text.length * torn))));
      await point(() => appendFileSync(order.file, text));
      await real.append(text);
      await point();
    },
  };
  const journal = await openJournal(file);
  const limit = new RateLimit(clock.mono);
  const client = createClient({
    ...{ baseUrl: order.url, credentials: CREDENTIALS, signing: 'practice', clock, limit },
  });
  const reconciler = new Reconciler({
    connectionId: 'killed',
    journal,
    client,
    limiter: new RequestLimiter(limit, clock),
    clock,
    timers,
    sendTimeoutMs: 15_000,
    position: () => null,
    orderTime: () => null,
    changed: () => undefined,
    unwritten: () => undefined,
  });
  const connection = openConnection({
    summary: {
      ...PRACTICE,
      ...{ id: 'killed', kind: 'live', settings: practiceSettings(order.url, CREDENTIALS.key) },
    },
    async send(endpoint, body, kind) {
      await point();
      const outcome = await client.send(endpoint, body, kind);
      await point();
      return outcome;
    },
    clockOffsetMs: () => client.clockOffsetMs(),
  });
  let ids = 0;
  let batchEnded = (): void => undefined;
  const orders = orderServiceOf({
    journal,
    connection: () => connection,
    clock,
    newId: () => `${order.name}-${String(++ids)}`,
    changed(record) {
      if (record.state === 'unknown') reconciler.reconcile(record.symbolId);
    },
    batchChanged(progress) {
      if (progress.state !== 'sending') batchEnded();
    },
  });

  await orders.recover();
  writeLine({
    found: journal
      .list('killed')
      .slice(0, SHOWN)
      .map(({ body, state, orderId }) => ({ body, state, orderId })),
  });
  reconciler.start();
  if (order.send !== null) {
    phase = 'send';
    points = 0;
    const ended = new Promise<void>((resolve) => (batchEnded = resolve));
    await send(orders, order.send, () => writeLine({ confirmed: true }));
    if (order.send.prices.length > 1) await ended;
  }
  await reconciler.stop();
  await client.close();
  writeLine({ done: true, points });
}

async function send(
  orders: OrderService,
  { prices, callSize }: NonNullable<ChildOrder['send']>,
  confirmed: () => void,
): Promise<void> {
  const rows = prices.map((price): BatchIntent['rows'][number] => ({ request: buy(price), reference: null }));
  const [only] = rows;
  if (only === undefined) throw new RangeError('nothing to send');
  // An unknown outcome of an earlier start holds the symbol: it is released, as a user may.
  if (rows.length === 1) {
    const review = dataOf(orders.review({ connectionId: 'killed', kind: 'order', ...only }));
    confirmed();
    await orders.send(review.token, SYMBOL);
    return;
  }
  const review = await orders.batches.review({ connectionId: 'killed', rows, callSize });
  if (!review.ok) throw new Error(review.failure.message);
  if (!('review' in review.data)) throw new Error('a row was refused');
  confirmed();
  dataOf(await orders.batches.send(review.data.review.token, [SYMBOL]));
}

const buy = (price: string): OrderRequest => ({ ...LIMIT, symbolId: SYMBOL, quantity: '0.001', price });
