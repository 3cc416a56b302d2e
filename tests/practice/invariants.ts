/** The invariants of every session, as expectations over the world and over what a client reads. */
import { expect } from 'vitest';
import { assetOf, crossEquity } from '../../src-practice/engine/assets.ts';
import { units } from '../../src-practice/engine/atoms.ts';
import type { Contract } from '../../src-practice/engine/contracts.ts';
import { sense, valueOf } from '../../src-practice/engine/contracts.ts';
import { grossProfit, signedCost } from '../../src-practice/engine/holding.ts';
import type { Holding } from '../../src-practice/engine/holding.ts';
import { BOTS } from '../../src-practice/engine/ledger.ts';
import { liquidationTicks, startTicks } from '../../src-practice/engine/liquid-price.ts';
import { remainingLots } from '../../src-practice/engine/orders.ts';
import type { Order } from '../../src-practice/engine/orders.ts';
import { isDueAt, crossIsDue } from '../../src-practice/engine/solvency.ts';
import { marketOf } from '../../src-practice/engine/world.ts';
import type { World } from '../../src-practice/engine/world.ts';

/** All positions of all owners, with their contract. */
function holdings(world: World): [Contract, number, Holding][] {
  const held: [Contract, number, Holding][] = [];
  for (const market of world.markets) {
    for (const bot of BOTS) held.push([market.contract, market.mark, market.holdings[bot]]);
    for (const position of world.account.positions) {
      if (position.contract === market.contract) held.push([market.contract, market.mark, position]);
    }
  }
  return held;
}

export function expectConserved(world: World): void {
  for (const coin of world.ledger.coinNames()) {
    const held = holdings(world).filter(([contract, , { lots }]) => contract.coin === coin && lots > 0);
    const costs = held.reduce((sum, [contract, , holding]) => sum + signedCost(contract, holding), 0n);
    expect(world.ledger.total(coin) - costs).toBe(world.ledger.paidIn(coin));
    const unrealized = held.reduce(
      (sum, [contract, mark, { side, lots, cost }]) =>
        sum + grossProfit(contract, side, cost, valueOf(contract, lots, mark)),
      0n,
    );
    const drift = world.ledger.total(coin) + unrealized - world.ledger.paidIn(coin);
    const inverse = held.filter(([contract]) => sense(contract) === -1n).length;
    expect(drift <= BigInt(inverse) && drift >= -BigInt(inverse)).toBe(true);
  }
  for (const market of world.markets) {
    const lots = holdings(world).reduce(
      (sum, [contract, , holding]) =>
        contract === market.contract ? sum + holding.side * holding.lots : sum,
      0,
    );
    expect(lots).toBe(0);
  }
}

interface AccountReply {
  assets: Record<string, string>[];
  positions: Record<string, string>[];
  [total: string]: unknown;
}

const atoms = (value: unknown): bigint => units(String(value), 8);

/** The identities of the exchange API, checked on the reply as a client reads it. */
export function expectIdentities(text: string): void {
  const { assets, ...totals } = JSON.parse(text) as AccountReply;
  for (const asset of assets) {
    expect(atoms(asset['available'])).toBe(
      atoms(asset['balance']) - atoms(asset['locked']) - atoms(asset['crossProfitUnreal']),
    );
    expect(atoms(asset['equities'])).toBe(atoms(asset['balance']) + atoms(asset['profitUnreal']));
    expect(atoms(asset['locked'])).toBe(
      atoms(asset['crossMargin']) +
        atoms(asset['isolatedMargin']) +
        atoms(asset['crossLocked']) +
        atoms(asset['isolatedLocked']),
    );
    expect(atoms(asset['canTransfer']) >= 0n).toBe(true);
  }
  expect(atoms(totals['available'])).toBe(
    atoms(totals['balance']) - atoms(totals['totalLocked']) - atoms(totals['crossProfitUnreal']),
  );
  expect(atoms(totals['totalEquities'])).toBe(atoms(totals['balance']) + atoms(totals['profitUnreal']));
}

export function expectOrderly(world: World): void {
  for (const { book } of world.markets) {
    const bid = book.best(1);
    const ask = book.best(-1);
    if (bid !== null && ask !== null) expect(bid).toBeLessThan(ask);
  }
  for (const order of world.account.orders) {
    const open = world.account.open.has(order.seq);
    expect(order.filledLots + order.canceledLots + remainingLots(order)).toBe(order.totalLots);
    expect(order.filledLots >= 0 && order.canceledLots >= 0 && remainingLots(order) >= 0).toBe(true);
    expect(remainingLots(order) > 0).toBe(open);
    if (open) expect(order.resting?.lots).toBe(remainingLots(order));
    else expect(order.remainingLocked).toBe(0n);
  }
  for (const trade of world.account.trades) {
    const order = world.account.orders.get(trade.orderSeq - 1);
    if (order?.type !== 'LIMIT') continue;
    expect(order.side * trade.ticks).toBeLessThanOrEqual(order.side * order.ticks);
  }
}

/** The leg a fill changed: the only position one-way, the leg `reduceOnly` selects in hedge mode. */
const legOf = ({ positionMode, side, reduceOnly }: Order): number =>
  positionMode === 'ONEWAY' ? 0 : reduceOnly ? -side : side;

