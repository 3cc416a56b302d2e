/** Compares margin, liquidation prices and the liquidation sequence with an independent oracle. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  oracleEquity,
  oracleFee,
  oracleLiquidation,
  oracleMaintenance,
  oracleSequence,
  oracleValue,
  situationOf,
} from './oracle.ts';
import { ceilDiv } from '../../src-practice/engine/atoms.ts';
import { ACCOUNT } from '../../src-practice/engine/ledger.ts';
import { liquidationTicks } from '../../src-practice/engine/liquid-price.ts';
import { liquidate } from '../../src-practice/engine/liquidation.ts';
import { figuresAt } from '../../src-practice/engine/margin.ts';
import { CANCEL_SYSTEM, orderId, SOURCE_LIQUIDATION } from '../../src-practice/engine/orders.ts';
import { UNTOUCHED } from '../../src-practice/engine/settle.ts';
import type { Market, Position, TierConvention, World } from '../../src-practice/engine/world.ts';
import type { MarginMode } from '../../src-shared/exchange-api/enums.ts';
import { engineOf, START } from './engine-of.ts';

/** `PRACTICE_SESSIONS=20` as in invariants.test.ts; the seed of `npm test` is fixed. */
const MORE = Number(process.env['PRACTICE_SESSIONS'] ?? 1);
const COINS = {
  USDT: ['ETH-USDT-M', 'SOL-USDT-M', 'DOGE-USDT-M', 'SHIB-USDT-M', 'YFI-USDT-M', 'BTC1225-USDT-M'],
  BTC: ['BTC-USD-M'],
  ETH: ['ETH-USD-M', 'ETH0326-USD-M'],
} as const;
type Coin = keyof typeof COINS;

interface Leg {
  contract: number;
  long: boolean;
  /** The tier whose cap the value at the mark is near, and the distance in lots. */
  tier: number;
  /** Thousandths of that cap; near 1000 the price soon crosses the border. */
  share: number;
  /** The mean entry, in parts per hundred thousand of the mark away from it. */
  entry: number;
  isolated: boolean;
  /** Isolated: margin beyond the requirement, in parts per hundred thousand of the value. */
  spare: number;
}

interface Setting {
  coin: Coin;
  convention: TierConvention;
  legs: Leg[];
  /** Equity beyond the requirement, in parts per hundred thousand of all values. */
  slack: number;
}

const leg: fc.Arbitrary<Leg> = fc.record({
  contract: fc.nat({ max: 5 }),
  long: fc.boolean(),
  tier: fc.nat({ max: 3 }),
  share: fc.oneof(
    fc.integer({ min: 985, max: 1015 }),
    fc.integer({ min: 20, max: 1000 }),
    fc.nat({ max: 3 }), // so small that an atom spans many ticks
  ),
  entry: fc.integer({ min: -3000, max: 3000 }),
  isolated: fc.boolean(),
  spare: fc.integer({ min: 1, max: 1500 }),
});

const setting: fc.Arbitrary<Setting> = fc.record({
  coin: fc.constantFrom('USDT', 'USDT', 'BTC', 'ETH'),
  convention: fc.constantFrom('flat', 'marginal'),
  legs: fc.array(leg, { minLength: 1, maxLength: 5 }),
  slack: fc.integer({ min: 1, max: 800 }),
});

