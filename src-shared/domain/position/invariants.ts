/**
 * The two identities the interface states, audited on every account reply: a reply that breaks one was read or
 * computed wrongly somewhere, and its figures are not to be leaned on.
 *
 * `available = balance − locked − crossProfitUnreal`, `equities = balance + profitUnreal` (the interface, account
 * info). Per coin they hold to the last digit; so do the totals, whose unit is not stated but is one.
 */
import { add, amount, type Amount, equal, print, subtract } from '../../amount.ts';
import type { AccountInfo } from '../../exchange-api/account.ts';

export interface IdentityFault {
  /** The coin, or null for the totals. */
  readonly coin: string | null;
  readonly identity: 'available' | 'equity';
  readonly reported: string;
  /** What the other fields say it should be. */
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

/** Every place where the reply contradicts itself; empty when all is well. */
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

/** What was not read contradicts nothing. */
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
