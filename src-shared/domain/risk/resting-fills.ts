/** Fills resting orders one after another at their prices and computes positions, margin and balance. */
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
import { averageEntry, initialMargin, type OrderSide, positionValue } from '../margin/margin.ts';
import {
  contractOf,
  isLongOrShort,
  isPrice,
  type KnownContract,
  opposite,
  type AccountContext,
  unitsOf,
} from '../instrument/trading-context.ts';
import { openedProfit, profit } from '../margin/pnl.ts';
import type { Steps } from '../numeric/steps.ts';

/** The symbol's mark: the assumed one, else its positions' own; null without either. */
export const markOf = ({ config, positions }: KnownContract, { marks }: AccountContext): string | null =>
  marks?.get(config.symbolId) ?? positions.map((one) => one.markPrice).find(isPrice) ?? null;

export interface HeldLeg {
  readonly side: OrderSide;
  readonly quantity: string;
  readonly entryPrice: string;
  /** Margin posted for it. */
  readonly margin: Amount;
  /** PnL at the mark that its fills would show but never have: those priced better than the mark (pnl.ts). */
  readonly unearned: Amount;
}

export interface SymbolAfter {
  readonly contract: KnownContract;
  /** The mark the fills are compared with; null if there is none. */
  readonly mark: string | null;
  readonly orders: number;
  readonly legs: readonly HeldLeg[];
  /** Change of the balance: PnL of what closes − taker fees. */
  readonly gained: Amount;
  /** Change of the posted margin. */
  readonly moved: Amount;
  /** Margin of what opens, and all fees. */
  readonly needed: Amount;
  /** Currently locked for the orders, released by their fills. */
  readonly locked: Amount;
}

export interface Filled {
  readonly symbols: readonly SymbolAfter[];
  readonly left: readonly { readonly orderId: string; readonly reason: string }[];
}

/** Fills `orders`, oldest first, one per step. Those that cannot be counted are listed in `left`. */
export function* fillSteps(
  context: AccountContext,
  positions: readonly Position[],
  orders: readonly OpenOrder[],
): Steps<Filled> {
  const symbols = new Map<string, SymbolAfter>();
  const left: { orderId: string; reason: string }[] = [];
  for (const order of [...orders].sort((a, b) => (a.ctime ?? 0) - (b.ctime ?? 0))) {
    yield;
    const state = symbols.get(order.symbolId) ?? beginSymbol(order.symbolId, context, positions);
    const next = state === null ? `${order.symbolId} cannot be calculated.` : nextFill(state, order);
    if (typeof next === 'string') left.push({ orderId: order.orderId, reason: next });
    else symbols.set(order.symbolId, next);
  }
  return { symbols: [...symbols.values()], left };
}

/** Fills one more order of the symbol; returns why it cannot be counted otherwise. */
export function nextFill(state: SymbolAfter, order: OpenOrder): SymbolAfter | string {
  const { side } = order;
  if (!isLongOrShort(side)) return 'Its side is unknown.';
  if (!isPrice(order.price)) return 'It has no price.';
  const filled = attempt(() => fill(state, order, side));
  return filled.ok ? filled.value : filled.reason;
}

/** Starts a symbol; null if its contract or a position cannot be calculated. */
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
    legs.push({ side, quantity, entryPrice: avgEntryPrice, margin: amount(margin), unearned: ZERO });
  }
  const mark = markOf(contract, context);
  return { contract, mark, orders: 0, legs, gained: ZERO, moved: ZERO, needed: ZERO, locked: ZERO };
}

function fill(state: SymbolAfter, order: OpenOrder, side: OrderSide): SymbolAfter {
  const { contract } = state;
  const price = given(order, 'price');
  const reduces = isOn(given(order, 'reduceOnly'));
  const contractSide = contract.side;
  const locked = add(state.locked, givenAmount(order, 'remainingLocked'));
  const asked = givenAmount(order, 'quantity');
  // Hedge mode: only a reduce-only order closes the other leg (docs/accounting.md).
  const against =
    contract.hedge === true && !reduces ? undefined : state.legs.find((one) => one.side !== side);
  const closed = against ? smaller(asked, amount(against.quantity)) : ZERO;
  const opened = reduces ? ZERO : subtract(asked, closed);
  const legs = state.legs.filter((one) => one !== against);
  let { gained, moved, needed } = state;
  if (against && isPositive(closed)) {
    const left = subtract(amount(against.quantity), closed);
    const partOf = (whole: Amount): Amount => divide(multiply(whole, closed), amount(against.quantity));
    const released = partOf(against.margin);
    const quantity = unitsOf(contract, print(closed));
    const { entryPrice } = against;
    const won = profit({ contractSide, side: opposite(side), quantity, entryPrice, exitPrice: price });
    gained = add(gained, calculated(won));
    moved = subtract(moved, released);
    const margin = subtract(against.margin, released);
    const unearned = subtract(against.unearned, partOf(against.unearned));
    if (isPositive(left)) legs.push({ ...against, quantity: print(left), margin, unearned });
  } else if (against) legs.push(against);
  if (isPositive(opened)) {
    const quantity = unitsOf(contract, print(opened));
    const { leverage } = contract;
    const margin = calculated(initialMargin({ contractSide, quantity, price, leverage }));
    moved = add(moved, margin);
    needed = add(needed, margin);
    const same = legs.findIndex((one) => one.side === side);
    const before = legs[same];
    const unearned = unearnedOf(state, side, quantity, price);
    const added = { side, quantity: print(opened), entryPrice: price, margin, unearned };
    if (before === undefined) legs.push(added);
    else legs[same] = joined(contract, before, added);
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
    gained: subtract(gained, fee),
    moved,
    needed: add(needed, fee),
    locked,
  };
}

function unearnedOf(
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

function joined(contract: KnownContract, before: HeldLeg, added: HeldLeg): HeldLeg {
  const fills = [before, added].map((leg) => [leg.quantity, leg.entryPrice] as const);
  return {
    side: before.side,
    quantity: print(add(amount(before.quantity), amount(added.quantity))),
    entryPrice: averageEntry({ contractSide: contract.side, fills }),
    margin: add(before.margin, added.margin),
    unearned: add(before.unearned, added.unearned),
  };
}
