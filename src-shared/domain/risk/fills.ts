/** Fills orders one after another at their prices and computes positions, margin and balance. */
import { attempt, given, givenAmount } from '../numeric/decimal-input.ts';
import {
  add,
  type Amount,
  amount,
  calculated,
  divide,
  isPositive,
  multiply,
  print,
  smaller,
  subtract,
  ZERO,
} from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import { isOn } from '../../exchange-api/enums.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import { initialMargin, type OrderSide, positionValue } from '../margin/margin.ts';
import {
  contractOf,
  isLongOrShort,
  isPrice,
  type KnownContract,
  type AccountContext,
  unitsOf,
} from '../instrument/trading-context.ts';
import { openedProfit, profit } from '../margin/pnl.ts';
import type { Steps } from '../numeric/steps.ts';
import { closedProfit } from '../order/account-after.ts';
import { joined, type Leg } from '../order/fill-effect.ts';

/** Returns the symbol's mark: the assumed one, else its positions'; null without either. */
export const markOf = ({ config, positions }: KnownContract, { marks }: AccountContext): string | null =>
  marks?.get(config.symbolId) ?? positions.map((one) => one.markPrice).find(isPrice) ?? null;

/** An order, or what is left of it, as if it filled at once at `price`. */
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
export interface NotCounted {
  readonly id: string;
  readonly reason: string;
}

/** Converts open orders, oldest first; those that cannot be counted are in `notCounted`. */
export function fillsOf(orders: readonly OpenOrder[]): {
  readonly fills: readonly Fill[];
  readonly notCounted: readonly NotCounted[];
} {
  const fills: Fill[] = [];
  const notCounted: NotCounted[] = [];
  for (const order of [...orders].sort((a, b) => (a.ctime ?? 0) - (b.ctime ?? 0))) {
    const fill = fillOf(order);
    if (typeof fill === 'string') notCounted.push({ id: order.orderId, reason: fill });
    else fills.push(fill);
  }
  return { fills, notCounted };
}

function fillOf(order: OpenOrder): Fill | string {
  const { orderId: id, symbolId, side, price } = order;
  if (!isLongOrShort(side)) return 'Its side is unknown.';
  if (!isPrice(price)) return 'It has no price.';
  const fill = attempt(() => ({
    id,
    symbolId,
    side,
    price,
    quantity: given(order, 'quantity'),
    reduceOnly: isOn(given(order, 'reduceOnly')),
    locked: givenAmount(order, 'remainingLocked'),
  }));
  return fill.ok ? fill.value : fill.reason;
}

export interface HeldLeg extends Leg {
  /** Posted margin. */
  readonly margin: Amount;
  /** Gain at the mark of fills priced better than it, which never exists (`openedProfit`) and is left out. */
  readonly excludedGain: Amount;
}

export interface SymbolAfter {
  readonly contract: KnownContract;
  /** The mark the fills are compared with; null if there is none. */
  readonly mark: string | null;
  /** Number of orders filled. */
  readonly orders: number;
  readonly legs: readonly HeldLeg[];
  /** Change of the balance: closed PnL − taker fees. */
  readonly balanceChange: Amount;
  /** Change of the posted margin. */
  readonly marginChange: Amount;
  /** Initial margin of what the fills opened. */
  readonly margin: Amount;
  /** Taker fees of all fills. */
  readonly fees: Amount;
  /** Margin locked for the orders now, which their fills release. */
  readonly locked: Amount;
}

export interface Filled {
  readonly symbols: readonly SymbolAfter[];
  readonly notCounted: readonly NotCounted[];
}

/** Fills one order per step, in the given order. Those that cannot be counted are in `notCounted`. */
export function* fillSteps(
  context: AccountContext,
  positions: readonly Position[],
  fills: readonly Fill[],
): Steps<Filled> {
  const symbols = new Map<string, SymbolAfter>();
  const notCounted: NotCounted[] = [];
  for (const fill of fills) {
    yield;
    const { id, symbolId } = fill;
    const state = symbols.get(symbolId) ?? beginSymbol(symbolId, context, positions);
    const next = state === null ? `${symbolId} cannot be calculated.` : nextFill(state, fill);
    if (typeof next === 'string') notCounted.push({ id, reason: next });
    else symbols.set(symbolId, next);
  }
  return { symbols: [...symbols.values()], notCounted };
}

