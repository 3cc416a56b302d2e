/** One contract's legs after fills, each filling completely at its own price, and what they change in the account. */
import {
  add,
  type Amount,
  amount,
  calculated,
  divide,
  isPositive,
  isZero,
  multiply,
  negate,
  print,
  smaller,
  subtract,
  sum,
  ZERO,
} from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import { isPrice } from '../../exchange-api/values.ts';
import { type KnownContract, legSideOf, unitsOf } from '../instrument/trading-context.ts';
import { type Cover, coverRatio, reportedRequirement } from '../margin/isolated-cover.ts';
import { type Convention, initialMargin, positionValue } from '../margin/margin.ts';
import { openedProfit } from '../margin/pnl.ts';
import { DomainError, given, givenAmount } from '../numeric/decimal-input.ts';
import { estimated, type Figure, known } from './figure.ts';
import { joined, type Leg, profitOf, requirementOfLeg, valueLeg } from './leg.ts';
import { type OrderSide, isLongOrShort, opposite } from '../../exchange-api/enums.ts';

/** An order, or a part of it, as if it filled at once at `price`. */
export interface Fill {
  readonly id: string;
  readonly symbolId: string;
  readonly side: OrderSide;
  readonly price: string;
  readonly quantity: string;
  readonly reduceOnly: boolean;
  /** Margin locked for it now, which the fill releases. */
  readonly locked: Amount;
}

export interface HeldLeg extends Leg {
  /** Posted margin. */
  readonly margin: Amount;
  /**
   * Gain at the mark of fills priced better than it, which is left out: such an order fills only once the market
   * reaches its price.
   */
  readonly excludedGain: Amount;
}

export interface Held {
  readonly leg: HeldLeg;
  /** The record the leg was read from, and the leg as read; null if fills opened it. */
  readonly origin: { readonly position: Position; readonly leg: HeldLeg } | null;
  /** Unrealised PnL at the mark; as reported until the leg changes. */
  readonly profit: Amount;
}

export interface SymbolAfter {
  readonly contract: KnownContract;
  /** The price legs are valued at; null if there is none, so that each is valued at its own entry. */
  readonly mark: string | null;
  readonly held: readonly Held[];
  /** Mark and legs as read. */
  readonly start: Pick<SymbolAfter, 'mark' | 'held'>;
  /** Positions that cannot be calculated with. */
  readonly unread: readonly Position[];
  /** Number of fills. */
  readonly orders: number;
  /** The same by the leg that a hedge's fills open or close. */
  readonly ordersOfLeg: Readonly<Record<OrderSide, number>>;
  /** Change of the balance: closed PnL − taker fees. */
  readonly balanceChange: Amount;
  /** Change of what is locked: of the posted margin, less what the fills release; by leg. */
  readonly lockedChange: Readonly<Record<OrderSide, Amount>>;
  /** Initial margin of what the fills opened. */
  readonly margin: Amount;
  /** Taker fees of all fills; an unknown rate counts as 0. */
  readonly fees: Amount;
  /** Margin locked for the orders now, which their fills release. */
  readonly locked: Amount;
}

/** Returns the contract's state before any fill. */
export function beginSymbol(contract: KnownContract): SymbolAfter {
  const mark = contract.positions.map((one) => one.markPrice).find(isPrice) ?? null;
  const unread: Position[] = [];
  const held: Held[] = [];
  for (const position of contract.positions) {
    try {
      const leg = legOf(position);
      const reported = position.profitUnreal;
      const profit =
        reported !== null ? amount(reported) : mark === null ? ZERO : profitOf(contract, leg, mark);
      held.push({ leg, origin: { position, leg }, profit });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      unread.push(position); // why is said when a fill concerns it
    }
  }
  const none = { balanceChange: ZERO, margin: ZERO, fees: ZERO, locked: ZERO };
  const lockedChange = { BUY: ZERO, SELL: ZERO };
  const ordersOfLeg = { BUY: 0, SELL: 0 };
  return {
    contract,
    mark,
    held,
    start: { mark, held },
    unread,
    orders: 0,
    ordersOfLeg,
    lockedChange,
    ...none,
  };
}

