import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { begin, optionsOf, play, replies, session, START } from '../testing/session.ts';
import type { Session } from '../testing/session.ts';
import { decode, encode } from '../checkpoint.ts';
import { assetOf, crossBroken } from './assets.ts';
import { units } from './atoms.ts';
import type { Contract } from './contracts.ts';
import { sense, valueOf } from './contracts.ts';
import { Engine } from './engine.ts';
import { grossProfit, signedCost } from './holding.ts';
import type { Holding } from './holding.ts';
import { BOTS } from './ledger.ts';
import { brokenAt, liquidationTicks } from './liquid-price.ts';
import { figuresOf } from './margin.ts';
import { remainingLots } from './orders.ts';
import type { Timed } from './recording.ts';
import { replay } from './replay.ts';
import type { World } from './world.ts';

/** `PRACTICE_LAWS=20 npx vitest run src-practice/engine/laws.test.ts` runs twenty times as many sessions. */
const MORE = Number(process.env['PRACTICE_LAWS'] ?? 1);
const RUNS = 150 * MORE;

function takenUp(each: Session, text: string): Engine {
  const saved = decode(text);
  if (!saved) throw new Error('not a saved exchange');
  const engine = new Engine(optionsOf(each));
  engine.restore(saved);
  return engine;
}

/** All positions of everyone, with their contract. */
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

