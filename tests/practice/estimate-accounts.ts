/**
 * Compares the window's estimates with the practice exchange: random accounts are read as the client reads them,
 * the tier convention is fitted, and every position is moved to its estimated price.
 */
import { calculated, print, round } from '../../src-shared/amount.ts';
import { fitAccount, type FitContext } from '../../src-shared/domain/risk/convention-fit.ts';
import type { EstimateContext } from '../../src-shared/domain/position/resolved.ts';
import { specsOf } from '../../src-shared/domain/instrument/specs.ts';
import { compareWithEstimate } from '../../src-shared/domain/risk/exchange-comparison.ts';
import type { Position as Received } from '../../src-shared/exchange-api/account.ts';
import { readData } from '../../src-shared/exchange-api/replies.ts';
import { assetOf, crossEquity } from '../../src-practice/engine/assets.ts';
import { printRate } from '../../src-practice/engine/atoms.ts';
import type { Engine } from '../../src-practice/engine/engine.ts';
import { ACCOUNT } from '../../src-practice/engine/ledger.ts';
import { liquidationTicks } from '../../src-practice/engine/liquid-price.ts';
import { liquidate } from '../../src-practice/engine/liquidation.ts';
import { figuresOf } from '../../src-practice/engine/margin.ts';
import { isDueAt, crossIsDue } from '../../src-practice/engine/solvency.ts';
import { marketOf, type Position, type TierConvention } from '../../src-practice/engine/world.ts';
import { createRandom } from '../shared/seeded-random.ts';
import { begin, play } from './play.ts';
import { START } from './engine-of.ts';
import { CONTRACTS } from './session.ts';

/** An account after some trades, with positions scaled up, since a book fills only first-tier sizes in a second. */
function account(seed: number, convention: TierConvention): Engine {
  const { below } = createRandom(seed);
  const settings = Array.from({ length: 4 }, () => ({
    market: below(CONTRACTS),
    leverage: 2 + below(30),
    isolated: below(3) === 0,
  }));
  const engine = begin({
    seed,
    convention,
    mode: below(3) === 0 ? 'HEDGE' : 'ONEWAY',
    start: START,
    settings,
    steps: [],
  });
  for (let n = 0; n < 8; n++) {
    const { market } = settings[below(4)]!;
    // One in four as small as the contract allows: one atom of the books then spans many ticks.
    const size = below(4) === 0 ? 1 : 1 + below(1_500);
    const buy = below(2) === 0;
    play(engine, {
      kind: 'place',
      market,
      buy,
      type: 'MARKET',
      timeInForce: 'IOC',
      size,
      away: 0,
      flag: 'none',
    });
    play(engine, { kind: 'pass', ms: 2_000 });
  }
  const { world } = engine;
  for (const position of world.account.positions) {
    const times = [1, 1, 20, 300, 3_000][below(5)]!;
    position.lots *= times;
    position.cost *= BigInt(times);
    position.margin *= BigInt(times);
  }
  // Equity from barely enough to many times the requirement.
  for (const position of world.account.positions) {
    const { unrealized, maintenance, closingFee } = figuresOf(world, position);
    // Also enough at the entry, as when it was opened: the liquidation price is searched from there.
    const needs = maintenance + closingFee - (unrealized < 0n ? unrealized : 0n);
    if (position.marginMode === 'ISOLATED' && position.margin * 5n <= needs * 6n)
      position.margin = (needs * 3n) / 2n;
  }
  for (const coin of world.ledger.coinNames()) {
    const asset = assetOf(world, coin);
    const short = asset.crossMaintenance - crossEquity(asset);
    const pay = short + (asset.crossMaintenance * BigInt(1 + below(60))) / 10n;
    if (pay > 0n) world.ledger.payIn(ACCOUNT, coin, pay);
  }
  return engine;
}

/** Reads a reply as the client does: numbers of tiers by their text. */
const parse = (text: string): unknown =>
  JSON.parse(text, (key, value: unknown, context?: { source: string }) =>
    typeof value === 'number' && key !== 'level' && /Rate$|Value$|maxLeverage/.test(key)
      ? context!.source
      : value,
  );