function legOf(position: Position): HeldLeg {
  const { side } = position;
  if (!isLongOrShort(side)) throw new DomainError('side', side, 'is unknown');
  return {
    side,
    quantity: given(position, 'quantity'),
    entryPrice: given(position, 'avgEntryPrice'),
    margin: givenAmount(position, 'margin'),
    excludedGain: ZERO,
  };
}

/** Moves the mark. Throws DomainError. */
export function atPrice(state: SymbolAfter, price: string): SymbolAfter {
  if (state.mark === price) return state;
  const held = state.held.map((one) => {
    const isReported = one.origin !== null && one.origin.position.profitUnreal !== null;
    const from = state.mark ?? (isReported ? price : one.leg.entryPrice);
    const moved = profitOf(state.contract, { ...one.leg, entryPrice: from }, price);
    return { ...one, profit: add(one.profit, moved) };
  });
  return { ...state, mark: price, held };
}

/** Returns what a fill closes, and of which leg, and what it opens. */
export function splitFill<H extends { readonly leg: Leg }>(
  contract: KnownContract,
  held: readonly H[],
  { side, quantity, reduceOnly }: Pick<Fill, 'side' | 'quantity' | 'reduceOnly'>,
): { readonly against: H | undefined; readonly closed: Amount; readonly opened: Amount } {
  const asked = calculated(quantity);
  // Hedge mode: only a reduce-only order closes the other leg (docs/accounting.md).
  const closes = reduceOnly || contract.hedge !== true;
  const against = closes ? held.find((one) => one.leg.side !== side) : undefined;
  const closed = against ? smaller(asked, calculated(against.leg.quantity)) : ZERO;
  return { against, closed, opened: reduceOnly ? ZERO : subtract(asked, closed) };
}

/** Fills one more order of the contract. Throws DomainError. */
export function filledBy(state: SymbolAfter, fill: Fill): SymbolAfter {
  const { contract } = state;
  const { side, price } = fill;
  const concerned = legSideOf(fill);
  // A leg of an unknown side may be the one that is concerned.
  for (const position of state.unread)
    if (contract.hedge !== true || position.side !== opposite(concerned)) legOf(position);
  const { against, closed, opened } = splitFill(contract, state.held, fill);
  let after: SymbolAfter = {
    ...state,
    orders: state.orders + 1,
    ordersOfLeg: { ...state.ordersOfLeg, [concerned]: state.ordersOfLeg[concerned] + 1 },
    lockedChange: withLocked(state, concerned, negate(fill.locked)),
    locked: add(state.locked, fill.locked),
  };
  if (against && isPositive(closed)) after = closing(after, against, closed, price);
  if (isPositive(opened)) after = opening(after, { side, quantity: print(opened), entryPrice: price });
  const fee = feeOf(contract, add(closed, opened), price);
  return {
    ...after,
    balanceChange: subtract(after.balanceChange, fee),
    fees: add(after.fees, fee),
  };
}

const withLocked = (
  { lockedChange }: SymbolAfter,
  leg: OrderSide,
  by: Amount,
): SymbolAfter['lockedChange'] => ({
  ...lockedChange,
  [leg]: add(lockedChange[leg], by),
});

function feeOf(contract: KnownContract, traded: Amount, price: string): Amount {
  if (!isPositive(traded)) return ZERO;
  const quantity = unitsOf(contract, print(traded));
  const value = positionValue({ contractSide: contract.side, quantity, price });
  return multiply(calculated(value), amount(contract.specs.feeRateTaker ?? '0'));
}

/** Closes a part of a leg, or all of it, with which its unrealised PnL ends as it was reported. */
function closing(state: SymbolAfter, held: Held, closed: Amount, price: string): SymbolAfter {
  const { contract, mark } = state;
  const { leg } = held;
  const whole = calculated(leg.quantity);
  const partOf = (of: Amount): Amount => divide(multiply(of, closed), whole);
  const released = partOf(leg.margin);
  const excluded = partOf(leg.excludedGain);
  const part: Leg = { ...leg, quantity: print(closed) };
  const left = subtract(whole, closed);
  const rest = (): Held => ({
    ...held,
    leg: {
      ...leg,
      quantity: print(left),
      margin: subtract(leg.margin, released),
      excludedGain: subtract(leg.excludedGain, excluded),
    },
    profit: subtract(held.profit, subtract(profitOf(contract, part, mark ?? leg.entryPrice), excluded)),
  });
  return {
    ...state,
    balanceChange: add(state.balanceChange, profitOf(contract, part, price)),
    lockedChange: withLocked(state, leg.side, negate(released)),
    held: state.held.flatMap((one) => (one !== held ? [one] : isPositive(left) ? [rest()] : [])),
  };
}

