/**
 * Funding, every 8 h of the engine's clock: longs pay shorts rate × value at mark. The exchange account takes the
 * rounding.
 */
import { floorDiv, RATE_ONE } from './atoms.ts';
import { valueOf } from './contracts.ts';
import { ACCOUNT, EXCHANGE, MAKERS, NOISE } from './ledger.ts';
import { spendTrial } from './settle.ts';
import type { Market, World } from './world.ts';
import { HOUR_MS } from '../../src-shared/time.ts';

export const FUNDING_EVERY = 8 * HOUR_MS;
/** 0.01 % of interest and the premium, within ±0.375 %; in 1e-8. */
const INTEREST = 10_000;
const BOUND = 375_000;

export function fundingRate(market: Market): bigint {
  const { index, premium } = market.process;
  const rate = Math.trunc((premium * 100_000_000) / index) + INTEREST;
  return BigInt(Math.min(Math.max(rate, -BOUND), BOUND));
}

/** What a holder receives (negative: pays), floored, so that the exchange account never pays for rounding. */
function paymentOf(market: Market, side: 1 | -1, lots: number, rate: bigint): bigint {
  if (lots === 0) return 0n;
  return floorDiv(BigInt(-side) * valueOf(market.contract, lots, market.mark) * rate, RATE_ONE);
}

export function settleFunding(world: World, market: Market): void {
  if (market.contract.contractType !== 'PERPETUAL' || !market.trading) return;
  const rate = fundingRate(market);
  const { coin } = market.contract;
  for (const bot of [MAKERS, NOISE] as const) {
    const held = market.holdings[bot];
    world.ledger.move(EXCHANGE, bot, coin, paymentOf(market, held.side, held.lots, rate));
  }
  for (const position of world.account.positions) {
    if (position.contract !== market.contract) continue;
    const payment = paymentOf(market, position.side, position.lots, rate);
    world.ledger.move(EXCHANGE, ACCOUNT, coin, payment);
    position.funding += payment;
    position.changedAt = world.now;
    position.deductFunding += spendTrial(world.account, coin, -payment);
    if (position.marginMode === 'ISOLATED') position.margin += payment;
  }
}
