/**
 * Fills a real disk: the journal's file is on a small file system, filled to the last byte before a send, or
 * between the POST and its outcome.
 */
import { closeSync, mkdirSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { PostOutcome } from '../../src-main/exchange/outcome.ts';
import type { OrderService } from '../../src-main/orders/order-service.ts';
import { journalFile } from '../../src-main/orders/journal/file.ts';
import { openJournal, type Journal, type JournalFile } from '../../src-main/orders/journal/journal.ts';
import { reviewMarket, simpleOrderService } from './simple-order-service.ts';

export interface DiskFigures {
  sends: number;
  /** Blocked here, since the record could not be written. */
  refused: number;
  posts: number;
  postsWithoutRecord: number;
  resent: number;
  /** The outcome could not be written: unknown at once. */
  unknownAtOnce: number;
  /** Any state but unknown after that, now or at the next start. */
  falseVerdicts: number;
}

/** Bytes left for a partial line, which must be gone when the disk has space again. */
const ROOM = 40;

/** `folder`: on a small file system of its own. */
export async function runFullDiskTest(folder: string, sends: number): Promise<DiskFigures> {
  mkdirSync(folder, { recursive: true });
  const ballast = join(folder, 'filling');
  const fill = (): void => fillUp(ballast);
  const empty = (): void => rmSync(ballast, { force: true });
  const figures: DiskFigures = {
    sends: 0,
    refused: 0,
    posts: 0,
    postsWithoutRecord: 0,
    resent: 0,
    unknownAtOnce: 0,
    falseVerdicts: 0,
  };
  for (; figures.sends < sends; figures.sends++) {
    const path = join(folder, 'orders.jsonl');
    const fillWithin = (): void => {
      fill();
      // Fills the journal's last block too, with empty lines, which are ignored.
      fillUp(path, '\n');
      truncateSync(path, statSync(path).size - ROOM);
    };
    const file = journalFile(path);
    const posts: string[] = [];
    const fullAfterPost = figures.sends % 2 === 1;
    const { orders, journal } = await orderServiceOn(file, (body) => {
      posts.push(body);
      if (fullAfterPost) fillWithin();
    });
    if (!fullAfterPost) fill();
    const sent = await sendOne(orders);
    const [record] = journal.list('practice');
    if (!fullAfterPost) {
      if (sent === 'refused') figures.refused++;
      else figures.falseVerdicts++;
    } else if (record?.state === 'unknown') figures.unknownAtOnce++;
    else figures.falseVerdicts++;

    // Killed while the disk is still full, started again, and then there is space.
    const again = await orderServiceOn(file, (body) => void posts.push(body));
    await again.orders.recover();
    const expected = fullAfterPost ? ['unknown'] : [];
    if (
      again.journal
        .list('practice')
        .map((one) => one.state)
        .join() !== expected.join()
    )
      figures.falseVerdicts++;
    empty();
    await again.orders.decisions.dismiss(record?.id ?? '', 'BTC-USDT-M');
    figures.posts += posts.length;
    figures.resent += Math.max(0, posts.length - 1);
    const kept = await openJournal(file);
    const bodies = kept.list('practice').map((one) => one.body);
    figures.postsWithoutRecord += posts.filter((body) => !bodies.includes(body)).length;
    if (fullAfterPost && (kept.damaged > 0 || kept.get(record?.id ?? '')?.state !== 'dismissed'))
      figures.falseVerdicts++;
    if (journal.damaged > 0) figures.falseVerdicts++;
    rmSync(path, { force: true });
  }
  return figures;
}

async function sendOne(orders: OrderService): Promise<'sent' | 'refused'> {
  const review = reviewMarket(orders);
  return (await orders.send(review.token, null)).ok ? 'sent' : 'refused';
}

async function orderServiceOn(
  file: JournalFile,
  posted: (body: string) => void,
): Promise<{ readonly orders: OrderService; readonly journal: Journal }> {
  const journal = await openJournal(file);
  let ids = 0;
  const orders = simpleOrderService(
    journal,
    (_endpoint, body): Promise<PostOutcome> => {
      posted(body);
      return Promise.resolve({ outcome: 'accepted', data: '734829105569914880' });
    },
    () => `id-${String(++ids)}`,
  );
  return { orders, journal };
}

/** Fills the disk to the last byte, so that not even the rest of a block takes a line. */
function fillUp(path: string, filling = '\0'): void {
  const file = openSync(path, 'a');
  try {
    for (const size of [4_096, 256, 1]) {
      const block = Buffer.alloc(size, filling);
      try {
        while (writeSync(file, block) === size);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    }
  } finally {
    closeSync(file);
  }
}
