import { describe, expect, it } from 'vitest';
import { ceilDiv, units } from './atoms.ts';
import type { Contract } from './contracts.ts';
import { Engine } from './engine.ts';
import { liquidationTicks } from './liquid-price.ts';
import { ACCOUNT } from './ledger.ts';
import { orderId, SOURCE_LIQUIDATION } from './orders.ts';
import type { OrderRequest } from './request.ts';
import type { Position, TierConvention } from './world.ts';

const START = 1_795_392_000_000;
const start = (convention: TierConvention, seed = 3): Engine =>
  new Engine({ seed, start: START, history: 0, convention, order: 'asc', contracts: 7 });

const market = (symbolId: string, side: 'BUY' | 'SELL', quantity: string | null): OrderRequest => ({
  symbolId,
  side,
  type: 'MARKET',
  timeInForce: null,
  quantity,
  price: null,
  reduceOnly: quantity === null,
  postOnly: false,
  reverseOrder: false,
  tpSl: null,
});

/** An oracle of its own: nothing of margin.ts or src-shared, values and tiers worked out anew. */
function value({ contractSide, tick, lot }: Contract, lots: number, ticks: number): bigint {
  const atoms = 10n ** 16n;
  const price = BigInt(ticks) * units(tick, 16);
  const quantity = BigInt(lots) * units(lot, 16);
  return contractSide === 'FORWARD' ? (price * quantity) / atoms / 10n ** 8n : (quantity * 10n ** 8n) / price;
}

function requirement(contract: Contract, worth: bigint, convention: TierConvention): bigint {
  let due = 0n;
  let floor = 0n;
  for (const { cap, rate } of contract.tiers) {
    const top = units(cap, 8);
    const inside = worth > floor;
    if (convention === 'flat' && inside) due = worth * units(rate, 8);
    if (convention === 'marginal' && inside) due += ((worth < top ? worth : top) - floor) * units(rate, 8);
    floor = top;
  }
  const last = contract.tiers.at(-1);
  if (convention === 'marginal' && last && worth > floor) due += (worth - floor) * units(last.rate, 8);
  return ceilDiv(due, 10n ** 8n) + ceilDiv(worth * units(contract.takerRate, 8), 10n ** 8n);
}

/** Equity less requirement of an isolated position at a price. */
function standing(position: Position, ticks: number, convention: TierConvention): bigint {
  const { contract, lots, cost, margin, side } = position;
  const worth = value(contract, lots, ticks);
  const gain = (worth - cost) * BigInt(side) * (contract.contractSide === 'FORWARD' ? 1n : -1n);
  return margin + gain - requirement(contract, worth, convention);
}

const entryTicks = (position: Position): number => {
  let ticks = position.contract.startTicks;
  const sign = position.contract.contractSide === 'FORWARD' ? 1 : -1;
  while (sign * Number(value(position.contract, position.lots, ticks) - position.cost) > 0) ticks -= 1;
  while (sign * Number(value(position.contract, position.lots, ticks) - position.cost) < 0) ticks += 1;
  return ticks;
};

describe('liquidation price of isolated positions', () => {
  for (const convention of ['flat', 'marginal'] as const) {
    for (const [symbolId, quantity, leverage] of [
      ['SOL-USDT-M', '300', 10],
      ['SOL-USDT-M', '1700', 20],
      ['DOGE-USDT-M', '30000', 50],
      ['SHIB-USDT-M', '900000000', 10],
      ['BTC-USD-M', '60000', 20],
      ['ETH-USD-M', '2500', 15],
    ] as const) {
      for (const side of ['BUY', 'SELL'] as const) {
        it(`${convention} ${side} ${quantity} ${symbolId} at ${leverage}×: the tick a scan finds`, () => {
          const engine = start(convention);
          for (const held of engine.world.account.positions) {
            engine.placeOrder(START, market(held.contract.symbolId, held.side === 1 ? 'SELL' : 'BUY', null));
          }
          for (const order of engine.world.account.open.keys()) engine.world.account.open.delete(order);
          engine.setLeverage(START, symbolId, leverage, 'ISOLATED');
          expect(engine.placeOrder(START, market(symbolId, side, quantity))).toMatchObject({ ok: true });
          const position = engine.world.account.positions[0];
          if (!position) throw new Error('no position');
          const found = liquidationTicks(engine.world).get(position);
          let ticks = entryTicks(position);
          const step = side === 'BUY' ? -1 : 1;
          while (standing(position, ticks, convention) > 0n) ticks += step;
          expect(found).toBe(ticks);
        });
      }
    }
  }
});

/** Equity of a coin's cross positions less what they need, with one contract's mark at `ticks`. */
function crossStanding(engine: Engine, moved: Contract, ticks: number): bigint {
  const { account, ledger, convention, markets } = engine.world;
  let sum = ledger.balance(ACCOUNT, moved.coin);
  for (const position of account.positions) {
    const { contract, lots, cost, side, margin } = position;
    if (contract.coin !== moved.coin) continue;
    if (position.marginMode === 'ISOLATED') sum -= margin;
    else {
      const at = contract === moved ? ticks : (markets[contract.ordinal]?.mark ?? 0);
      const worth = value(contract, lots, at);
      const gain = (worth - cost) * BigInt(side) * (contract.contractSide === 'FORWARD' ? 1n : -1n);
      sum += gain - requirement(contract, worth, convention);
    }
  }
  return sum;
}

