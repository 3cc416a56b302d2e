/** What a session needs, and what it offers. */
import type {
  ConnectionSettings,
  ConnectionSummary,
  KeychainState,
  SecretInput,
  SecretState,
  TestStep,
} from '../../src-shared/ipc/connections.ts';
import type { SessionState, TradingLock } from '../../src-shared/ipc/calls.ts';
import type { PracticeTerms } from '../../src-shared/ipc/practice.ts';
import type { Result } from '../../src-shared/ipc/failures.ts';
import type { IntentRecord } from '../../src-shared/ipc/orders.ts';
import type { JsonFile } from './json-file.ts';
import type { StoredSession } from './stored.ts';

export interface SecretRead {
  readonly state: SecretState;
  readonly secret: SecretInput | null;
}
export interface FoundSecret extends SecretRead {
  readonly secret: SecretInput;
}

/** What the session needs of the vault. */
export interface SecretStore {
  read(id: string): Promise<SecretRead>;
  /** Tells where the secret is now; never overwrites one that may be behind a lock. */
  write(id: string, secret: SecretInput): Promise<Result<SecretState>>;
  forget(id: string): Promise<Result<null>>;
  /** Nothing is read for a while. */
  rest(): void;
  state(): KeychainState;
}

/** A connection in use: its polling and its archive run until it is closed. */
export interface OpenConnection {
  readonly id: string;
  /** Lets the secret go and reads nothing more, for good; a connection that shall read again is opened anew. */
  rest(): Promise<void>;
  isResting(): boolean;
  close(): Promise<void>;
}

export type UnsettledOrder = Pick<IntentRecord, 'state' | 'symbolId'>;

export interface SessionPorts<O extends OpenConnection> {
  readonly file: JsonFile<StoredSession>;
  readonly secrets: SecretStore;
  /** Resolves once secrets can be read and a connection may be opened. */
  readonly mayOpen: () => Promise<void>;
  /** Starts the practice exchange, or gives the running one. */
  readonly practice: () => Promise<{ url: string; key: string; secret: string; settings?: PracticeTerms }>;
  readonly open: (summary: ConnectionSummary, secret: SecretInput | null) => O;
  readonly test: (settings: ConnectionSettings, secret: SecretInput) => Promise<readonly TestStep[]>;
  readonly changed: (state: SessionState) => void;
  /** How trading is locked from the start. */
  readonly startLock: () => TradingLock;
  /** Orders of the connection's account that are on their way or whose outcome is unknown. */
  readonly unsettled: (id: string) => readonly UnsettledOrder[];
  readonly app: SessionState['app'];
  readonly clock: { now(): number };
  readonly timers: { after(ms: number, run: () => void): () => void };
  readonly newId: () => string;
}

/** What changes a session; one at a time. */
export interface Changes {
  start(): Promise<void>;
  add(settings: ConnectionSettings, secret: SecretInput): Promise<Result<ConnectionSummary>>;
  update(id: string, settings: ConnectionSettings): Promise<Result<ConnectionSummary>>;
  /**
   * `leaveSecret`: also when the keychain cannot be asked to forget its secret. `typed`: symbols of orders of unknown
   * outcome, which nobody looks for until the account is added again; each has to be typed.
   */
  remove(id: string, leaveSecret: boolean, typed: readonly string[] | 'all'): Promise<Result<null>>;
  select(id: string): Promise<Result<SessionState>>;
  setSecret(id: string, secret: SecretInput): Promise<Result<ConnectionSummary>>;
  forgetSecret(id: string): Promise<Result<ConnectionSummary>>;
  test(id: string): Promise<Result<readonly TestStep[]>>;
  /** A signed read has succeeded on the open connection, so its profile is right. */
  markProven(id: string): Promise<void>;
  /** Takes the open connection down and builds it anew; `between` runs while none is open. */
  reopen(between?: () => void): Promise<void>;
  stop(): Promise<void>;
}

export interface Session<O extends OpenConnection> extends Changes {
  state(): SessionState;
  current(): O | null;
  /** The open connection; while one is being opened, that one. */
  opened(): Promise<O | null>;
  summary(id: string): ConnectionSummary | null;
  ids(): readonly string[];
  setLock(lock: TradingLock): Promise<Result<SessionState>>;
  locked(): boolean;
  /** An order was sent or settled: what was kept for it may go. */
  ordersChanged(): void;
  /** Asks the keychain about the connections not opened yet: after the start, since it may ask for a password. */
  learnSecretStates(): Promise<void>;
  /** Tells the window again, after the keychain's state changed. */
  announce(): void;
}
