/**
 * Collects reference prices. The exchange API has no ticker, so a price comes from a position's mark or last price, the
 * user's fills, or typed input. Source and time let checks reject old ones.
 */
import { amount, equal, isPositive } from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';

export type ReferenceSource = 'mark' | 'last' | 'own-trade' | 'typed';

/** A price and its time, ms. */
export interface DatedPrice {
  readonly price: string;
  readonly at: number;
}

/** Its time is by the wall clock of this computer. */
export interface Reference extends DatedPrice {
  readonly source: ReferenceSource;
}

/** How long a typed price is valid, in ms. */
export const TYPED_LASTS_MS = 60_000;

export interface ReferenceInput {
  readonly symbolId: string;
  readonly positions: readonly Position[];
  /** When the positions were received, in ms. */
  readonly positionsAt: number | null;
  /** The user's newest fill of this symbol. */
  readonly ownTrade: DatedPrice | null;
  readonly typed: DatedPrice | null;
  readonly now: number;
}

/** Largest clock difference in ms; a price from further in the future has no reliable age. */
const AHEAD_MS = 5_000;

const usable = (price: string | null | undefined): price is string =>
  price !== null && price !== undefined && price !== '' && isPositive(amount(price));

/**
 * Returns the known prices, one per source, best first: typed while valid, then mark, last, own fill. A stale mark ranks before an
 * older fill, but behind a newer one.
 */
export function referencesOf(input: ReferenceInput): Reference[] {
  const { symbolId, positionsAt, ownTrade, typed, now } = input;
  const found: Reference[] = [];
  const aged = (at: number): boolean => at <= now + AHEAD_MS;
  if (typed !== null && usable(typed.price) && aged(typed.at) && now - typed.at <= TYPED_LASTS_MS)
    found.push({ ...typed, source: 'typed' });
  const market: Reference[] = [];
  if (positionsAt !== null) {
    // One of each: both legs of a hedge carry the contract's prices.
    const legs = input.positions.filter((one) => one.symbolId === symbolId);
    const mark = legs.map((one) => one.markPrice).find(usable);
    const last = legs.map((one) => one.lastPrice).find(usable);
    if (mark !== undefined) market.push({ price: mark, source: 'mark', at: positionsAt });
    if (last !== undefined) market.push({ price: last, source: 'last', at: positionsAt });
  }
  if (ownTrade !== null && usable(ownTrade.price) && aged(ownTrade.at))
    market.push({ ...ownTrade, source: 'own-trade' });
  // Those of the same time stay as they are: mark, last, own fill.
  market.sort((a, b) => b.at - a.at);
  return [...found, ...market];
}

/** Reports whether a typed reference is the order's own price, from which it has no distance. */
export const isOwnPrice = (reference: Reference | undefined, price: string | undefined): boolean =>
  reference?.source === 'typed' && price !== undefined && equal(amount(reference.price), amount(price));
