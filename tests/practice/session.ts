/** Random sessions for the invariants: actions of the user, the market and the controls in any order. */
import { START } from './engine-of.ts';
import fc from 'fast-check';
import { STANDARD_CONTRACTS } from '../../src-practice/engine/contract-list.ts';
import type { PositionMode } from '../../src-practice/engine/orders.ts';
import type { TierConvention } from '../../src-practice/engine/world.ts';

/** The day before the first quarter's end: a session can trade through the settlement. 2026-12-24 06:00 UTC. */
const EVE = 1_798_092_000_000;
/** The whole table: low- and high-priced, inverse, deliveries, and the one closed to trading. */
export const CONTRACTS = STANDARD_CONTRACTS;
const LINEAR_DELIVERY = CONTRACTS - 2;
const INVERSE_DELIVERY = CONTRACTS - 1;

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
  | { kind: 'batch'; market: number; rows: Place[] }
  | { kind: 'pass'; ms: number }
  | { kind: 'shock'; market: number; percent: number }
  | { kind: 'grant'; market: number; atoms: number }
  | { kind: 'leverage'; market: number; leverage: number; isolated: boolean }
  | { kind: 'cancel'; nth: number }
  /** To `early` milliseconds before a delivery contract settles. */
  | { kind: 'expire'; market: number; early: number };

/** Below 0: one of the session's two main contracts, whose positions then grow, shrink and reverse. */
const market = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(-1, -2) },
  { weight: 1, arbitrary: fc.nat({ max: CONTRACTS - 1 }) },
);

const place: fc.Arbitrary<Place> = fc.record({
  kind: fc.constant('place' as const),
  market,
  buy: fc.boolean(),
  type: fc.constantFrom('LIMIT' as const, 'MARKET' as const),
  timeInForce: fc.constantFrom('GTC' as const, 'IOC' as const, 'FOK' as const),
  size: fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 6_000 })),
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
      percent: fc.oneof(
        { weight: 5, arbitrary: fc.integer({ min: 50, max: 170 }) },
        { weight: 1, arbitrary: fc.constantFrom(2, 20, 400, 3000) },
      ),
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
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      market,
      rows: fc.array(place, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('leverage' as const),
      market,
      leverage: fc.integer({ min: 1, max: 60 }),
      isolated: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), nth: fc.nat({ max: 5 }) }) },
);

export interface Session {
  seed: number;
  convention: TierConvention;
  mode: PositionMode;
  start: number;
  /** Leverage and margin mode of the two contracts it trades most. */
  settings: { market: number; leverage: number; isolated: boolean }[];
  steps: Step[];
}

const anyMarket = fc.nat({ max: CONTRACTS - 1 });

export const session: fc.Arbitrary<Session> = fc
  .record({
    seed: fc.nat(),
    convention: fc.constantFrom('flat' as const, 'marginal' as const),
    mode: fc.constantFrom('ONEWAY' as const, 'HEDGE' as const),
    most: fc.tuple(anyMarket, anyMarket),
    leverages: fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 50 })),
    isolated: fc.tuple(fc.boolean(), fc.boolean()),
    // The inverse one's quarter is three months of steps away, so it is rare.
    settles: fc.oneof(
      { weight: 40, arbitrary: fc.constant(null) },
      { weight: 4, arbitrary: fc.constant(LINEAR_DELIVERY) },
      { weight: 1, arbitrary: fc.constant(INVERSE_DELIVERY) },
    ),
    settlesAt: fc.nat({ max: 30 }),
    early: fc.integer({ min: -500, max: 6_000 }),
    steps: fc.array(step, { minLength: 5, maxLength: 40, size: 'medium' }),
  })
  .map(({ seed, convention, mode, most, leverages, isolated, settles, settlesAt, early, steps }) => {
    const two = [settles ?? most[0], most[1]];
    const placed = steps.map((each) =>
      'market' in each && each.market < 0 ? { ...each, market: two[-each.market - 1]! } : each,
    );
    return {
      seed,
      convention,
      mode,
      start: settles === null ? START : EVE,
      settings: two.map((at, i) => ({ market: at, leverage: leverages[i]!, isolated: isolated[i]! })),
      steps:
        settles === null
          ? placed
          : placed.toSpliced(settlesAt, 0, { kind: 'expire', market: settles, early }),
    };
  });
