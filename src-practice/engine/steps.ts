/**
 * One step of a base coin and its contracts: the price, the makers, perhaps a noise trade, then triggers. A step
 * reads nothing outside its base coin, so base coins may be stepped one after another (clock.ts).
 */
import { deliver } from './delivery.ts';
import { FUNDING_EVERY, settleFunding } from './funding.ts';
import { fairTicks, indexTicks, markTicks, stepProcess } from './process.ts';
import { noise, quote } from './traders.ts';
import type { Market, Underlying, World } from './world.ts';
import { DAY_MS } from '../../src-shared/time.ts';

/** The yearly premium of a delivery contract over its coin; it falls to zero at expiry. */
const CARRY = 0.04;
const YEAR_MS = 365 * DAY_MS;

export function showPrices(market: Market, at: number): void {
  const { process, contract } = market;
  market.index = indexTicks(process);
  market.basis =
    contract.expiry === null
      ? 0
      : Math.round((market.index * CARRY * Math.max(0, contract.expiry - at)) / YEAR_MS);
  market.mark = markTicks(process) + market.basis;
  if (market.last === 0) market.last = fairTicks(process) + market.basis;
}

const isOver = ({ contract, trading }: Market): boolean => contract.expiry !== null && !trading;

/** Moves one base coin by `seconds`, to `at` (milliseconds), without funding. */
export function stepMarkets(world: World, underlying: Underlying, at: number, seconds: number): void {
  stepProcess(underlying.process, seconds);
  for (const market of underlying.markets) follow(world, market, at);
  underlying.steppedAt = at;
}

/** Moves a base coin by `seconds` with only one of its contracts, for an account's past. */
export function stepMarket(world: World, market: Market, at: number, seconds: number): void {
  stepProcess(market.process, seconds);
  follow(world, market, at);
}

function follow(world: World, market: Market, at: number): void {
  if (isOver(market)) return;
  showPrices(market, at);
  const { expiry } = market.contract;
  if (expiry !== null && at >= expiry) deliver(world, market, at);
  if (!market.trading) return;
  quote(world, market);
  noise(world, market);
}

/** As `stepMarkets`, with the funding due in the step. */
export function stepUnderlying(world: World, underlying: Underlying, at: number, seconds: number): void {
  const before = underlying.steppedAt;
  stepMarkets(world, underlying, at, seconds);
  if (Math.trunc(before / FUNDING_EVERY) === Math.trunc(at / FUNDING_EVERY)) return;
  for (const market of underlying.markets) settleFunding(world, market);
}
