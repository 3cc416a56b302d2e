/** Compares the book with the npm package nodejs-order-book: after every operation of a stream, both must be equal. */
import { OrderBook, Side as TheirSide } from 'nodejs-order-book';
import { describe, expect, it } from 'vitest';
import { operations } from '../../tests/practice/stream.ts';
import { Book } from './book.ts';
import type { Resting, Side } from './book.ts';
import { MAKERS, NOISE } from './ledger.ts';

const never = (): never => {
  throw new Error('no order matches its own owner here');
};

/** `[price, quantity]` of a side, best first. */
function depthOf(book: Book, side: Side): number[][] {
  const levels: number[][] = [];
  for (const { ticks, lots } of book.orders(side)) {
    const last = levels.at(-1);
    if (last?.[0] === ticks) last[1] = (last[1] ?? 0) + lots;
    else levels.push([ticks, lots]);
  }
  return levels;
}

describe('the book compared with nodejs-order-book', () => {
  for (const seed of [1, 2, 3]) {
    it(`fills the same orders by the same quantities, stream ${seed}`, () => {
      const ours = new Book();
      const theirs = new OrderBook();
      const resting = new Map<number, Resting>();
      let fills = 0;
      for (const [step, { kind, buy, ticks, lots, id }] of operations(4_000, seed).entries()) {
        const side: Side = buy ? 1 : -1;
        if (kind === 'cancel') {
          const order = resting.get(id);
          const theirOrder = theirs.order(String(id));
          expect([step, order?.resting ?? false]).toEqual([step, theirOrder !== undefined]);
          if (order) ours.remove(order);
          if (theirOrder) theirs.cancel(String(id));
          continue;
        }
        const filled = new Map<number, number>();
        const onFill = ({ orderSeq }: Resting, part: number): void => {
          filled.set(orderSeq, (filled.get(orderSeq) ?? 0) + part);
        };
        const left = ours.take(NOISE, side, lots, kind === 'limit' ? ticks : null, onFill, never);
        if (kind === 'limit' && left > 0) resting.set(id, ours.rest(MAKERS, side, ticks, left, id));
        const theirSide = buy ? TheirSide.BUY : TheirSide.SELL;
        const met = [...filled.keys()].map((seq) => theirs.order(String(seq))?.size ?? 0);
        if (kind === 'limit') theirs.limit({ side: theirSide, id: String(id), size: lots, price: ticks });
        else theirs.market({ side: theirSide, size: lots });
        const after = [...filled.keys()].map((seq) => theirs.order(String(seq))?.size ?? 0);
        expect([step, [...filled.values()]]).toEqual([step, met.map((size, i) => size - (after[i] ?? 0))]);
        fills += filled.size;
        if (step % 20 !== 0) continue;
        const [asks, bids] = theirs.depth();
        expect([step, depthOf(ours, -1)]).toEqual([step, asks.toSorted(([a], [b]) => a - b)]);
        expect([step, depthOf(ours, 1)]).toEqual([step, bids.toSorted(([a], [b]) => b - a)]);
      }
      expect(fills).toBeGreaterThan(500);
    });
  }
});
