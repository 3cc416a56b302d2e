/**
 * Matches an order of the exchange to a request that got no reply (docs/product.md, "Reconciliation of an unknown outcome").
 * Nothing ties them, so a match is inferred only if the counts leave no choice; else the user decides. Absent only ever
 * means not seen.
 */
import { amount, equal } from '../../amount.ts';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import type { SeenOrder, SeenTpSl } from './listed-orders.ts';
import type { CreationWindow } from './creation-windows.ts';
import { distinctPairs } from './assignment.ts';

/** A request that may have become an order of unknown id. */
export interface OrderSearch {
  readonly intentId: string;
  /**
   * Only `unknown` is matched. The others compete: a `sending` request may own a listed order, and so may one the user
   * has `dismissed`, since that confirms nothing.
   */
  readonly state: 'unknown' | 'sending' | 'dismissed';
  readonly request: OrderRequest;
  readonly sentAt: number;
  /** When it may have been created, one window per possible clock offset, oldest first. */
  readonly windows: readonly CreationWindow[];
  /** Whether a reply or an accepted order showed the exchange's clock; else it may be off by more than a window allows. */
  readonly isClockKnown: boolean;
  /** Orders that cannot match: known before the send, or another intent's. */
  readonly ruledOut: ReadonlySet<string>;
  /** Whether both lists were read completely over its windows and between them. */
  readonly listsComplete: boolean;
}

export type Verdict =
  /** As many orders as identical requests: this one is assigned to it. */
  | { readonly kind: 'matched'; readonly order: SeenOrder; readonly identicalRequests: number }
  /** More or fewer: the user chooses. */
  | {
      readonly kind: 'ambiguous';
      readonly candidates: readonly SeenOrder[];
      readonly identicalRequests: number;
    }
  /** Both lists are complete and contain no match. The outcome stays unknown. */
  | { readonly kind: 'absent' }
  /**
   * Undecidable now: a list is incomplete, an identical request is being sent, the order's source is not known yet, or the
   * clock is unknown or disagrees.
   */
  | {
      readonly kind: 'undecided';
      readonly candidates: readonly SeenOrder[];
      readonly isClockUncertain?: true;
    };

/**
 * Matches every `unknown` request together, since an order belongs to one request only. Returns verdicts by intent id.
 */
export function matchOrders(
  searches: readonly OrderSearch[],
  seen: Iterable<SeenOrder>,
): ReadonlyMap<string, Verdict> {
  const orders = [...seen].sort(byCreation);
  const candidates = new Map(searches.map((one) => [one, orders.filter((order) => matches(one, order))]));
  const verdicts = new Map<string, Verdict>();
  for (const group of groups(candidates)) {
    const unknown = group.filter((one) => one.state === 'unknown');
    for (const [one, verdict] of matchGroup(group, unknown, candidates)) verdicts.set(one.intentId, verdict);
  }
  return verdicts;
}

type Candidates = ReadonlyMap<OrderSearch, readonly SeenOrder[]>;

/** Matches a group that shares its candidates with no other request; only its `unknown` members get a verdict. */
function matchGroup(
  group: readonly OrderSearch[],
  unknown: readonly OrderSearch[],
  candidates: Candidates,
): [OrderSearch, Verdict][] {
  const of = (one: OrderSearch): readonly SeenOrder[] => candidates.get(one) ?? [];
  const each = (verdict: (one: OrderSearch) => Verdict): [OrderSearch, Verdict][] =>
    unknown.map((one) => [one, verdict(one)]);

  if (!unknown.every((one) => one.listsComplete) || group.some((one) => one.state === 'sending'))
    return each((one) => ({ kind: 'undecided', candidates: of(one) }));
  const orders = new Set(group.flatMap(of));
  // While the clock is unknown or two disagree, it may have been created outside all windows.
  if (orders.size === 0)
    return each((one) =>
      one.isClockKnown && one.windows.length === 1
        ? { kind: 'absent' }
        : { kind: 'undecided', candidates: [], isClockUncertain: true },
    );

  const identicalRequests = unknown.length;
  const ambiguous = () => each((one) => ({ kind: 'ambiguous', candidates: of(one), identicalRequests }));
  if (group.length > unknown.length || orders.size !== identicalRequests) return ambiguous();
  if ([...orders].some((one) => one.isDoubtful === true)) return ambiguous();
  if (unknown.some((one) => of(one).some((order) => !isInWindow(one, order)))) return ambiguous();
  if (unknown.some((one) => of(one).some((order) => mayBeLiquidation(one, order))))
    return each((one) => ({ kind: 'undecided', candidates: of(one) }));
  const pairs = distinctPairs([...unknown].sort(bySend), of, identical);
  return pairs === null
    ? ambiguous()
    : [...pairs].map(([one, order]) => [one, { kind: 'matched', order, identicalRequests }]);
}

const FLAGS = ['reduceOnly', 'postOnly', 'reverseOrder'] as const;

