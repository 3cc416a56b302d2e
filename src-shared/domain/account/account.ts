/**
 * The account after fills and at other prices, for a ticket's order, a batch, resting orders and the ladder: estimates
 * (≈) by docs/accounting.md on top of the exchange's own figures, which stay where nothing changes.
 */
import {
  absolute,
  add,
  type Amount,
  amount,
  divide,
  isPositive,
  lessOrEqual,
  multiply,
  print,
  subtract,
  sum,
  ZERO,
} from '../../amount.ts';
import type { Asset, Position } from '../../exchange-api/account.ts';
import { isIsolated } from '../../exchange-api/enums.ts';
import { isPrice } from '../../exchange-api/values.ts';
import {
  type AccountContext,
  contractOf,
  type LegTerms,
  unknownMode,
} from '../instrument/trading-context.ts';
import type { CrossPosition } from '../margin/liquidation.ts';
import { shareOf } from '../margin/ratio-unit.ts';
import { attempt, givenAmount } from '../numeric/decimal-input.ts';
import { attemptSteps, type Steps } from '../numeric/steps.ts';
import { crossOf, CrossPositions, mayShareWallet } from '../position/cross-positions.ts';
import {
  assumedHolding,
  crossPosition,
  type Holding,
  knownPosition,
  recordsOf,
} from '../position/resolved.ts';
import {
  EQUITY_USED_UP,
  estimated,
  type Figure,
  figureOf,
  known,
  liquidationFigure,
  unknown,
} from './figure.ts';
import { isolatedFigure } from './isolated-figure.ts';
import {
  atPrice,
  beginSymbol,
  crossPart,
  type Fill,
  filledBy,
  type Held,
  type HeldLeg,
  profitChange,
  requirementChange,
  type SymbolAfter,
} from './symbol-after.ts';

/** A coin's asset record after the changes (docs/accounting.md, "Asset record"). */
export interface CoinFigures {
  /** balance − isolated margins and locks: what cross positions share. */
  readonly wallet: Amount;
  /** Unrealised PnL of cross positions. */
  readonly profit: Amount;
  /** balance − locked − unrealised PnL of cross positions. */
  readonly available: Amount;
  /** balance − locked − |unrealised PnL of cross positions|: what a new order may use. */
  readonly free: Amount;
  /** Maintenance margin and closing fees of cross positions, or why they are not known. */
  readonly maintenance: Amount | string;
}

/** The smallest part of a coin that figures of the exchange have. */
const ATOM = amount('0.00000001');

/** An account as read, and what fills and other prices change of it. A value: every change returns another one. */
export class Account {
  readonly #context: AccountContext;
  readonly #changed: ReadonlyMap<string, SymbolAfter>;
  /** Contracts as read, for every account that came of the same one. */
  readonly #read: Map<string, SymbolAfter | null>;

  private constructor(from: Account | AccountContext, changed: ReadonlyMap<string, SymbolAfter>) {
    this.#context = from instanceof Account ? from.#context : from;
    this.#read = from instanceof Account ? from.#read : new Map<string, SymbolAfter | null>();
    this.#changed = changed;
  }

  static of(context: AccountContext): Account {
    return new Account(context, new Map());
  }

