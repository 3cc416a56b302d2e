import { describe, expect, it } from 'vitest';
import { oracleIsDue, oracleValue, type Situation, situationOf } from '../../tests/practice/oracle.ts';
import { ceilDiv, units } from './atoms.ts';
import type { Engine } from './engine.ts';
import { liquidationTicks } from './liquid-price.ts';
import { liquidate } from './liquidation.ts';
import { ACCOUNT } from './ledger.ts';
import { orderId, SOURCE_LIQUIDATION } from './orders.ts';
import type { OrderRequest } from './request.ts';
import { marketOrder, engineOf, START } from '../../tests/practice/engine-of.ts';
import { marketOf } from './world.ts';
import type { Position, TierConvention } from './world.ts';

const start = (convention: TierConvention, seed = 3): Engine => engineOf({ seed, convention, contracts: 7 });

/** Without a quantity it closes the whole position. */
const market = (symbolId: string, side: 'BUY' | 'SELL', quantity: string | null): OrderRequest =>
  marketOrder(symbolId, side, quantity, { reduceOnly: quantity === null });

/** One coin of the account as the oracle's input. */
const situationIn = (engine: Engine, coin: string): Situation =>
  situationOf(engine.world, coin, engine.world.ledger.balance(ACCOUNT, coin));

const entryTicks = (position: Position): number => {
  let ticks = position.contract.startTicks;
  const sign = position.contract.contractSide === 'FORWARD' ? 1 : -1;
  const gain = (): number =>
    sign * Number(oracleValue(position.contract, position.lots, ticks) - position.cost);
  while (gain() > 0) ticks -= 1;
  while (gain() < 0) ticks += 1;
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
        it(`${convention} ${side} ${quantity} ${symbolId} at ${leverage}×: is the tick a scan finds`, () => {
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
          const situation = situationIn(engine, position.contract.coin);
          while (!oracleIsDue(situation, position, ticks)) ticks += step;
          expect(found).toBe(ticks);
        });
      }
    }
  }
});

describe('liquidation price of cross positions', () => {
  for (const convention of ['flat', 'marginal'] as const) {
    for (const [symbolId, side, beside] of [
      ['SOL-USDT-M', 'BUY', 'ETH-USDT-M'],
      ['DOGE-USDT-M', 'BUY', 'SOL-USDT-M'],
      ['SOL-USDT-M', 'SELL', 'DOGE-USDT-M'],
    ] as const) {
      it(`${convention} ${side} ${symbolId} beside ${beside}: is the tick a scan from the mark finds`, () => {
        const engine = start(convention);
        const { account, bySymbol } = engine.world;
        for (const id of [...account.open.values()].map(({ seq }) => orderId(seq))) engine.cancel(START, id);
        for (const held of account.positions) {
          engine.placeOrder(START, market(held.contract.symbolId, held.side === 1 ? 'SELL' : 'BUY', null));
        }
        for (const each of [symbolId, beside]) engine.setLeverage(START, each, 20, 'CROSSED');
        const size = { 'SOL-USDT-M': '300', 'DOGE-USDT-M': '200000', 'ETH-USDT-M': '3' };
        // Up to half of what the account can carry, in small orders: a book refills slowly.
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
        const situation = situationIn(engine, position.contract.coin);
        while (!oracleIsDue(situation, position, ticks)) ticks -= position.side;
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
        // The largest requirement is liquidated first.
        expect(last[0]?.contract.symbolId).toBe(symbolId);
      });
    }
  }
});

describe('liquidation by exact values instead of the whole atoms of the books', () => {
  const alone = (convention: TierConvention): Engine => {
    const engine = start(convention);
    for (const { seq } of [...engine.world.account.open.values()]) engine.cancel(START, orderId(seq));
    for (const held of engine.world.account.positions)
      engine.placeOrder(START, market(held.contract.symbolId, held.side === 1 ? 'SELL' : 'BUY', null));
    return engine;
  };

  it('liquidates one inverse lot at the exact tick, though several ticks have the same value in atoms', () => {
    const engine = alone('flat');
    engine.setLeverage(START, 'BTC-USD-M', 20, 'ISOLATED');
    expect(engine.placeOrder(START, market('BTC-USD-M', 'BUY', '10'))).toMatchObject({ ok: true });
    const position = engine.world.account.positions[0]!;
    const { contract, lots, cost, margin } = position;
    // margin + cost − v = (rate + fee) × v, solved for the price lots × unit / v.
    const burden = 10n ** 8n + contract.steps[0]!.rate + contract.taker;
    const exact = (BigInt(lots) * contract.valueUnit * burden) / ((margin + cost) * 10n ** 8n);
    expect(liquidationTicks(engine.world).get(position)).toBe(Number(exact));
  });

  it('liquidates at a tier border where only the higher rate requires it', () => {
    const engine = alone('flat');
    engine.setLeverage(START, 'SOL-USDT-M', 20, 'ISOLATED');
    expect(engine.placeOrder(START, market('SOL-USDT-M', 'SELL', '300'))).toMatchObject({ ok: true });
    const { world } = engine;
    const position = world.account.positions[0]!;
    const { contract, lots } = position;
    const [first, second] = contract.steps;
    // As many lots as the first tier holds at a price some way above the mark, and a margin between both rates
    // there.
    const traded = marketOf(world, contract);
    const border = first!.max / contract.valueUnit;
    position.lots = Number(border / BigInt(Math.trunc(traded.mark * 1.01)));
    while (border % BigInt(position.lots) !== 0n) position.lots -= 1;
    position.cost = (position.cost * BigInt(position.lots)) / BigInt(lots);
    const needs = (first!.max * ((first!.rate + second!.rate) / 2n + contract.taker)) / 10n ** 8n;
    position.margin = first!.max - position.cost + needs;
    const ticks = Number(border / BigInt(position.lots));
    expect(liquidationTicks(world).get(position)).toBe(ticks);
    traded.mark = ticks - 1;
    liquidate(world);
    expect(world.account.positions).toContain(position);
    traded.mark = ticks;
    liquidate(world);
    expect(world.account.positions).not.toContain(position);
  });
});

describe('liquidation', () => {
  it('takes over an isolated position for exactly its margin', () => {
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

  it('happens at the shown liquidation price and not one tick before', () => {
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

  it('cross: cancels the orders first, then liquidates the largest requirement, and leaves no debt', () => {
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
