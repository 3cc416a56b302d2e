/**
 * Loses many replies of the practice exchange and compares the verdicts with its orders: waves of orders on several
 * symbols, each with a fault and shown late by 0 to 120 s of exchange time; identical requests, foreign orders,
 * restarts.
 */
import { seededRandom } from '../domain/lost-orders.ts';
import { isAmbiguous, type IntentRecord } from '../../src-shared/ipc/orders.ts';
import type { OrderRequest } from '../../src-shared/exchange-api/order-request.ts';
import { listingDelays, startFixture, type Fixture, type Fault } from './lost-replies.ts';

/** Far below the market, so that a limit order rests or is cancelled and never fills. */
const SYMBOLS = [
  { symbolId: 'BTC-USDT-M', price: 30_000_0n, decimals: 1, quantity: '0.001' },
  { symbolId: 'ETH-USDT-M', price: 1_500_00n, decimals: 2, quantity: '0.01' },
  { symbolId: 'SOL-USDT-M', price: 70_00n, decimals: 2, quantity: '0.1' },
  { symbolId: 'DOGE-USDT-M', price: 8_000n, decimals: 5, quantity: '10' },
] as const;

/** Each kind of fault, with the order placed or not. */
export const FAULTS: readonly (Fault | null)[] = [
  null,
  { action: 'reset', accept: true },
  { action: 'reset', accept: false },
  { action: 'cut', accept: true },
  { action: 'status', accept: true, status: 502 },
  { action: 'status', accept: false, status: 503 },
  { action: 'html', accept: true },
  { action: 'truncated', accept: true },
  { action: 'duplicate-keys', accept: true },
  { action: 'contradictory', accept: true },
  { action: 'no-data', accept: true },
  { action: 'rate-limit', accept: true, retryAfter: 1 },
  { action: 'rate-limit', accept: false, retryAfter: 1 },
  { action: 'code', accept: true, code: '700008' },
  { action: 'code', accept: false, code: '700017' },
  { action: 'delay', accept: true, ms: 400 },
];
/** A delay costs real time until the client gives up, so it is less frequent. */
const DELAY_SHARE = 0.2;

export interface Figures {
  submissions: number;
  duplicatePosts: number;
  /** Called failed though placed, or placed though not, or the wrong order. */
  falseVerdicts: number;
  unknown: number;
  unique: number;
  uniqueFound: number;
  within30s: number;
  slowestMs: number;
  /** Several orders or several requests that nothing distinguishes. */
  ambiguous: number;
  ambiguousFlagged: number;
  /** Never placed: still unknown at the end, as they must be. */
  absent: number;
  absentUnknown: number;
  /** A foreign identical order, shown first or alone: taken for ours, since nothing distinguishes them. */
  foreign: number;
  foreignTaken: number;
}

/** How long a wave is watched: the longest delay, plus the 30 s of the target, plus a margin. */
const WATCH_MS = 120_000 + 30_000 + 5_000;

interface Trial {
  readonly kind: 'alone' | 'identical' | 'foreign';
  readonly records: readonly IntentRecord[];
  /** The orders that really exist for each; null: none. */
  readonly truth: readonly (string | null)[];
  readonly foreign: readonly string[];
  readonly request: OrderRequest;
}

export async function injectFaults(submissions: number, seed: number): Promise<Figures> {
  const random = seededRandom(seed);
  const visibleAfter = listingDelays(random);
  const fixture = await startFixture({ seed, visibleAfter });
  fixture.reconciler.start();
  const figures: Figures = {
    submissions: 0,
    duplicatePosts: 0,
    falseVerdicts: 0,
    unknown: 0,
    unique: 0,
    uniqueFound: 0,
    within30s: 0,
    slowestMs: 0,
    ambiguous: 0,
    ambiguousFlagged: 0,
    absent: 0,
    absentUnknown: 0,
    foreign: 0,
    foreignTaken: 0,
  };
  try {
    let foreign = 0;
    const before = await ordersReceived(fixture);
    for (let wave = 0; figures.submissions < submissions; wave++) {
      const since = fixture.time.now();
      const trials: Trial[] = [];
      for (const one of SYMBOLS) {
        await fixture.poll(one.symbolId);
        trials.push(await tryOut(fixture, random, requestOf(one, wave, random), since));
      }
      figures.submissions += trials.reduce((sum, one) => sum + one.records.length, 0);
      foreign += trials.filter((one) => one.kind === 'foreign').length;
      await fixture.time.passUntil(since + WATCH_MS);
      for (const trial of trials) await count(fixture, trial, figures);
      // Separates this wave's orders from the next one's.
      await fixture.time.passUntil(fixture.time.now() + 60_000);
    }
    // Counted on arrival: one per submission and foreign order, whatever became of the reply.
    figures.duplicatePosts = (await ordersReceived(fixture)) - before - foreign - figures.submissions;
    return figures;
  } finally {
    await fixture.stop();
  }
}

