/**
 * Computes what changed between two account reads, per coin, and how much positions explain: the growth of
 * `realizedPnl`, which is closed PnL − fees + funding (docs/accounting.md). A closed position is left to the verified
 * order history.
 */
import { amount, type Amount, equal, isZero, print, subtract, sum } from '../../amount.ts';
import type { AccountInfo, Asset, Position } from '../../exchange-api/account.ts';
import * as v from 'valibot';
import { checkedJson } from '../../checked-json.ts';

const text = v.string();
const positionSchema = v.object({
  ...{ id: text, coin: text, symbol: text, realized: text, funding: text },
  /** Side of a hedge's leg, '' in one-way mode, and time of creation, ms. Missing in older archives. */
  leg: v.optional(text),
  created: v.optional(v.nullable(v.number())),
});
const stateSchema = v.object({
  version: v.literal(1),
  at: v.number(),
  balances: v.record(text, text),
  positions: v.array(positionSchema),
  /** The positions that left the list last, the newest first. Missing in older archives. */
  left: v.optional(v.array(positionSchema)),
  /** Coins with a value that was never read, which are skipped. Missing in older archives. */
  unread: v.optional(v.array(text)),
});
type StatePosition = v.InferOutput<typeof positionSchema>;
/** Most positions remembered after they left: a reply may lack one that is still open, as its record could not be read. */
const LEFT_KEPT = 300;
/** State the next read is compared with. Stored in the archive, so it survives a restart. */
export type EquityState = v.InferOutput<typeof stateSchema>;

export const readEquityState = (stored: string | null): EquityState | null =>
  stored === null ? null : checkedJson(stateSchema, stored);

export interface EquityValues {
  readonly equity: string;
  readonly balance: string;
  readonly available: string;
  readonly profitUnreal: string;
}
type EquityRead = { readonly [K in keyof EquityValues]: EquityValues[K] | null };
const isComplete = <W extends EquityRead>(one: W): one is W & EquityValues =>
  one.equity !== null && one.balance !== null && one.available !== null && one.profitUnreal !== null;
export interface AccountSample {
  readonly at: number;
  readonly totals: EquityValues;
  readonly coins: readonly (EquityValues & { readonly coin: string })[];
}
/** A position of the previous read that is no longer there. */
export interface GonePosition {
  readonly id: string;
  readonly realized: string;
  readonly funding: string;
  readonly symbol: string;
  /** Side of a hedge's leg; '' in one-way mode or if unknown. */
  readonly leg: string;
  /** When it was created, and when the next one of its id was, ms; null if unknown. */
  readonly from: number | null;
  readonly to: number | null;
}
export interface SampleChange {
  readonly coin: string;
  /** Time of the previous read. */
  readonly since: number;
  readonly change: string;
  readonly explained: string;
  /** Whether a part is unexplained by positions, to be checked with the order history. */
  readonly open: boolean;
  readonly gone: readonly GonePosition[];
  /** Contracts and ids of the positions of both reads. */
  readonly known: readonly string[];
  readonly funding: readonly { readonly symbol: string; readonly amount: string }[];
}

/** The part of an account that is compared. */
export type ComparedAccount = Pick<
  AccountInfo,
  'totalEquities' | 'balance' | 'available' | 'profitUnreal'
> & {
  readonly assets: readonly Pick<Asset, 'coin' | 'equities' | 'balance' | 'available' | 'profitUnreal'>[];
  readonly positions: readonly Pick<
    Position,
    | 'positionId'
    | 'feeAssetId'
    | 'symbolId'
    | 'realizedPnl'
    | 'fundAmount'
    | 'side'
    | 'positionMode'
    | 'ctime'
  >[];
};

/** Builds a sample without coins that have an unread value; null if a total is unread. */
export function sampleOf(account: ComparedAccount, at: number): AccountSample | null {
  const totals: EquityRead = {
    equity: account.totalEquities,
    balance: account.balance,
    available: account.available,
    profitUnreal: account.profitUnreal,
  };
  const coins = account.assets.map(({ coin, equities, balance, available, profitUnreal }) => ({
    coin,
    equity: equities,
    balance,
    available,
    profitUnreal,
  }));
  return isComplete(totals) ? { at, totals, coins: coins.filter(isComplete) } : null;
}

