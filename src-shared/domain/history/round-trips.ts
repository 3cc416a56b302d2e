/**
 * Builds round trips, a symbol's trades from flat to flat. Trades have no position side, so this is the one-way net
 * position. A reversing trade is split: the closing part's share is rounded down at the 18th decimal and the rest
 * opens, so sums stay exact.
 */
import {
  absolute,
  add,
  amount,
  calculated,
  divide,
  isNegative,
  isZero,
  less,
  multiply,
  negate,
  print,
  round,
  subtract,
  ZERO,
  type Amount,
} from '../../amount.ts';
import type { AssetAmount } from './trade-stats.ts';

export interface TripFill {
  readonly symbol: string;
  readonly side: string;
  /** ms */
  readonly time: number;
  readonly orderId: string;
  readonly qty: string;
  readonly quote: string;
  readonly fee: string;
  readonly feeAsset: string;
  readonly maker: boolean;
  /** An inverse contract's position counts quote units: its base quantity changes with the price. */
  readonly inverse: boolean;
  /** A quantity or the fee was not given or cannot be read: it counts as 0. */
  readonly unread: boolean;
}

/** Marks shown beside a trip where its figures are incomplete. */
export type TripFlag =
  /** Starts at the symbol's first stored trade: the position may be older. */
  | 'first-stored'
  /** Not closed by the last trade. */
  | 'open'
  /** Starts or ends within a trade that reversed the position. */
  | 'turned-over'
  /** Excludes a trade of unknown side (open enum). */
  | 'unknown-side'
  /** A quantity or fee of a trade is in no sum. */
  | 'unread'
  /** An order closed parts of several trips, so its PnL belongs to none of them alone. */
  | 'shared-order';

export interface RoundTrip {
  readonly symbol: string;
  readonly direction: 'LONG' | 'SHORT';
  readonly opened: number;
  /** Time of its last trade. */
  readonly ended: number;
  /** Number of the symbol's trades at exactly `opened` before its first; with `trades` it identifies the rows. */
  readonly skip: number;
  readonly trades: number;
  readonly makers: number;
  readonly entryQty: string;
  readonly entryQuote: string;
  readonly exitQty: string;
  readonly exitQuote: string;
  /** Largest position, in base quantity, or quote units of an inverse contract. */
  readonly peakQty: string;
  readonly fees: readonly AssetAmount[];
  /** Orders that closed a part of it, whose PnL is its PnL. */
  readonly closingOrders: readonly string[];
  /** The order of its first trade, which opened it. */
  readonly firstOrder: string;
  /** The order of its last trade, which closed it if it is over. */
  readonly lastOrder: string;
  readonly flags: readonly TripFlag[];
}

interface Draft {
  readonly direction: 'LONG' | 'SHORT';
  readonly opened: number;
  readonly skip: number;
  readonly firstOrder: string;
  ended: number;
  lastOrder: string;
  trades: number;
  makers: number;
  entryQty: Amount;
  entryQuote: Amount;
  exitQty: Amount;
  exitQuote: Amount;
  peak: Amount;
  readonly fees: Map<string, Amount>;
  readonly closing: Set<string>;
  readonly flags: Set<TripFlag>;
}
interface Contract {
  position: Amount;
  draft: Draft | null;
  time: number;
  atTime: number;
  seen: boolean;
}

/** State of a symbol before the first fill, if its earlier history is known. */
export interface TripStart {
  readonly symbol: string;
  /** Signed, decimal text. The rest of its trip is returned as one, closed by its first fill. */
  readonly position: string;
  /** Whether it has earlier trades. */
  readonly seen: boolean;
  /** Time in ms, and the number of its earlier trades then. */
  readonly time: number;
  readonly atTime: number;
}

const SHARE_DECIMALS = 18;

/** The round trips of all symbols, built fill by fill. */
export class TripBook {
  readonly #contracts = new Map<string, Contract>();
  readonly #closed: { readonly symbol: string; readonly draft: Draft }[] = [];

  constructor(start?: TripStart) {
    if (start === undefined) return;
    const { symbol, position, seen, time, atTime } = start;
    this.#contracts.set(symbol, { ...begun(time), position: calculated(position), atTime, seen });
  }

  /**
   * Adds a fill. Each symbol's fills must be in order; symbols may be mixed. Throws AmountError for an invalid decimal.
   */
  take(fill: TripFill): void {
    const contract = this.#contracts.get(fill.symbol) ?? begun(fill.time);
    this.#contracts.set(fill.symbol, contract);
    if (contract.time !== fill.time) {
      contract.time = fill.time;
      contract.atTime = 0;
    }
    this.#move(contract, fill);
    contract.seen = true;
    contract.atTime++;
  }