async function ordersReceived(fixture: Fixture): Promise<number> {
  const { received } = await fixture.control('GET', '/state');
  return (received as Record<string, number>).order ?? 0;
}

/** Every wave has its own prices, so that only intended duplicates are equal. */
function requestOf(one: (typeof SYMBOLS)[number], wave: number, random: () => number): OrderRequest {
  const ticks = String(one.price + BigInt(wave % 400)).padStart(one.decimals + 1, '0');
  return {
    symbolId: one.symbolId,
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: random() < 0.5 ? 'GTC' : 'IOC',
    quantity: one.quantity,
    price: `${ticks.slice(0, -one.decimals)}.${ticks.slice(-one.decimals)}`,
  };
}

async function tryOut(
  fixture: Fixture,
  random: () => number,
  request: OrderRequest,
  since: number,
): Promise<Trial> {
  const { symbolId } = request;
  const chosen = random();
  const kind = chosen < 0.8 ? 'alone' : chosen < 0.9 ? 'identical' : 'foreign';
  const fault = (): Fault | null => {
    const one = FAULTS[Math.floor(random() * FAULTS.length)] ?? null;
    return one?.action === 'delay' && random() > DELAY_SHARE ? null : one;
  };
  let before = await fixture.trueIds(symbolId, since);
  const made = async (): Promise<string | null> => {
    const now = await fixture.trueIds(symbolId, since);
    const fresh = now.find((id) => !before.includes(id)) ?? null;
    before = now;
    return fresh;
  };
  const records: IntentRecord[] = [];
  const truth: (string | null)[] = [];
  const foreign: string[] = [];
  for (let index = kind === 'identical' ? 2 : 1; index > 0; index--) {
    records.push(await fixture.send(request, fault()));
    truth.push(await made());
  }
  if (kind === 'foreign') {
    await fixture.observer.placeOrder(request);
    const id = await made();
    if (id !== null) foreign.push(id);
  }
  return { kind, records, truth, foreign, request };
}

async function count(fixture: Fixture, trial: Trial, figures: Figures): Promise<void> {
  const { kind, records, truth, foreign, request } = trial;
  const open = records.filter((one) => one.state === 'unknown');
  for (const [index, sent] of records.entries()) {
    const real = truth[index] ?? null;
    const now = fixture.journal.get(sent.id) ?? sent;
    if (sent.state !== 'unknown') {
      const right = sent.state === 'accepted' ? sent.orderId === real : real === null;
      if (!right) figures.falseVerdicts++;
      continue;
    }
    figures.unknown++;
    const own = now.orderId !== null && truth.includes(now.orderId);
    if (kind === 'foreign') {
      figures.foreign++;
      if (now.orderId !== null && foreign.includes(now.orderId)) figures.foreignTaken++;
      else if (now.orderId !== null && !own) figures.falseVerdicts++;
    } else if (now.state === 'matched' ? !own : now.state !== 'unknown') figures.falseVerdicts++;
    else countOwn(now, open, trial, figures, fixture);
  }
  await clear(fixture, records, [...truth, ...foreign], request);
}

/** Our orders: reconciled when the counts allow it, flagged when they do not, unknown when there is nothing. */
function countOwn(
  now: IntentRecord,
  open: readonly IntentRecord[],
  { records, truth }: Trial,
  figures: Figures,
  fixture: Fixture,
): void {
  const arrived = open.map((one) => truth[records.indexOf(one)] ?? null).filter((id) => id !== null);
  if (arrived.length === 0) {
    figures.absent++;
    if (now.state === 'unknown') figures.absentUnknown++;
    else figures.falseVerdicts++;
  } else if (arrived.length < open.length) {
    figures.ambiguous++;
    if (isAmbiguous(now)) figures.ambiguousFlagged++;
  } else {
    figures.unique++;
    if (now.state !== 'matched') return;
    figures.uniqueFound++;
    const shown = Math.max(...arrived.map((id) => fixture.showFrom.get(id) ?? 0), now.createdAt);
    const took = (now.events.at(-1)?.at ?? 0) - shown;
    figures.slowestMs = Math.max(figures.slowestMs, took);
    if (took <= 30_000) figures.within30s++;
  }
}

/** Closes open positions and cancels resting orders, as a user would. */
async function clear(
  fixture: Fixture,
  records: readonly IntentRecord[],
  ids: readonly (string | null)[],
  request: OrderRequest,
): Promise<void> {
  for (const one of records)
    if (fixture.journal.get(one.id)?.state === 'unknown')
      await fixture.orders.decisions.dismiss(one.id, request.symbolId);
  if (request.timeInForce === 'GTC')
    for (const orderId of ids) if (orderId !== null) await fixture.control('POST', '/cancel', { orderId });
}
