/** An exchange before anybody has traded. */
import { Book } from './book.ts';
import { showPrices } from './clock.ts';
import type { Contract } from './contracts.ts';
import { emptyHolding } from './holding.ts';
import { HOUSE, Ledger, MAKERS, NOISE } from './ledger.ts';
import { startProcess } from './process.ts';
import type { PriceProcess } from './process.ts';
import { Rng } from './rng.ts';
import { quote } from './traders.ts';
import type { Market, TierConvention, World } from './world.ts';

/** Whole coins the makers and noise traders have: enough never to matter. */
const BOT_FUNDS = 1_000_000_000n * 100_000_000n;

export function startWorld(options: {
  contracts: readonly Contract[];
  seed: number;
  now: number;
  convention: TierConvention;
}): World {
  const processes = new Map<string, PriceProcess>();
  const markets = options.contracts.map((contract) => {
    const process = processes.get(contract.base) ?? startProcess(contract, options.seed);
    processes.set(contract.base, process);
    return startMarket(contract, options.seed, process);
  });
  const underlyings = [...processes.values()].map((process) => ({
    process,
    markets: markets.filter((market) => market.process === process),
  }));
  const ledger = new Ledger();
  for (const { coin } of options.contracts) {
    if (ledger.paidIn(coin) > 0n) continue;
    ledger.payIn(MAKERS, coin, BOT_FUNDS);
    ledger.payIn(NOISE, coin, BOT_FUNDS);
  }
  const world: World = {
    now: options.now,
    convention: options.convention,
    markets,
    underlyings,
    bySymbol: new Map(markets.map((market) => [market.contract.symbolId, market])),
    ledger,
    account: {
      uid: (1_180_591_620_717_411_303n + BigInt(options.seed >>> 0)).toString(),
      positionMode: 'ONEWAY',
      settings: new Map(),
      positions: [],
      orders: [],
      open: new Map(),
      trades: [],
      trial: new Map(),
      barred: 'no',
      nextPosition: 0,
    },
  };
  for (const market of markets) quote(world, market);
  return world;
}

/** One process counts in ticks, so the contracts of a base must share their tick. */
function startMarket(contract: Contract, seed: number, process: PriceProcess): Market {
  if (contract.tick !== process.tick) throw new Error(`${contract.symbolId}: another tick than its base's`);
  const market: Market = {
    contract,
    book: new Book(),
    process,
    rng: new Rng(seed, contract.ordinal * 4 + 2),
    holdings: { [MAKERS]: emptyHolding(), [NOISE]: emptyHolding(), [HOUSE]: emptyHolding() },
    last: 0,
    mark: 0,
    index: 0,
    quotes: [],
    quotedAt: 0,
    hit: true,
  };
  showPrices(market);
  return market;
}
