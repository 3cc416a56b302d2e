/** The other traders: makers who quote around the synthetic price, and noise traders who fill their quotes. */
import type { Side } from './book.ts';
import { MAKERS, NOISE } from './ledger.ts';
import { take } from './matching.ts';
import { fairTicks } from './process.ts';
import type { Market, World } from './world.ts';

const DEPTH = 10;
/** Per million steps. */
const NOISE_TRADES = 300_000;
const LARGE_NOISE = 40_000;

/** Quotes anew when the fair price has moved by more than half the spread, or a quote was filled. */
export function quote(world: World, market: Market): void {
  const { book, contract, rng, process } = market;
  const fair = fairTicks(process) + market.basis;
  const spread = Math.max(1, Math.trunc(fair / 12_500));
  if (!market.hit && Math.abs(fair - market.quotedAt) * 2 <= spread) return;
  for (const resting of market.quotes) book.remove(resting);
  market.quotes = [];
  market.quotedAt = fair;
  const gap = Math.max(1, Math.trunc(fair / 5_000));
  for (let level = 0; level < DEPTH; level += 1) {
    const away = spread + level * gap;
    const base = Math.trunc((contract.quoteLots * (2 + level)) / 2);
    quoteLevel(world, market, 1, fair - away, sized(base, rng.below(1000)));
    quoteLevel(world, market, -1, fair + away, sized(base, rng.below(1000)));
  }
  market.hit = false;
}

/** Scales `base` by a factor of 0.6 to 1.4. */
const sized = (base: number, draw: number): number =>
  Math.max(1, Math.trunc((base * (600 + draw * 0.8)) / 1000));

/** Quotes one level. A quote may match the account's resting order, like any other order. */
function quoteLevel(world: World, market: Market, side: Side, ticks: number, lots: number): void {
  if (ticks < 1) return;
  const best = market.book.best(side === 1 ? -1 : 1);
  const crosses = best !== null && side * ticks >= side * best;
  const left = crosses ? take(world, market, { owner: MAKERS, side, order: null }, lots, ticks) : lots;
  if (left > 0) market.quotes.push(market.book.rest(MAKERS, side, ticks, left, 0));
}

/** Makes a noise trade at random; the number of draws is the same either way. */
export function noise(world: World, market: Market): void {
  const { contract, rng } = market;
  const draw = rng.below(1_000_000);
  const side: Side = rng.next() % 2 === 0 ? 1 : -1;
  const size = rng.below(1000) + 1;
  if (draw >= NOISE_TRADES) return;
  const unit = draw < LARGE_NOISE ? contract.quoteLots * 3 : contract.quoteLots / 4;
  noiseTrade(world, market, side, Math.max(1, Math.trunc((unit * size) / 1000)));
}

export function noiseTrade(world: World, market: Market, side: Side, lots: number): void {
  take(world, market, { owner: NOISE, side, order: null }, lots, null);
}
