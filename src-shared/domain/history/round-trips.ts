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
  readonly taker: boolean;
  /** An inverse contract's position counts quote units: its base quantity changes with the price. */
  readonly inverse: boolean;
  /** A quantity or the fee was not given or cannot be read: it counts as 0. */
  readonly unread: boolean;
}

/** Notes shown with a trip. */
export type TripNote =
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
  /** An order closed parts of two trips, so its PnL belongs to neither alone. */
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
  readonly takers: number;
  readonly entryQty: string;
  readonly entryQuote: string;
  readonly exitQty: string;
  readonly exitQuote: string;
  /** Largest position, in base quantity, or quote units of an inverse contract. */
  readonly peakQty: string;
  readonly fees: readonly { readonly asset: string; readonly amount: string }[];
  /** Orders that closed a part of it, whose PnL is its PnL. */
  readonly closingOrders: readonly string[];
  /** The order of its last trade, which closed it if it is over. */
  readonly lastOrder: string;
  readonly notes: readonly TripNote[];
}

interface Draft {
  readonly direction: 'LONG' | 'SHORT';
  readonly opened: number;
  readonly skip: number;
  ended: number;
  lastOrder: string;
  trades: number;
  takers: number;
  entryQty: Amount;
  entryQuote: Amount;
  exitQty: Amount;
  exitQuote: Amount;
  peak: Amount;
  readonly fees: Map<string, Amount>;
  readonly closing: Set<string>;
  readonly notes: Set<TripNote>;
}
interface Contract {
  position: Amount;
  draft: Draft | null;
  /** Closing orders of the previous trip. */
  closedBefore: ReadonlySet<string>;
  notesBefore: Set<TripNote> | null;
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

export interface TripBook {
  /**
   * Adds a fill. Each symbol's fills must be in order; symbols may be mixed. Throws AmountError for an invalid decimal.
   */
  take(fill: TripFill): void;
  /** Returns the closed trips in closing order, then the open ones. */
  trips(): RoundTrip[];
}

const SHARE_DECIMALS = 18;

export function createTripBook(start?: TripStart): TripBook {
  const contracts = new Map<string, Contract>();
  if (start !== undefined)
    contracts.set(start.symbol, {
      ...begun(start.time),
      position: calculated(start.position),
      atTime: start.atTime,
      seen: start.seen,
    });
  const closed: { readonly symbol: string; readonly draft: Draft }[] = [];

  function begin(of: Contract, long: boolean, fill: TripFill, notes: readonly TripNote[]): Draft {
    return {
      direction: long ? 'LONG' : 'SHORT',
      opened: fill.time,
      skip: of.atTime,
      ended: fill.time,
      lastOrder: fill.orderId,
      trades: 0,
      takers: 0,
      entryQty: ZERO,
      entryQuote: ZERO,
      exitQty: ZERO,
      exitQuote: ZERO,
      peak: ZERO,
      fees: new Map(),
      closing: new Set(),
      notes: new Set([...(of.seen ? [] : (['first-stored'] as const)), ...notes]),
    };
  }
  function count(draft: Draft, fill: TripFill, fee: Amount): void {
    draft.trades++;
    if (fill.taker) draft.takers++;
    if (fill.unread) draft.notes.add('unread');
    draft.ended = fill.time;
    draft.lastOrder = fill.orderId;
    draft.fees.set(fill.feeAsset, add(draft.fees.get(fill.feeAsset) ?? ZERO, fee));
  }
  function enter(draft: Draft, of: Contract, qty: Amount, quote: Amount): void {
    draft.entryQty = add(draft.entryQty, qty);
    draft.entryQuote = add(draft.entryQuote, quote);
    if (less(draft.peak, absolute(of.position))) draft.peak = absolute(of.position);
  }
  function leave(of: Contract, draft: Draft, fill: TripFill, qty: Amount, quote: Amount): void {
    draft.exitQty = add(draft.exitQty, qty);
    draft.exitQuote = add(draft.exitQuote, quote);
    draft.closing.add(fill.orderId);
    if (!of.closedBefore.has(fill.orderId)) return;
    draft.notes.add('shared-order');
    of.notesBefore?.add('shared-order');
  }
  function finish(symbol: string, of: Contract, draft: Draft): void {
    closed.push({ symbol, draft });
    of.closedBefore = draft.closing;
    of.notesBefore = draft.notes;
    of.draft = null;
  }

  function move(of: Contract, fill: TripFill): void {
    const qty = amount(fill.qty);
    const quote = amount(fill.quote);
    const fee = amount(fill.fee);
    const size = fill.inverse ? quote : qty;
    const signed = fill.side === 'BUY' ? size : negate(size);
    const before = of.position;
    const after = add(before, signed);
    const buys = !isNegative(signed);
    if (fill.side !== 'BUY' && fill.side !== 'SELL') {
      of.draft ??= begin(of, true, fill, []);
      of.draft.notes.add('unknown-side');
      count(of.draft, fill, fee);
      return;
    }
    const opens = isZero(before) || isNegative(before) === isNegative(signed);
    if (opens) {
      of.draft ??= begin(of, buys, fill, []);
      of.position = after;
      count(of.draft, fill, fee);
      enter(of.draft, of, qty, quote);
      return;
    }
    const draft = of.draft ?? begin(of, !buys, fill, []);
    const turns = !isZero(after) && isNegative(after) !== isNegative(before);
    const part = turns ? absolute(before) : size;
    const share = (whole: Amount): Amount =>
      turns ? round(divide(multiply(whole, part), size), SHARE_DECIMALS, 'down') : whole;
    const exitQty = fill.inverse ? share(qty) : part;
    const exitQuote = fill.inverse ? part : share(quote);
    of.draft = draft;
    of.position = turns ? ZERO : after;
    count(draft, fill, share(fee));
    leave(of, draft, fill, exitQty, exitQuote);
    if (!isZero(of.position)) return;
    if (turns) draft.notes.add('turned-over');
    finish(fill.symbol, of, draft);
    if (!turns) return;
    of.seen = true;
    of.position = after;
    const next = begin(of, buys, fill, ['turned-over']);
    of.draft = next;
    count(next, fill, subtract(fee, share(fee)));
    enter(next, of, subtract(qty, exitQty), subtract(quote, exitQuote));
  }

  return {
    take(fill) {
      const of = contracts.get(fill.symbol) ?? begun(fill.time);
      contracts.set(fill.symbol, of);
      if (of.time !== fill.time) {
        of.time = fill.time;
        of.atTime = 0;
      }
      move(of, fill);
      of.seen = true;
      of.atTime++;
    },
    trips() {
      const open = [...contracts].flatMap(([symbol, { draft }]) =>
        draft === null
          ? []
          : [{ symbol, draft: { ...draft, notes: new Set([...draft.notes, 'open' as const]) } }],
      );
      return [...closed, ...open].map(({ symbol, draft }) => finished(symbol, draft));
    },
  };
}

const begun = (time: number): Contract => ({
  position: ZERO,
  draft: null,
  closedBefore: new Set(),
  notesBefore: null,
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
  takers: draft.takers,
  entryQty: print(draft.entryQty),
  entryQuote: print(draft.entryQuote),
  exitQty: print(draft.exitQty),
  exitQuote: print(draft.exitQuote),
  peakQty: print(draft.peak),
  fees: [...draft.fees].map(([asset, value]) => ({ asset, amount: print(value) })),
  closingOrders: [...draft.closing],
  lastOrder: draft.lastOrder,
  notes: [...draft.notes],
});
