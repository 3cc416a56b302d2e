/**
 * Finds the reading of the risk tiers that reproduces the reported `maintainMargin` (value at mark or entry, flat or
 * marginal, fee in or out) and `liquidPrice` (docs/exchange-api.md, "What it leaves open"). Several matches are
 * undecidable; without one, the nearest is returned with its residual.
 */
import {
  absolute,
  add,
  amount,
  type Amount,
  calculated,
  decimalsOf,
  divide,
  greater,
  less,
  lessOrEqual,
  multiply,
  print,
  subtract,
} from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import { attempt, given, givenAmount } from '../numeric/decimal-input.ts';
import { crossOf, walletOf } from '../position/cross-positions.ts';
import {
  crossPosition,
  type EstimateContext,
  exposureOf,
  type KnownPosition,
  knownPosition,
} from '../position/resolved.ts';
import { crossLiquidation, isolatedLiquidation } from '../margin/liquidation.ts';
import { type Convention, maintenanceMargin, positionValue } from '../margin/margin.ts';
import { hasLiquidation, markOf } from '../position/metrics.ts';
import { finish, type Steps } from '../numeric/steps.ts';
import { lastPlace } from '../numeric/fraction.ts';

export interface Reading {
  /** Price of the value; a liquidation price always uses itself. */
  readonly at: 'mark' | 'entry' | 'price';
  readonly convention: Convention;
  readonly fee: 'in' | 'out';
}

export interface Trial {
  readonly reading: Reading;
  readonly estimate: string | null;
  /** estimate − reported; null when one of the two prices does not exist. */
  readonly residue: string | null;
  readonly fits: boolean;
}

export interface Match {
  readonly reported: string;
  readonly trials: readonly Trial[];
  /** The trial with the smallest residual; null if none has one. */
  readonly nearest: Trial | null;
  /** Whether every taker fee in the figure is known; an unknown one counts as 0. */
  readonly isFeeKnown: boolean;
}

export interface PositionFit {
  readonly position: Position;
  /** Null if the exchange reports none or nothing can be calculated. */
  readonly maintenance: Match | null;
  readonly liquidation: Match | null;
  /** The conventions that reproduce everything reported of the position; both: undecidable by it. */
  readonly conventions: readonly Convention[];
  /** Why nothing could be tried, or null. */
  readonly reason: string | null;
}

export interface AccountFit {
  readonly positions: readonly PositionFit[];
  /** `named`: one convention reproduces all. `undecidable`: both do. `apart`: none does for all. */
  readonly state: 'named' | 'undecidable' | 'apart' | 'nothing';
  /** The named convention, or null. */
  readonly convention: Convention | null;
  /** Whether liquidation prices include the closing fee; null without evidence. */
  readonly fee: 'in' | 'out' | null;
}

const CONVENTIONS = ['flat', 'marginal'] as const;
const FEES = ['in', 'out'] as const;
const VALUES = ['mark', 'entry'] as const;

/** What is fitted: an account without a convention or a fee. */
export type FitContext = Omit<EstimateContext, 'convention' | 'closingFee'>;

/** Fits every position. Never throws. Source: docs/accounting.md. */
export const fitAccount = (context: FitContext): AccountFit => finish(fitSteps(context));

/** Fits one position per step, after each coin's cross prices: 200 positions take several frames. */
export function* fitSteps(context: FitContext): Steps<AccountFit> {
  const prices = new Prices(context);
  yield* prices.prepare();
  const fits: PositionFit[] = [];
  for (const position of context.account.positions) {
    fits.push(fitPosition(position, prices));
    yield;
  }
  return combined(fits);
}

function combined(fits: readonly PositionFit[]): AccountFit {
  const reported = fits.filter((one) => isEvidence(one.maintenance) || isEvidence(one.liquidation));
  if (reported.length === 0) return { positions: fits, state: 'nothing', convention: null, fee: null };
  const left = CONVENTIONS.filter((one) => reported.every(({ conventions }) => conventions.includes(one)));
  const [only, second] = left;
  const state = only === undefined ? 'apart' : second === undefined ? 'named' : 'undecidable';
  const fees = FEES.filter((fee) =>
    reported.every(
      ({ liquidation }) =>
        !isEvidence(liquidation) ||
        liquidation.trials.some(
          ({ reading, fits: fit }) => fit && reading.fee === fee && left.includes(reading.convention),
        ),
    ),
  );
  return {
    positions: fits,
    state,
    convention: state === 'named' ? (only ?? null) : null,
    fee: fees.length === 1 ? (fees[0] ?? null) : null,
  };
}

