import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { begin, play, replies } from './play.ts';
import { START } from './engine-of.ts';
import { CONTRACTS, session } from './session.ts';
import type { Session, Step } from './session.ts';
import {
  expectClean,
  expectCleanTiers,
  expectConserved,
  expectIdentities,
  expectLiquidationTicks,
  expectOrderly,
  expectPositionsAreFills,
  expectRecordsAddUp,
  expectSolvent,
  expectTiersContiguous,
} from './invariants.ts';
import { Engine } from '../../src-practice/engine/engine.ts';

/**
 * `FC_SEED=random PRACTICE_SESSIONS=20 npx vitest run tests/practice/invariants` runs twenty times as many
 * sessions, with new seeds.
 */
const MORE = Number(process.env['PRACTICE_SESSIONS'] ?? 1);

function expectLawful(each: Session): void {
  const engine = begin(each);
  const { world } = engine;
  for (const step of each.steps) {
    const reply = play(engine, step);
    const account = engine.account(engine.now);
    expectClean(reply + account);
    expectIdentities(account);
    expectConserved(world);
    expectOrderly(world);
    expectPositionsAreFills(world);
    if (movesTime(step)) {
      expectSolvent(world);
      expectLiquidationTicks(world);
    }
  }
  expectClean(replies(engine));
  expectRecordsAddUp(
    engine.orderHistory(engine.now, { limit: 1000 }),
    engine.trades(engine.now, { page: 0, pageSize: 1000 }),
  );
}

/** Liquidation is checked after each step of the clock and each shock. */
const movesTime = (step: Step): boolean =>
  step.kind === 'shock' || step.kind === 'expire' || (step.kind === 'pass' && step.ms >= 1000);

describe('invariants of every session', () => {
  it(
    'conserves money, keeps the identities, an uncrossed book, and consistent orders and positions',
    () => {
      fc.assert(
        fc.property(session, (each) => {
          expectLawful(each);
        }),
        { numRuns: 50 * MORE },
      );
    },
    120_000 * MORE,
  );
});

/** Failures that earlier sessions found, in their shrunk form. */
describe('sessions that once broke an invariant', () => {
  const calm = { seed: 0, convention: 'flat', mode: 'ONEWAY', start: START } as const;
  const place = {
    kind: 'place',
    type: 'LIMIT',
    timeInForce: 'GTC',
    size: 1,
    away: 0,
    buy: false,
    flag: 'none',
  } as const;

  it('a short of an inverse contract at 1× has no liquidation price, not one of 34 digits', () => {
    expectLawful({
      ...calm,
      settings: [
        { market: 0, leverage: 1, isolated: false },
        { market: 5, leverage: 1, isolated: true },
      ],
      steps: [
        { ...place, market: 5 },
        { ...place, market: 0 },
        { kind: 'pass', ms: 1 },
        { ...place, market: 0 },
        { kind: 'shock', market: 0, percent: 88 },
        { kind: 'shock', market: 0, percent: 114 },
      ],
    });
  });

  it('an isolated position in profit whose margin was used up by funding shows its entry', () => {
    expectLawful({
      ...calm,
      start: Date.UTC(2026, 11, 24, 6),
      settings: [{ market: 0, leverage: 21, isolated: true }],
      steps: [
        { ...place, market: 0, buy: true },
        { kind: 'pass', ms: 4000 },
        { kind: 'shock', market: 0, percent: 162 },
        { kind: 'expire', market: 12, early: 0 },
      ],
    });
  });

  it('a price that jumps past a stop and past the margin liquidates: the stop would leave a debt', () => {
    expectLawful({
      ...calm,
      settings: [{ market: 5, leverage: 3, isolated: false }],
      steps: [
        { ...place, market: 5, buy: true, size: 1444, away: 105, flag: 'tpSl' },
        { kind: 'shock', market: 0, percent: 50 },
      ],
    });
  });
});

describe('a new account', () => {
  it('has a past whose orders, trades, fees and positions are consistent, and holds the invariants', () => {
    for (const seed of [1, 7, 99]) {
      const engine = new Engine({
        seed,
        start: START,
        history: 120,
        convention: 'flat',
        order: 'desc',
        contracts: CONTRACTS,
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

describe('every contract', () => {
  it('has contiguous tiers, in a list of any length', () => {
    for (const contracts of [CONTRACTS, 400]) {
      const options = { seed: 1, start: START, history: 0, convention: 'flat', order: 'desc' } as const;
      const config = new Engine({ ...options, contracts }).symbolConfig(START);
      expect(JSON.parse(config)).toHaveLength(contracts);
      expectTiersContiguous(config);
      expectCleanTiers(config);
    }
  });
});
