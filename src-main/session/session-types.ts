/** What the session needs from other modules. */
import type {
  ConnectionSettings,
  ConnectionSummary,
  SecretInput,
  TestStep,
} from '../../src-shared/ipc/connections.ts';
import type { SessionState, TradingLock } from '../../src-shared/ipc/calls.ts';
import type { PracticeTerms } from '../../src-shared/ipc/practice.ts';
import type { AccountIdentity } from '../../src-shared/domain/reconcile/account-identity.ts';
import type { Failure, Result } from '../../src-shared/ipc/failures.ts';
import type { IntentRecord } from '../../src-shared/ipc/orders.ts';
import type { Clock, Timers } from '../../src-shared/time.ts';
import type { FollowedConnection } from '../orders/journal/journal.ts';
import type { SecretRead, Vault } from '../vault/vault.ts';
import type { JsonFile } from './json-file.ts';
import type { RemovedConnection, StoredSession } from './stored.ts';

export interface FoundSecret extends SecretRead {
  readonly secret: SecretInput;
}

/** The part of the vault the session needs. */
export type SecretStore = Pick<Vault, 'read' | 'write' | 'forget' | 'withhold' | 'keepProcess' | 'state'>;

/** A connection in use: polling and archive run until it is closed. */
export interface OpenConnection {
  readonly id: string;
  account(): AccountIdentity;
  /** Unloads the secret and stops reading, for good. To read again, the connection is reopened. */
  unload(): Promise<void>;
  isUnloaded(): boolean;
  /** Stops reading for good, with `because` as its failure. To read again, the connection is reopened. */
  stopReading(because: Failure): Promise<void>;
  close(): Promise<void>;
}

export type UnsettledOrder = Pick<IntentRecord, 'state' | 'symbolId'>;

export interface SessionPorts<O extends OpenConnection> {
  readonly file: JsonFile<StoredSession>;
  readonly secrets: SecretStore;
  /** Resolves once secrets can be read and a connection opened. */
  readonly mayOpen: () => Promise<void>;
  /** Starts the practice exchange, or returns the running one. */
  readonly practice: () => Promise<{ url: string; key: string; secret: string; settings?: PracticeTerms }>;
  /**
   * Stops whatever else reads the connection, before it is opened or once it was changed or removed. Resolves when its
   * files are closed.
   */
  readonly release: (id: string) => Promise<void>;
  /** Deletes what a removed connection leaves in the profile. */
  readonly deleteData: (removed: RemovedConnection) => Promise<Result<null>>;
  readonly open: (summary: ConnectionSummary, secret: SecretInput | null) => O;
  readonly test: (settings: ConnectionSettings, secret: SecretInput) => Promise<readonly TestStep[]>;
  readonly changed: (state: SessionState) => void;
  readonly notice: (message: string, next: string) => void;
  /** Returns the trading lock at start. */
  readonly startLock: () => TradingLock;
  /** Assigns the recorded orders of the connection's account to it, whichever connection they were sent by. */
  readonly assignOrders: (connection: FollowedConnection) => void;
  /** Returns the account's orders that are being sent or of unknown outcome. */
  readonly unsettled: (id: string) => readonly UnsettledOrder[];
  readonly app: SessionState['app'];
  readonly clock: Clock;
  readonly timers: Timers;
  readonly newId: () => string;
}
