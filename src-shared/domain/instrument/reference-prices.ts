/**
 * Reference prices. The interface has no ticker: a price comes from a position's mark or last price, from the
 * person's own fills, or from what they typed. Each carries its source and time, so that a check can refuse an
 * old one and the window can say where it is from.
 */
import { amount, isPositive } from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';

export type ReferenceSource = 'mark' | 'last' | 'own-trade' | 'typed';

export interface Reference {
  readonly price: string;
  readonly source: ReferenceSource;
  /** Wall clock of this computer, ms. */
  readonly at: number;
}

/** A typed price is the person's word, and good for this long, ms. */
export const TYPED_LASTS_MS = 60_000;

export interface ReferenceInput {
  readonly symbolId: string;
  readonly positions: readonly Position[];
  /** When the positions were received, ms. */
  readonly positionsAt: number | null;
  /** The newest of the person's own fills of this contract. */
  readonly ownTrade: { readonly price: string; readonly at: number } | null;
  readonly typed: { readonly price: string; readonly at: number } | null;
  readonly now: number;
}

/** Clocks differ by so much at the most; a price from further ahead has no age that could be trusted, ms. */
const AHEAD_MS = 5_000;

const usable = (price: string | null | undefined): price is string =>
  price !== null && price !== undefined && price !== '' && isPositive(amount(price));

/**
 * What is known of a contract's price, best first: typed while it lasts, then mark, last, own fill. A mark that
 * stopped coming is still before an older fill, but behind one that is newer.
 */
export function referencesOf(input: ReferenceInput): Reference[] {
  const { symbolId, positionsAt, ownTrade, typed, now } = input;
  const found: Reference[] = [];
  const aged = (at: number): boolean => at <= now + AHEAD_MS;
  if (typed !== null && usable(typed.price) && aged(typed.at) && now - typed.at <= TYPED_LASTS_MS)
    found.push({ ...typed, source: 'typed' });
  const market: Reference[] = [];
  for (const position of input.positions) {
    if (position.symbolId !== symbolId || positionsAt === null) continue;
    if (usable(position.markPrice))
      market.push({ price: position.markPrice, source: 'mark', at: positionsAt });
    if (usable(position.lastPrice))
      market.push({ price: position.lastPrice, source: 'last', at: positionsAt });
  }
  if (ownTrade !== null && usable(ownTrade.price) && aged(ownTrade.at))
    market.push({ ...ownTrade, source: 'own-trade' });
  const rank: readonly ReferenceSource[] = ['mark', 'last', 'own-trade'];
  market.sort((a, b) => b.at - a.at || rank.indexOf(a.source) - rank.indexOf(b.source));
  return [...found, ...market];
}