function fitPosition(position: Position, prices: Prices): PositionFit {
  const none = { position, maintenance: null, liquidation: null, conventions: CONVENTIONS };
  const known = knownPosition(position, prices.context);
  if (typeof known === 'string') return { ...none, reason: known };
  const found = attempt(() => {
    const maintenance = maintenanceMatch(known, prices);
    const liquidation = hasLiquidation(position) ? prices.match(known) : null;
    const allowed = (match: Match | null): readonly Convention[] =>
      isEvidence(match)
        ? CONVENTIONS.filter((one) =>
            match.trials.some(({ reading, fits }) => fits && reading.convention === one),
          )
        : CONVENTIONS;
    const byPrice = allowed(liquidation);
    const conventions = allowed(maintenance).filter((one) => byPrice.includes(one));
    const reason = maintenance === null && liquidation === null ? 'Nothing reported to compare.' : null;
    return { position, maintenance, liquidation, conventions, reason };
  });
  return found.ok ? found.value : { ...none, reason: found.reason };
}

/** Reports whether a match decides anything: without a taker fee it needs, no reading with the fee could be tried. */
const isEvidence = (match: Match | null): match is Match =>
  match !== null && (match.isFeeKnown || match.trials.some(({ fits }) => fits));

function maintenanceMatch(known: KnownPosition, prices: Prices): Match | null {
  const { position, contractSide, quantity, config, feeRate } = known;
  const { maintainMargin } = position;
  if (maintainMargin === null || config.riskLimitConfigs.length === 0) return null;
  const mark = markOf(position);
  const trials = VALUES.flatMap((at) => {
    if (at === 'mark' && mark === null) return [];
    // The record's own cost: an average entry is rounded.
    const value =
      at === 'mark' && mark !== null
        ? positionValue({ contractSide, quantity, price: mark })
        : given(position, 'entryValue');
    const fee = multiply(calculated(value), amount(feeRate));
    return CONVENTIONS.flatMap((convention) => {
      const tiers = config.riskLimitConfigs;
      const margin = calculated(maintenanceMargin({ positionValue: value, tiers, convention }));
      return FEES.map((one) => ({
        reading: { at, convention, fee: one },
        estimate: print(one === 'in' ? add(margin, fee) : margin),
      }));
    });
  });
  return { ...matchOf(maintainMargin, prices.moneyUnit, trials), isFeeKnown: prices.hasFee(position) };
}

/** Computes liquidation prices by each reading, a coin's cross positions together and once. */
class Prices {
  /** With the fee. */
  readonly context: Omit<EstimateContext, 'convention'>;
  readonly #cross = new Map<string, ReadonlyMap<Position, string | null> | null>();
  readonly #fees = new Map<string, boolean>();
  /** The last decimal of money, from the longest maintenance margin: trailing zeros may have been cut. */
  readonly moneyUnit: Amount;

  constructor(context: FitContext) {
    this.context = { ...context, closingFee: true };
    const seen = context.account.positions.map((one) => decimalsOf(one.maintainMargin ?? '0'));
    // The values may be rounded or truncated.
    this.moneyUnit = lastPlace(Math.max(0, ...seen));
  }

