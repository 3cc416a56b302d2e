/** Kills at every point of an order's life, with a disk that forgets what was not synced: nothing sent is forgotten. */
import { describe, expect, it } from 'vitest';
import type { PostOutcome } from '../exchange/outcome.ts';
import { assertBody, encodeOrder } from '../exchange/order-body.ts';
import { practiceSettings } from '../session/stored.ts';
import { createDesk } from './desk.ts';
import { openJournal, type JournalFile } from './journal.ts';
import type { IntentHead } from './journal-lines.ts';

/** A page cache over a disk: an append reaches the disk at its sync, or a torn part of it when the power goes. */
class LossyFile implements JournalFile {
  disk = '';
  steps = 0;
  readonly #killAt: number;
  readonly #torn: number;

  /** Dies at the given step; of the line in hand `torn` characters had reached the disk. */
  constructor(disk: string, killAt: number, torn: number) {
    this.disk = disk;
    this.#killAt = killAt;
    this.#torn = torn;
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
    // Written and synced, but the app may die before it hears of it.
    this.disk += text;
    if (this.step()) return new Promise(() => undefined);
  }

  read(): Promise<string> {
    return Promise.resolve(this.disk);
  }
}

const HEAD: IntentHead = {
  connectionId: 'practice',
  connectionKind: 'practice',
  kind: 'order',
  symbolId: 'BTC-USDT-M',
  side: 'BUY',
  type: 'MARKET',
  path: '/ftapi/v1/order',
  body: '{}',
  knownIds: [],
};
const times = { sentAt: 0, answeredAt: 1, date: null, status: 200 };
const outcomes: readonly PostOutcome[] = [
  { outcome: 'accepted', data: '734829105569914880', ...times },
  { outcome: 'unknown', failure: { kind: 'unknown', message: 'lost', next: 'look' }, ...times },
  {
    outcome: 'rejected',
    code: '700017',
    failure: { kind: 'refused', code: '700017', message: 'no', next: 'less' },
    ...times,
  },
];

async function start(file: LossyFile, outcome: PostOutcome, sent: string[]) {
  const journal = await openJournal(file);
  const desk = createDesk({
    journal,
    connection: () => ({
      summary: {
        id: 'practice',
        kind: 'practice',
        settings: practiceSettings('http://127.0.0.1:1', 'key'),
        secret: 'memory',
        proven: true,
        createdAt: 0,
      },
      send(_endpoint, body) {
        if (file.step()) return new Promise(() => undefined);
        sent.push(body);
        if (file.step()) return new Promise(() => undefined);
        return Promise.resolve(outcome);
      },
      knownOrderIds: () => [],
      clockOffsetMs: () => 0,
      position: () => null,
      contractIds: () => null,
      stop: () => null,
    }),
    locked: () => false,
    encode: encodeOrder,
    assertBody,
    clock: { now: () => 1_000, mono: () => 1_000 },
    newId: () => `id-${file.disk.length}-${sent.length}`,
    changed: () => undefined,
    batchChanged: () => undefined,
  });
  return { journal, desk };
}

describe('a kill', () => {
  const kills = [1, 2, 3, 4, 5, 6, 7].flatMap((at) => [0, 5, 400, 1_000_000].map((torn) => ({ at, torn })));

  it.each(kills)('at step $at with $torn characters on the disk', async ({ at, torn }) => {
    for (const outcome of outcomes) {
      const sent: string[] = [];
      const file = new LossyFile('', at, torn);
      const { desk } = await start(file, outcome, sent);
      const review = desk.review({
        connectionId: 'practice',
        kind: 'order',
        reference: null,
        request: { symbolId: 'BTC-USDT-M', side: 'BUY', type: 'MARKET', quantity: '0.850' },
      });
      if (!review.ok) throw new Error(review.failure.message);
      const answered: string[] = [];
      void desk.send(review.data.token, null).then((one) => answered.push(one.ok ? one.data.state : ''));
      for (let turn = 0; turn < 40; turn++) await Promise.resolve();

      const resent: string[] = [];
      const kept = new LossyFile(file.disk, Infinity, 0);
      const again = await start(kept, outcome, resent);
      await again.desk.recover();
      const records = again.journal.list('practice');
      // Whatever left has a record with its bytes, and nothing leaves a second time.
      expect(records.length).toBeGreaterThanOrEqual(sent.length);
      for (const body of sent) expect(records.map((one) => one.body)).toContain(body);
      expect(resent).toEqual([]);
      for (const { state } of records) {
        // Recorded without `send` on the disk: certainly not sent.
        if (state === 'not-sent') expect(sent).toEqual([]);
        else expect(['unknown', outcome.outcome]).toContain(state);
      }
      // What the person was told is what the file says.
      for (const state of answered) expect(records[0]?.state).toBe(state);
      // The file goes on after the torn line.
      await again.journal.write('next', [{ event: 'record', text: 'record', at: 2_000, mono: 1 }], HEAD);
      const last = await openJournal(kept);
      expect(last.get('next')?.state).toBe('recorded');
    }
  });
});
