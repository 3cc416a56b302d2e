/**
 * Computes what changed between two account reads, per coin, and how much positions explain: the growth of
 * `realizedPnl`, which is closed PnL − fees + funding (docs/accounting.md). A closed position is left to the verified
 * order history.
 */
import { amount, type Amount, equal, isZero, print, subtract, sum } from '../../amount.ts';
import type { AccountInfo, Asset, Position } from '../../exchange-api/account.ts';
import * as v from 'valibot';

const text = v.string();
const stateSchema = v.object({
  version: v.literal(1),
  at: v.number(),
  balances: v.record(text, text),
  positions: v.array(v.object({ id: text, coin: text, symbol: text, realized: text, funding: text })),
  /** Coins with a value that was never read, which are skipped. Missing in older archives. */
  unread: v.optional(v.array(text)),
});
/** State the next read is compared with. Stored in the archive, so it survives a restart. */
export type EquityState = v.InferOutput<typeof stateSchema>;

export function readEquityState(stored: string | null): EquityState | null {
  if (stored === null) return null;
  try {
    const parsed = v.safeParse(stateSchema, JSON.parse(stored));
    return parsed.success ? parsed.output : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

interface EquityValues {
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
export interface SampleChange {
  readonly coin: string;
  /** Time of the previous read. */
  readonly since: number;
  readonly change: string;
  readonly explained: string;
  /** Whether a part is unexplained by positions, to be checked with the order history. */
  readonly open: boolean;
  readonly gone: readonly { readonly id: string; readonly realized: string; readonly funding: string }[];
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
    'positionId' | 'feeAssetId' | 'symbolId' | 'realizedPnl' | 'fundAmount'
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
  const unread = new Set<string>();
  for (const { feeAssetId, realizedPnl, fundAmount } of account.positions)
    if (realizedPnl === null || fundAmount === null) unread.add(feeAssetId);
  for (const { coin, balance } of account.assets) {
    if (balance === null || unread.has(coin)) unread.add(coin);
    else balances[coin] = balance;
  }
  for (const one of account.positions) {
    const { feeAssetId: coin, realizedPnl: realized, fundAmount: funding } = one;
    if (realized !== null && funding !== null && !unread.has(coin))
      positions.push({ id: one.positionId, coin, symbol: one.symbolId, realized, funding });
  }
  const never = [...unread].filter((coin) => {
    const known = before !== null && Object.hasOwn(before.balances, coin) ? before.balances[coin] : undefined;
    if (known === undefined) return true;
    balances[coin] = known;
    positions.push(...(before?.positions ?? []).filter((one) => one.coin === coin));
    return false;
  });
  return { version: 1, at, balances, positions, ...(never.length === 0 ? {} : { unread: never }) };
}

/** Reads own properties only: the exchange names the coins, and one named `constructor` would find a method. */
const balanceIn = ({ balances }: EquityState, coin: string): Amount =>
  amount((Object.hasOwn(balances, coin) ? balances[coin] : undefined) ?? '0');

/** Returns the coins whose balance or funding changed. */
export function changesBetween(before: EquityState, after: EquityState): readonly SampleChange[] {
  const old = new Map(before.positions.map((one) => [one.id, one]));
  const there = new Set(after.positions.map(({ id }) => id));
  const coins = new Set([...Object.keys(before.balances), ...Object.keys(after.balances)]);
  const known = [...new Set([...old.keys(), ...there])];
  const unread = new Set([...(before.unread ?? []), ...(after.unread ?? [])]);
  return [...coins].flatMap((coin) => {
    if (unread.has(coin)) return [];
    const change = subtract(balanceIn(after, coin), balanceIn(before, coin));
    const own = after.positions.filter((one) => one.coin === coin);
    const explained = sum(
      own.map((one) => subtract(amount(one.realized), amount(old.get(one.id)?.realized ?? '0'))),
    );
    const funding = own.flatMap((one) => {
      const grown = subtract(amount(one.funding), amount(old.get(one.id)?.funding ?? '0'));
      return isZero(grown) ? [] : [{ symbol: one.symbol, amount: print(grown) }];
    });
    const gone = before.positions
      .filter((one) => one.coin === coin && !there.has(one.id))
      .map(({ id, realized, funding: paid }) => ({ id, realized, funding: paid }));
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
