/**
 * Makes the past of a new account by trading: a scripted trader places real orders on the real book, so orders,
 * trades, fees, positions and balances are consistent by construction. Between two orders only the traded base coin
 * moves; all others catch up at the end.
 */
import { units } from './atoms.ts';
import { PAST_CONTRACTS } from './contract-list.ts';
import type { Side } from './book.ts';
import { printLots, printPrice } from './contracts.ts';
import { FUNDING_EVERY, settleFunding } from './funding.ts';
import { ACCOUNT } from './ledger.ts';
import { place } from './place.ts';
import { orderRequest } from './request.ts';
import { Rng } from './rng.ts';
import { stepMarket, stepMarkets } from './steps.ts';
import { noiseTrade } from './traders.ts';
import type { Market, Position, Underlying, World } from './world.ts';
import { HOUR_MS } from '../../src-shared/time.ts';

/** Coin and atoms. */
const DEPOSITS: readonly (readonly [string, bigint])[] = [
  ['USDT', units('100000', 8)],
  ['BTC', units('0.5', 8)],
  ['ETH', units('5', 8)],
];

/** Opened at the end of the past: contract, side, lots. Small beside the deposits. */
const POSITIONS: readonly (readonly [string, Side, number])[] = [
  ['BTC-USDT-M', 1, 85],
  ['ETH-USDT-M', -1, 140],
  ['SOL-USDT-M', 1, 320],
  ['BTC-USD-M', 1, 240],
];

/** Added in hedge mode: the opposite leg of a contract that has one. */
const HEDGES: typeof POSITIONS = [['BTC-USDT-M', -1, 30]];

/** Left resting: contract, side, lots, percent away from the mark. */
const RESTING: readonly (readonly [string, Side, number, number])[] = [
  ['BTC-USDT-M', 1, 40, 5],
  ['DOGE-USDT-M', 1, 6_000, 7],
];

/** How long before the start the last positions are opened. */
const AGE_MS = 5 * HOUR_MS;
const SPACING_MS = 45 * 60_000;
const PER_TRADE_MS = 20_000;
/** Extra fills that the time is planned for, since some of the last orders do not fill. */
const SPARE_FILLS = 8;
/** Orders beyond two per fill after which making the past fails rather than loops forever. */
const MOST_UNFILLED = 1_000;

/** When the account's past begins, for a past of `trades` that ends at `start`. */
export const pastBegins = (start: number, trades: number): number =>
  start - AGE_MS - Math.max(trades * PER_TRADE_MS, Math.min(trades, 120) * SPACING_MS);

/** Makes at least `trades` fills between the world's clock and `start`, then the positions and resting orders. */
export function seedAccount(world: World, start: number, trades: number, seed: number): void {
  const rng = new Rng(seed, 1_000_003);
  for (const [coin, deposit] of DEPOSITS) world.ledger.payIn(ACCOUNT, coin, deposit);
  makeTrades(world, start - AGE_MS, trades, rng);
  for (const market of world.markets) flatten(world, market);
  pass(world, world.underlyings, start - AGE_MS - world.now);
  const hedges = world.account.positionMode === 'HEDGE' ? HEDGES : [];
  for (const [symbolId, side, lots] of [...POSITIONS, ...hedges]) {
    const market = world.bySymbol.get(symbolId);
    if (market) place(world, orderRequest(market, side, lots));
    pass(world, world.underlyings, 60_000);
  }
  pass(world, world.underlyings, start - world.now);
  for (const [symbolId, side, lots, percent] of RESTING) {
    const market = world.bySymbol.get(symbolId);
    if (!market) continue;
    const ticks = Math.trunc((market.mark * (100 - side * percent)) / 100);
    place(
      world,
      orderRequest(market, side, lots, { type: 'LIMIT', price: printPrice(market.contract, ticks) }),
    );
  }
}

/**
 * Places orders until there are `trades` fills. Not every order fills, so the time to the next is a share of the
 * time left: if the time ran out first, the books would be empty and never quoted again.
 */