  /** Returns the closed trips in closing order, then the open ones. */
  trips(): RoundTrip[] {
    const open = [...this.#contracts].flatMap(([symbol, { draft }]) =>
      draft === null
        ? []
        : [{ symbol, draft: { ...draft, flags: new Set([...draft.flags, 'open' as const]) } }],
    );
    return noteSharedOrders([...this.#closed, ...open].map(({ symbol, draft }) => finished(symbol, draft)));
  }

  #move(contract: Contract, fill: TripFill): void {
    const [qty, quote, fee] = [amount(fill.qty), amount(fill.quote), amount(fill.fee)];
    if (fill.side !== 'BUY' && fill.side !== 'SELL') {
      contract.draft ??= begin(contract, true, fill, []);
      contract.draft.flags.add('unknown-side');
      count(contract.draft, fill, fee);
      return;
    }
    const size = fill.inverse ? quote : qty;
    const signed = fill.side === 'BUY' ? size : negate(size);
    // A size that cannot be read counts as 0, but its order still opened or closed by its side.
    const buys = isZero(size) ? fill.side === 'BUY' : !isNegative(signed);
    const before = contract.position;
    if (!isZero(before) && isNegative(before) === buys) {
      this.#close(contract, fill, size, add(before, signed));
      return;
    }
    contract.draft ??= begin(contract, buys, fill, []);
    contract.position = add(before, signed);
    count(contract.draft, fill, fee);
    enter(contract.draft, contract, qty, quote);
  }

  /** Closes by `size`; what is beyond the position opens a trip the other way. */
  #close(contract: Contract, fill: TripFill, size: Amount, after: Amount): void {
    const [qty, quote, fee] = [amount(fill.qty), amount(fill.quote), amount(fill.fee)];
    const before = contract.position;
    const buys = isNegative(before);
    const draft = contract.draft ?? begin(contract, !buys, fill, []);
    const reverses = !isZero(after) && isNegative(after) !== isNegative(before);
    const part = reverses ? absolute(before) : size;
    const share = (whole: Amount): Amount =>
      reverses ? round(divide(multiply(whole, part), size), SHARE_DECIMALS, 'down') : whole;
    const exitQty = fill.inverse ? share(qty) : part;
    const exitQuote = fill.inverse ? part : share(quote);
    contract.draft = draft;
    contract.position = reverses ? ZERO : after;
    count(draft, fill, share(fee));
    leave(draft, fill, exitQty, exitQuote);
    if (!isZero(contract.position)) return;
    if (reverses) draft.flags.add('turned-over');
    this.#closed.push({ symbol: fill.symbol, draft });
    contract.draft = null;
    if (!reverses) return;
    contract.seen = true;
    contract.position = after;
    contract.draft = begin(contract, buys, fill, ['turned-over']);
    count(contract.draft, fill, subtract(fee, share(fee)));
    enter(contract.draft, contract, subtract(qty, exitQty), subtract(quote, exitQuote));
  }
}

function begin(contract: Contract, long: boolean, fill: TripFill, flags: readonly TripFlag[]): Draft {
  return {
    direction: long ? 'LONG' : 'SHORT',
    opened: fill.time,
    skip: contract.atTime,
    firstOrder: fill.orderId,
    ended: fill.time,
    lastOrder: fill.orderId,
    trades: 0,
    makers: 0,
    entryQty: ZERO,
    entryQuote: ZERO,
    exitQty: ZERO,
    exitQuote: ZERO,
    peak: ZERO,
    fees: new Map(),
    closing: new Set(),
    flags: new Set([...(contract.seen ? [] : (['first-stored'] as const)), ...flags]),
  };
}

function count(draft: Draft, fill: TripFill, fee: Amount): void {
  draft.trades++;
  if (fill.maker) draft.makers++;
  if (fill.unread) draft.flags.add('unread');
  draft.ended = fill.time;
  draft.lastOrder = fill.orderId;
  draft.fees.set(fill.feeAsset, add(draft.fees.get(fill.feeAsset) ?? ZERO, fee));
}

function enter(draft: Draft, contract: Contract, qty: Amount, quote: Amount): void {
  draft.entryQty = add(draft.entryQty, qty);
  draft.entryQuote = add(draft.entryQuote, quote);
  if (less(draft.peak, absolute(contract.position))) draft.peak = absolute(contract.position);
}

function leave(draft: Draft, fill: TripFill, qty: Amount, quote: Amount): void {
  draft.exitQty = add(draft.exitQty, qty);
  draft.exitQuote = add(draft.exitQuote, quote);
  draft.closing.add(fill.orderId);
}

/** Flags the trips that share a closing order with another one of their contract among these. */
export function noteSharedOrders(trips: readonly RoundTrip[]): RoundTrip[] {
  const closed = new Map<string, number>();
  const keysOf = ({ symbol, closingOrders }: RoundTrip): string[] =>
    // Without an id, two trades may be of two orders.
    closingOrders.filter((id) => id !== '').map((id) => JSON.stringify([symbol, id]));
  for (const key of trips.flatMap(keysOf)) closed.set(key, (closed.get(key) ?? 0) + 1);
  return trips.map((trip) => {
    const isShared = keysOf(trip).some((key) => closed.get(key) !== 1);
    return isShared ? { ...trip, flags: [...new Set([...trip.flags, 'shared-order' as const])] } : trip;
  });
}

const begun = (time: number): Contract => ({
  position: ZERO,
  draft: null,
  time,
  atTime: 0,
  seen: false,
});

const finished = (symbol: string, draft: Draft): RoundTrip => ({
  symbol,
  direction: draft.direction,
  opened: draft.opened,
  ended: draft.ended,
  skip: draft.skip,
  trades: draft.trades,
  makers: draft.makers,
  entryQty: print(draft.entryQty),
  entryQuote: print(draft.entryQuote),
  exitQty: print(draft.exitQty),
  exitQuote: print(draft.exitQuote),
  peakQty: print(draft.peak),
  fees: [...draft.fees].map(([asset, value]) => ({ asset, amount: print(value) })),
  closingOrders: [...draft.closing],
  firstOrder: draft.firstOrder,
  lastOrder: draft.lastOrder,
  flags: [...draft.flags],
});
