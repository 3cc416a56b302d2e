/**
 * Defines the bridge: call → input schema and result type. Channels, preload methods, handler types and
 * `window.ballast` derive from it. `names.ts` repeats the names for the preload, held equal by a test. Results come
 * from validated data.
 */
import * as v from 'valibot';
import type { BatchProgress } from './batch.ts';
import { AWAY_CALLS } from './away.ts';
import { ALERT_CALLS, type AlertUpdate } from './alerts.ts';
import { byConnection, call, connectionId, nothing, type Call } from './call.ts';
import type { BackupState } from './backup.ts';
import { APP_CALLS, type MenuAction, type OpenedFile } from './calls-app.ts';
import { ARCHIVE_CALLS } from './calls-archive.ts';
import { BACKUP_CALLS } from './calls-backup.ts';
import { EXPORT_SCHEDULE_CALLS } from './calls-export-schedule.ts';
import { DATA_CALLS } from './calls-data.ts';
import { DAY_CALLS, type DayState } from './day-limits.ts';
import { FILE_CALLS } from './calls-files.ts';
import { ORDER_CALLS } from './calls-orders.ts';
import { PORTFOLIO_CALLS, type PortfolioState } from './portfolio.ts';
import { RECORD_CALLS } from './calls-records.ts';
import {
  connectionSettingsSchema,
  secretSchema,
  type ConnectionSummary,
  type KeychainState,
  type TestStep,
} from './connections.ts';
import type { Result } from './failures.ts';
import type { Feeds, FeedUpdate, LastAccount, Pause } from './feeds.ts';
import type { IntentRecord } from './orders.ts';
import { practiceChangeSchema, type PracticeHabit, type PracticeState } from './practice.ts';
import { settingsPartSchema, type Settings } from './settings.ts';
import { signingProfileSchema, type SigningPreview } from './signing.ts';
import type { ExportScheduleState } from './export-schedule.ts';
import type { ExportProgress, ImportProgress } from './exports.ts';
import type { SyncStatus } from './trades.ts';
import type { CallName, EventName } from './names.ts';
import type { UpdateState } from './updates.ts';
import { WEBHOOK_CALLS, type WebhookSummary } from './webhooks.ts';

/** `orders` blocks every order; `secret` also unloads the open connection's secret, which ends all reading. */
const tradingLock = v.picklist(['off', 'orders', 'secret']);
export type TradingLock = v.InferOutput<typeof tradingLock>;

/** State of the open connection's secret under the lock `secret`; `in-use` under any other. */
export type SecretUse =
  | 'in-use'
  | 'until-resolved' // reconciliation still needs it; unloaded automatically afterwards
  | 'only-copy' // in memory only, so unloading would lose it
  | 'unloaded';

export interface SessionState {
  readonly connections: readonly ConnectionSummary[];
  readonly activeId: string;
  /**
   * Identifies the account of the open connection; null while none is open. It changes when practice is reset, and when
   * a connection is given another address or key.
   */
  readonly account: string | null;
  /** Connections that are not open and have an order of unknown outcome, which is searched for only while they are. */
  readonly unknownElsewhere: readonly string[];
  /** Whether orders are blocked. */
  readonly locked: boolean;
  /** Whether that is only because trading was never unlocked on this live connection. */
  readonly neverUnlocked: boolean;
  readonly secretUse: SecretUse;
  readonly keychain: KeychainState;
  readonly app: {
    readonly version: string;
    readonly runtime: 'electron' | 'stand-in';
    readonly platform: string;
    /** False without Chromium's sandbox: a compromised page could then reach the user's files. */
    readonly sandboxed: boolean;
  };
}

