/**
 * The bridge's one table (two subjects have a file of their own): call → input schema and answer type. Channels, the preload's methods, the handlers' types
 * and `window.ballast` are derived from it; `names.ts` lists the names without validators for the preload, and a
 * test keeps the two equal. Answers are built in the main process from data that was already validated.
 */
import * as v from 'valibot';
import type { BatchProgress } from './batch.ts';
import { ALERT_CALLS, type AlertUpdate } from './alerts.ts';
import { byConnection, call, connectionId, nothing, type Call } from './call.ts';
import { APP_CALLS, type MenuAction, type OpenedFile } from './calls-app.ts';
import { ARCHIVE_CALLS } from './calls-archive.ts';
import { DATA_CALLS } from './calls-data.ts';
import { FILE_CALLS } from './calls-files.ts';
import { ORDER_CALLS } from './calls-orders.ts';
import { RECORD_CALLS } from './calls-records.ts';
import {
  connectionSettingsSchema,
  secretSchema,
  type ConnectionSummary,
  type KeychainState,
  type TestStep,
} from './connections.ts';
import type { Result } from './failures.ts';
import type { Feeds, FeedUpdate, Pause } from './feeds.ts';
import type { IntentRecord } from './orders.ts';
import { practiceChangeSchema, type PracticeHabit, type PracticeState } from './practice.ts';
import { settingsSchema, type Settings } from './settings.ts';
import { signingProfileSchema, type SigningPreview } from './signing.ts';
import type { ExportProgress, ImportProgress } from './exports.ts';
import type { SyncStatus } from './trades.ts';
import type { CallName, EventName } from './names.ts';
import type { UpdateState } from './updates.ts';

/** `orders` refuses every order; `key` also lets the open connection's secret go, and with it all reading. */
const tradingLock = v.picklist(['off', 'orders', 'key']);
export type TradingLock = v.InferOutput<typeof tradingLock>;

/** What has become of the open connection's secret under the lock `key`; `in-use` under any other. */
export type HeldKey =
  | 'in-use'
  | 'until-settled' // an order is on its way or unknown: finding out needs it; then it goes by itself
  | 'only-copy' // nothing but the memory has it: kept, since letting go would lose it
  | 'let-go';

export interface SessionState {
  readonly connections: readonly ConnectionSummary[];
  readonly activeId: string;
  /** No order leaves. */
  readonly locked: boolean;
  readonly key: HeldKey;
  readonly keychain: KeychainState;
  readonly app: {
    readonly version: string;
    readonly runtime: 'electron' | 'stand-in';
    readonly platform: string;
    /** False: started without Chromium's sandbox, so that a page that is broken into reaches the user's files. */
    readonly sandboxed: boolean;
  };
}

