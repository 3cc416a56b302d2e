/** Verdicts of generated histories held against what really happened in them. */
import { judge, type UnmatchedRequest, type Verdict } from '../../src-shared/domain/reconcile/matching.ts';
import { generateHistory, seededRandom, type History, type TrueOrder } from './lost-orders.ts';

export interface VerdictCounts extends Record<Verdict['kind'], number> {
  histories: number;
  wrong: number;
  /** A stranger's identical order taken for ours, in histories that have strangers: nobody can tell. */
  strangers: number;
  /** One order for one request, and nobody competes for it. */
  unique: number;
  missed: number;
}

/** The rule of docs/product.md once more, written another way: numbers as hundredths, fields one by one. */
function couldBe(one: UnmatchedRequest, { seen }: TrueOrder, history: History): boolean {
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

/** Two requests that no one could tell apart: every digit of theirs is the same number. */
const alike = (a: UnmatchedRequest, b: UnmatchedRequest): boolean => {
  const plain = (one: UnmatchedRequest): string =>
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
export function judgeHistories(runs: number, from = 0): VerdictCounts {
  const count: VerdictCounts = {
    histories: 0,
    landed: 0,
    ambiguous: 0,
    absent: 0,
    undecided: 0,
    wrong: 0,
    strangers: 0,
    unique: 0,
    missed: 0,
  };
  for (let seed = from; seed < from + runs; seed++) {
    const strange = seed % 4 === 3;
    const history = generateHistory(seededRandom(seed), strange);
    judgeOne(history, strange, seed, count);
    count.histories++;
  }
  return count;
}

function judgeOne(history: History, strange: boolean, seed: number, count: VerdictCounts): void {
  const must = (holds: boolean, rule: string): void => {
    if (!holds) throw new Error(`seed ${seed}: ${rule}`);
  };
  const seen = history.orders.filter((one) => history.visible.has(one.seen.orderId));
  const verdicts = judge(
    history.unmatched,
    seen.map((one) => one.seen),
  );
  const given = new Set<string>();
  for (const one of history.unmatched) {
    const said = verdicts.get(one.intentId);
    if (one.standing !== 'unknown') {
      must(said === undefined, `${one.intentId} is ${one.standing}, and was judged`);
      continue;
    }
    if (said === undefined) throw new Error(`seed ${seed}: ${one.intentId} was not judged`);
    count[said.kind]++;
    const possible = seen.filter((order) => couldBe(one, order, history));
    const rivals = history.unmatched.filter(
      (other) => other !== one && possible.some((order) => couldBe(other, order, history)),
    );
    if (!one.readWhole) must(said.kind === 'undecided', 'said something of lists not read whole');
    else if (possible.length === 0)
      must(said.kind === (one.windows.length > 1 ? 'undecided' : 'absent'), 'saw what is not there');
    else must(said.kind !== 'absent', 'called absent what could be there');
    const came = seen.some((order) => order.owner === one.intentId);
    must(!came || said.kind !== 'absent', 'called an order absent that the lists show');
    // More than one order for one request that nobody competes with: always the person's choice.
    if (one.readWhole && rivals.length === 0 && possible.length > 1)
      must(said.kind === 'ambiguous', 'chose among several orders');

    const own = possible.find((order) => order.owner === one.intentId);
    if (one.readWhole && possible.length === 1 && rivals.length === 0 && own !== undefined) {
      count.unique++;
      if (said.kind !== 'landed') count.missed++;
    }
    if (said.kind !== 'landed') continue;
    const id = said.order.orderId;
    must(!given.has(id), 'one order for two requests');
    given.add(id);
    const owner = seen.find((order) => order.seen.orderId === id)?.owner ?? null;
    const really = history.unmatched.find((other) => other.intentId === owner);
    if (owner === null || really === undefined || !alike(really, one)) {
      // A stranger's identical order may be taken for ours, or take the place of ours; without it nothing is wrong.
      if (strange && !isWrongWithoutStrangers(history, seen, one)) count.strangers++;
      else count.wrong++;
    }
    must(count.wrong === 0, `${one.intentId} was given ${id} of ${owner}`);
  }
}

/** Whether `one` is given another's order although no stranger's order is in the lists. */
function isWrongWithoutStrangers(
  history: History,
  seen: readonly TrueOrder[],
  one: UnmatchedRequest,
): boolean {
  const own = seen.filter((order) => order.owner !== null);
  const said = judge(
    history.unmatched,
    own.map((order) => order.seen),
  ).get(one.intentId);
  if (said?.kind !== 'landed') return false;
  const owner = own.find((order) => order.seen.orderId === said.order.orderId)?.owner;
  const really = history.unmatched.find((other) => other.intentId === owner);
  return really === undefined || !alike(really, one);
}
