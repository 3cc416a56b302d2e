/**
 * Which order of the exchange came from a request whose answer was lost (docs/product.md, "Reconciliation of an unknown outcome"). Nothing the
 * interface carries ties an order to a request, so a match is an inference, made only when the counts leave no
 * choice; everything else is for the person to decide, and "not there" is never more than "not seen".
 */
import { amount, equal } from '../../amount.ts';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import type { SeenOrder, SeenTpSl } from './listed-orders.ts';
import { distinctPairs } from './assignment.ts';

/** How long before the send an order may seem created (clocks), and how long after giving up it may still be. */
const BEFORE_SEND_MS = 5_000;
const AFTER_DEADLINE_MS = 120_000;
/** What the exchange's clock is known to. */
const CLOCK_MS = 1_000;
/** How far the clock of the `Date` header may be from the one of the records; further off, this computer's clock is wrong. */
const HEADER_MS = 120_000;

export interface CreationWindow {
  /** By the exchange's clock, ms; both ends included. */
  readonly from: number;
  readonly to: number;
}

/**
 * `sentAt` by this computer's clock, `answerWithinMs` the time-out of the send, `offsetMs` `Date` header − here. The
 * header may come from another clock than the records' times, so the window reaches towards this computer's clock.
 */
export function creationWindow(sentAt: number, answerWithinMs: number, offsetMs: number): CreationWindow {
  const doubt = Math.min(Math.abs(offsetMs), HEADER_MS);
  const [before, after] = offsetMs > 0 ? [doubt, 0] : [0, doubt];
  return {
    from: sentAt + offsetMs - before - BEFORE_SEND_MS - CLOCK_MS,
    to: sentAt + offsetMs + after + answerWithinMs + AFTER_DEADLINE_MS + CLOCK_MS,
  };
}

/** A request of ours that may have become an order nobody knows the id of. */
export interface SoughtOrder {
  readonly intentId: string;
  /**
   * `unknown` is looked for. The others only compete: one still `sending` may own what is seen, and so may one the
   * person has `closed`, since closing proves nothing.
   */
  readonly standing: 'unknown' | 'sending' | 'closed';
  readonly request: OrderRequest;
  readonly sentAt: number;
  readonly window: CreationWindow;
  /** Orders that cannot be it: known before the send, or another intent's. */
  readonly ruledOut: ReadonlySet<string>;
  /** Both lists were read over its window: complete, untruncated, without an error. */
  readonly readWhole: boolean;
}

export type Verdict =
  /** Exactly as many orders as identical requests: this one is taken for it. */
  | { readonly kind: 'landed'; readonly order: SeenOrder; readonly twins: number }
  /** More or fewer: the person chooses. */
  | { readonly kind: 'ambiguous'; readonly candidates: readonly SeenOrder[]; readonly twins: number }
  /** Both lists were read whole and show nothing. It stays unknown all the same. */
  | { readonly kind: 'absent' }
  /** Not every list was read whole, or an identical request is on its way: nothing can be said now. */
  | { readonly kind: 'undecided'; readonly candidates: readonly SeenOrder[] };

/** Judges every `unknown` request together: an order can be one request's only. By intent id. */
export function judge(
  sought: readonly SoughtOrder[],
  seen: Iterable<SeenOrder>,
): ReadonlyMap<string, Verdict> {
  const orders = [...seen].sort(byCreation);
  const candidates = new Map(sought.map((one) => [one, orders.filter((order) => fits(one, order))]));
  const verdicts = new Map<string, Verdict>();
  for (const group of groups(candidates)) {
    const unknown = group.filter((one) => one.standing === 'unknown');
    for (const [one, verdict] of judgeGroup(group, unknown, candidates)) verdicts.set(one.intentId, verdict);
  }
  return verdicts;
}

type Candidates = ReadonlyMap<SoughtOrder, readonly SeenOrder[]>;

