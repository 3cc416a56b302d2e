/** Makes an exchange without any trade. */
import { Book } from './book.ts';
import { showPrices } from './steps.ts';
import type { Contract } from './contracts.ts';
import { emptyHolding } from './holding.ts';
import { EXCHANGE, Ledger, MAKERS, NOISE } from './ledger.ts';
import { Log } from './log.ts';
import type { PositionMode } from './orders.ts';
import { orderCodec, tradeCodec } from './packed.ts';
import { startProcess } from './process.ts';
import { Rng } from './rng.ts';
import { quote } from './traders.ts';
import type { Market, TierConvention, Underlying, World } from './world.ts';

/** Whole coins of the makers and noise traders: enough never to run out. */
const BOT_FUNDS = 1_000_000_000n * 100_000_000n;

export function startWorld(options: {
  contracts: readonly Contract[];
  seed: number;
  now: number;
  convention: TierConvention;
  positionMode: PositionMode;
  restingLimit: number;
}): World {
  const byBase = new Map<string, Underlying & { markets: Market[] }>();
  const steppedAt = Math.trunc(options.now / 1000) * 1000;
  const markets = options.contracts.map((contract) => {
    const underlying = byBase.get(contract.base) ?? {
      process: startProcess(contract, options.seed),
      markets: [],
      steppedAt,
    };
    byBase.set(contract.base, underlying);
    const market = startMarket(contract, options, underlying);
    underlying.markets.push(market);
    return market;
  });
  const underlyings = [...byBase.values()];
  const ledger = new Ledger();
  for (const { coin } of options.contracts) {
    if (ledger.paidIn(coin) > 0n) continue;
    ledger.payIn(MAKERS, coin, BOT_FUNDS);
    ledger.payIn(NOISE, coin, BOT_FUNDS);
  }
  const world: World = {
    now: options.now,
    convention: options.convention,
    restingLimit: options.restingLimit,
    markets,
    underlyings,
    bySymbol: new Map(markets.map((market) => [market.contract.symbolId, market])),
    ledger,
    account: {
      uid: (1_180_591_620_717_411_303n + BigInt(options.seed >>> 0)).toString(),
      positionMode: options.positionMode,
      settings: new Map(),
      positions: [],
      orders: new Log(orderCodec(options.contracts)),
      open: new Map(),
      trades: new Log(tradeCodec(options.contracts)),
      trial: new Map(),
      barred: 'no',
      nextPosition: 0,
      triggers: [],
      nextTrigger: 0,
    },
  };
  for (const market of markets) if (market.trading) quote(world, market);
  return world;
}

/** Starts a market. One process counts in ticks, so the contracts of a base must share their tick. */
function startMarket(
  contract: Contract,
  { seed, now }: { seed: number; now: number },
  underlying: Underlying,
): Market {
  const { process } = underlying;
  if (contract.tick !== process.tick) throw new Error(`${contract.symbolId}: another tick than its base's`);
  const market: Market = {
    contract,
    book: new Book(),
    process,
    underlying,
    trading: contract.open,
    rng: new Rng(seed, contract.stream * 4 + 2),
    holdings: { [MAKERS]: emptyHolding(), [NOISE]: emptyHolding(), [EXCHANGE]: emptyHolding() },
    last: 0,
    mark: 0,
    index: 0,
    basis: 0,
    quotes: [],
    quotedAt: 0,
    hit: true,
  };
  showPrices(market, now);
  return market;
}
