/** The account on the way of a price move: the pools, and what fills and liquidations realised of each position. */
import { add, type Amount, isPositive, print, subtract, ZERO } from '../../amount.ts';
import { beginSymbol, type Fill, filledBy, splitFill } from '../account/symbol-after.ts';
import { legSideOf, unitsOf } from '../instrument/trading-context.ts';
import { type Mover, moverWith, type Pool, type Shock, type ShockPosition } from './price-shock.ts';
import type { Reached, ShockOrder } from './shock-orders.ts';

/** What happened to a position, or to a leg an order opened. */
export interface Realised {
  /** The leg, or one of the same contract, which gives mark and beta. */
  readonly template: Mover;
  /** PnL of fills less fees, and what a liquidation left or took. */
  readonly pnl: Amount;
  readonly fills: number;
  /** Whether a fill closed all of it. */
  readonly isClosed: boolean;
}

export interface ShockState {
  readonly pools: readonly Pool[];
  /** Balance by coin outside any pool. */
  readonly rest: Shock['rest'];
  readonly realised: ReadonlyMap<ShockPosition, Realised>;
  /** Ids of the orders that filled. */
  readonly filled: ReadonlySet<string>;
}

export const startOf = ({ pools, rest }: Shock): ShockState => ({
  pools,
  rest,
  realised: new Map(),
  filled: new Set(),
});

/** Adds to what was realised of a position. */
export function withRealised(
  state: ShockState,
  position: ShockPosition,
  template: Mover,
  more: Partial<Realised>,
): ShockState {
  const before = state.realised.get(position) ?? { template, pnl: ZERO, fills: 0, isClosed: false };
  const after = { ...before, ...more, pnl: add(before.pnl, more.pnl ?? ZERO) };
  return { ...state, realised: new Map(state.realised).set(position, after) };
}

/** Fills an order: what it closes, then what it opens. Unchanged if it has nothing to fill. Throws DomainError. */
export function filledOnWay(state: ShockState, { order, price }: Reached): ShockState {
  const { contract, fill, parent } = order;
  if (parent !== null && !state.filled.has(parent.fill.id)) return state;
  const { closed, opened } = splitFill(contract, legsOf(state, order), fill);
  let after = state;
  if (isPositive(closed))
    after = filledPart(after, order, { ...fill, price, quantity: print(closed), reduceOnly: true });
  if (isPositive(opened))
    after = filledPart(after, order, {
      ...fill,
      price,
      quantity: print(opened),
      locked: isPositive(closed) ? ZERO : fill.locked,
    });
  return after === state ? state : { ...after, filled: new Set(state.filled).add(fill.id) };
}

/** Returns the legs that the order may change: of a hedge the one it opens or closes. */
const legsOf = ({ pools }: ShockState, { contract, fill }: ShockOrder): readonly Mover[] =>
  pools
    .flatMap(({ movers }) => movers)
    .filter(
      ({ position, leg }) =>
        position.symbolId === fill.symbolId && (contract.hedge !== true || leg.side === legSideOf(fill)),
    );

/** Fills a part that only closes or only opens. */
function filledPart(state: ShockState, order: ShockOrder, fill: Fill): ShockState {
  const { contract, template } = order;
  const legs = legsOf(state, order);
  const none = beginSymbol({ ...contract, positions: [] });
  const held = legs.map(({ leg }) => ({ leg, origin: null, profit: ZERO }));
  const after = filledBy({ ...none, held }, fill);
  const side = legSideOf(fill);
  const position = positionOf(state, order, side);
  const left = after.held.map(
    ({ leg }): Mover =>
      legs.find((one) => one.leg === leg) ??
      moverWith({ ...template, position }, leg, unitsOf(contract, leg.quantity)),
  );
  const isClosed = !left.some(({ leg }) => leg.side === side);
  const { balanceChange, lockedChange, locked } = after;
  const done = withRealised(state, position, template, {
    pnl: balanceChange,
    fills: (state.realised.get(position)?.fills ?? 0) + 1,
    isClosed,
  });
  return template.cross
    ? withWallet(
        { ...done, pools: replaced(state.pools, template.coin, legs, left) },
        template.coin,
        balanceChange,
      )
    : withIsolated(
        done,
        { legs, left, coin: template.coin },
        {
          balanceChange,
          lockedChange: lockedChange[side],
          locked,
        },
      );
}

/** Returns what the leg of a side is shown as: a position, or what stands in for one. */
function positionOf(state: ShockState, order: ShockOrder, side: Fill['side']): ShockPosition {
  const { symbolId } = order.fill;
  const held = legsOf(state, order).find(({ leg }) => leg.side === side)?.position;
  const before = [...state.realised.keys()].find((one) => one.symbolId === symbolId && one.side === side);
  const { marginMode } = order.template.position;
  return (
    held ??
    before ?? { symbolId, side, marginMode, quantity: '0', markPrice: order.template.mark, liquidPrice: null }
  );
}

/** Replaces legs in the pool of a coin's cross positions. */
const replaced = (
  pools: readonly Pool[],
  coin: string,
  legs: readonly Mover[],
  left: readonly Mover[],
): readonly Pool[] =>
  pools.map((pool) =>
    pool.cross && pool.coin === coin
      ? { ...pool, movers: [...pool.movers.filter((one) => !legs.includes(one)), ...left] }
      : pool,
  );

/** Adds to the wallet that a coin's cross positions share, or to its balance if there are none. */
function withWallet(state: ShockState, coin: string, change: Amount): ShockState {
  if (!state.pools.some((pool) => pool.cross && pool.coin === coin))
    return { ...state, rest: new Map(state.rest).set(coin, add(state.rest.get(coin) ?? ZERO, change)) };
  const pools = state.pools.map((pool) =>
    pool.cross && pool.coin === coin ? { ...pool, backing: add(pool.backing, change) } : pool,
  );
  return { ...state, pools };
}

/** Each isolated leg is a pool of its own margin, which comes from the wallet and returns to it. */
function withIsolated(
  state: ShockState,
  {
    legs,
    left,
    coin,
  }: { readonly legs: readonly Mover[]; readonly left: readonly Mover[]; readonly coin: string },
  change: { readonly balanceChange: Amount; readonly lockedChange: Amount; readonly locked: Amount },
): ShockState {
  const others = state.pools.filter(({ movers }) => !movers.some((one) => legs.includes(one)));
  const own = left.map((mover) => ({ coin, cross: false, backing: mover.leg.margin, movers: [mover] }));
  const { balanceChange, lockedChange, locked } = change;
  // Margin locked for the order is in the balance, but in no wallet.
  const rest = new Map(state.rest).set(coin, subtract(state.rest.get(coin) ?? ZERO, locked));
  const paid = subtract(balanceChange, lockedChange);
  return withWallet({ ...state, pools: [...others, ...own], rest }, coin, paid);
}
