/** Compares the verdicts on generated histories with what really happened in them. */
import { matchOrders, type OrderSearch, type Verdict } from '../../src-shared/domain/reconcile/matching.ts';
import { generateHistory, seededRandom, type History, type TrueOrder } from './lost-orders.ts';

export interface VerdictCounts extends Record<Verdict['kind'], number> {
  histories: number;
  wrong: number;
  /** A foreign identical order taken for ours, where a history has such orders: nothing distinguishes them. */
  foreign: number;
  /** Cases of one order that fits one request only. */
  unique: number;
  missed: number;
}

/** An independent version of the rule of docs/product.md: numbers as integers, fields compared one by one. */
function couldBe(one: OrderSearch, { seen }: TrueOrder, history: History): boolean {
  const units = (text: string): bigint => {
    const [whole = '', part = ''] = text.split('.');
    return BigInt(whole + part.padEnd(8, '0'));
  };
  const { request } = one;
  if (!history.visible.has(seen.orderId) || seen.liquidation) return false;
  if (seen.condition === true || one.ruledOut.has(seen.orderId)) return false;
  const take = seen.tpSl?.tpPrice ?? null;
  if (take !== null && (request.tpSl?.tpPrice === undefined || units(take) !== units(request.tpSl.tpPrice)))
    return false;
  const createdAt = seen.createdAt ?? 0;
  if (createdAt < one.windows[0]!.from || createdAt > one.windows.at(-1)!.to) return false;
  for (const name of ['symbolId', 'side', 'type'] as const) if (seen[name] !== request[name]) return false;
  for (const name of ['reduceOnly', 'postOnly', 'reverseOrder'] as const)
    if (seen[name] !== null && seen[name] !== (request[name] === true)) return false;
  if (request.type === 'LIMIT' && seen.timeInForce !== request.timeInForce) return false;
  if (request.type === 'LIMIT' && units(seen.price ?? '') !== units(request.price ?? '')) return false;
  return request.quantity === undefined || units(seen.totalQuantity ?? '') === units(request.quantity);
}

/** Reports whether two requests are equal in every field, with numbers compared by value. */
const equalRequests = (a: OrderSearch, b: OrderSearch): boolean => {
  const plain = (one: OrderSearch): string =>
    JSON.stringify(
      [one.request, one.request.tpSl ?? {}].map((part) =>
        Object.entries(part)
          .filter(([name, value]) => value !== false && name !== 'tpSl')
          .map(([name, value]) => [
            name,
            String(value)
              .replace(/(\.\d*?)0+$/, '$1')
              .replace(/\.$/, ''),
          ])
          .sort(),
      ),
    );
  return plain(a) === plain(b);
};

/** Judges the histories of seeds `from` to `from + runs`. Throws at the first verdict that breaks a rule. */
export function checkHistories(runs: number, from = 0): VerdictCounts {
  const count: VerdictCounts = {
    histories: 0,
    matched: 0,
    ambiguous: 0,
    absent: 0,
    undecided: 0,
    wrong: 0,
    foreign: 0,
    unique: 0,
    missed: 0,
  };
  for (let seed = from; seed < from + runs; seed++) {
    const identical = seed % 4 === 3;
    const history = generateHistory(seededRandom(seed), identical);
    checkHistory(history, identical, seed, count);
    count.histories++;
  }
  return count;
}

function checkHistory(history: History, identical: boolean, seed: number, count: VerdictCounts): void {
  const must = (holds: boolean, rule: string): void => {
    if (!holds) throw new Error(`seed ${seed}: ${rule}`);
  };
  const seen = history.orders.filter((one) => history.visible.has(one.seen.orderId));
  const verdicts = matchOrders(
    history.searches,
    seen.map((one) => one.seen),
  );
  const given = new Set<string>();
  for (const one of history.searches) {
    const verdict = verdicts.get(one.intentId);
    if (one.state !== 'unknown') {
      must(verdict === undefined, `${one.intentId} is ${one.state}, and was judged`);
      continue;
    }
    if (verdict === undefined) throw new Error(`seed ${seed}: ${one.intentId} was not judged`);
    count[verdict.kind]++;
    const possible = seen.filter((order) => couldBe(one, order, history));
    const competitors = history.searches.filter(
      (other) => other !== one && possible.some((order) => couldBe(other, order, history)),
    );
    if (!one.listsComplete) must(verdict.kind === 'undecided', 'gave a verdict on incompletely read lists');
    else if (possible.length === 0)
      must(
        verdict.kind === (one.windows.length > 1 ? 'undecided' : 'absent'),
        'found an order that is not there',
      );
    else must(verdict.kind !== 'absent', 'called an order absent that could be there');
    const came = seen.some((order) => order.owner === one.intentId);
    must(!came || verdict.kind !== 'absent', 'called an order absent that the lists show');
    // Several orders fit a request that no other request competes with: always the user's choice.
    if (one.listsComplete && competitors.length === 0 && possible.length > 1)
      must(verdict.kind === 'ambiguous', 'chose among several orders');

    const own = possible.find((order) => order.owner === one.intentId);
    if (one.listsComplete && possible.length === 1 && competitors.length === 0 && own !== undefined) {
      count.unique++;
      // Of a close-all only the history tells that it is no liquidation.
      const isSourced = one.request.quantity !== undefined || own.seen.list === 'order-history';
      if (!isSourced) must(verdict.kind === 'undecided', 'took an order of unknown source');
      else if (verdict.kind !== 'matched') count.missed++;
    }
    if (verdict.kind !== 'matched') continue;
    const id = verdict.order.orderId;
    must(!given.has(id), 'one order for two requests');
    given.add(id);
    const owner = seen.find((order) => order.seen.orderId === id)?.owner ?? null;
    const really = history.searches.find((other) => other.intentId === owner);
    if (owner === null || really === undefined || !equalRequests(really, one)) {
      // A foreign identical order may be taken for ours, or displace ours; the verdict must be right without it.
      if (identical && !isWrongWithoutForeign(history, seen, one)) count.foreign++;
      else count.wrong++;
    }
    must(count.wrong === 0, `${one.intentId} was matched with ${id} of ${owner}`);
  }
}

/** Reports whether `one` is matched with another request's order even without foreign orders in the lists. */
function isWrongWithoutForeign(history: History, seen: readonly TrueOrder[], one: OrderSearch): boolean {
  const own = seen.filter((order) => order.owner !== null);
  const verdict = matchOrders(
    history.searches,
    own.map((order) => order.seen),
  ).get(one.intentId);
  if (verdict?.kind !== 'matched') return false;
  const owner = own.find((order) => order.seen.orderId === verdict.order.orderId)?.owner;
  const really = history.searches.find((other) => other.intentId === owner);
  return really === undefined || !equalRequests(really, one);
}
