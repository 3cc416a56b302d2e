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
  readonly balance: string | null;
  readonly locked: string | null;
  readonly available: string | null;
  readonly equity: string | null;
  readonly unrealised: string | null;
  readonly crossUnrealised: string | null;
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
  return [...coins, totals].flatMap(faultsOf);
}

/** A value that was not read violates nothing. */
function faultsOf(one: Figures): IdentityFault[] {
  const { coin, balance, locked, crossUnrealised, unrealised } = one;
  if (balance === null) return [];
  const own = amount(balance);
  return [
    ...(locked === null || crossUnrealised === null
      ? []
      : check(
          coin,
          'available',
          one.available,
          subtract(subtract(own, amount(locked)), amount(crossUnrealised)),
        )),
    ...(unrealised === null ? [] : check(coin, 'equity', one.equity, add(own, amount(unrealised)))),
  ];
}

function check(
  coin: string | null,
  identity: IdentityFault['identity'],
  reported: string | null,
  expected: Amount,
): IdentityFault[] {
  if (reported === null) return [];
  const value = amount(reported);
  if (equal(value, expected)) return [];
  const difference = print(subtract(value, expected));
  return [{ coin, identity, reported, expected: print(expected), difference }];
}