/** `group` shares its candidates and nothing with anyone else; only its `unknown` members are judged. */
function judgeGroup(
  group: readonly SoughtOrder[],
  unknown: readonly SoughtOrder[],
  candidates: Candidates,
): [SoughtOrder, Verdict][] {
  const of = (one: SoughtOrder): readonly SeenOrder[] => candidates.get(one) ?? [];
  const each = (verdict: (one: SoughtOrder) => Verdict): [SoughtOrder, Verdict][] =>
    unknown.map((one) => [one, verdict(one)]);

  if (!unknown.every((one) => one.readWhole) || group.some((one) => one.standing === 'sending'))
    return each((one) => ({ kind: 'undecided', candidates: of(one) }));
  const orders = new Set(group.flatMap(of));
  if (orders.size === 0) return each(() => ({ kind: 'absent' }));

  const twins = unknown.length;
  const ambiguous = () => each((one) => ({ kind: 'ambiguous', candidates: of(one), twins }));
  if (group.length > unknown.length || orders.size !== twins) return ambiguous();
  if ([...orders].some((one) => one.isDoubtful === true)) return ambiguous();
  const pairs = distinctPairs([...unknown].sort(bySend), of, identical);
  return pairs === null
    ? ambiguous()
    : [...pairs].map(([one, order]) => [one, { kind: 'landed', order, twins }]);
}

/** Whether this order could be that request's, by everything both of them carry. */
export function fits(sought: SoughtOrder, order: SeenOrder): boolean {
  const { request, window, ruledOut } = sought;
  return (
    !order.liquidation &&
    order.condition !== true &&
    !ruledOut.has(order.orderId) &&
    (order.createdAt === null || (order.createdAt >= window.from && order.createdAt <= window.to)) &&
    order.symbolId === request.symbolId &&
    order.side === request.side &&
    (order.type === '' || order.type === request.type) &&
    (order.reduceOnly === null || order.reduceOnly === (request.reduceOnly ?? false)) &&
    (order.postOnly === null || order.postOnly === (request.postOnly ?? false)) &&
    (order.reverseOrder === null || order.reverseOrder === (request.reverseOrder ?? false)) &&
    (request.type !== 'LIMIT' || sameTerms(request, order)) &&
    // A close-all names no quantity: whatever the position was.
    (request.quantity === undefined || same(request.quantity, order.totalQuantity)) &&
    tpSlFits(request.tpSl, order.tpSl ?? null)
  );
}

/**
 * What the record carries speaks against a request that asked for something else. A price it does not carry speaks
 * against nothing: an exchange may show TP/SL elsewhere. Execution prices count only where both name one.
 */
function tpSlFits(sent: OrderRequest['tpSl'], seen: SeenTpSl | null): boolean {
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

/** `1.50` and `1.5` are the same number; what was not read may be any. */
const same = (a: string, b: string | null): boolean => b === null || a === b || equal(amount(a), amount(b));

/** Whether swapping their orders would change nothing for anyone. */
export function identical(a: SoughtOrder, b: SoughtOrder): boolean {
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

/** Requests that share a candidate, directly or through others. */
function groups(candidates: Candidates): SoughtOrder[][] {
  const seekers = new Map<SeenOrder, SoughtOrder[]>();
  for (const [one, orders] of candidates)
    for (const order of orders) seekers.set(order, [...(seekers.get(order) ?? []), one]);
  const met = new Set<SoughtOrder>();
  const found: SoughtOrder[][] = [];
  for (const first of candidates.keys()) {
    if (met.has(first)) continue;
    met.add(first);
    const group = [first];
    for (const one of group)
      for (const next of (candidates.get(one) ?? []).flatMap((order) => seekers.get(order) ?? []))
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
const bySend = (a: SoughtOrder, b: SoughtOrder): number =>
  a.sentAt - b.sentAt || (a.intentId < b.intentId ? -1 : 1);
