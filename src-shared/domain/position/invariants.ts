/**
 * Checks the identities the exchange API documents on every account reply: `available = balance − locked −
 * crossProfitUnreal` and `equities = balance + profitUnreal`. They hold exactly per coin and for the totals; a
 * violation means some value was read or computed wrongly.
 */
import { add, amount, type Amount, equal, print, subtract } from '../../amount.ts';
import type { AccountInfo } from '../../exchange-api/account.ts';

export interface IdentityFault {
  /** The coin, or null for the totals. */
  readonly coin: string | null;
  readonly identity: 'available' | 'equity';
  readonly reported: string;
  /** The value implied by the other fields. */
  readonly expected: string;
  /** reported − expected */
  readonly difference: string;
}

interface Figures {
  readonly coin: string | null;
  readonly balance: string;
  readonly locked: string;
  readonly available: string;
  readonly equity: string;
  readonly unrealised: string;
  readonly crossUnrealised: string;
}

/** Returns every violated identity. */
export function identityFaults(account: AccountInfo): IdentityFault[] {
  const totals = {
    coin: null,
    balance: account.balance,
    locked: account.totalLocked,
    available: account.available,
    equity: account.totalEquities,
    unrealised: account.profitUnreal,
    crossUnrealised: account.crossProfitUnreal,
  };
  const coins = account.assets.map((asset) => ({
    coin: asset.coin,
    balance: asset.balance,
    locked: asset.locked,
    available: asset.available,
    equity: asset.equities,
    unrealised: asset.profitUnreal,
    crossUnrealised: asset.crossProfitUnreal,
  }));
  return [...coins, totals].flatMap((figures) => (isWhole(figures) ? faultsOf(figures) : []));
}

type Partly = { readonly [K in keyof Figures]: Figures[K] | null };

/** Reports whether all values were read; an unread one violates nothing. */
const isWhole = (figures: Partly): figures is Figures =>
  Object.entries(figures).every(([name, one]) => name === 'coin' || one !== null);

function faultsOf(figures: Figures): IdentityFault[] {
  const balance = amount(figures.balance);
  const available = subtract(subtract(balance, amount(figures.locked)), amount(figures.crossUnrealised));
  const equity = add(balance, amount(figures.unrealised));
  return [
    ...check(figures.coin, 'available', figures.available, available),
    ...check(figures.coin, 'equity', figures.equity, equity),
  ];
}

function check(
  coin: string | null,
  identity: IdentityFault['identity'],
  reported: string,
  expected: Amount,
): IdentityFault[] {
  const value = amount(reported);
  if (equal(value, expected)) return [];
  const difference = print(subtract(value, expected));
  return [{ coin, identity, reported, expected: print(expected), difference }];
}