export const CALLS = {
  'session.get': call(nothing).answers<SessionState>(),
  'settings.get': call(nothing).answers<Settings>(),
  'settings.set': call(settingsSchema).answers<Settings>(),

  'connections.add': call(
    v.strictObject({ settings: connectionSettingsSchema, secret: secretSchema }),
  ).answers<ConnectionSummary>(),
  'connections.update': call(
    v.strictObject({ connectionId, settings: connectionSettingsSchema }),
  ).answers<ConnectionSummary>(),
  'connections.remove': call(
    v.strictObject({
      connectionId,
      /** Removes it although the keychain could not be asked to forget its secret, which then stays there. */
      leaveSecret: v.boolean(),
      /** Symbols of its orders of unknown outcome, each typed: nobody looks for them until the account is added again. */
      typed: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(60))), v.maxLength(1_000)), []),
      /** Deletes its trade archive and its alerts too; the journal of orders always stays. */
      deleteArchive: v.optional(v.boolean(), false),
    }),
  ).answers<null>(),
  'connections.select': call(byConnection).answers<SessionState>(),
  'connections.setSecret': call(
    v.strictObject({ connectionId, secret: secretSchema }),
  ).answers<ConnectionSummary>(),
  'connections.forgetSecret': call(byConnection).answers<ConnectionSummary>(),
  /** Reads only, sends no order. Marks the connection as proven when the signed read succeeds. */
  'connections.test': call(byConnection).answers<readonly TestStep[]>(),
  /** Tests settings that are not saved yet. */
  'connections.testDraft': call(
    v.strictObject({ settings: connectionSettingsSchema, secret: secretSchema }),
  ).answers<readonly TestStep[]>(),
  'signing.preview': call(
    v.strictObject({
      profile: signingProfileSchema,
      apiKey: v.pipe(v.string(), v.maxLength(400)),
      baseUrl: v.pipe(v.string(), v.maxLength(300)),
    }),
  ).answers<SigningPreview>(),

  /** Away from a key that was let go it asks the keychain, and fails when that has none: then nothing has changed. */
  'trading.setLock': call(v.strictObject({ lock: tradingLock })).answers<SessionState>(),
  ...ORDER_CALLS,

  'feeds.get': call(nothing).answers<Feeds>(),
  'feeds.refresh': call(
    v.strictObject({ name: v.picklist(['account', 'openOrders', 'history', 'contracts']) }),
  ).answers<null>(),
  ...ARCHIVE_CALLS,
  ...RECORD_CALLS,

  ...ALERT_CALLS,

  ...APP_CALLS,
  ...DATA_CALLS,

  'practice.state': call(nothing).answers<PracticeState>(),
  'practice.habits': call(nothing).answers<readonly PracticeHabit[]>(),
  'practice.change': call(practiceChangeSchema).answers<PracticeState>(),

  ...FILE_CALLS,
  'clipboard.write': call(
    v.strictObject({ text: v.pipe(v.string(), v.maxLength(1_000_000)) }),
  ).answers<null>(),
  /** Opens the connection's own page (https, set by the person) in the browser. */
  'page.open': call(byConnection).answers<null>(),
} as const satisfies Record<CallName, Call<v.GenericSchema, unknown>>;

export type CallInput<K extends CallName> = v.InferInput<(typeof CALLS)[K]['input']>;
export type CallOutput<K extends CallName> = v.InferOutput<(typeof CALLS)[K]['input']>;
export type CallAnswer<K extends CallName> =
  (typeof CALLS)[K] extends Call<v.GenericSchema, infer A> ? A : never;

/** What each call does in the main process: parsed input in, plain data or a failure out. */
export type Handlers = { readonly [K in CallName]: (input: CallOutput<K>) => Promise<Result<CallAnswer<K>>> };

/** Pushes from the main process; each replaces what the window knew. */
export interface Events {
  session: SessionState;
  settings: Settings;
  feed: FeedUpdate;
  clock: { readonly connectionId: string; readonly offsetMs: number };
  /** The exchange asked to wait, or no longer does. */
  pause: { readonly connectionId: string; readonly until: Pause };
  drift: Feeds['drift'];
  intent: IntentRecord;
  /** Orders of the journal were found to be this connection's, or not: the list is to be read again. */
  journal: { readonly connectionId: string };
  batch: BatchProgress;
  sync: SyncStatus;
  export: ExportProgress;
  import: ImportProgress;
  /** Something the user should know that belongs to no call: a damaged file set aside. */
  notice: {
    readonly message: string;
    readonly next: string;
    /** Until the user takes it away. */
    readonly stays: boolean;
  };
  alert: AlertUpdate;
  menu: { readonly do: MenuAction };
  file: OpenedFile;
  updates: UpdateState;
}
/** `window.ballast`: one method a call, one subscription an event; nothing generic. */
export type Bridge = {
  readonly [K in CallName]: (input: CallInput<K>) => Promise<Result<CallAnswer<K>>>;
} & {
  /** An event's value comes as its JSON text. Each returns the function that ends the subscription. */
  readonly on: { readonly [K in EventName]: (listener: (json: string) => void) => () => void };
};
