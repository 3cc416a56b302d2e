/**
 * A price-time book: one first-in-first-out queue per price; each side's prices are a sorted array with the best
 * last. Orders come and go near the best price, so insertion is at or near the array's end. A search among a few
 * dozen prices is cheaper than keeping a map (bench/practice.ts).
 */
import type { Owner } from './ledger.ts';

export type Side = 1 | -1;

export interface Resting {
  readonly owner: Owner;
  readonly side: Side;
  readonly ticks: number;
  /** Quantity left to fill. */
  lots: number;
  /** Set for the account's own orders, so that a fill finds its record. */
  readonly orderSeq: number;
  previous: Resting | null;
  next: Resting | null;
  resting: boolean;
}

interface Level {
  ticks: number;
  head: Resting | null;
  tail: Resting | null;
}

function shift(levels: Level[], from: number, to: number): void {
  const level = levels[from];
  if (level) levels[to] = level;
}

class Ladder {
  /** Best last: ascending for bids, descending for asks. */
  readonly levels: Level[] = [];
  /** Emptied levels for reuse: makers add and remove ten a side every second. */
  private readonly spare: Level[] = [];
  private readonly side: Side;

  constructor(side: Side) {
    this.side = side;
  }

  insert(order: Resting): void {
    const { levels } = this;
    const at = this.position(order.ticks);
    let level = levels[at];
    if (level?.ticks !== order.ticks) {
      level = this.spare.pop() ?? { ticks: 0, head: null, tail: null };
      level.ticks = order.ticks;
      this.makeRoom(at, level);
    }
    order.previous = level.tail;
    if (level.tail) level.tail.next = order;
    else level.head = order;
    level.tail = order;
  }

  remove(order: Resting): void {
    const { levels } = this;
    const last = levels[levels.length - 1];
    const at = last?.ticks === order.ticks ? levels.length - 1 : this.position(order.ticks);
    const level = levels[at];
    if (level?.ticks !== order.ticks) return;
    if (order.previous) order.previous.next = order.next;
    else level.head = order.next;
    if (order.next) order.next.previous = order.previous;
    else level.tail = order.previous;
    order.previous = null;
    order.next = null;
    if (level.head) return;
    this.spare.push(level);
    for (let i = at + 1; i < levels.length; i += 1) shift(levels, i, i - 1);
    levels.pop();
  }

  /** Inserts with a loop: `splice` returns an array, and `copyWithin` is slow on arrays of objects. */
  private makeRoom(at: number, level: Level): void {
    const { levels } = this;
    levels.push(level);
    if (at === levels.length - 1) return;
    for (let i = levels.length - 1; i > at; i -= 1) shift(levels, i - 1, i);
    levels[at] = level;
  }

  /** Index of `ticks`, or where it would be inserted. */
  private position(ticks: number): number {
    const { levels, side } = this;
    let low = 0;
    let high = levels.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (side * (levels[middle]?.ticks ?? 0) < side * ticks) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export class Book {
  private readonly bids = new Ladder(1);
  private readonly asks = new Ladder(-1);

  private ladder(side: Side): Ladder {
    return side === 1 ? this.bids : this.asks;
  }

  /** Best price of a side in ticks; `null` when the side is empty. */
  best(side: Side): number | null {
    const { levels } = this.ladder(side);
    return levels[levels.length - 1]?.ticks ?? null;
  }

  /** Adds a resting order. The caller has matched it first: a crossing order here would cross the book. */
  rest(owner: Owner, side: Side, ticks: number, lots: number, orderSeq: number): Resting {
    const order: Resting = { owner, side, ticks, lots, orderSeq, previous: null, next: null, resting: true };
    this.ladder(side).insert(order);
    return order;
  }

  /** Removes an order; does nothing when it no longer rests. */
  remove(order: Resting): void {
    if (!order.resting) return;
    order.resting = false;
    this.ladder(order.side).remove(order);
  }

  /**
   * Fills up to `lots` for a taker of `side`, best price first, oldest first, within `limit` (ticks; `null` = any
   * price). Calls `onFill` after each reduction. For an order of the same owner it calls `onOwn`, which must remove
   * it instead. Returns the lots left.
   */
  take(
    owner: Owner,
    side: Side,
    lots: number,
    limit: number | null,
    onFill: (resting: Resting, lots: number) => void,
    onOwn: (resting: Resting) => void,
  ): number {
    const opposite = this.ladder(side === 1 ? -1 : 1);
    const { levels } = opposite;
    let left = lots;
    while (left > 0) {
      const level = levels[levels.length - 1];
      if (!level || (limit !== null && side * level.ticks > side * limit)) break;
      const resting = level.head;
      if (!resting) break;
      if (resting.owner === owner) {
        onOwn(resting);
        if (resting.resting) throw new Error('an own order must leave the book before matching goes on');
        continue;
      }
      const filled = resting.lots < left ? resting.lots : left;
      resting.lots -= filled;
      left -= filled;
      if (resting.lots === 0) this.remove(resting);
      onFill(resting, filled);
    }
    return left;
  }

  /**
   * Reports `(ticks, lots)` of each resting order `take` would match, without changing the book. Returns the lots
   * left.
   */
  preview(
    owner: Owner,
    side: Side,
    lots: number,
    limit: number | null,
    visit: (ticks: number, lots: number) => void,
  ): number {
    const { levels } = this.ladder(side === 1 ? -1 : 1);
    let left = lots;
    for (let i = levels.length - 1; i >= 0 && left > 0; i -= 1) {
      const level = levels[i];
      if (!level) break;
      const { ticks } = level;
      if (limit !== null && side * ticks > side * limit) break;
      for (let order = level.head; order && left > 0; order = order.next) {
        if (order.owner === owner) continue;
        const filled = order.lots < left ? order.lots : left;
        visit(ticks, filled);
        left -= filled;
      }
    }
    return left;
  }

  /** Resting orders of a side, best price first, oldest first. */
  *orders(side: Side): Generator<Resting> {
    const { levels } = this.ladder(side);
    for (let i = levels.length - 1; i >= 0; i -= 1) {
      for (let order = levels[i]?.head ?? null; order; order = order.next) yield order;
    }
  }
}