function contextOf(engine: Engine): FitContext {
  const report = { drift: (): void => {}, unreadable: (): void => {} };
  const received = readData('account', parse(engine.account(engine.now)), report);
  const contracts = readData('symbolConfig', parse(engine.symbolConfig(engine.now)), report);
  const bySymbol = new Map(contracts.map((one) => [one.symbolId, one]));
  const taker = new Map(
    engine.world.markets.map(({ contract }) => [contract.symbolId, printRate(contract.taker)]),
  );
  return {
    account: received,
    contractOf: (symbolId) => bySymbol.get(symbolId),
    specs: (symbolId) => ({
      ...specsOf('FORWARD', { positions: [], openOrders: [], history: [], trades: [] }),
      multiplier: '1',
      feeRateTaker: taker.get(symbolId) ?? null,
    }),
  };
}

export interface AccountsSeen {
  accounts: number;
  positions: number;
  /** Positions that no price liquidates. */
  none: number;
  isolated: number;
  /** Above the first tier. */
  higher: number;
  /** Accounts whose convention the fit identifies. */
  named: number;
  readonly misses: string[];
}

/** Fits `count` random accounts, compares every estimate, and moves every position to its price. */
export function checkAccounts(count: number): AccountsSeen {
  const seen = { accounts: 0, positions: 0, none: 0, isolated: 0, higher: 0, named: 0 };
  const misses: string[] = [];
  for (let seed = 1; seed <= count; seed++) {
    const convention = seed % 2 === 0 ? 'flat' : 'marginal';
    const engine = account(seed, convention);
    const { world } = engine;
    if (world.account.positions.length === 0) continue;
    seen.accounts += 1;
    const context = contextOf(engine);
    const fit = fitAccount(context);
    if (fit.state === 'named') {
      seen.named += 1;
      if (fit.convention !== convention) misses.push(`seed ${seed}: fitted ${fit.convention ?? 'none'}`);
    } else if (fit.state !== 'undecidable') misses.push(`seed ${seed}: ${fit.state}`);
    if (fit.fee === 'out') misses.push(`seed ${seed}: fitted the fee out`);
    const fitted = { ...context, convention: fit.convention ?? 'flat', closingFee: true };
    const ticks = liquidationTicks(world);
    for (const [index, position] of world.account.positions.entries()) {
      const record = context.account.positions[index]!;
      seen.positions += 1;
      if (position.marginMode === 'ISOLATED') seen.isolated += 1;
      if (figuresOf(world, position).value > (position.contract.steps[0]?.max ?? 0n)) seen.higher += 1;
      const at = ticks.get(position) ?? 0;
      const fault = estimateFault(record, position, fitted, at);
      if (fault !== null) misses.push(`seed ${seed} ${record.symbolId} ${record.side}: ${fault}`);
      if (at === 0) seen.none += 1;
      else misses.push(...liquidationFaults(seed, convention, index, at));
    }
  }
  return { ...seen, misses };
}

/** Checks that the exchange's price is the estimate, rounded to the tick on the far side. */
function estimateFault(
  record: Received,
  position: Position,
  context: EstimateContext,
  at: number,
): string | null {
  const lines = compareWithEstimate(record, context);
  if (typeof lines === 'string') return lines;
  const line = lines.find((one) => one.name === 'liquidation');
  const found = line?.estimate.value ?? null;
  const liquidPrice = record.liquidPrice ?? '';
  if (found === null) return at === 0 ? null : `none, the exchange ${liquidPrice}`;
  const { tickDecimals } = position.contract;
  const rounded = print(round(calculated(found), tickDecimals, position.side === 1 ? 'floor' : 'ceil'));
  return rounded === print(calculated(liquidPrice)) ? null : `${found} is not ${liquidPrice}`;
}

/** Uses a new account each time: a liquidated position cannot be moved again. */
function liquidationFaults(seed: number, convention: TierConvention, index: number, at: number): string[] {
  const { world } = account(seed, convention);
  const position = world.account.positions[index]!;
  const market = marketOf(world, position.contract);
  const isolated = position.marginMode === 'ISOLATED';
  const start = market.mark;
  const gone = (): boolean =>
    isolated ? !world.account.positions.includes(position) : crossIsDue(world, position.contract.coin);
  if ((at - start) * position.side >= 0) return [];
  const faults: string[] = [];
  market.mark = at + position.side;
  if (isDueAt(world, position, market.mark)) faults.push(`seed ${seed}: due one tick before ${at}`);
  if (isolated) liquidate(world);
  if (gone()) faults.push(`seed ${seed}: gone one tick before ${at}`);
  market.mark = at;
  if (!isolated && !gone()) faults.push(`seed ${seed}: not due at ${at}`);
  const before = world.account.positions.length;
  liquidate(world);
  if (world.account.positions.length >= before || (isolated && !gone()))
    faults.push(`seed ${seed}: not gone at ${at}`);
  return faults;
}