function expectConserved(world: World): void {
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

/** The identities of the interface, read from the reply as a client reads it. */
function expectIdentities(text: string): void {
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

function expectOrderly(world: World): void {
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

/** Net lots of each contract by the trades are those of the positions. */
function expectPositionsAreFills(world: World): void {
  for (const { contract } of world.markets) {
    const filled = world.account.trades
      .filter((trade) => trade.contract === contract)
      .reduce((sum, { side, lots }) => sum + side * lots, 0);
    const held = world.account.positions
      .filter((position) => position.contract === contract)
      .reduce((sum, { side, lots }) => sum + side * lots, 0);
    expect(held).toBe(filled);
  }
}

function expectSolvent(world: World): void {
  for (const position of world.account.positions) {
    expect(position.lots).toBeGreaterThan(0);
    if (position.marginMode !== 'ISOLATED') continue;
    const { unrealized, maintenance, closingFee } = figuresOf(world, position);
    expect(position.margin + unrealized > maintenance + closingFee).toBe(true);
  }
  for (const coin of world.ledger.coinNames()) expect(crossBroken(assetOf(world, coin))).toBe(false);
}

/** The price shown is the first broken tick on the position's adverse way. */
function expectLiquidationTicks(world: World): void {
  for (const [position, ticks] of liquidationTicks(world)) {
    if (ticks === 0) continue;
    expect(brokenAt(world, position, ticks)).toBe(true);
    expect(brokenAt(world, position, ticks + position.side)).toBe(false);
  }
}

/** Plain decimals and integers only: no float, exponent, NaN or -0 as a value anywhere. */
const UNCLEAN = /[:[,]-?\d+\.\d|\d[eE][+-]?\d|NaN|Infinity|[:"]-0(?:\.0*)?[",}]|undefined/;

describe('laws of every session', () => {
  it(
    'conserves money, keeps the identities, the book uncrossed, orders and positions whole',
    () => {
      fc.assert(
        fc.property(session, (each) => {
          const engine = begin(each);
          for (const step of each.steps) {
            play(engine, step);
            expectConserved(engine.world);
            expectIdentities(engine.account(engine.now));
            expectOrderly(engine.world);
            expectPositionsAreFills(engine.world);
            if (step.kind === 'shock' || (step.kind === 'pass' && step.ms >= 1000)) {
              expectSolvent(engine.world);
              expectLiquidationTicks(engine.world);
            }
          }
          expect(replies(engine)).not.toMatch(UNCLEAN);
        }),
        { numRuns: RUNS },
      );
    },
    120_000 * MORE,
  );

  it(
    'answers the same bytes for the same seed, times and requests',
    () => {
      fc.assert(
        fc.property(session, (each) => {
          const run = (): string => {
            const engine = begin(each);
            const answers = each.steps.map((step) => play(engine, step));
            return [...answers, replies(engine)].join('\n');
          };
          expect(run()).toBe(run());
        }),
        { numRuns: 25 * MORE },
      );
    },
    60_000 * MORE,
  );

  it(
    'answers the same bytes after a restart in the middle, made from what was recorded',
    () => {
      fc.assert(
        fc.property(
          session,
          fc.nat({ max: 40 }),
          fc.integer({ min: 0, max: 20_000_000 }),
          (each, cut, gap) => {
            const lines: string[] = [];
            const through = begin(each, (input) => lines.push(JSON.stringify(input)));
            const answers = each.steps.slice(0, cut).map((step) => play(through, step));
            through.advanceTo(through.now + gap);
            through.notePassed(through.now);
            const again = new Engine(optionsOf(each));
            for (const line of lines) replay(again, JSON.parse(line) as Timed);
            expect(replies(again)).toBe(replies(through));
            for (const step of each.steps.slice(cut)) expect(play(again, step)).toBe(play(through, step));
            expect(replies(again)).toBe(replies(through));
            expect(answers.length).toBe(Math.min(cut, each.steps.length));
          },
        ),
        { numRuns: 40 * MORE },
      );
    },
    120_000 * MORE,
  );

  it(
    'answers the same bytes after it was taken up from a checkpoint, also from one of such a one',
    () => {
      fc.assert(
        fc.property(
          session,
          fc.nat({ max: 40 }),
          fc.integer({ min: 0, max: 20_000_000 }),
          (each, cut, gap) => {
            const through = begin(each);
            for (const step of each.steps.slice(0, cut)) play(through, step);
            through.advanceTo(through.now + gap);
            const text = encode(through.save());
            const again = takenUp(each, text);
            expect(encode(again.save())).toBe(text);
            expect(replies(again)).toBe(replies(through));
            for (const step of each.steps.slice(cut)) expect(play(again, step)).toBe(play(through, step));
            through.catchUp('all');
            again.catchUp('all');
            const end = encode(through.save());
            expect(encode(again.save())).toBe(end);
            expect(replies(takenUp(each, end))).toBe(replies(through));
          },
        ),
        { numRuns: 60 * MORE },
      );
    },
    120_000 * MORE,
  );

  it(
    'does not depend on how often the time is asked for',
    () => {
      fc.assert(
        fc.property(
          fc.nat(),
          fc.array(fc.integer({ min: 1, max: 9_000 }), { maxLength: 12 }),
          (seed, gaps) => {
            const options = {
              seed,
              start: START,
              history: 12,
              convention: 'flat',
              order: 'desc',
              contracts: 7,
            } as const;
            const often = new Engine(options);
            const once = new Engine(options);
            for (const gap of gaps) often.advanceTo(often.now + gap);
            once.advanceTo(often.now);
            expect(replies(once)).toBe(replies(often));
          },
        ),
        { numRuns: 20 * MORE },
      );
    },
    60_000 * MORE,
  );
});

describe('a fresh account', () => {
  it('has a past whose orders, trades, fees and positions agree, and obeys the laws', () => {
    for (const seed of [1, 7, 99]) {
      const engine = new Engine({
        seed,
        start: START,
        history: 120,
        convention: 'flat',
        order: 'desc',
        contracts: 7,
      });
      const { world } = engine;
      expect(world.account.trades.length).toBeGreaterThanOrEqual(120);
      expect(world.account.positions.map(({ marginMode }) => marginMode)).toContain('ISOLATED');
      expect(world.account.positions.length).toBe(4);
      expect(world.account.open.size).toBe(2);
      expectConserved(world);
      expectOrderly(world);
      expectPositionsAreFills(world);
      expectSolvent(world);
      expectIdentities(engine.account(engine.now));
      for (const order of world.account.orders) {
        const own = world.account.trades.filter((trade) => trade.orderSeq === order.seq);
        expect(own.reduce((sum, { lots }) => sum + lots, 0)).toBe(order.filledLots);
        expect(own.reduce((sum, { fee }) => sum + fee, 0n)).toBe(order.fee);
      }
      const times = world.account.trades.map(({ time }) => time);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.every((time) => time < START)).toBe(true);
    }
  });
});
