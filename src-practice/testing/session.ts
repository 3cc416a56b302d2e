/** Random sessions for the laws: what a person, the market and the controls may do, in any order. */
import fc from 'fast-check';
import { printLots, printPrice } from '../engine/contracts.ts';
import type { Contract } from '../engine/contracts.ts';
import { Engine } from '../engine/engine.ts';
import type { EngineOptions } from '../engine/engine.ts';
import type { PositionMode, TpSl } from '../engine/orders.ts';
import type { Recorder } from '../engine/recording.ts';
import type { OrderRequest } from '../engine/request.ts';
import type { TierConvention } from '../engine/world.ts';

export const START = 1_795_392_000_000;

export interface Place {
  kind: 'place';
  market: number;
  buy: boolean;
  type: 'LIMIT' | 'MARKET';
  timeInForce: 'GTC' | 'IOC' | 'FOK';
  /** Thousandths of a best quote's size. */
  size: number;
  /** Parts per hundred thousand away from the mark, signed. */
  away: number;
  flag: 'none' | 'reduceOnly' | 'postOnly' | 'reverse' | 'closeAll' | 'tpSl';
}

export type Step =
  | Place
  | { kind: 'pass'; ms: number }
  | { kind: 'shock'; market: number; percent: number }
  | { kind: 'grant'; market: number; atoms: number }
  | { kind: 'cancel'; nth: number };

/** Two contracts get most orders, so that positions grow, shrink and turn. */
const market = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(2, 5) },
  { weight: 1, arbitrary: fc.nat({ max: 6 }) },
);

const place: fc.Arbitrary<Place> = fc.record({
  kind: fc.constant('place' as const),
  market,
  buy: fc.boolean(),
  type: fc.constantFrom('LIMIT' as const, 'MARKET' as const),
  timeInForce: fc.constantFrom('GTC' as const, 'IOC' as const, 'FOK' as const),
  size: fc.integer({ min: 1, max: 6_000 }),
  away: fc.integer({ min: -300, max: 300 }),
  flag: fc.constantFrom(
    'none',
    'none',
    'none',
    'reduceOnly',
    'postOnly',
    'reverse',
    'closeAll',
    'tpSl',
    'tpSl',
  ),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: place },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 40_000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('shock' as const),
      market,
      percent: fc.integer({ min: 50, max: 170 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('grant' as const),
      market,
      atoms: fc.integer({ min: 1, max: 100_000_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), nth: fc.nat({ max: 5 }) }) },
);

export interface Session {
  seed: number;
  convention: TierConvention;
  mode: PositionMode;
  steps: Step[];
}

export const session: fc.Arbitrary<Session> = fc.record({
  seed: fc.nat(),
  convention: fc.constantFrom('flat' as const, 'marginal' as const),
  mode: fc.constantFrom('ONEWAY' as const, 'ONEWAY' as const, 'HEDGE' as const),
  steps: fc.array(step, { minLength: 5, maxLength: 40 }),
});

export const optionsOf = ({ seed, convention }: Pick<Session, 'seed' | 'convention'>): EngineOptions => ({
  seed,
  start: START,
  history: 0,
  convention,
  order: 'asc',
  contracts: 7,
});

/** Without a past, positions or resting orders, so that the position mode can be chosen. */
export function begin({ seed, convention, mode }: Session, recorder?: Recorder): Engine {
  const engine = new Engine(optionsOf({ seed, convention }));
  if (recorder) engine.recordWith(recorder);
  for (const order of [...engine.world.account.open.values()])
    engine.cancel(engine.now, idOf(engine, order.seq));
  for (const position of [...engine.world.account.positions]) {
    engine.placeOrder(engine.now, {
      ...NEUTRAL,
      symbolId: position.contract.symbolId,
      side: position.side === 1 ? 'SELL' : 'BUY',
      reduceOnly: true,
    });
  }
  const chosen = engine.setPositionMode(engine.now, mode);
  if (!chosen.ok) throw new Error(chosen.why);
  return engine;
}

const idOf = (engine: Engine, seq: number): string => {
  const records: unknown = JSON.parse(engine.orderHistory(engine.now, { limit: seq }));
  if (!Array.isArray(records)) throw new Error('no history');
  const record: unknown = records[seq - 1];
  if (typeof record !== 'object' || record === null || !('id' in record)) throw new Error('no record');
  return String(record.id);
};

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
  const reduces = asked.flag === 'reduceOnly' || asked.flag === 'closeAll';
  const reverses = asked.flag === 'reverse';
  // Mostly the side that makes sense, so that sessions do more than collect refusals.
  const held = engine.world.account.positions.find((position) => position.contract === contract);
  const buy = held && (reduces || reverses) ? held.side === -1 : asked.buy;
  const type = reverses ? 'MARKET' : asked.type;
  const ticks = Math.max(1, market.mark + Math.trunc((market.mark * asked.away) / 100_000));
  return {
    ...NEUTRAL,
    symbolId: contract.symbolId,
    side: buy ? 'BUY' : 'SELL',
    type,
    timeInForce: asked.flag === 'postOnly' ? 'GTC' : asked.timeInForce,
    quantity: asked.flag === 'closeAll' ? null : printLots(contract, lots),
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

/** Plays one step and returns what was answered, as text. */
export function play(engine: Engine, step: Step): string {
  const { now, world } = engine;
  const symbolOf = (index: number): string =>
    world.markets[index % world.markets.length]?.contract.symbolId ?? '';
  switch (step.kind) {
    case 'place':
      return JSON.stringify(engine.placeOrder(now, requestOf(engine, step)));
    case 'pass':
      engine.advanceTo(now + step.ms);
      return '';
    case 'shock':
      return JSON.stringify(engine.shock(now, symbolOf(step.market), (step.percent / 100).toFixed(2)));
    case 'grant': {
      const coin = world.markets[step.market % world.markets.length]?.contract.coin ?? '';
      return JSON.stringify(engine.grant(now, coin, BigInt(step.atoms)));
    }
    case 'cancel': {
      const open = [...world.account.open.values()][step.nth];
      return open ? JSON.stringify(engine.cancel(now, idOf(engine, open.seq))) : '';
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
