/** The positions and price a review was made with. If they change, it has to be reviewed again. */
import { amount, calculated, greater } from '../../../src-shared/amount.ts';
import { deviationPercent } from '../../../src-shared/domain/instrument/price-deviation.ts';
import type { TradingContext } from './trading-context.ts';

/** How far the reference price may move while a sheet is open, percent. */
const MOVED_PERCENT = amount('0.5');

export interface ReviewSnapshot {
  readonly position: string;
  readonly price: string | null;
}

/** Takes a snapshot. Reads state and the clock: use it inside `$derived`. */
export function reviewSnapshotOf({ feeds, specs }: TradingContext, symbolId: string): ReviewSnapshot {
  const positions = feeds.positions.filter((one) => one.symbolId === symbolId);
  const words = positions.map((one) => `${one.side === 'SELL' ? 'short' : 'long'} ${one.quantity}`);
  return {
    position: words.length === 0 ? 'none' : words.join(' and '),
    price: specs.references(symbolId)[0]?.price ?? null,
  };
}

/** Returns what changed between two snapshots, as a sentence; null when the review still holds. */
export function changeSince(snapshot: ReviewSnapshot, now: ReviewSnapshot): string | null {
  if (now.position !== snapshot.position) {
    return `The position changed from ${snapshot.position} to ${now.position} since you reviewed this.`;
  }
  if (now.price === null || snapshot.price === null || now.price === snapshot.price) return null;
  const moved = deviationPercent(now.price, snapshot.price);
  if (!greater(calculated(moved), MOVED_PERCENT)) return null;
  return `The price moved from ${snapshot.price} to ${now.price} since you reviewed this.`;
}
