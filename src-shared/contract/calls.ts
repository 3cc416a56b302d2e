/**
 * The bridge's one table: call → input schema and answer type. Channels, the preload's methods, the handlers' types
 * and `window.ballast` are derived from it; `names.ts` lists the names without validators for the preload, and a
 * test keeps the two equal. Answers are built in the main process from data that was already validated.
 */
import * as v from 'valibot';
import {
  connectionSettingsSchema,
  secretSchema,
  type ConnectionSummary,
  type KeychainState,
  type TestStep,
} from './connections.ts';
import type { Result } from './failures.ts';
import type { Feeds, FeedUpdate } from './feeds.ts';
import { orderIntentSchema, type IntentRecord, type OrderReview } from './orders.ts';
import { practiceChangeSchema, type PracticeState } from './practice.ts';
import { settingsSchema, type Settings } from './settings.ts';
import { signingProfileSchema, type SigningPreview } from './signing.ts';
import {
  exportQuerySchema,
  tradeFilterSchema,
  tradePageQuerySchema,
  type ExportProgress,
  type SyncStatus,
  type TradeTotals,
  type TradeWindow,
} from './trades.ts';
import type { CallName, EventName } from './names.ts';
import type { HistoryOrder } from '../interface/order-history.ts';

export interface SessionState {
  readonly connections: readonly ConnectionSummary[];
  readonly activeId: string;
  readonly locked: boolean;
  readonly keychain: KeychainState;
  readonly app: {
    readonly version: string;
    readonly runtime: 'electron' | 'stand-in';
    readonly platform: string;
  };
}

interface Call<I extends v.GenericSchema, A> {
  readonly input: I;
  /** Never present at run time; carries the answer's type. */
  readonly answer?: A;
}
const call = <I extends v.GenericSchema>(input: I) => ({ answers: <A>(): Call<I, A> => ({ input }) });

const nothing = v.undefined();
const connectionId = v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,60}$/));
const byConnection = v.strictObject({ connectionId });
const digits = v.pipe(v.string(), v.regex(/^\d{1,20}$/, 'an order id is digits only'));
const ms = v.pipe(v.number(), v.integer(), v.minValue(0));

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
  'connections.remove': call(byConnection).answers<null>(),
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
    v.strictObject({ profile: signingProfileSchema, apiKey: v.string(), baseUrl: v.string() }),
  ).answers<SigningPreview>(),

  'trading.setLock': call(v.strictObject({ locked: v.boolean() })).answers<SessionState>(),
  'orders.review': call(orderIntentSchema).answers<OrderReview>(),
  'orders.send': call(
    v.strictObject({
      token: v.pipe(v.string(), v.maxLength(80)),
      release: v.nullable(v.pipe(v.string(), v.maxLength(60))),
    }),
  ).answers<IntentRecord>(),
  'orders.discard': call(v.strictObject({ token: v.pipe(v.string(), v.maxLength(80)) })).answers<null>(),
  /** The person closes an unknown outcome: it was looked for by hand. The symbol has to be typed. */
  'orders.closeUnknown': call(
    v.strictObject({ intentId: v.string(), typed: v.pipe(v.string(), v.maxLength(60)) }),
  ).answers<IntentRecord>(),
  /** The person says which of the orders that fit is theirs. The symbol has to be typed. */
  'orders.claim': call(
    v.strictObject({ intentId: v.string(), orderId: digits, typed: v.pipe(v.string(), v.maxLength(60)) }),
  ).answers<IntentRecord>(),
  /** Reads the lists for the symbol's unknown outcomes now instead of at the next round. */
  'orders.checkNow': call(
    v.strictObject({ connectionId, symbolId: v.pipe(v.string(), v.maxLength(60)) }),
  ).answers<null>(),
  'journal.list': call(byConnection).answers<readonly IntentRecord[]>(),

  'feeds.get': call(nothing).answers<Feeds>(),
  'feeds.refresh': call(
    v.strictObject({ name: v.picklist(['account', 'openOrders', 'history', 'contracts']) }),
  ).answers<null>(),
  'history.query': call(
    v.strictObject({
      connectionId,
      symbolId: v.nullable(v.pipe(v.string(), v.maxLength(60))),
      orderId: v.nullable(digits),
      startTime: v.nullable(ms),
      endTime: v.nullable(ms),
    }),
  ).answers<{ readonly rows: readonly HistoryOrder[]; readonly truncated: boolean }>(),

  'trades.page': call(tradePageQuerySchema).answers<TradeWindow>(),
  'trades.totals': call(v.strictObject({ connectionId, filter: tradeFilterSchema })).answers<TradeTotals>(),
  'trades.symbols': call(byConnection).answers<readonly string[]>(),
  'trades.syncStatus': call(byConnection).answers<SyncStatus>(),
  'trades.sync': call(
    v.strictObject({ connectionId, action: v.picklist(['start', 'pause']) }),
  ).answers<SyncStatus>(),
  /** Asks for a path by the save dialog and starts writing; null when the dialog was cancelled. */
  'trades.export': call(exportQuerySchema).answers<ExportProgress | null>(),
  /** The first lines of the file, as they will be written. */
  'trades.exportPreview': call(exportQuerySchema).answers<string>(),
  'trades.cancelExport': call(v.strictObject({ id: v.pipe(v.string(), v.maxLength(60)) })).answers<null>(),

  'practice.state': call(nothing).answers<PracticeState>(),
  'practice.change': call(practiceChangeSchema).answers<PracticeState>(),

  'files.show': call(v.strictObject({ id: v.pipe(v.string(), v.maxLength(60)) })).answers<null>(),
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
  drift: Feeds['drift'];
  intent: IntentRecord;
  sync: SyncStatus;
  export: ExportProgress;
  /** Something the person should know that belongs to no call: a damaged file set aside. */
  notice: { readonly message: string; readonly next: string };
}
/** `window.ballast`: one method a call, one subscription an event; nothing generic. */
export type Bridge = {
  readonly [K in CallName]: (input: CallInput<K>) => Promise<Result<CallAnswer<K>>>;
} & {
  /** Each returns the function that ends the subscription. */
  readonly on: { readonly [K in EventName]: (listener: (value: Events[K]) => void) => () => void };
};