/** An account without trades: positions are inserted at any value and entry. */
function stand({ coin, convention, legs, slack }: Setting): World {
  const engine = engineOf({ seed: 3, convention });
  const { world } = engine;
  for (const { seq } of [...world.account.open.values()]) engine.cancel(START, orderId(seq));
  world.account.positions = [];
  world.account.positionMode = 'HEDGE';
  const names: readonly string[] = COINS[coin];
  for (const each of legs) {
    const market = world.bySymbol.get(names[each.contract % names.length] ?? '');
    if (!market) throw new Error('no market');
    const side = each.long ? 1 : -1;
    const held = world.account.positions.some((one) => one.contract === market.contract && one.side === side);
    if (!held) world.account.positions.push(positionOf(world, market, each, side));
  }
  const cross = world.account.positions.filter(({ marginMode }) => marginMode === 'CROSSED');
  let balance = 0n;
  for (const position of world.account.positions) {
    if (position.marginMode === 'ISOLATED') balance += position.margin;
  }
  for (const position of cross) {
    const mark = world.bySymbol.get(position.contract.symbolId)?.mark ?? 0;
    const value = oracleValue(position.contract, position.lots, mark);
    const sign = BigInt(position.side) * (position.contract.contractSide === 'FORWARD' ? 1n : -1n);
    balance -= (value - position.cost) * sign;
    balance += oracleMaintenance(position.contract, value, convention) + oracleFee(position.contract, value);
    balance += (value * BigInt(slack)) / 100_000n + 1n;
  }
  world.ledger.book(ACCOUNT, coin, balance - world.ledger.balance(ACCOUNT, coin));
  return world;
}

function positionOf(world: World, market: Market, each: Leg, side: 1 | -1): Position {
  const { contract, mark } = market;
  const { max: cap } = contract.steps[each.tier % contract.steps.length]!;
  const lotsWorth = oracleValue(contract, 1_000_000, mark);
  const lots = Math.max(1, Number((cap * BigInt(each.share) * 1000n) / lotsWorth));
  const entryTicks = Math.max(1, Math.round(mark * (1 + each.entry / 100_000)));
  const cost = oracleValue(contract, lots, entryTicks);
  const needs = oracleMaintenance(contract, cost, world.convention) + oracleFee(contract, cost);
  const marginMode: MarginMode = each.isolated ? 'ISOLATED' : 'CROSSED';
  return {
    ...UNTOUCHED,
    seq: world.account.positions.length + 1,
    contract,
    side,
    lots,
    cost,
    leverage: 10,
    marginMode,
    positionMode: 'HEDGE',
    openedAt: START,
    changedAt: START,
    margin: each.isolated ? needs + (cost * BigInt(each.spare)) / 100_000n + 2n : ceilDiv(cost, 10n),
  };
}

/** Parts per hundred thousand of the mark; mostly so that some positions survive, sometimes far beyond all. */
const howFar = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -2500, max: 2500 }) },
  { weight: 1, arbitrary: fc.constantFrom(-97_000, -60_000, -20_000, 30_000, 150_000, 900_000) },
);

const BTC_LEG = { contract: 0, entry: 0, isolated: false, spare: 1 };
/** A shrunk failure: due at its present mark, on a tier border from which the price moves away. */
const ON_THE_BORDER: Setting = {
  coin: 'BTC',
  convention: 'flat',
  legs: [{ ...BTC_LEG, long: false, tier: 3, share: 1000 }],
  slack: 1,
};
/** An inverse short so small that not even the first tick makes up for the loss of the long beside it. */
const TINY_SHORT: Setting = {
  coin: 'BTC',
  convention: 'flat',
  legs: [
    { ...BTC_LEG, long: true, tier: 3, share: 31 },
    { ...BTC_LEG, long: false, tier: 0, share: 0 },
  ],
  slack: 1,
};

/** Maximum ticks of a scan: some 3 % of the finest grid here. */
const MOST = 5_000;