  /** Computes every reading of every coin, one per step; a coin that fails is reported by its positions. */
  *prepare(): Steps<undefined> {
    for (const { coin } of this.context.account.assets)
      for (const convention of CONVENTIONS)
        for (const fee of FEES) {
          attempt(() => this.#ofCoin(coin, convention, fee));
          yield;
        }
    return undefined;
  }

  hasFee({ symbolId }: Position): boolean {
    return this.context.specs(symbolId).feeRateTaker !== null;
  }

  /** Reports whether every fee in a position's liquidation price is known: of all the coin's cross positions. */
  hasFees({ position, coin, cross }: KnownPosition): boolean {
    if (cross !== true) return this.hasFee(position);
    let found = this.#fees.get(coin);
    if (found === undefined) {
      const members = crossOf(coin, this.context.account.positions, this.context);
      found = typeof members !== 'string' && members.every(({ known }) => this.hasFee(known.position));
      this.#fees.set(coin, found);
    }
    return found;
  }

  match(known: KnownPosition): Match | null {
    const { position } = known;
    if (known.cross === null) return null;
    const trials = CONVENTIONS.flatMap((convention) =>
      FEES.flatMap((fee) => {
        const estimate = known.cross
          ? this.#ofCoin(known.coin, convention, fee)?.get(position)
          : isolatedLiquidation({
              ...exposureOf(known, convention),
              margin: given(position, 'margin'),
              feeRate: fee === 'in' ? known.feeRate : '0',
            });
        return estimate === undefined
          ? []
          : [{ reading: { at: 'price' as const, convention, fee }, estimate }];
      }),
    );
    if (trials.length === 0) return null;
    const { priceDecimals } = this.context.specs(position.symbolId);
    const decimals = Math.max(decimalsOf(given(position, 'liquidPrice')), priceDecimals ?? 0);
    const tolerance = add(lastPlace(decimals), this.#moneyInPrice(known));
    const match = matchOf(given(position, 'liquidPrice'), tolerance, trials);
    return { ...match, isFeeKnown: this.hasFees(known) };
  }

  /**
   * Returns the price error from rounded money: each position's maintenance and fee may be off by one unit, which is
   * several ticks for a small inverse position.
   */
  #moneyInPrice({ position, contractSide, quantity }: KnownPosition): Amount {
    const { positions } = this.context.account;
    const off = multiply(this.moneyUnit, calculated(String(2 * positions.length)));
    const price = givenAmount(position, 'liquidPrice');
    const units = calculated(quantity);
    return contractSide === 'FORWARD'
      ? divide(off, units)
      : divide(multiply(off, multiply(price, price)), units);
  }

  #ofCoin(
    coin: string,
    convention: Convention,
    fee: Reading['fee'],
  ): ReadonlyMap<Position, string | null> | null {
    const key = `${coin} ${convention} ${fee}`;
    let found = this.#cross.get(key);
    if (found === undefined) {
      found = this.#crossPrices(coin, convention, fee);
      this.#cross.set(key, found);
    }
    return found;
  }

  #crossPrices(
    coin: string,
    convention: Convention,
    fee: Reading['fee'],
  ): ReadonlyMap<Position, string | null> | null {
    const asset = this.context.account.assets.find((one) => one.coin === coin);
    const { positions } = this.context.account;
    const members = crossOf(coin, positions, { ...this.context, closingFee: fee === 'in' });
    if (asset === undefined || typeof members === 'string') return null;
    const prices = crossLiquidation({
      walletBalance: print(walletOf(asset)),
      positions: members.map(({ known, mark }) => crossPosition(known, mark, convention)),
      feeRate: '0',
    });
    return new Map(members.map(({ known }, index) => [known.position, prices[index] ?? null]));
  }
}

function matchOf(
  reported: string,
  tolerance: Amount,
  trials: readonly { readonly reading: Reading; readonly estimate: string | null }[],
): Omit<Match, 'isFeeKnown'> {
  const whole = amount(reported);
  const compared = trials.map(({ reading, estimate }) => {
    const residue = estimate === null ? null : subtract(calculated(estimate), whole);
    return {
      reading,
      estimate,
      residue: residue === null ? null : print(residue),
      fits: residue !== null && lessOrEqual(absolute(residue), tolerance),
    };
  });
  const nearest = compared.reduce<Trial | null>((best, one) => {
    if (one.residue === null) return best;
    if (best === null || best.residue === null) return one;
    return less(absolute(calculated(one.residue)), absolute(calculated(best.residue))) ? one : best;
  }, null);
  return { reported, trials: compared, nearest };
}

/** Reports whether |estimate − reported| ÷ reported exceeds the limit above which a value is flagged. */
export function diverges(reported: string, estimate: string, limit: string): boolean {
  const whole = amount(reported);
  const residue = absolute(subtract(calculated(estimate), whole));
  return greater(residue, multiply(absolute(whole), amount(limit)));
}
