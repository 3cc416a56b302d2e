/** Plays random sessions on an engine, step by step. */
import { printLots, printPrice } from '../../src-practice/engine/contracts.ts';
import type { Contract } from '../../src-practice/engine/contracts.ts';
import { Engine } from '../../src-practice/engine/engine.ts';
import type { EngineOptions } from '../../src-practice/engine/engine.ts';
import { orderId } from '../../src-practice/engine/orders.ts';
import type { TpSl } from '../../src-practice/engine/orders.ts';
import type { Recorder } from '../../src-practice/engine/recording.ts';
import type { OrderRequest } from '../../src-practice/engine/request.ts';
import { CONTRACTS } from './session.ts';
import type { Place, Session, Step } from './session.ts';

export const optionsOf = ({
  seed,
  convention,
  start,
}: Pick<Session, 'seed' | 'convention' | 'start'>): EngineOptions => ({
  seed,
  start,
  history: 0,
  convention,
  order: 'asc',
  contracts: CONTRACTS,
});

/** Without past, positions or resting orders, so that the position mode can be chosen. */
export function begin(each: Session, recorder?: Recorder): Engine {
  const engine = new Engine(optionsOf(each));
  if (recorder) engine.recordWith(recorder);
  for (const order of [...engine.world.account.open.values()]) engine.cancel(engine.now, orderId(order.seq));
  for (const position of [...engine.world.account.positions]) {
    engine.placeOrder(engine.now, {
      ...NEUTRAL,
      symbolId: position.contract.symbolId,
      side: position.side === 1 ? 'SELL' : 'BUY',
      reduceOnly: true,
    });
  }
  const chosen = engine.setPositionMode(engine.now, each.mode);
  if (!chosen.ok) throw new Error(chosen.why);
  for (const setting of each.settings) play(engine, { kind: 'leverage', ...setting });
  return engine;
}

const NEUTRAL: OrderRequest = {
  symbolId: '',
  side: 'BUY',
  type: 'MARKET',
  timeInForce: null,
  quantity: null,
  price: null,
  reduceOnly: false,
  postOnly: false,
  reverseOrder: false,
  tpSl: null,
};

function requestOf(engine: Engine, asked: Place): OrderRequest {
  const market = engine.world.markets[asked.market % engine.world.markets.length];
  if (!market) throw new Error('no market');
  const { contract } = market;
  const lots = Math.max(contract.minLots, Math.trunc((contract.quoteLots * asked.size) / 1000));
  // Mostly valid orders, so that sessions are not mainly rejections.
  const held = engine.world.account.positions.find((position) => position.contract === contract);
  const closes = held !== undefined || asked.size % 8 === 0;
  const reduces = closes && (asked.flag === 'reduceOnly' || asked.flag === 'closeAll');
  const reverses = closes && asked.flag === 'reverse';
  const buy = held && (reduces || reverses) ? held.side === -1 : asked.buy;
  const type = reverses ? 'MARKET' : asked.type;
  const ticks = Math.max(1, market.mark + Math.trunc((market.mark * asked.away) / 100_000));
  return {
    ...NEUTRAL,
    symbolId: contract.symbolId,
    side: buy ? 'BUY' : 'SELL',
    type,
    timeInForce: asked.flag === 'postOnly' ? 'GTC' : asked.timeInForce,
    quantity: reduces && asked.flag === 'closeAll' ? null : printLots(contract, lots),
    price: type === 'LIMIT' ? printPrice(contract, ticks) : null,
    reduceOnly: reduces,
    postOnly: asked.flag === 'postOnly',
    reverseOrder: reverses,
    tpSl: asked.flag === 'tpSl' ? tpSlAround(contract, type === 'LIMIT' ? ticks : market.mark, asked) : null,
  };
}

/** Triggers up to 2 % away, so that a few steps or a shock reach some of them. */
function tpSlAround(contract: Contract, ticks: number, { buy, size, away }: Place): TpSl {
  const distance = Math.max(2, Math.trunc((ticks * (size + 100)) / 300_000));
  const side = buy ? 1 : -1;
  const stop = printPrice(contract, Math.max(1, ticks - side * distance));
  const byMark = size % 2 === 0 ? 'MARK_PRICE' : 'LAST_PRICE';
  return {
    tpTriggerType: away % 3 === 0 ? 'NONE' : byMark,
    tpPrice: away % 3 === 0 ? null : printPrice(contract, ticks + side * distance),
    tpExecutePrice: null,
    slTriggerType: byMark,
    slPrice: stop,
    slExecutePrice: away % 2 === 0 ? stop : null,
  };
}

/** Plays one step and returns the reply as text. */
export function play(engine: Engine, step: Step): string {
  const { now, world } = engine;
  const symbolOf = (index: number): string =>
    world.markets[index % world.markets.length]?.contract.symbolId ?? '';
  switch (step.kind) {
    case 'place':
      return JSON.stringify(engine.placeOrder(now, requestOf(engine, step)));
    case 'batch': {
      const rows = step.rows.map((row) =>
        requestOf(engine, row.market < 0 ? { ...row, market: step.market } : row),
      );
      return JSON.stringify(engine.placeBatch(now, rows));
    }
    case 'pass':
      engine.advanceTo(now + step.ms);
      return '';
    case 'expire': {
      const expiry = world.markets[step.market]?.contract.expiry ?? now;
      engine.advanceTo(Math.max(now, expiry - step.early));
      return '';
    }
    case 'leverage': {
      const mode = step.isolated ? 'ISOLATED' : 'CROSSED';
      return JSON.stringify(engine.setLeverage(now, symbolOf(step.market), step.leverage, mode));
    }
    case 'shock':
      return JSON.stringify(engine.shock(now, symbolOf(step.market), (step.percent / 100).toFixed(2)));
    case 'grant': {
      const coin = world.markets[step.market % world.markets.length]?.contract.coin ?? '';
      return JSON.stringify(engine.grant(now, coin, BigInt(step.atoms)));
    }
    case 'cancel': {
      const open = [...world.account.open.values()][step.nth];
      return open ? JSON.stringify(engine.cancel(now, orderId(open.seq))) : '';
    }
  }
}

/** Every reply the account would get now. */
export const replies = (engine: Engine): string =>
  [
    engine.account(engine.now),
    engine.openOrders(engine.now, { limit: 1000 }),
    engine.orderHistory(engine.now, { limit: 1000 }),
    engine.trades(engine.now, { page: 0, pageSize: 1000 }),
  ].join('\n');