/** Reports whether this order could be that request's, by every field both have. */
export function matches(search: OrderSearch, order: SeenOrder): boolean {
  const { request, ruledOut } = search;
  return (
    !order.liquidation &&
    order.condition !== true &&
    !ruledOut.has(order.orderId) &&
    isInTime(search, order) &&
    order.symbolId === request.symbolId &&
    order.side === request.side &&
    (order.type === '' || order.type === request.type) &&
    FLAGS.every((flag) => order[flag] === null || order[flag] === (request[flag] ?? false)) &&
    (request.type !== 'LIMIT' || sameTerms(request, order)) &&
    // A close-all has no quantity: it took whatever the position was.
    (request.quantity === undefined || same(request.quantity, order.totalQuantity)) &&
    tpSlMatches(request.tpSl, order.tpSl ?? null)
  );
}

/**
 * Reports whether an order may be the exchange's own: only the history tells its source. A close-all has no quantity and no
 * price that would tell them apart, and as a market order it is soon in the history.
 */
const mayBeLiquidation = ({ request }: OrderSearch, order: SeenOrder): boolean =>
  request.quantity === undefined && order.list === 'open-orders';

/** Between two readings of the clocks it may still be it: not taken for it, and not passed over. */
function isInTime({ windows }: OrderSearch, { createdAt }: SeenOrder): boolean {
  const [first, last] = [windows[0], windows.at(-1)];
  if (createdAt === null || first === undefined || last === undefined) return true;
  return createdAt >= first.from && createdAt <= last.to;
}

const isInWindow = ({ windows }: OrderSearch, { createdAt }: SeenOrder): boolean =>
  createdAt === null || windows.some(({ from, to }) => createdAt >= from && createdAt <= to);

/**
 * Reports whether a record's TP/SL is compatible with the request. A missing price contradicts nothing: an exchange may
 * show TP/SL elsewhere. Order prices are compared only if both have one.
 */
function tpSlMatches(sent: OrderRequest['tpSl'], seen: SeenTpSl | null): boolean {
  if (seen === null) return true;
  const trigger = (own: string | undefined, found: string | null): boolean =>
    found === null || (own !== undefined && same(own, found));
  const execute = (own: string | undefined, found: string | null): boolean =>
    found === null || own === undefined || same(own, found);
  return (
    trigger(sent?.tpPrice, seen.tpPrice) &&
    trigger(sent?.slPrice, seen.slPrice) &&
    execute(sent?.tpExecutePrice, seen.tpExecutePrice) &&
    execute(sent?.slExecutePrice, seen.slExecutePrice)
  );
}

const sameTerms = (request: OrderRequest, order: SeenOrder): boolean =>
  (order.timeInForce === '' || order.timeInForce === request.timeInForce) &&
  request.price !== undefined &&
  same(request.price, order.price);

/** Compares as numbers: `1.50` equals `1.5`; an unread value equals any. */
const same = (a: string, b: string | null): boolean => b === null || a === b || equal(amount(a), amount(b));

/** Reports whether swapping their orders would change nothing. */
export function identical(a: OrderSearch, b: OrderSearch): boolean {
  return signature(a.request) === signature(b.request);
}

function signature(request: OrderRequest): string {
  const number = (text: string | undefined): string =>
    text === undefined ? '' : text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  const limit = request.type === 'LIMIT';
  const { tpSl } = request;
  return JSON.stringify([
    request.symbolId,
    request.side,
    request.type,
    limit ? request.timeInForce : '',
    limit ? number(request.price) : '',
    number(request.quantity),
    request.reduceOnly ?? false,
    request.postOnly ?? false,
    request.reverseOrder ?? false,
    tpSl === undefined
      ? ''
      : [
          tpSl.tpTriggerType,
          number(tpSl.tpPrice),
          number(tpSl.tpExecutePrice),
          tpSl.slTriggerType,
          number(tpSl.slPrice),
          number(tpSl.slExecutePrice),
        ],
  ]);
}

/** Groups requests that share a candidate, directly or through others. */
function groups(candidates: Candidates): OrderSearch[][] {
  const searchesByOrder = new Map<SeenOrder, OrderSearch[]>();
  for (const [one, orders] of candidates)
    for (const order of orders) searchesByOrder.set(order, [...(searchesByOrder.get(order) ?? []), one]);
  const met = new Set<OrderSearch>();
  const found: OrderSearch[][] = [];
  for (const first of candidates.keys()) {
    if (met.has(first)) continue;
    met.add(first);
    const group = [first];
    for (const one of group)
      for (const next of (candidates.get(one) ?? []).flatMap((order) => searchesByOrder.get(order) ?? []))
        if (!met.has(next)) {
          met.add(next);
          group.push(next);
        }
    found.push(group);
  }
  return found;
}

const byCreation = (a: SeenOrder, b: SeenOrder): number =>
  (a.createdAt ?? 0) - (b.createdAt ?? 0) || (a.orderId < b.orderId ? -1 : 1);
const bySend = (a: OrderSearch, b: OrderSearch): number =>
  a.sentAt - b.sentAt || (a.intentId < b.intentId ? -1 : 1);
