import { describe, expect, it } from 'vitest';
import { ceilDiv, units } from './atoms.ts';
import type { Contract } from './contracts.ts';
import { Engine } from './engine.ts';
import { liquidationTicks } from './liquid-price.ts';
import { ACCOUNT } from './ledger.ts';
import { SOURCE_LIQUIDATION } from './orders.ts';
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