/** Fills one more order of the symbol, or returns why it cannot be counted. */
export function nextFill(state: SymbolAfter, fill: Fill): SymbolAfter | string {
  const filled = attempt(() => filledBy(state, fill));
  return filled.ok ? filled.value : filled.reason;
}

/** Returns a symbol's state before any fill; null if its contract or a position cannot be calculated. */
export function beginSymbol(
  symbolId: string,
  context: AccountContext,
  positions: readonly Position[],
): SymbolAfter | null {
  const contract = contractOf(symbolId, context);
  if (contract === null) return null;
  const legs: HeldLeg[] = [];
  for (const { symbolId: id, side, quantity, avgEntryPrice, margin } of positions) {
    if (id !== symbolId) continue;
    if (!isLongOrShort(side) || quantity === null || avgEntryPrice === null || margin === null) return null;
    legs.push({ side, quantity, entryPrice: avgEntryPrice, margin: amount(margin), excludedGain: ZERO });
  }
  const mark = markOf(contract, context);
  return {
    contract,
    mark,
    orders: 0,
    legs,
    balanceChange: ZERO,
    marginChange: ZERO,
    margin: ZERO,
    fees: ZERO,
    locked: ZERO,
  };
}

function filledBy(
  state: SymbolAfter,
  { side, price, quantity: size, reduceOnly, locked }: Fill,
): SymbolAfter {
  const { contract } = state;
  const contractSide = contract.side;
  const asked = amount(size);
  // Hedge mode: only a reduce-only order closes the other leg (docs/accounting.md).
  const against =
    contract.hedge === true && !reduceOnly ? undefined : state.legs.find((one) => one.side !== side);
  const closed = against ? smaller(asked, amount(against.quantity)) : ZERO;
  const opened = reduceOnly ? ZERO : subtract(asked, closed);
  const legs = state.legs.filter((one) => one !== against);
  let { balanceChange, marginChange } = state;
  let needed = ZERO;
  if (against && isPositive(closed)) {
    const left = subtract(amount(against.quantity), closed);
    const partOf = (whole: Amount): Amount => divide(multiply(whole, closed), amount(against.quantity));
    const released = partOf(against.margin);
    const won = closedProfit(contract, { before: against, closed: print(closed) }, price);
    balanceChange = add(balanceChange, won);
    marginChange = subtract(marginChange, released);
    const margin = subtract(against.margin, released);
    const excludedGain = subtract(against.excludedGain, partOf(against.excludedGain));
    if (isPositive(left)) legs.push({ ...against, quantity: print(left), margin, excludedGain });
  } else if (against) legs.push(against);
  if (isPositive(opened)) {
    const quantity = unitsOf(contract, print(opened));
    const { leverage } = contract;
    needed = calculated(initialMargin({ contractSide, quantity, price, leverage }));
    marginChange = add(marginChange, needed);
    const same = legs.findIndex((one) => one.side === side);
    const before = legs[same];
    const excludedGain = excludedGainOf(state, side, quantity, price);
    const added = { side, quantity: print(opened), entryPrice: price, margin: needed, excludedGain };
    if (before === undefined) legs.push(added);
    else legs[same] = joinedLeg(contract, before, added);
  }
  const traded = add(closed, opened);
  const fee = isPositive(traded)
    ? multiply(
        calculated(positionValue({ contractSide, quantity: unitsOf(contract, print(traded)), price })),
        amount(contract.specs.feeRateTaker ?? '0'),
      )
    : ZERO;
  return {
    contract,
    mark: state.mark,
    orders: state.orders + 1,
    legs,
    balanceChange: subtract(balanceChange, fee),
    marginChange,
    margin: add(state.margin, needed),
    fees: add(state.fees, fee),
    locked: add(state.locked, locked),
  };
}

function excludedGainOf(
  { contract, mark }: SymbolAfter,
  side: OrderSide,
  quantity: string,
  price: string,
): Amount {
  if (mark === null) return ZERO;
  const fill = { contractSide: contract.side, side, quantity, entryPrice: price };
  const atMark = calculated(profit({ ...fill, exitPrice: mark }));
  return subtract(atMark, calculated(openedProfit({ ...fill, markPrice: mark })));
}

const joinedLeg = (contract: KnownContract, before: HeldLeg, added: HeldLeg): HeldLeg => ({
  ...joined(contract, before, added),
  margin: add(before.margin, added.margin),
  excludedGain: add(before.excludedGain, added.excludedGain),
});
