/**
 * The exchange's state as plain rows, to be restored on an exchange of the same seed and options; values derived
 * from those are not stored. A field added to `World` belongs here and raises `SAVED_VERSION`; invariants.test.ts
 * compares the bytes of a restored exchange with the original's.
 */
import type { Resting, Side } from './book.ts';
import type { Holding } from './holding.ts';
import { ACCOUNT, BOTS, MAKERS } from './ledger.ts';
import type { SavedLedger } from './ledger.ts';
import type { PriceProcess } from './process.ts';
import type { RngState } from './rng.ts';
import { picked, restAgain, restoreAccount, saveAccount } from './saved-account.ts';
import type { Past, SavedAccount } from './saved-account.ts';
import type { Market, Underlying, World } from './world.ts';

export const SAVED_VERSION = 1;

/** Side, ticks, lots, and the account's order or 0 for a maker's. */
type SavedResting = readonly [Side, number, number, number];

const MARKET = ['trading', 'last', 'mark', 'index', 'basis', 'quotedAt', 'hit'] as const;
const PROCESS = ['index', 'premium', 'anchor', 'regime'] as const;

interface SavedMarket extends Readonly<Pick<Market, (typeof MARKET)[number]>> {
  readonly rng: RngState;
  readonly holdings: readonly Holding[];
  /** Both sides, each best price first and oldest first. */
  readonly book: readonly SavedResting[];
}

interface SavedUnderlying extends Readonly<Pick<PriceProcess, (typeof PROCESS)[number]>> {
  readonly steppedAt: number;
  readonly rng: RngState;
}

export interface SavedWorld {
  readonly now: number;
  readonly ledger: SavedLedger;
  readonly markets: readonly SavedMarket[];
  readonly underlyings: readonly SavedUnderlying[];
  readonly account: SavedAccount;
}

const savedResting = ({ owner, side, ticks, lots, orderSeq }: Resting): SavedResting => [
  side,
  ticks,
  lots,
  owner === ACCOUNT ? orderSeq : 0,
];

const saveMarket = (market: Market): SavedMarket => ({
  ...picked(market, MARKET),
  rng: market.rng.save(),
  holdings: BOTS.map((bot) => ({ ...market.holdings[bot] })),
  book: [...market.book.orders(1), ...market.book.orders(-1)].map(savedResting),
});

const saveUnderlying = ({ process, steppedAt }: Underlying): SavedUnderlying => ({
  ...picked(process, PROCESS),
  steppedAt,
  rng: process.rng.save(),
});

export const saveWorld = (world: World, past: Past): SavedWorld => ({
  now: world.now,
  ledger: world.ledger.save(),
  markets: world.markets.map(saveMarket),
  underlyings: world.underlyings.map(saveUnderlying),
  account: saveAccount(world, past),
});

function restoreMarket(world: World, market: Market, saved: SavedMarket): void {
  const { book, holdings } = market;
  for (const side of [1, -1] as const) for (const resting of [...book.orders(side)]) book.remove(resting);
  market.quotes = [];
  for (const [side, ticks, lots, seq] of saved.book) {
    if (seq > 0) restAgain(world, seq, lots);
    else market.quotes.push(book.rest(MAKERS, side, ticks, lots, 0));
  }
  for (const [i, bot] of BOTS.entries()) Object.assign(holdings[bot], saved.holdings[i]);
  market.rng.restore(saved.rng);
  Object.assign(market, picked(saved, MARKET));
}

/** Restores the state. Requires a world of the same seed and options with a newly made past; throws on any other. */
export function restoreWorld(world: World, past: Past, saved: SavedWorld): void {
  const { markets, underlyings } = world;
  if (saved.markets.length !== markets.length || saved.underlyings.length !== underlyings.length) {
    throw new Error('saved from an exchange of other contracts');
  }
  restoreAccount(world, past, saved.account);
  world.ledger.restore(saved.ledger);
  for (const [i, each] of saved.markets.entries()) {
    const market = markets[i];
    if (market) restoreMarket(world, market, each);
  }
  for (const [i, each] of saved.underlyings.entries()) {
    const underlying = underlyings[i];
    if (!underlying) continue;
    underlying.steppedAt = each.steppedAt;
    underlying.process.rng.restore(each.rng);
    Object.assign(underlying.process, picked(each, PROCESS));
  }
  world.now = saved.now;
}