describe('compared with the oracle', () => {
  it(
    'gives the same liquidation prices: linear, inverse, cross, isolated, hedged, across tier borders',
    () => {
      let seen = 0;
      fc.assert(
        fc.property(setting, (each) => {
          const world = stand(each);
          const found = liquidationTicks(world);
          const situation = situationOf(world, each.coin, world.ledger.balance(ACCOUNT, each.coin));
          for (const position of world.account.positions) {
            const { contract, side, marginMode } = position;
            const mark = situation.markOf(contract);
            const ticks = found.get(position) ?? 0;
            const start = marginMode === 'CROSSED' ? mark : startOf(position);
            const scanned = oracleLiquidation(situation, position, start, MOST);
            if (scanned === null) expect(ticks === 0 || side * (start - ticks) > MOST).toBe(true);
            else expect(ticks).toBe(scanned);
            seen += scanned === null ? 0 : 1;
          }
        }),
        { numRuns: 150 * MORE, examples: [[ON_THE_BORDER]] },
      );
      expect(seen).toBeGreaterThan(100 * MORE);
    },
    60_000 * MORE,
  );

  it(
    'gives the same value, maintenance and closing fee at any price',
    () => {
      fc.assert(
        fc.property(setting, fc.integer({ min: -40_000, max: 60_000 }), (each, away) => {
          const world = stand(each);
          for (const position of world.account.positions) {
            const { contract, lots } = position;
            const mark = world.bySymbol.get(contract.symbolId)?.mark ?? 0;
            const ticks = Math.max(1, mark + Math.trunc((mark * away) / 100_000));
            const figures = figuresAt(position, ticks, each.convention);
            const value = oracleValue(contract, lots, ticks);
            expect(figures.value).toBe(value);
            expect(figures.maintenance).toBe(oracleMaintenance(contract, value, each.convention));
            expect(figures.closingFee).toBe(oracleFee(contract, value));
          }
        }),
        { numRuns: 200 * MORE },
      );
    },
    60_000 * MORE,
  );

  it(
    'liquidates in the documented sequence: isolated positions, then the largest requirement',
    () => {
      let longest = 0;
      fc.assert(
        fc.property(setting, fc.nat({ max: 5 }), howFar, (each, which, move) => {
          const world = stand(each);
          const { account, ledger } = world;
          const names: readonly string[] = COINS[each.coin];
          const market = world.bySymbol.get(names[which % names.length] ?? '');
          if (!market) throw new Error('no market');
          market.mark = Math.max(1, market.mark + Math.trunc((market.mark * move) / 100_000));
          const situation = situationOf(world, each.coin, ledger.balance(ACCOUNT, each.coin));
          const expected = oracleSequence(situation);
          const before = account.orders.length;
          liquidate(world);
          const orders = [...account.orders].slice(before);
          const trades = new Map(account.trades.map((trade) => [trade.orderSeq, trade]));
          expect(
            orders.map(({ contract, side, totalLots, ticks, seq }) => ({
              symbolId: contract.symbolId,
              side,
              lots: totalLots,
              ticks,
              fee: trades.get(seq)?.fee,
            })),
          ).toEqual(expected);
          expect(orders.every(({ source }) => source === SOURCE_LIQUIDATION)).toBe(true);
          expect(ledger.balance(ACCOUNT, each.coin)).toBe(situation.balance);
          // The exchange account covers any shortfall, so no account has a debt.
          expect(oracleEquity(situation) >= 0n).toBe(true);
          longest = Math.max(longest, expected.length);
        }),
        { numRuns: 150 * MORE, examples: [[TINY_SHORT, 0, -97_000]] },
      );
      expect(longest).toBeGreaterThan(1);
    },
    60_000 * MORE,
  );
});

/** The entry on the tick grid, rounded to the side where the scan starts. */
function startOf({ contract, lots, cost, side }: Position): number {
  let ticks = contract.startTicks;
  const sign = contract.contractSide === 'FORWARD' ? 1n : -1n;
  let step = 1 << 20;
  // The value is monotonic in the price, so bisection finds the last tick not above the entry.
  const above = (at: number): boolean => at >= 1 && sign * (oracleValue(contract, lots, at) - cost) > 0n;
  while (above(ticks)) ticks -= step;
  for (; step >= 1; step /= 2) while (!above(ticks + step)) ticks += step;
  return side === 1 ? ticks + 1 : ticks;
}

describe('before cross positions are liquidated', () => {
  it("the coin's cross orders are cancelled by the system, and no others", () => {
    const engine = engineOf({ seed: 3 });
    const { account } = engine.world;
    const open = [...account.open.values()];
    engine.shock(START, 'ETH-USDT-M', '26');
    expect([...account.orders].map(({ source }) => source)).toContain(SOURCE_LIQUIDATION);
    for (const order of open) {
      const gone = order.contract.coin === 'USDT' && order.marginMode === 'CROSSED';
      expect(account.open.has(order.seq)).toBe(!gone);
      if (gone) expect(order.cancelReason).toBe(CANCEL_SYSTEM);
    }
  });
});
