/**
 * Sends ladders to the practice exchange, which replies to a batch with one boolean: a call rejected half-way, a
 * call whose reply is lost, the rest as a batch of its own. Then compares every row with the exchange's orders.
 */
import { isAmbiguous, type IntentRecord } from '../../src-shared/ipc/orders.ts';
import { seededRandom } from '../domain/lost-orders.ts';
import type { OrderRequest } from '../../src-shared/exchange-api/order-request.ts';
import { memoryFile } from './memory-file.ts';
import { listingDelays, startFixture, type Fixture, type Fault } from './lost-replies.ts';
import { dataOf } from '../shared/data-of.ts';
import { LIMIT } from '../domain/order-samples.ts';

export interface BatchFigures {
  rows: number;
  /** Confirmations needed, since a rejection or a lost reply stops the sequence. */
  batches: number;
  /** With an order id: accepted, or reconciled. */
  placed: number;
  /** Identical rows of which only some exist: for the user to choose. */
  ambiguous: number;
  /** Not at the exchange, and still unknown. */
  absent: number;
  /** Never sent, and not at the exchange. */
  neverSent: number;
  /** Any other error: a row marked placed that is not, an order without a row, one assigned twice. */
  wrong: number;
  duplicatePosts: number;
}

/** More than the account can pay for: the exchange splits it from its neighbours, and rejects it. */
const UNAFFORDABLE = '90';
/** The longest an order is hidden here, plus the time a round may take after it. */
const WATCH_MS = 120_000 + 35_000;
const GIVE_UP_AFTER = 12;

export interface BatchFaultOptions {
  readonly rows: number;
  readonly callSize: number;
  readonly seed: number;
}

export async function injectBatchFaults({ rows, callSize, seed }: BatchFaultOptions): Promise<BatchFigures> {
  const random = seededRandom(seed);
  const visibleAfter = listingDelays(random);
  const file = memoryFile();
  const fixture = await startFixture({ seed, visibleAfter, file });
  fixture.reconciler.start();
  try {
    const since = fixture.time.now();
    const ladder = ladderOf(rows, callSize);
    const rowOf = new Map<string, number>();
    let left = ladder.map((_, row) => row);
    let batches = 0;
    // The first is rejected half-way at the unaffordable row, the second loses a reply, the rest succeeds.
    for (; left.length > 0 && batches < GIVE_UP_AFTER; batches++) {
      for (const symbolId of new Set(ladder.map((one) => one.symbolId))) await fixture.poll(symbolId);
      const sent = await fixture.sendBatch(
        {
          connectionId: 'practice',
          callSize,
          rows: left.map((row) => ({ request: ladder[row]!, reference: null })),
        },
        batches === 1 ? [LOST[seed % LOST.length]!] : [],
      );
      const from = left;
      for (const one of sent.intents) rowOf.set(one.id, from[one.batch?.row ?? 0]!);
      left = left.slice(sent.intents.length);
      await fixture.time.passUntil(fixture.time.now() + WATCH_MS);
    }
    return await judged(fixture, { ladder, rowOf, left, since, batches, text: file.text });
  } finally {
    await fixture.stop();
  }
}

/** The reply of the second call of the second batch is lost after acceptance. */
const LOST: readonly Fault[] = [
  { action: 'reset', accept: true, nth: 2 },
  { action: 'status', accept: true, status: 502, nth: 2 },
  { action: 'truncated', accept: true, nth: 2 },
  { action: 'cut', accept: true, nth: 2 },
];

/** Two contracts in turn, each row at its own price, some rows twice; one row unaffordable. */
function ladderOf(rows: number, callSize: number): OrderRequest[] {
  const broken = Math.floor(rows * 0.35);
  return Array.from({ length: rows }, (_, row): OrderRequest => {
    // Identical rows: adjacent, a call apart, and around the rejected row.
    const source = row === 11 ? 10 : row === 5 + callSize ? 5 : row === broken + 2 ? broken - 2 : row;
    const bitcoin = source % 2 === 0;
    const ticks = String((bitcoin ? 30_000_0 : 1_500_00) + source);
    const decimals = bitcoin ? 1 : 2;
    return {
      ...LIMIT,
      symbolId: bitcoin ? 'BTC-USDT-M' : 'ETH-USDT-M',
      quantity: row === broken ? UNAFFORDABLE : bitcoin ? '0.001' : '0.01',
      price: `${ticks.slice(0, -decimals)}.${ticks.slice(-decimals)}`,
    };
  });
}

interface Outcome {
  readonly ladder: readonly OrderRequest[];
  readonly rowOf: ReadonlyMap<string, number>;
  readonly left: readonly number[];
  readonly since: number;
  readonly batches: number;
  readonly text: string;
}

const key = (request: Pick<OrderRequest, 'symbolId' | 'price' | 'quantity'>): string =>
  [request.symbolId, request.price, request.quantity].join(' ');

async function judged(fixture: Fixture, outcome: Outcome): Promise<BatchFigures> {
  const { ladder, rowOf, left } = outcome;
  const really = await ordersSince(fixture, outcome);
  const figures: BatchFigures = {
    rows: ladder.length,
    batches: outcome.batches,
    placed: 0,
    ambiguous: 0,
    absent: 0,
    neverSent: left.length,
    wrong: 0,
    duplicatePosts: 0,
  };
  const { received } = await fixture.control('GET', '/state');
  const arrived = received as Record<string, number>;
  figures.duplicatePosts = (arrived.order ?? 0) + (arrived.batchOrders ?? 0) - fixture.posts();

  // A restart reads the same records from the file as the window showed.
  const { journal } = await fixture.restart(outcome.text);
  const groups = new Map<string, IntentRecord[]>();
  for (const [id, row] of rowOf) {
    const record = journal.get(id);
    if (record === null || record.state !== fixture.journal.get(id)?.state) figures.wrong++;
    else groups.set(key(ladder[row]!), [...(groups.get(key(ladder[row]!)) ?? []), record]);
  }
  for (const [name, records] of groups) count(records, really.get(name) ?? [], figures);
  for (const [name, ids] of really) if (!groups.has(name)) figures.wrong += ids.length;
  if (figures.placed + figures.ambiguous + figures.absent + figures.neverSent !== ladder.length)
    figures.wrong++;
  return figures;
}

/** Groups of identical rows, and the existing orders of each. */
function count(records: readonly IntentRecord[], ids: readonly string[], figures: BatchFigures): void {
  const given = records.map((one) => one.orderId).filter((id) => id !== null);
  if (new Set(given).size !== given.length || given.some((id) => !ids.includes(id))) figures.wrong++;
  const fewer = ids.length > 0 && ids.length < records.length;
  for (const one of records) {
    if (one.state === 'accepted' || one.state === 'matched') figures.placed++;
    else if (fewer && isAmbiguous(one)) figures.ambiguous++;
    else if (ids.length === given.length && (one.state === 'unknown' || one.state === 'rejected'))
      figures.absent++;
    else figures.wrong++;
  }
}

async function ordersSince(fixture: Fixture, { ladder, since }: Outcome): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const symbolId of new Set(ladder.map((one) => one.symbolId))) {
    const result = dataOf(await fixture.client.orderHistory({ symbolId, startTime: since - 1_000 }));
    for (const one of result) {
      const name = key({ symbolId, price: one.price ?? '', quantity: one.quantity ?? '' });
      if (one.source === 0) found.set(name, [...(found.get(name) ?? []), one.id]);
    }
  }
  return found;
}