export const CALLS = {
  'session.get': call(nothing).returns<SessionState>(),
  'settings.get': call(nothing).returns<Settings>(),
  'settings.set': call(settingsPartSchema).returns<Settings>(),

  'connections.add': call(
    v.strictObject({ settings: connectionSettingsSchema, secret: secretSchema }),
  ).returns<ConnectionSummary>(),
  'connections.update': call(
    v.strictObject({
      connectionId,
      settings: connectionSettingsSchema,
      /** Null keeps the stored one. */
      secret: v.optional(v.nullable(secretSchema), null),
    }),
  ).returns<ConnectionSummary>(),
  'connections.remove': call(
    v.strictObject({
      connectionId,
      /** Removes it even if the keychain cannot delete its secret, which then stays there. */
      leaveSecret: v.boolean(),
      /** Typed symbols of its unknown outcomes, which are no longer reconciled until the account is added again. */
      typed: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(60))), v.maxLength(1_000)), []),
      /** Also deletes its trade archive and alerts. The journal always stays. */
      deleteArchive: v.optional(v.boolean(), false),
    }),
  ).returns<null>(),
  'connections.select': call(byConnection).returns<SessionState>(),
  /** Reads only. Marks the connection as verified when the signed read succeeds. */
  'connections.test': call(byConnection).returns<readonly TestStep[]>(),
  /** Tests unsaved settings. */
  'connections.testDraft': call(
    v.strictObject({ settings: connectionSettingsSchema, secret: secretSchema }),
  ).returns<readonly TestStep[]>(),
  'signing.preview': call(
    v.strictObject({
      profile: signingProfileSchema,
      apiKey: v.pipe(v.string(), v.maxLength(400)),
      baseUrl: v.pipe(v.string(), v.maxLength(300)),
    }),
  ).returns<SigningPreview>(),

  /** Sets the lock. Unlocking an unloaded secret reads the keychain; a failure changes nothing. */
  'trading.setLock': call(v.strictObject({ lock: tradingLock })).returns<SessionState>(),
  'trading.stayLocked': call(nothing).returns<SessionState>(),
  ...ORDER_CALLS,
  ...DAY_CALLS,

  'feeds.get': call(nothing).returns<Feeds>(),
  /** The active connection's account from an earlier run; null once it was read in this one. */
  'feeds.last': call(nothing).returns<LastAccount | null>(),
  'feeds.refresh': call(
    v.strictObject({ name: v.picklist(['account', 'openOrders', 'history', 'contracts']) }),
  ).returns<null>(),
  ...ARCHIVE_CALLS,
  ...RECORD_CALLS,

  ...ALERT_CALLS,
  ...WEBHOOK_CALLS,
  ...AWAY_CALLS,
  ...PORTFOLIO_CALLS,

  ...APP_CALLS,
  ...DATA_CALLS,
  ...BACKUP_CALLS,
  ...EXPORT_SCHEDULE_CALLS,

  'practice.state': call(nothing).returns<PracticeState>(),
  'practice.habits': call(nothing).returns<readonly PracticeHabit[]>(),
  'practice.change': call(practiceChangeSchema).returns<PracticeState>(),

  ...FILE_CALLS,
  'clipboard.write': call(
    v.strictObject({ text: v.pipe(v.string(), v.maxLength(1_000_000)) }),
  ).returns<null>(),
  /** Opens the connection's own page (https, set by the user) in the browser. */
  'page.open': call(byConnection).returns<null>(),
} as const satisfies Record<CallName, Call<v.GenericSchema, unknown>>;

export type CallInput<K extends CallName> = v.InferInput<(typeof CALLS)[K]['input']>;
export type CallOutput<K extends CallName> = v.InferOutput<(typeof CALLS)[K]['input']>;
export type CallResult<K extends CallName> =
  (typeof CALLS)[K] extends Call<v.GenericSchema, infer A> ? A : never;

/** Handlers of the calls: parsed input in, plain data or a failure out. */
export type Handlers = { readonly [K in CallName]: (input: CallOutput<K>) => Promise<Result<CallResult<K>>> };

/** Events from the main process; each replaces the window's value. */
export interface Events {
  session: SessionState;
  settings: Settings;
  feed: FeedUpdate;
  clock: { readonly connectionId: string; readonly offsetMs: number };
  /** The exchange requested a pause, or it ended. */
  pause: { readonly connectionId: string; readonly until: Pause };
  drift: Feeds['drift'];
  intent: IntentRecord;
  /** The connection's set of journal orders changed and has to be read again. */
  journal: { readonly connectionId: string };
  batch: BatchProgress;
  /** The open account's day: its limits and what counts towards them. */
  day: DayState;
  sync: SyncStatus;
  export: ExportProgress;
  import: ImportProgress;
  /** A message that belongs to no call, such as a damaged file moved aside. */
  notice: {
    readonly message: string;
    readonly next: string;
    /** Whether it stays until the user dismisses it. */
    readonly stays: boolean;
  };
  alert: AlertUpdate;
  /** The accounts read beside the open connection. */
  portfolio: PortfolioState;
  menu: { readonly do: MenuAction };
  file: OpenedFile;
  updates: UpdateState;
  backup: BackupState;
  exportSchedule: ExportScheduleState;
  webhooks: readonly WebhookSummary[];
  /** The app quits once the window has saved what was typed, which it reports by `app.saved`. */
  quitting: null;
}
/** `window.ballast`: one method per call and one subscription per event, nothing generic. */
export type Bridge = {
  readonly [K in CallName]: (input: CallInput<K>) => Promise<Result<CallResult<K>>>;
} & {
  /** Listeners receive the value as JSON text. Each returns its unsubscribe function. */
  readonly on: { readonly [K in EventName]: (listener: (json: string) => void) => () => void };
};