  /** Returns the contracts changed so far, all of them or those of a coin. */
  changed(coin?: string): readonly SymbolAfter[] {
    const all = [...this.#changed.values()];
    return coin === undefined ? all : all.filter(({ contract }) => contract.coins.margin === coin);
  }

  /** Returns a contract's state; null for a contract the exchange does not list. */
  symbol(symbolId: string): SymbolAfter | null {
    const known = this.#changed.get(symbolId) ?? this.#read.get(symbolId);
    if (known !== undefined) return known;
    const contract = contractOf(symbolId, this.#context);
    const read = contract && beginSymbol(contract);
    this.#read.set(symbolId, read);
    return read;
  }

  /** Returns the account after the fill, or why that cannot be calculated. */
  apply(fill: Fill): Account | string {
    const state = this.symbol(fill.symbolId);
    if (state === null) return `${fill.symbolId} cannot be calculated.`;
    const after = attempt(() => filledBy(state, fill));
    return after.ok ? this.#with(after.value) : after.reason;
  }

  /** Returns the account with these marks, by symbol; all other contracts keep theirs. Throws DomainError. */
  atPrices(marks: ReadonlyMap<string, string>): Account {
    const changed = new Map(this.#changed);
    for (const [symbolId, price] of marks) {
      const state = this.symbol(symbolId);
      if (state !== null) changed.set(symbolId, atPrice(state, price));
    }
    return new Account(this, changed);
  }

  #with(state: SymbolAfter): Account {
    const { symbolId } = state.contract.config;
    return new Account(this, new Map(this.#changed).set(symbolId, state));
  }

  /** Computes a coin's figures, a contract per step. Returns the reason if they are unknown. */
  *figures(coin: string): Steps<CoinFigures | string> {
    const asset = this.#context.account?.assets.find((one) => one.coin === coin);
    if (asset === undefined) return `No ${coin} in the account.`;
    const odd = this.changed(coin).find(({ contract: { legs } }) =>
      [legs.BUY, legs.SELL].some(({ isolated }) => isolated === null),
    )?.contract;
    if (odd) return unknownMode(odd.config.symbolId);
    const figures = yield* attemptSteps(this.#figuresOf(asset));
    return figures.ok ? figures.value : figures.reason;
  }

  *#figuresOf(asset: Asset): Steps<CoinFigures> {
    const changed = this.changed(asset.coin);
    const total = (of: (one: SymbolAfter) => Amount, among = changed): Amount => sum(among.map(of));
    const locked = (among: (leg: LegTerms) => boolean): Amount =>
      total(({ contract: { legs }, lockedChange }) =>
        sum((['BUY', 'SELL'] as const).filter((side) => among(legs[side])).map((side) => lockedChange[side])),
      );
    const cross = changed.map(crossPart);
    const maintenance = yield* attemptSteps(this.#maintenanceOf(asset, cross));
    const balance = add(
      givenAmount(asset, 'balance'),
      total((one) => one.balanceChange),
    );
    const profit = add(givenAmount(asset, 'crossProfitUnreal'), total(profitChange, cross));
    const apart = sum([
      givenAmount(asset, 'isolatedMargin'),
      locked(({ isolated }) => isolated === true),
      givenAmount(asset, 'isolatedLocked'),
    ]);
    const unlocked = subtract(
      balance,
      add(
        givenAmount(asset, 'locked'),
        locked(() => true),
      ),
    );
    const exact = this.#withoutRounding(asset.coin, profit);
    return {
      wallet: subtract(balance, apart),
      profit: exact,
      available: subtract(unlocked, exact),
      free: subtract(unlocked, absolute(exact)),
      maintenance: maintenance.ok ? this.#withoutRounding(asset.coin, maintenance.value) : maintenance.reason,
    };
  }

  *#maintenanceOf(asset: Asset, changed: readonly SymbolAfter[]): Steps<Amount> {
    let maintenance = givenAmount(asset, 'crossedMaintainMargin');
    for (const one of changed) {
      yield;
      maintenance = add(maintenance, requirementChange(one, this.#context.convention));
    }
    return maintenance;
  }

  /**
   * Returns a total of the coin's cross positions. Once none is left, what the exchange's rounding of it and of its parts
   * leaves is nothing; more than that belongs to a position that could not be read.
   */
  #withoutRounding(coin: string, total: Amount): Amount {
    const changed = this.changed(coin);
    // A position's requirement is two figures.
    const figures = 1 + 2 * changed.reduce((count, { start }) => count + start.held.length, 0);
    if (!lessOrEqual(absolute(total), multiply(ATOM, amount(String(figures))))) return total;
    const isLeft =
      changed.some(
        ({ contract, held, unread }) =>
          held.some(({ leg }) => contract.legs[leg.side].isolated !== true) ||
          unread.some((one) => !isIsolated(one)),
      ) || this.#unchanged().some((one) => mayShareWallet(coin, one, recordsOf(this.#context)));
    return isLeft ? total : ZERO;
  }

  /** Positions of the contracts that nothing changed. */
  #unchanged(): readonly Position[] {
    return (this.#context.account?.positions ?? []).filter(({ symbolId }) => !this.#changed.has(symbolId));
  }

  /** Computes the liquidation prices of the changed contracts' legs in `coin`, a leg per step. */
  *liquidationPrices(coin: string, figures: CoinFigures | string): Steps<ReadonlyMap<HeldLeg, Figure>> {
    const { convention } = this.#context;
    const found = new Map<HeldLeg, Figure>();
    const crossed = new Map<HeldLeg, CrossPosition>();
    for (const { contract, held, mark } of this.changed(coin))
      for (const one of held) {
        yield;
        const own = this.#holdingOf(contract, one);
        const { isolated } = contract.legs[one.leg.side];
        if (isolated === null) found.set(one.leg, unknown(unknownMode(contract.config.symbolId)));
        else if (!isolated) crossed.set(one.leg, crossPosition(own, mark ?? one.leg.entryPrice, convention));
        else
          found.set(
            one.leg,
            estimated(() => isolatedFigure(own, convention, print(one.leg.margin))),
          );
      }
    if (crossed.size === 0) return found;
    yield;
    const prices = this.#crossPrices(coin, figures, [...crossed.values()]);
    for (const [index, leg] of [...crossed.keys()].entries())
      found.set(leg, typeof prices === 'string' ? unknown(prices) : liquidationFigure(prices[index]));
    return found;
  }

  /** A leg that nothing changed keeps the entry its record gives with more digits. */
  #holdingOf(contract: SymbolAfter['contract'], { leg, origin }: Held): Holding {
    const same = origin?.leg === leg ? knownPosition(origin.position, recordsOf(this.#context)) : null;
    return same === null || typeof same === 'string' ? assumedHolding(contract, leg, this.#context) : same;
  }

  /** Returns the prices of the changed contracts' cross positions, beside those of all others at their marks. */
  #crossPrices(
    coin: string,
    figures: CoinFigures | string,
    own: readonly CrossPosition[],
  ): readonly (string | null)[] | string {
    if (typeof figures === 'string') return figures;
    const unread = this.changed(coin).flatMap((one) => one.unread);
    const others = [...this.#unchanged(), ...unread];
    const members = crossOf(
      coin,
      others,
      recordsOf(this.#context),
      ({ position }) => [position.markPrice, position.lastPrice].find(isPrice) ?? null,
    );
    if (typeof members === 'string') return members;
    const prices = attempt(() =>
      CrossPositions.of(members, null, this.#context.convention).liquidationPrices(figures.wallet, own),
    );
    return prices.ok ? prices.value : prices.reason;
  }
}

/** Returns a figure of a coin, or why it is unknown. */
export const figureIn = (figures: CoinFigures | string, of: (figures: CoinFigures) => Figure): Figure =>
  typeof figures === 'string' ? unknown(figures) : of(figures);

/** Returns the margin ratio; `0` without cross positions. Exact, or as `printed` prints it. */
export function marginRatio(figures: CoinFigures, printed = print): Figure {
  const { wallet, profit, maintenance } = figures;
  if (typeof maintenance === 'string') return unknown(maintenance);
  const equity = add(wallet, profit);
  if (!isPositive(maintenance)) return known('0');
  if (!isPositive(equity)) return unknown(EQUITY_USED_UP);
  return known(printed(divide(maintenance, equity)));
}

/** Returns the exchange's own margin ratio, as a share. */
export function reportedRatio(asset: Asset, unit: AccountContext['marginUnit']): Figure {
  const rate = figureOf(asset, 'crossedMaintainMarginRate');
  if (rate.value === null) return rate;
  const share = shareOf(rate.value, unit);
  return share === null
    ? unknown(
        'The unit of the margin ratio is unknown (1 or 100 for 100%). Set it in Settings › Connections.',
      )
    : known(share);
}