/** Builds the next state; a coin with an unread value keeps its state of `before`. */
export function equityStateOf(account: ComparedAccount, at: number, before: EquityState | null): EquityState {
  const balances: Record<string, string> = {};
  const positions: EquityState['positions'] = [];
  const listed = new Map<string, StatePosition[]>();
  const unread = new Set<string>();
  for (const { feeAssetId, realizedPnl, fundAmount } of account.positions)
    if (realizedPnl === null || fundAmount === null) unread.add(feeAssetId);
  for (const { coin, balance } of account.assets) {
    if (balance === null || unread.has(coin)) unread.add(coin);
    else balances[coin] = balance;
  }
  for (const one of account.positions) {
    const { positionId: id, feeAssetId: coin, symbolId: symbol, realizedPnl: realized, fundAmount } = one;
    const leg = one.positionMode === 'ONEWAY' ? '' : one.side;
    const read = { id, coin, symbol, leg, created: one.ctime };
    if (realized === null || fundAmount === null || unread.has(coin)) continue;
    // A reply may list one twice.
    if (sameIn(listed, read) !== undefined) continue;
    const position = { ...read, realized, funding: fundAmount };
    positions.push(position);
    listed.set(id, [...(listed.get(id) ?? []), position]);
  }
  const never = [...unread].filter((coin) => {
    const known = before !== null && Object.hasOwn(before.balances, coin) ? before.balances[coin] : undefined;
    if (known === undefined) return true;
    balances[coin] = known;
    positions.push(...(before?.positions ?? []).filter((one) => one.coin === coin));
    return false;
  });
  const left = leftOf(before, positions);
  return {
    ...{ version: 1, at, balances, positions },
    ...(left.length === 0 ? {} : { left }),
    ...(never.length === 0 ? {} : { unread: never }),
  };
}

/** Returns the positions that are no longer listed. Without a time of creation one cannot be told from its successor. */
function leftOf(before: EquityState | null, positions: EquityState['positions']): StatePosition[] {
  const listed = byId(positions);
  return [...(before?.positions ?? []), ...(before?.left ?? [])]
    .filter((one) => typeof one.created === 'number' && sameIn(listed, one) === undefined)
    .slice(0, LEFT_KEPT);
}

/** Reads own properties only: the exchange names the coins, and one named `constructor` would find a method. */
const balanceIn = ({ balances }: EquityState, coin: string): Amount =>
  amount((Object.hasOwn(balances, coin) ? balances[coin] : undefined) ?? '0');

type Named = Pick<StatePosition, 'id' | 'symbol' | 'leg' | 'created'>;
/** Reports whether id, contract and leg are the same; the time of creation distinguishes successive positions. */
const hasSameName = (a: Named, b: Named): boolean =>
  a.id === b.id && a.symbol === b.symbol && (a.leg === undefined || b.leg === undefined || a.leg === b.leg);
/** Positions of other contracts, legs or times may have the same id: the API does not exclude it. */
const isSame = (a: Named, b: Named): boolean =>
  hasSameName(a, b) && (a.created ?? b.created ?? 0) === (b.created ?? a.created ?? 0);

/** Positions by id, so that each is compared with the few that share its id. */
type ById = ReadonlyMap<string, readonly StatePosition[]>;
const byId = (positions: readonly StatePosition[]): ById => Map.groupBy(positions, (one) => one.id);
const sameIn = (positions: ById, one: Named): StatePosition | undefined =>
  positions.get(one.id)?.find((other) => isSame(other, one));

function goneOf(one: StatePosition, after: ById): GonePosition {
  const { id, realized, funding, symbol, leg = '', created: from = null } = one;
  const next = (after.get(id) ?? [])
    .filter((other) => hasSameName(one, other) && (other.created ?? 0) > (from ?? 0))
    .map((other) => other.created ?? 0);
  return { id, realized, funding, symbol, leg, from, to: next.length === 0 ? null : Math.min(...next) };
}

/** Returns the coins whose balance or funding changed. */
export function changesBetween(before: EquityState, after: EquityState): readonly SampleChange[] {
  const [older, newer] = [byId(before.positions), byId(after.positions)];
  const left = byId(before.left ?? []);
  /** What a position had when it was listed last: one that is back is no new one. */
  const old = (one: StatePosition): StatePosition | undefined =>
    sameIn(older, one) ?? (typeof one.created === 'number' ? sameIn(left, one) : undefined);
  const coins = new Set([...Object.keys(before.balances), ...Object.keys(after.balances)]);
  const known = [
    ...new Set([...before.positions, ...after.positions].map(({ symbol, id }) => `${symbol} ${id}`)),
  ];
  const unread = new Set([...(before.unread ?? []), ...(after.unread ?? [])]);
  return [...coins].flatMap((coin) => {
    if (unread.has(coin)) return [];
    const change = subtract(balanceIn(after, coin), balanceIn(before, coin));
    const own = after.positions.filter((one) => one.coin === coin);
    const explained = sum(
      own.map((one) => subtract(amount(one.realized), amount(old(one)?.realized ?? '0'))),
    );
    const funding = own.flatMap((one) => {
      const grown = subtract(amount(one.funding), amount(old(one)?.funding ?? '0'));
      return isZero(grown) ? [] : [{ symbol: one.symbol, amount: print(grown) }];
    });
    const gone = before.positions
      .filter((one) => one.coin === coin && sameIn(newer, one) === undefined)
      .map((one) => goneOf(one, newer));
    const open = !equal(change, explained);
    if (!open && funding.length === 0) return [];
    return [
      {
        coin,
        since: before.at,
        change: print(change),
        explained: print(explained),
        open,
        gone,
        known,
        funding,
      },
    ];
  });
}
