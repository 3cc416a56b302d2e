/** Simulates kills in one process on a disk that loses unsynced data: many runs in little time. */
import type { BatchIntent } from '../../src-shared/ipc/batch.ts';
import { seededRandom } from '../domain/lost-orders.ts';
import type { PostOutcome } from '../../src-main/exchange/outcome.ts';
import { callBody } from '../../src-main/orders/batch/calls.ts';
import type { OrderService } from '../../src-main/orders/order-service.ts';
import { openJournal, type Journal, type JournalFile } from '../../src-main/orders/journal/journal.ts';
import { simpleOrderService } from './simple-order-service.ts';

/** A page cache over a disk: an append reaches the disk at its sync, or partly when the power fails. */
export class LossyFile implements JournalFile {
  disk = '';
  steps = 0;
  readonly #killAt: number;
  readonly #torn: number;

  /** Dies at the given step; `torn` characters of the current line have reached the disk. */
  constructor(disk: string, killAt: number, torn: number) {
    this.disk = disk;
    this.#killAt = killAt;
    this.#torn = torn;
  }

  get dead(): boolean {
    return this.steps >= this.#killAt;
  }

  /** True once dead: nothing happens any more. */
  step(): boolean {
    return ++this.steps >= this.#killAt;
  }

  async append(text: string): Promise<void> {
    if (this.step()) {
      if (this.steps === this.#killAt) this.disk += text.slice(0, this.#torn);
      return new Promise(() => undefined);
    }
    await Promise.resolve();
    // Written and synced, but the app may die before it is notified.
    this.disk += text;
    if (this.step()) return new Promise(() => undefined);
  }

  read(): Promise<Buffer> {
    return Promise.resolve(Buffer.from(this.disk));
  }
}

export const lossyOutcomes: readonly PostOutcome[] = [
  { outcome: 'accepted', data: '734829105569914880' },
  { outcome: 'unknown', failure: { kind: 'unknown', message: 'lost', next: 'look' } },
  {
    outcome: 'rejected',
    code: '700017',
    failure: { kind: 'rejected', code: '700017', message: 'no', next: 'less' },
  },
];

/** An order service on such a file; `sent` lists what was sent before the app died. */
export async function lossyOrderService(
  file: LossyFile,
  reply: (batch: boolean) => PostOutcome,
  sent: string[],
): Promise<{ readonly journal: Journal; readonly orders: OrderService }> {
  const journal = await openJournal(file);
  let ids = 0;
  const orders = simpleOrderService(
    journal,
    (endpoint, body) => {
      if (file.step()) return new Promise(() => undefined);
      sent.push(body);
      if (file.step()) return new Promise(() => undefined);
      return Promise.resolve(reply(endpoint === 'placeBatch'));
    },
    () => `id-${file.disk.length}-${sent.length}-${++ids}`,
  );
  return { journal, orders };
}

export interface LossyFigures {
  kills: number;
  sent: number;
  sentWithoutRecord: number;
  resent: number;
  falseVerdicts: number;
}

/**
 * Sends ladders of 1 to 6 rows in calls of 1 to 3, killed at a random step with a random part of the current line
 * stored.
 */
export async function runLossyDiskTest(kills: number, seed: number): Promise<LossyFigures> {
  const random = seededRandom(seed);
  const pick = (below: number): number => Math.floor(random() * below);
  const figures: LossyFigures = { kills: 0, sent: 0, sentWithoutRecord: 0, resent: 0, falseVerdicts: 0 };
  while (figures.kills < kills) {
    const sent: string[] = [];
    const torn = [0, 1, pick(3_000), Infinity][pick(4)]!;
    const file = new LossyFile('', 1 + pick(40), torn);
    const { orders } = await lossyOrderService(file, (batch) => resultOf(batch, pick), sent);
    await sendLadder(orders, 1 + pick(6), 1 + pick(3));
    if (file.dead) figures.kills++;

    const resent: string[] = [];
    const kept = new LossyFile(file.disk, Infinity, 0);
    const again = await lossyOrderService(kept, () => lossyOutcomes[1]!, resent);
    await again.orders.recover();
    await settle();
    figures.sent += sent.length;
    figures.resent += resent.length;
    count(again.journal, sent, figures);
  }
  return figures;
}

function resultOf(batch: boolean, pick: (below: number) => number): PostOutcome {
  if (pick(4) > 0)
    return { outcome: 'accepted', data: batch ? true : String(1_000_000 + pick(1_000_000_000)) };
  return lossyOutcomes[1 + pick(2)]!;
}

async function sendLadder(orders: OrderService, count: number, callSize: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, row): BatchIntent['rows'][number] => ({
    request: { symbolId: 'BTC-USDT-M', side: 'BUY', type: 'MARKET', quantity: `${row + 1}.5` },
    reference: null,
  }));
  const review = await orders.batches.review({ connectionId: 'practice', rows, callSize });
  if (!review.ok || !('review' in review.data)) throw new Error('the ladder was refused');
  void orders.batches.send(review.data.review.token, []);
  await settle();
}

/** Waits for microtasks: everything here runs on promises alone. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 400; turn++) await Promise.resolve();
}

/** Checks that each sent call has all its rows on disk, and that no row marked not sent was sent. */
function count(journal: Journal, sent: readonly string[], figures: LossyFigures): void {
  const calls = new Map<number, ReturnType<Journal['list']>[number][]>();
  for (const record of [...journal.list('practice')].reverse()) {
    const call = record.batch?.call ?? 0;
    calls.set(call, [...(calls.get(call) ?? []), record]);
  }
  const recorded = new Map<string, string>();
  for (const rows of calls.values()) {
    const bytes = callBody(rows, rows[0]?.path.endsWith('/order') === true);
    const states = new Set(rows.map((one) => one.state));
    recorded.set(bytes, [...states].join(' '));
    if (states.has('not-sent') && sent.includes(bytes)) figures.falseVerdicts++;
    if (states.has('sending') || states.has('recorded')) figures.falseVerdicts++;
  }
  for (const bytes of sent) if (!recorded.has(bytes)) figures.sentWithoutRecord++;
}
