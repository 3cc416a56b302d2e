/** Defines the accounts that are read beside the open connection, for the Portfolio screen. */
import * as v from 'valibot';
import type { AccountInfo } from '../exchange-api/account.ts';
import type { EquitySamples } from './archive.ts';
import type { SymbolConfig } from '../exchange-api/symbol-config.ts';
import { byConnection, call, connectionId, ms, nothing } from './call.ts';
import type { ConnectionSummary, SecretState } from './connections.ts';
import type { Feed } from './feeds.ts';

/** Factor of the polling intervals of accounts beside the open connection. */
export const PORTFOLIO_INTERVAL_FACTOR = 30;

/** One account that is read beside the open connection. */
export interface AccountReading {
  readonly connectionId: string;
  /** State of its secret; without one nothing is read. */
  readonly secret: SecretState;
  readonly account: Feed<AccountInfo>;
  /** The configuration of the contracts it lists; none until it was read. */
  readonly contracts: readonly SymbolConfig[];
  /** The multipliers of those that its positions, or the fees of its orders, show, by symbol. */
  readonly multipliers: Readonly<Record<string, string>>;
}

export interface PortfolioState {
  /** The lock has unloaded the secrets, so nothing is read. */
  readonly locked: boolean;
  readonly readings: readonly AccountReading[];
}

export const PORTFOLIO_CALLS = {
  'portfolio.get': call(nothing).returns<PortfolioState>(),
  /** Includes a live connection's account in Portfolio, or leaves it out. */
  'portfolio.include': call(
    v.strictObject({ connectionId, included: v.boolean() }),
  ).returns<ConnectionSummary>(),
  /** Loads the secret again and reads now. */
  'portfolio.retry': call(byConnection).returns<null>(),
  /** Equity samples of an account that is open or read beside the open one. */
  'portfolio.equity': call(
    v.strictObject({
      connectionId,
      /** First ms; null for all. */
      from: v.nullable(ms),
    }),
  ).returns<EquitySamples>(),
} as const;