function makeTrades(world: World, end: number, trades: number, rng: Rng): void {
  const { account } = world;
  for (let orders = 0; account.trades.length < trades; orders += 1) {
    if (orders > trades * 2 + MOST_UNFILLED)
      throw new Error(`only ${account.trades.length} of ${trades} fills`);
    const market = world.markets[rng.below(Math.min(world.markets.length, PAST_CONTRACTS))];
    if (!market) return;
    const fillsToMake = trades - account.trades.length + SPARE_FILLS;
    passFor(world, market, 1 + rng.below(Math.trunc((2 * (end - world.now)) / fillsToMake)));
    trade(world, market, rng);
    topUp(world);
  }
}

/** Advances one contract by `ms`. The others of its base coin catch up at the end of the past. */
const passFor = (world: World, market: Market, ms: number): void =>
  inSteps(world, ms, (seconds) => stepMarket(world, market, world.now, seconds));

function fund(world: World, before: number): void {
  if (Math.trunc(before / FUNDING_EVERY) === Math.trunc(world.now / FUNDING_EVERY)) return;
  for (const market of world.markets) settleFunding(world, market);
}

/** Advances some base coins by `ms`. */
const pass = (world: World, underlyings: readonly Underlying[], ms: number): void =>
  inSteps(world, ms, (seconds) => {
    for (const underlying of underlyings) stepMarkets(world, underlying, world.now, seconds);
  });

/** Advances the time by `ms` in steps of at most ten minutes, with the funding due in that time. */
function inSteps(world: World, ms: number, step: (seconds: number) => void): void {
  const end = world.now + Math.max(0, ms);
  while (world.now < end) {
    const before = world.now;
    world.now = Math.min(end, before + 600_000);
    step(Math.max(1, Math.trunc((world.now - before) / 1000)));
    fund(world, before);
  }
}

const held = (world: World, market: Market): Position | undefined =>
  world.account.positions.find((position) => position.contract === market.contract);

/** Closes the position, or both legs in hedge mode. */
function flatten(world: World, market: Market): void {
  for (const position of world.account.positions.filter((each) => each.contract === market.contract)) {
    const side = position.side === 1 ? -1 : 1;
    place(world, orderRequest(market, side, position.lots, { reduceOnly: true, quantity: null }));
  }
}

/** One decision of the trader: reduce the position, or open a little. */
function trade(world: World, market: Market, rng: Rng): void {
  const position = held(world, market);
  const size = Math.max(
    market.contract.minLots,
    Math.trunc((market.contract.quoteLots * (5 + rng.below(40))) / 1000),
  );
  const kind = rng.below(100);
  const side: Side = rng.below(2) === 0 ? 1 : -1;
  if (position && (kind < 50 || position.lots > size * 8)) {
    const part = Math.max(market.contract.minLots, Math.trunc(position.lots / 2));
    const quantity = kind < 30 ? null : printLots(market.contract, Math.min(part, position.lots));
    place(world, orderRequest(market, position.side === 1 ? -1 : 1, size, { reduceOnly: true, quantity }));
    return;
  }
  if (kind < 75) place(world, orderRequest(market, side, size));
  else if (kind < 88) restAndFill(world, market, side, size);
  else limitNow(world, market, side, size, kind < 95);
}

/** Rests just inside the spread until a noise trader fills it: a maker's fill. */
function restAndFill(world: World, market: Market, side: Side, lots: number): void {
  const best = market.book.best(side);
  if (best === null) return;
  const price = printPrice(market.contract, best + side);
  place(world, orderRequest(market, side, lots, { type: 'LIMIT', price, postOnly: true }));
  noiseTrade(world, market, side === 1 ? -1 : 1, lots);
}

/** Places an IOC within the book, or short of it: then it is cancelled unfilled. */
function limitNow(world: World, market: Market, side: Side, lots: number, meets: boolean): void {
  const best = market.book.best(side === 1 ? -1 : 1);
  if (best === null) return;
  const ticks = best + side * (meets ? 3 : -6);
  const timeInForce = meets ? 'IOC' : 'FOK';
  const price = printPrice(market.contract, Math.max(1, ticks));
  place(world, orderRequest(market, side, lots, { type: 'LIMIT', price, timeInForce }));
}

/** Deposits again: the fees of a long past use the balance up. */
function topUp(world: World): void {
  for (const [coin, deposit] of DEPOSITS) {
    if (world.ledger.balance(ACCOUNT, coin) * 2n < deposit) world.ledger.payIn(ACCOUNT, coin, deposit);
  }
}