function opening(state: SymbolAfter, added: Leg): SymbolAfter {
  const { contract, mark } = state;
  const { side: contractSide } = contract;
  const { leverage } = contract.legs[added.side];
  const quantity = unitsOf(contract, added.quantity);
  const margin = calculated(initialMargin({ contractSide, quantity, price: added.entryPrice, leverage }));
  const [entryPrice, markPrice] = [added.entryPrice, mark ?? added.entryPrice];
  const profit = calculated(
    openedProfit({ contractSide, side: added.side, quantity, entryPrice, markPrice }),
  );
  const excludedGain = isZero(profit) ? profitOf(contract, added, markPrice) : ZERO;
  const same = state.held.find((one) => one.leg.side === added.side);
  const held: Held =
    same === undefined
      ? { leg: { ...added, margin, excludedGain }, origin: null, profit }
      : {
          ...same,
          leg: {
            ...joined(contract, same.leg, added),
            margin: add(same.leg.margin, margin),
            excludedGain: add(same.leg.excludedGain, excludedGain),
          },
          profit: add(same.profit, profit),
        };
  return {
    ...state,
    lockedChange: withLocked(state, added.side, margin),
    margin: add(state.margin, margin),
    held: same ? state.held.map((one) => (one === same ? held : one)) : [...state.held, held],
  };
}

/** Returns the contract's state with nothing but its cross legs. */
export function crossPart(state: SymbolAfter): SymbolAfter {
  const cross = (held: readonly Held[]): readonly Held[] =>
    held.filter(({ leg }) => state.contract.legs[leg.side].isolated === false);
  return { ...state, held: cross(state.held), start: { ...state.start, held: cross(state.start.held) } };
}

/** Returns the change of the unrealised PnL of the contract's legs. */
export const profitChange = ({ held, start }: SymbolAfter): Amount =>
  subtract(sum(held.map((one) => one.profit)), sum(start.held.map((one) => one.profit)));

const requirementIn =
  ({ contract }: SymbolAfter, convention: Convention) =>
  (leg: Leg, mark: string | null): Amount =>
    requirementOfLeg(contract, valueLeg(contract, leg, mark ?? leg.entryPrice, convention));

/** Returns what an isolated leg needs and has, from its reported requirement if it has one. Throws DomainError. */
export function coverOf(state: SymbolAfter, { leg, origin, profit }: Held, convention: Convention): Cover {
  const computed = requirementIn(state, convention);
  const now = computed(leg, state.mark);
  const reported = origin && reportedRequirement(origin.position);
  const requirement =
    origin === null || reported === null
      ? now
      : add(reported, subtract(now, computed(origin.leg, state.start.mark)));
  return { requirement, equity: add(leg.margin, profit) };
}

/** Returns the margin ratio of an isolated leg, a share. */
export const isolatedRatioOf = (state: SymbolAfter, held: Held, convention: Convention): Figure =>
  estimated(() => known(coverRatio(coverOf(state, held, convention))));

/** Returns the change of their maintenance margin and closing fee. Throws DomainError. */
export function requirementChange(state: SymbolAfter, convention: Convention): Amount {
  const { start } = state;
  const computed = requirementIn(state, convention);
  const changes = state.held.map(({ leg, origin }) => {
    if (origin === null) return computed(leg, state.mark);
    if (leg === origin.leg && state.mark === start.mark) return ZERO;
    return subtract(computed(leg, state.mark), computed(origin.leg, start.mark));
  });
  const gone = start.held
    .map(({ origin }) => origin)
    .filter((origin) => !state.held.some((one) => one.origin === origin))
    .flatMap((origin) => (origin === null ? [] : [origin]))
    // What closes fully is removed with the exchange's own value, so that nothing remains of it.
    .map(({ position, leg }) => reportedRequirement(position) ?? computed(leg, start.mark));
  return sum([...changes, ...gone.map(negate)]);
}