describe('liquidation price of cross positions', () => {
  for (const convention of ['flat', 'marginal'] as const) {
    for (const [symbolId, side, beside] of [
      ['SOL-USDT-M', 'BUY', 'ETH-USDT-M'],
      ['DOGE-USDT-M', 'BUY', 'SOL-USDT-M'],
      ['SOL-USDT-M', 'SELL', 'DOGE-USDT-M'],
    ] as const) {
      it(`${convention} ${side} ${symbolId} beside ${beside}: the tick a scan from the mark finds`, () => {
        const engine = start(convention);
        const { account, bySymbol } = engine.world;
        for (const id of [...account.open.values()].map(({ seq }) => orderId(seq))) engine.cancel(START, id);
        for (const held of account.positions) {
          engine.placeOrder(START, market(held.contract.symbolId, held.side === 1 ? 'SELL' : 'BUY', null));
        }
        for (const each of [symbolId, beside]) engine.setLeverage(START, each, 20, 'CROSSED');
        const size = { 'SOL-USDT-M': '300', 'DOGE-USDT-M': '200000', 'ETH-USDT-M': '3' };
        // As much as half the account carries, a little at a time: a book holds only so much a second.
        for (let i = 1; i <= 120; i += 1) {
          engine.placeOrder(START + i * 2_000, market(symbolId, side, size[symbolId]));
          if (i % 20 === 0) engine.placeOrder(START + i * 2_000, market(beside, side, size[beside]));
        }
        const position = account.positions.find(({ contract }) => contract.symbolId === symbolId);
        const traded = bySymbol.get(symbolId);
        if (!position || !traded) throw new Error('no position');
        expect(account.positions).toHaveLength(2);
        const found = liquidationTicks(engine.world).get(position);
        let ticks = traded.mark;
        while (crossStanding(engine, position.contract, ticks) > 0n) ticks -= position.side;
        expect(ticks).toBeGreaterThan(1);
        expect(found).toBe(ticks);
        const moveTo = (to: number): void => {
          traded.process.premium = 0;
          traded.process.index = to * 1000;
          engine.shock(engine.now, symbolId, '1');
        };
        const before = account.positions.length;
        moveTo(ticks + position.side);
        expect([account.positions.length, account.positions.includes(position)]).toEqual([before, true]);
        moveTo(ticks);
        const last = account.orders.filter(({ source }) => source === SOURCE_LIQUIDATION);
        // The largest requirement goes first.
        expect(last[0]?.contract.symbolId).toBe(symbolId);
      });
    }
  }
});

describe('being liquidated', () => {
  it('takes an isolated position over so that its margin is used up and no more', () => {
    const engine = start('flat');
    const { account, ledger } = engine.world;
    const position = account.positions.find(({ marginMode }) => marginMode === 'ISOLATED');
    if (!position) throw new Error('no isolated position');
    const { margin, contract, lots } = position;
    const before = ledger.balance(ACCOUNT, 'USDT');
    engine.shock(START, contract.symbolId, '0.5');
    expect(account.positions).not.toContain(position);
    const lost = before - ledger.balance(ACCOUNT, 'USDT');
    expect(lost <= margin && lost > margin - BigInt(lots) * contract.valueUnit).toBe(true);
    const order = account.orders.at(-1);
    const trade = account.trades.at(-1);
    expect(order).toMatchObject({ source: SOURCE_LIQUIDATION, filledLots: lots, reduceOnly: true });
    expect(trade?.fee).toBe(ceilDiv((trade?.value ?? 0n) * contract.taker, 100_000_000n));
    expect(before + (order?.profit ?? 0n) - (trade?.fee ?? 0n)).toBe(ledger.balance(ACCOUNT, 'USDT'));
  });

  it('happens at the liquidation price shown and not one tick before it', () => {
    const engine = start('flat');
    const { world } = engine;
    const position = world.account.positions.find(({ marginMode }) => marginMode === 'ISOLATED');
    const traded = world.markets.find(({ contract }) => contract === position?.contract);
    if (!position || !traded) throw new Error('no isolated position');
    const ticks = liquidationTicks(world).get(position) ?? 0;
    const moveTo = (to: number): void => {
      traded.process.premium = 0;
      traded.process.index = to * 1000;
      engine.shock(START, traded.contract.symbolId, '1');
    };
    moveTo(ticks + 1);
    expect(traded.mark).toBe(ticks + 1);
    expect(world.account.positions).toContain(position);
    moveTo(ticks);
    expect(world.account.positions).not.toContain(position);
  });

  it('cross: cancels the orders first, then takes the largest requirement first and leaves nothing owed', () => {
    const engine = start('flat');
    const { account, ledger } = engine.world;
    engine.setLeverage(START, 'DOGE-USDT-M', 10, 'CROSSED');
    engine.shock(START, 'ETH-USDT-M', '26');
    const sources = account.orders.filter(({ source }) => source === SOURCE_LIQUIDATION);
    expect(sources.map(({ contract }) => contract.symbolId)).toEqual(['ETH-USDT-M', 'BTC-USDT-M']);
    expect(account.open.size).toBe(0);
    const left = ledger.balance(ACCOUNT, 'USDT');
    const isolated = account.positions.find(({ marginMode }) => marginMode === 'ISOLATED');
    expect(left >= (isolated?.margin ?? 0n)).toBe(true);
    expect(left < (isolated?.margin ?? 0n) + units('1', 8)).toBe(true);
  });
});
