/**
 * Sums what several accounts hold, coin by coin, and converts the sums at rates the user typed. A sum that lacks an
 * account, a figure or a rate is never called complete. Callers pass no practice account.
 */
import { add, amount, type Amount, calculated, isZero, multiply, print, sum } from '../../amount.ts';
import type { AccountInfo } from '../../exchange-api/account.ts';
import type { UnreadableRecord } from '../../exchange-api/replies.ts';
import { ratioOf } from '../numeric/quotient.ts';

/** An account to be summed. */
export interface PortfolioAccount {
  readonly id: string;
  readonly name: string;
  /** As last read; null while it is not known. */
  readonly account: AccountInfo | null;
  /** Records of it that cannot be read; absent if there are none. */
  readonly unreadable?: readonly UnreadableRecord[] | undefined;
}

/** Whether a balance cannot be read: it may be of any coin. */
export const lacksBalance = ({ unreadable = [] }: PortfolioAccount): boolean =>
  unreadable.some(({ record }) => record === 'asset');

export interface CoinSum {
  readonly coin: string;
  /** One per account, in order: `'0'` where it does not hold the coin, null where that is not known. */
  readonly parts: readonly (string | null)[];
  /** Exact sum of the known parts; null if none is known. */
  readonly sum: string | null;
  /** Whether every part is known. */
  readonly complete: boolean;
}

/** The price of one unit of a coin, as the user typed it. */
export interface TypedRate {
  readonly rate: string;
  /** When it was typed, wall clock, ms. */
  readonly at: number;
}
export type TypedRates = Readonly<Record<string, TypedRate>>;

export interface PortfolioTotal {
  /** Null if no sum is known and could be converted. */
  readonly value: string | null;
  /** Whether it depends on typed rates. */
  readonly estimate: boolean;
  /** Coins without a rate, which are not in it. */
  readonly leftOut: readonly string[];
  /** When the oldest and the newest of the used rates were typed; null without any. */
  readonly typed: { readonly oldest: number; readonly newest: number } | null;
  /** Whether every account, figure and coin is in it. */
  readonly complete: boolean;
}

/** Returns a sum for each coin that any account holds, by name. Coins with only zeros are left out. */
export function coinSums(
  accounts: readonly PortfolioAccount[],
  field: 'equities' | 'profitUnreal' = 'equities',
): CoinSum[] {
  const held = accounts.map(({ account }) => (account === null ? null : holdings(account, field)));
  const coins = [...new Set(held.flatMap((one) => (one === null ? [] : [...one.keys()])))].sort();
  return coins.flatMap((coin) => {
    const parts = held.map((one) => {
      const part = one === null ? null : one.get(coin);
      return part === undefined ? '0' : part === null ? null : print(part);
    });
    const unread = held.some((one) => one?.get(coin) === null);
    if (!unread && parts.every((part) => part === null || isZero(calculated(part)))) return [];
    const known = parts.filter((part) => part !== null);
    return [
      {
        coin,
        parts,
        sum: known.length === 0 ? null : print(sum(known.map((part) => calculated(part)))),
        complete: known.length === parts.length && !accounts.some(lacksBalance),
      },
    ];
  });
}

/** Returns the account's amount of each coin; null where a record could not be read. */
function holdings(
  account: AccountInfo,
  field: 'equities' | 'profitUnreal',
): ReadonlyMap<string, Amount | null> {
  const held = new Map<string, Amount | null>();
  for (const { coin, [field]: text } of account.assets) {
    const before = held.get(coin);
    if (text === null || before === null) held.set(coin, null);
    else held.set(coin, before === undefined ? amount(text) : add(before, amount(text)));
  }
  return held;
}

const rateOf = (coin: string, rates: TypedRates): TypedRate | undefined =>
  Object.hasOwn(rates, coin) ? rates[coin] : undefined;

/** Converts an amount of a coin at its typed rate; null without either. The unit itself needs no rate. */
export function convertedTo(
  unit: string,
  coin: string,
  held: string | null,
  rates: TypedRates,
): string | null {
  if (held === null || coin === unit) return held;
  const typed = rateOf(coin, rates);
  return typed === undefined ? null : print(multiply(calculated(held), amount(typed.rate)));
}

/** Converts the sums to one unit and adds them up. */
export function totalIn(
  unit: string,
  accounts: readonly PortfolioAccount[],
  sums: readonly CoinSum[],
  rates: TypedRates,
): PortfolioTotal {
  const counted = sums.flatMap((one) => convertedTo(unit, one.coin, one.sum, rates) ?? []);
  const leftOut = sums.flatMap(({ coin }) =>
    coin === unit || rateOf(coin, rates) !== undefined ? [] : [coin],
  );
  const times = sums.flatMap(({ coin }) => (coin === unit ? [] : (rates[coin]?.at ?? [])));
  const isRead = accounts.some(({ account }) => account !== null);
  return {
    value:
      isRead && (counted.length > 0 || sums.length === 0)
        ? print(sum(counted.map((one) => calculated(one))))
        : null,
    estimate: times.length > 0,
    leftOut,
    typed: times.length === 0 ? null : { oldest: Math.min(...times), newest: Math.max(...times) },
    complete:
      accounts.every((one) => one.account !== null && !lacksBalance(one)) &&
      sums.every((one) => one.complete) &&
      leftOut.length === 0,
  };
}

/** Returns the total of one account. */
export const accountTotal = (unit: string, one: PortfolioAccount, rates: TypedRates): PortfolioTotal =>
  totalIn(unit, [one], coinSums([one]), rates);

/** Returns `part` ÷ `total`; null if one is unknown or the total is not above 0. */
export function shareOfTotal(part: string | null, total: string | null): string | null {
  return part === null || total === null ? null : ratioOf(calculated(part), calculated(total));
}
