/**
 * Stores each connection's account as last read, so that the window's first frames show it, marked stale. Only the
 * window gets it: feeds, orders, alerts and equity samples of the main process never do.
 */
import * as v from 'valibot';
import type { SessionState } from '../../src-shared/ipc/calls.ts';
import type { ConnectionSummary } from '../../src-shared/ipc/connections.ts';
import type { Feed, LastAccount } from '../../src-shared/ipc/feeds.ts';
import { type AccountIdentity, compareAccounts } from '../../src-shared/domain/reconcile/account-identity.ts';
import {
  accountTotals,
  assetFields,
  positionFields,
  type AccountInfo,
} from '../../src-shared/exchange-api/account.ts';
import { readRecord, type FieldTable, type RecordOf } from '../../src-shared/exchange-api/fields.ts';
import type { Timers } from '../../src-shared/time.ts';

/** Schema of a stored record by its table. A field that is damaged or of another version invalidates the file. */
const record = <T extends FieldTable>(table: T) =>
  v.pipe(
    v.looseObject({ received: v.optional(v.record(v.string(), v.string())) }),
    v.check((one) => {
      const { fault, unreadable } = readRecord(table, one);
      return fault === null && unreadable.length === 0;
    }, 'a field cannot be read'),
    v.transform((one) => {
      const received = one.received === undefined ? {} : { received: one.received };
      return { ...readRecord(table, one).record, ...received } as RecordOf<T>;
    }),
  );
const storedAccountSchema = v.strictObject({
  connectionId: v.string(),
  account: v.strictObject({ address: v.string(), key: v.string(), uid: v.nullable(v.string()) }),
  /** Wall clock, ms. */
  readAt: v.number(),
  value: v.intersect([
    record(accountTotals),
    v.object({ assets: v.array(record(assetFields)), positions: v.array(record(positionFields)) }),
  ]),
});
interface StoredAccount extends LastAccount {
  readonly account: AccountIdentity;
}

export const lastAccountsSchema = v.strictObject({
  version: v.literal(1),
  accounts: v.array(storedAccountSchema),
});
interface StoredAccounts {
  readonly version: 1;
  readonly accounts: readonly StoredAccount[];
}
export const NO_ACCOUNTS: v.InferOutput<typeof lastAccountsSchema> = { version: 1, accounts: [] };

/** The part of an open connection that is stored. */
interface ReadConnection {
  readonly id: string;
  account(): AccountIdentity;
  readonly feeds: { get(name: 'account'): Feed<AccountInfo> };
}
interface ReadSession {
  state(): Pick<SessionState, 'activeId'>;
  summary(id: string): ConnectionSummary | null;
  current(): ReadConnection | null;
}

export interface LastAccountsDeps {
  readonly file: { read(): Promise<StoredAccounts>; write(value: StoredAccounts): Promise<void> };
  /** Returns the identity of a connection's account, which a reset of practice changes. */
  readonly accountOf: (summary: ConnectionSummary) => AccountIdentity;
  readonly timers: Timers;
  /** Called when the file could not be written: the next start shows older figures or none. */
  readonly writeFailed: () => void;
}

/** Least interval between writes; quitting writes too. */
const WRITE_INTERVAL_MS = 30_000;

export class LastAccounts {
  readonly #deps: LastAccountsDeps;
  readonly #accounts: Promise<Map<string, StoredAccount>>;
  /** Read since the last write. */
  readonly #unwritten = new Map<string, StoredAccount>();
  #cancel: (() => void) | null = null;

  constructor(deps: LastAccountsDeps) {
    this.#deps = deps;
    this.#accounts = deps.file.read().then(
      ({ accounts }) => new Map(accounts.map((one) => [one.connectionId, one])),
      () => new Map(),
    );
  }

  /** Stores the open connection's account at the next write, unless records of it are unreadable: it would seem complete. */
  take(open: ReadConnection | null): void {
    if (open === null) return;
    const { value, failure, receivedAt, unreadable } = open.feeds.get('account');
    if (value === null || receivedAt === null || failure !== null || unreadable !== undefined) return;
    const { id: connectionId } = open;
    this.#unwritten.set(connectionId, { connectionId, account: open.account(), readAt: receivedAt, value });
    this.#cancel ??= this.#deps.timers.after(WRITE_INTERVAL_MS, () => void this.flush());
  }

  /** Returns the active connection's account from an earlier run; null once this run has read it. */
  async last(session: ReadSession): Promise<LastAccount | null> {
    const accounts = await this.#accounts;
    const summary = session.summary(session.state().activeId);
    const one = summary === null ? undefined : accounts.get(summary.id);
    if (summary === null || one === undefined) return null;
    if (compareAccounts(this.#deps.accountOf(summary), one.account) !== 'same') return null;
    const open = session.current();
    if (open?.id === summary.id && open.feeds.get('account').value !== null) return null;
    return { connectionId: summary.id, readAt: one.readAt, value: one.value };
  }

  /** Deletes a removed connection's account. Rejects if the file could not be written. */
  async forget(connectionId: string): Promise<void> {
    const accounts = await this.#accounts;
    this.#unwritten.delete(connectionId);
    const one = accounts.get(connectionId);
    if (one === undefined) return;
    accounts.delete(connectionId);
    try {
      await this.#deps.file.write(storedOf(accounts));
    } catch (error) {
      // Still in the file: the next attempt must find it.
      accounts.set(connectionId, one);
      throw error;
    }
  }

  /** Writes what was read since the last write. */
  async flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    if (this.#unwritten.size === 0) return;
    const accounts = await this.#accounts;
    for (const [id, one] of this.#unwritten) accounts.set(id, one);
    this.#unwritten.clear();
    await this.#write(accounts);
  }

  async #write(accounts: ReadonlyMap<string, StoredAccount>): Promise<void> {
    try {
      await this.#deps.file.write(storedOf(accounts));
    } catch {
      this.#deps.writeFailed();
    }
  }
}

const storedOf = (accounts: ReadonlyMap<string, StoredAccount>): StoredAccounts => ({
  version: 1,
  accounts: [...accounts.values()],
});
