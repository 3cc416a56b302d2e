/** Liquidation prices in ticks: the shared maths finds the price, the engine's own condition decides the tick. */
import { crossLiquidation, isolatedLiquidation } from '../../src-shared/domain/margin/liquidation.ts';
import { assetOf, crossPositions, walletOf } from './assets.ts';
import { ceilDiv, floorDiv, parseUnits, printMoney, printPlaces, printRate } from './atoms.ts';
import { printLots, printPrice } from './contracts.ts';
import type { Contract } from './contracts.ts';
import { isDueAt } from './solvency.ts';
import { marketOf } from './world.ts';
import type { Market, Position, TierConvention, World } from './world.ts';

/** Decimal places of an average price beyond its contract's tick. */
export const AVERAGE_PLACES = 4;
const ENTRY_PLACES = 24;

/** Average entry price with `places` decimals, floored: cost / quantity, or quantity / cost for inverse. */
export function entryUnits(position: Position, places: number): bigint {
  const { contract, lots, cost } = position;
  const tick = contract.tickUnits * 10n ** BigInt(places);
  const grid = 10n ** BigInt(contract.tickDecimals);
  return contract.contractSide === 'FORWARD'
    ? floorDiv(cost * tick, BigInt(lots) * contract.valueUnit * grid)
    : floorDiv(BigInt(lots) * contract.valueUnit * tick, cost * grid);
}

/** Cached per contract: the shared maths memoises parsed tiers by identity. */
const tierTexts = new WeakMap<Contract, ReturnType<typeof tiersOf>>();

const tiersOf = (contract: Contract) =>
  contract.steps.map((tier) => ({
    level: tier.level,
    minPositionValue: printMoney(tier.min),
    maxPositionValue: printMoney(tier.max),
    maintainMarginRate: printRate(tier.rate),
    maxLeverage: String(tier.leverage),
  }));

function tiersFor(contract: Contract): ReturnType<typeof tiersOf> {
  const known = tierTexts.get(contract) ?? tiersOf(contract);
  tierTexts.set(contract, known);
  return known;
}

function exposure(position: Position, convention: TierConvention) {
  const { contract } = position;
  return {
    contractSide: contract.contractSide,
    side: position.side === 1 ? ('BUY' as const) : ('SELL' as const),
    quantity: printLots(contract, position.lots),
    entryPrice: printPlaces(entryUnits(position, ENTRY_PLACES), ENTRY_PLACES),
    tiers: tiersFor(contract),
    convention,
    feeRate: printRate(contract.taker),
  };
}

function exactPrices(world: World, positions: readonly Position[], coin: string): (string | null)[] {
  const asset = assetOf(world, coin);
  return crossLiquidation({
    walletBalance: printMoney(walletOf(asset)),
    feeRate: '0',
    positions: positions.map((position) => ({
      ...exposure(position, world.convention),
      symbolId: position.contract.symbolId,
      markPrice: printPrice(position.contract, marketOf(world, position.contract).mark),
    })),
  });
}

/** How far beyond the exact price the condition is searched. */
const FARTHEST = 2 ** 42;
/** Prices beyond this count as none: a short of an inverse contract at 1× can lose only its margin. */
const HIGHEST = 10n ** 12n;

/**
 * The exact price on the tick grid: the first tick at which the engine liquidates. The exact price is only where the
 * search starts: a lower tier may begin before the next tick, and the entry price is cut at 24 places.
 */
function tickOf(world: World, position: Position, market: Market, price: string | null): number {
  if (price === null) return 0;
  const { contract, side } = position;
  const tick = contract.tickUnits * 10n ** BigInt(PRICE_PLACES - contract.tickDecimals);
  const exact = (parseUnits(price, PRICE_PLACES) ?? 0n) / tick;
  if (exact > HIGHEST) return 0;
  const near = Number(exact);
  const start = position.marginMode === 'CROSSED' ? market.mark : startTicks(position);
  const isDue = (ticks: number): boolean => ticks < 1 || isDueAt(world, position, ticks);
  if (isDue(start)) return start;
  let due = near;
  for (let step = 1; !isDue(due); step *= 2) {
    if (step > FARTHEST) return 0;
    due -= side * step;
  }
  let safe = due + side;
  for (let step = 1; isDue(safe); step *= 2) {
    due = safe;
    safe = side * (start - safe - side * step) <= 0 ? start : safe + side * step;
  }
  while (side * (safe - due) > 1) {
    const middle = Math.trunc((safe + due) / 2);
    if (isDue(middle)) due = middle;
    else safe = middle;
  }
  return Math.max(0, due);
}

const PRICE_PLACES = 60;

/**
 * An isolated position's start, its entry, on the tick grid: rounded down for a long, up for a short
 * (docs/accounting.md).
 */
export function startTicks(position: Position): number {
  const { contract, side } = position;
  const tick = contract.tickUnits * 10n ** BigInt(ENTRY_PLACES - contract.tickDecimals);
  const entry = entryUnits(position, ENTRY_PLACES);
  return Number(side === 1 ? floorDiv(entry, tick) : ceilDiv(entry, tick));
}

/** Liquidation price of every position in ticks, 0 where there is none; in the account's order. */
export function liquidationTicks(world: World): Map<Position, number> {
  const { positions } = world.account;
  const found = new Map<Position, number>();
  for (const position of positions) {
    if (position.marginMode !== 'ISOLATED') continue;
    const price = isolatedLiquidation({
      ...exposure(position, world.convention),
      margin: printMoney(position.margin),
    });
    found.set(position, tickOf(world, position, marketOf(world, position.contract), price));
  }
  const cross = positions.filter((position) => position.marginMode === 'CROSSED');
  for (const coin of new Set(cross.map((position) => position.contract.coin))) {
    const members = crossPositions(world, coin);
    const prices = exactPrices(world, members, coin);
    for (const [i, position] of members.entries()) {
      const market = marketOf(world, position.contract);
      found.set(position, tickOf(world, position, market, prices[i] ?? null));
    }
  }
  return found;
}