/** The lots of each position equal the sum of the trades of its contract and leg. */
export function expectPositionsAreFills(world: World): void {
  const { account } = world;
  const lots = new Map<string, number>();
  const add = (contract: Contract, leg: number, signed: number): void => {
    const name = `${contract.symbolId} ${leg}`;
    lots.set(name, (lots.get(name) ?? 0) + signed);
  };
  for (const trade of account.trades) {
    const order = account.orders.get(trade.orderSeq - 1);
    if (!order) throw new Error('a trade without its order');
    expect([order.contract, order.side]).toEqual([trade.contract, trade.side]);
    add(trade.contract, legOf(order), trade.side * trade.lots);
  }
  for (const { contract, side, lots: held, positionMode } of account.positions) {
    add(contract, positionMode === 'ONEWAY' ? 0 : side, -side * held);
  }
  expect([...lots].filter(([, left]) => left !== 0)).toEqual([]);
}

/** A client's orders and trades are consistent: filled, remaining and cancelled; fills and their fees. */
export function expectRecordsAddUp(orderHistory: string, tradeList: string): void {
  const fees = new Map<string, bigint>();
  const filled = new Map<string, bigint>();
  const { data } = JSON.parse(tradeList) as { data: Record<string, string>[] };
  for (const { orderId = '', fee, executedQty, executedQuoteQty, symbol } of data) {
    fees.set(orderId, (fees.get(orderId) ?? 0n) + atoms(fee));
    const lots = symbol?.endsWith('-USD-M') ? executedQuoteQty : executedQty;
    filled.set(orderId, (filled.get(orderId) ?? 0n) + atoms(lots));
  }
  for (const order of JSON.parse(orderHistory) as Record<string, string>[]) {
    const { id = '', feeAmount, tradeQuantity, cancelQuantity, quantity, totalQuantity } = order;
    expect(atoms(tradeQuantity) + atoms(cancelQuantity) + atoms(quantity)).toBe(atoms(totalQuantity));
    expect(atoms(feeAmount)).toBe(fees.get(id) ?? 0n);
    expect(atoms(tradeQuantity)).toBe(filled.get(id) ?? 0n);
    expect(atoms(order['releasedLock']) <= atoms(order['locked'])).toBe(true);
  }
}

interface TierReply {
  level: number;
  maintainMarginRate: number;
  maxLeverage: number;
  maxPositionValue: number;
  minPositionValue: number;
}

/** Tiers are contiguous from 0; a higher one has a higher rate and allows less leverage. */
export function expectTiersContiguous(text: string): void {
  for (const { riskLimitConfigs: tiers } of JSON.parse(text) as { riskLimitConfigs: TierReply[] }[]) {
    expect(tiers.length >= 6 && tiers.length <= 10).toBe(true);
    for (const [i, tier] of tiers.entries()) {
      const below = tiers[i - 1];
      expect(tier.level).toBe(i + 1);
      expect(tier.minPositionValue).toBe(below?.maxPositionValue ?? 0);
      expect(tier.maxPositionValue).toBeGreaterThan(tier.minPositionValue);
      expect(tier.maintainMarginRate).toBeGreaterThan(below?.maintainMarginRate ?? 0);
      if (below) expect(tier.maxLeverage).toBeLessThan(below.maxLeverage);
    }
  }
}

export function expectSolvent(world: World): void {
  for (const position of world.account.positions) {
    expect(position.lots).toBeGreaterThan(0);
    if (position.marginMode !== 'ISOLATED') continue;
    expect(isDueAt(world, position, marketOf(world, position.contract).mark)).toBe(false);
  }
  for (const coin of world.ledger.coinNames()) {
    expect(crossIsDue(world, coin)).toBe(false);
    // The exchange account covers any shortfall, so no account has a debt.
    expect(crossEquity(assetOf(world, coin)) >= 0n).toBe(true);
  }
}

/**
 * The shown price is the first tick, moving against the position, at which it is due for liquidation. The scan of an
 * isolated position starts at its entry: one in profit whose margin was used up by funding shows its entry.
 */
export function expectLiquidationTicks(world: World): void {
  for (const [position, ticks] of liquidationTicks(world)) {
    if (ticks === 0) continue;
    expect(isDueAt(world, position, ticks)).toBe(true);
    if (position.marginMode === 'ISOLATED' && ticks === startTicks(position)) continue;
    expect(isDueAt(world, position, ticks + position.side)).toBe(false);
  }
}

/** Plain decimals and integers only: no float, exponent, NaN or -0 as a value anywhere. */
const UNCLEAN = /[:[,]-?\d+\.\d|\d[eE][+-]?\d|NaN|Infinity|[:"]-0(?:\.0*)?[",}]|undefined/;

export const expectClean = (reply: string): void => expect(reply).not.toMatch(UNCLEAN);

/** The tiers' figures are the only JSON numbers with a fraction, as the API types them. */
export const expectCleanTiers = (reply: string): void =>
  expectClean(reply.replace(/:\d+\.\d+(?=[,}])/g, ':0'));
