/**
 * A price-time book: one first-in-first-out queue per price, the prices of a side in a sorted array whose last
 * element is the best. Orders come and go near the best price, so insertion is at or near the array's end
 * (performance.md: Map + sorted arrays 4.5M operations a second).
 */
import type { Owner } from './ledger.ts';

export type Side = 1 | -1;

export interface Resting {
  readonly owner: Owner;
  readonly side: Side;
  readonly ticks: number;
  /** Still to be filled. */
  lots: number;
  /** Set for the account's own orders, so that a fill finds its record. */
  readonly orderSeq: number;
  previous: Resting | null;
  next: Resting | null;
  resting: boolean;
}

interface Level {
  head: Resting | null;
  tail: Resting | null;
}

class Ladder {
  /** Best last: ascending for bids, descending for asks. */
  readonly prices: number[] = [];
  readonly levels = new Map<number, Level>();
  private readonly side: Side;

  constructor(side: Side) {
    this.side = side;
  }

  insert(order: Resting): void {
    let level = this.levels.get(order.ticks);
    if (!level) {
      level = { head: null, tail: null };
      this.levels.set(order.ticks, level);
      this.insertPrice(order.ticks);
    }
    order.previous = level.tail;
    if (level.tail) level.tail.next = order;
    else level.head = order;
    level.tail = order;
  }

  remove(order: Resting): void {
    const level = this.levels.get(order.ticks);
    if (!level) return;
    if (order.previous) order.previous.next = order.next;
    else level.head = order.next;
    if (order.next) order.next.previous = order.previous;
    else level.tail = order.previous;
    order.previous = null;
    order.next = null;
    if (!level.head) this.dropPrice(order.ticks);
  }

  private insertPrice(ticks: number): void {
    this.prices.splice(this.position(ticks), 0, ticks);
  }

  private dropPrice(ticks: number): void {
    this.levels.delete(ticks);
    if (this.prices[this.prices.length - 1] === ticks) this.prices.pop();
    else this.prices.splice(this.position(ticks), 1);
  }

  /** Index of `ticks`, or where it belongs. */
  private position(ticks: number): number {
    const { prices, side } = this;
    let low = 0;
    let high = prices.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const price = prices[middle] ?? 0;
      if (side * price < side * ticks) low = middle + 1;
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

  /** Best price of a side in ticks, or `null` when nobody quotes. */
  best(side: Side): number | null {
    const { prices } = this.ladder(side);
    return prices[prices.length - 1] ?? null;
  }

  /** Lets an order rest. The caller has matched it first: a crossing order here would cross the book. */
  rest(owner: Owner, side: Side, ticks: number, lots: number, orderSeq: number): Resting {
    const order: Resting = { owner, side, ticks, lots, orderSeq, previous: null, next: null, resting: true };
    this.ladder(side).insert(order);
    return order;
  }

  /** Takes an order out; does nothing when it no longer rests. */
  remove(order: Resting): void {
    if (!order.resting) return;
    order.resting = false;
    this.ladder(order.side).remove(order);
  }

  /**
   * Fills up to `lots` for a taker of `side`, best price first, oldest first, never beyond `limit` (ticks; `null`
   * = any price). `onFill` is told of each fill after the resting order was reduced. An order of the same owner is
   * not met: `onOwn` must take it out of the book. Returns what is left.
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
    const { prices, levels } = opposite;
    let left = lots;
    while (left > 0) {
      const ticks = prices[prices.length - 1];
      if (ticks === undefined || (limit !== null && side * ticks > side * limit)) break;
      const resting = levels.get(ticks)?.head;
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

  /** Shows what `take` would meet, without touching it: `(ticks, lots)` per resting order. Returns what is left. */
  preview(
    owner: Owner,
    side: Side,
    lots: number,
    limit: number | null,
    visit: (ticks: number, lots: number) => void,
  ): number {
    const { prices, levels } = this.ladder(side === 1 ? -1 : 1);
    let left = lots;
    for (let i = prices.length - 1; i >= 0 && left > 0; i -= 1) {
      const ticks = prices[i] ?? 0;
      if (limit !== null && side * ticks > side * limit) break;
      for (let order = levels.get(ticks)?.head ?? null; order && left > 0; order = order.next) {
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
    const { prices, levels } = this.ladder(side);
    for (let i = prices.length - 1; i >= 0; i -= 1) {
      for (let order = levels.get(prices[i] ?? 0)?.head ?? null; order; order = order.next) yield order;
    }
  }
}
