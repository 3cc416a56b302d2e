import { totalsMoney, totalsUnit } from '../account/account-totals.ts';
import { shownAs } from '../../text/shown-as.svelte.ts';
import type { Settings as SettingValues } from '../../../src-shared/ipc/settings.ts';
import { createContext } from 'svelte';
import type { Calls } from '../../bridge.ts';
import { Alerts } from '../alerts/alerts.svelte.ts';
import { playTone } from './alert-sound.ts';
import { Clock, type TimeSource } from '../runtime/clock.svelte.ts';
import { DayLimits } from '../account/day-limits.svelte.ts';
import { type FeedReplies, feedReplies, Feeds } from '../account/feeds.svelte.ts';
import { ProfitFindings } from '../account/profit-finding.svelte.ts';
import type { DeferredState } from './deferred-state.svelte.ts';
import { Intents } from '../order/intents.svelte.ts';
import { SpecsStore } from '../account/contract-specs.svelte.ts';
import { actOnMenu } from './menu-actions.ts';
import { Navigation } from '../session/navigation.svelte.ts';
import { Notices } from '../session/notices.svelte.ts';
import { FrameQueue } from '../runtime/frame-queue.ts';
import { RiskInput } from '../risk/risk-input.svelte.ts';
import { Session } from '../session/session.svelte.ts';
import { type RatioUnits, ratioUnits } from '../../../src-shared/domain/margin/ratio-unit.ts';
import { Settings } from '../session/settings.svelte.ts';
import { SystemCloses } from '../account/system-closes.svelte.ts';
import { TradeSync } from '../trades/sync.svelte.ts';
import { Updates } from '../settings/updates.svelte.ts';
import { leftText } from '../../../src-shared/domain/display/time-left.ts';
import type { OpenedFile } from '../../../src-shared/ipc/calls-app.ts';
import { type AccountHealth, accountHealth } from '../../../src-shared/domain/risk/account-health.ts';
import type { CallInput, CallResult } from '../../../src-shared/ipc/calls.ts';
import type { Result } from '../../../src-shared/ipc/failures.ts';
import type { CallName } from '../../../src-shared/ipc/names.ts';
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';

type LoadDeferred = () => Promise<new (app: AppState) => DeferredState>;

/** All shared state of the window, built once in main.ts; components get it by `useApp()`. */
export class AppState {
  readonly calls: Calls;
  readonly clock: Clock;
  readonly session: Session;
  readonly settings: Settings;
  readonly feeds: Feeds;
  readonly intents: Intents;
  readonly day: DayLimits;
  readonly specs: SpecsStore;
  readonly navigation: Navigation;
  readonly notices: Notices;
  readonly alerts: Alerts;
  readonly systemCloses: SystemCloses;
  readonly tradeSync: TradeSync;
  readonly profit: ProfitFindings;
  readonly riskInput = new RiskInput();
  readonly updates: Updates;
  // Those of the deferred state, there once `deferred` has resolved: the ticket, the sheets and every screen but the first
  // wait for it.
  declare readonly fit: DeferredState['fit'];
  declare readonly connectionTests: DeferredState['connectionTests'];
  declare readonly help: DeferredState['help'];
  declare readonly toasts: DeferredState['toasts'];
  declare readonly review: DeferredState['review'];
  declare readonly ticket: DeferredState['ticket'];
  declare readonly close: DeferredState['close'];
  declare readonly closePositions: DeferredState['closePositions'];
  declare readonly batch: DeferredState['batch'];
  declare readonly notes: DeferredState['notes'];
  declare readonly tradeLog: DeferredState['tradeLog'];
  declare readonly tradeExport: DeferredState['tradeExport'];
  declare readonly tradeImport: DeferredState['tradeImport'];
  declare readonly backups: DeferredState['backups'];
  declare readonly exportSchedules: DeferredState['exportSchedules'];
  /** Resolves when the settings, the session and its connection's data are loaded. */
  ready: Promise<unknown> = Promise.resolve();
  /** The account shown: its connection, and which it is, once that is open. */
  #followed: { readonly id: string; account: string | null } | null = null;
  readonly #loadDeferred: LoadDeferred;
  #deferred: DeferredState | null = null;
  #loading: Promise<DeferredState> | null = null;
  /** How often the app began to quit. */
  #quits = 0;
  readonly #ends: (() => void)[] = [];
  /** A file opened before a connection was followed: following one would clear the batch it belongs to. */
  #waitingFile: OpenedFile | null = null;

  /** `loadDeferred` loads the class of the deferred state, which is a script of its own. */
  constructor(calls: Calls, time: TimeSource, loadDeferred: LoadDeferred) {
    this.#loadDeferred = loadDeferred;
    this.calls = calls;
    this.clock = new Clock(time);
    this.session = new Session(calls);
    this.settings = new Settings(calls);
    this.feeds = new Feeds(calls, this.clock);
    this.intents = new Intents(calls);
    this.day = new DayLimits(calls);
    this.specs = new SpecsStore(calls, this.clock, this.feeds, this.settings);
    this.navigation = new Navigation(this.settings);
    this.notices = new Notices(time);
    this.alerts = new Alerts({
      calls,
      notices: this.notices,
      navigation: this.navigation,
      playTone,
      nameOf: (id) => this.session.nameOf(id),
      isOwn: (orderId) => this.intents.list.some((one) => one.orderId === orderId),
    });
    this.updates = new Updates(calls, this.notices);
    this.systemCloses = new SystemCloses(calls, this.feeds);
    this.tradeSync = new TradeSync(calls);
    this.profit = new ProfitFindings(this);
  }

  /** Loads the deferred state once, after the next frame. */
  deferred(): Promise<DeferredState> {
    this.#loading ??= new Promise<void>((drawn) => this.clock.time.afterFrame(drawn))
      .then(this.#loadDeferred)
      .then((state) => this.attach(new state(this)));
    return this.#loading;
  }
  attach(deferred: DeferredState): DeferredState {
    this.#deferred = deferred;
    Object.assign(this, deferred);
    this.#loading ??= Promise.resolve(deferred);
    this.#ends.push(deferred.fit.start());
    if (this.#followed !== null) deferred.follow(this.#followed.id);
    return deferred;
  }

  /** The value of the exchange's rates that means 100 %, inferred or set. */
  readonly ratioUnits: RatioUnits = $derived.by(() =>
    ratioUnits(this.feeds.account.value, this.session.active?.settings.ratioUnit),
  );
  /** The unit of the account's totals, as far as it is known, and the coin whose decimals they are cut to. */
  readonly totals: Readonly<Record<'unit' | 'money', string | undefined>> = $derived.by(() => {
    const { value } = this.feeds.account;
    const unit = totalsUnit(this.session.kind, value);
    return { unit, money: totalsMoney(unit, value, shownAs.quoteCoins) };
  });
  /** How close the account is to a liquidation; null before it is read. */
  readonly health: AccountHealth | null = $derived.by(() => {
    const { account, nearest } = this.feeds;
    const { unit } = this.ratioUnits.margin;
    return account.value && accountHealth(account.value, unit, nearest, account.feed.unreadable);
  });
  /** Why nothing can be sent now, by session and account feed; null when it can. */
  readonly sendingOff: string | null = $derived.by(() => {
    const off = this.session.tradingOff;
    if (off !== null) return off;
    const { pause } = this.feeds;
    if (pause === 'resumed') return 'The exchange has banned this IP address';
    if (pause !== null) return `The exchange asked Ballast to wait: ${leftText(pause - this.clock.now)}`;
    if (!this.feeds.account.blocksOrders) return null;
    const { value, freshness } = this.feeds.account;
    if (value !== null) return 'The account data is too old to trade on';
    return freshness === 'loading' ? 'The account has not been read yet' : 'The account could not be read';
  });

  /** Subscribes to all events and loads the state. Returns the function that stops it. */
  start(): () => void {
    const { calls } = this;
    const polls = new FrameQueue(this.clock.time);
    this.#ends.push(
      this.clock.start(),
      this.profit.start(),
      calls.on('session', (state) => {
        this.session.replace(state);
        void this.#follow();
      }),
      calls.on('settings', (values) => this.settings.take(values)),
      calls.on('feed', (update) => {
        const followed = this.#followed;
        polls.add(`${update.connectionId} ${update.name}`, () => {
          // Another account of the same connection may be open by now.
          if (followed !== null && followed !== this.#followed) return;
          this.feeds.receive(update);
          // At once, so that what depends on both is worked out and drawn once.
          if (update.name === 'account') this.clock.tickWithPoll();
        });
      }),
      calls.on('clock', ({ connectionId, offsetMs }) => this.feeds.receiveClock(connectionId, offsetMs)),
      calls.on('pause', ({ connectionId, until }) => this.feeds.receivePause(connectionId, until)),
      calls.on('drift', (drift) => (this.feeds.drift = drift)),
      calls.on('intent', (record) => this.#intent(record)),
      calls.on('journal', ({ connectionId }) => void this.intents.reload(connectionId)),
      calls.on('day', (state) => this.day.receive(state)),
      calls.on('batch', (progress) => this.#withDeferred((on) => on.batchChanged(progress))),
      calls.on('alert', (update) => this.alerts.receive(update)),
      calls.on('notice', ({ message, next, stays }) => this.notices.push('warn', message, next, stays)),
      calls.on('updates', (state) => this.updates.receive(state)),
      calls.on('backup', (state) => this.#withDeferred((on) => on.backups.receive(state))),
      calls.on('exportSchedule', (state) => this.#withDeferred((on) => on.exportSchedules.receive(state))),
      calls.on('sync', (status) => this.tradeSync.receive(status)),
      calls.on('export', (progress) => this.#withDeferred((on) => on.tradeExport.receive(progress))),
      calls.on('menu', (event) => actOnMenu(this, event.do)),
      calls.on('quitting', () => void this.#saveAll()),
      calls.on('file', (file) => this.#file(file)),
      calls.on('import', (progress) => this.#withDeferred((on) => on.tradeImport.receive(progress))),
    );
    this.ready = Promise.all([this.settings.load(), this.reload()]);
    return () => {
      for (const end of this.#ends.splice(0)) end();
    };
  }

  /** Reads the session, and its connection's data if the connection changed. */
  async reload(): Promise<void> {
    const session = this.session.load();
    // Requested at the same time, so that a start waits for one round trip.
    const feeds = feedReplies(this.calls);
    await session;
    await this.#follow(feeds);
  }

  async selectConnection(connectionId: string): Promise<void> {
    if (this.navigation.beforeLeaving === null) await this.#select(connectionId);
    else this.navigation.leave(() => void this.#select(connectionId));
  }
  async #select(connectionId: string): Promise<void> {
    // The archive that keeps them closes with the open connection.
    await this.#deferred?.notes.settled();
    const result = await this.session.select(connectionId);
    if (result.ok) void this.#follow();
    else this.notices.fail(result.failure);
  }

  /** Locks as set in the settings, or as given. No confirmation; unlocking has one (frame/UnlockDialog). */
  async lock(
    lock: 'orders' | 'secret' = this.settings.value.unloadSecretOnLock ? 'secret' : 'orders',
  ): Promise<void> {
    const result = await this.session.setLock(lock);
    if (!result.ok) this.notices.fail(result.failure);
  }

  /** Changes settings and returns whether they were changed; a failure is shown as a notice. */
  async changeSettings(part: Partial<SettingValues>): Promise<boolean> {
    const result = await this.settings.change(part);
    if (!result.ok) this.notices.fail(result.failure);
    return result.ok;
  }

  /** Makes a call that the user asked for; a failure is shown as a notice. */
  async run<K extends CallName>(name: K, input: CallInput<K>): Promise<Result<CallResult<K>>> {
    const result = await this.calls.call(name, input);
    if (!result.ok) this.notices.fail(result.failure);
    return result;
  }

  /** Another quit, after one that was called off, ends what the first waits for: its report would be taken for this one's. */
  async #saveAll(): Promise<void> {
    const quit = ++this.#quits;
    const notes = this.#deferred?.notes;
    // Text of a connection that was removed since has no archive to go to.
    const unsaved = (): number => notes?.unsavedIn(this.session.connections.map(({ id }) => id)) ?? 0;
    const report = (isOver: boolean) => this.calls.call('app.saved', { unsaved: unsaved(), isOver });
    if (unsaved() > 0) void report(false);
    await notes?.settled();
    if (quit === this.#quits) await report(true);
  }

  /** Runs at once if the deferred state is loaded, else as soon as it is, so that no event is lost. */
  #withDeferred(work: (deferred: DeferredState) => void): void {
    if (this.#deferred !== null) work(this.#deferred);
    // The ticket's place shows a failure to load it.
    else this.deferred().then(work, () => undefined);
  }

  /**
   * Switches to the open connection, and to another account of it: nothing of the previous one stays. `feeds`: requests
   * already under way. Resolves with their replies.
   */
  #follow(feeds?: FeedReplies): Promise<void> {
    const { activeId: id, account } = this.session;
    if (id === null) return Promise.resolve();
    const before = this.#followed;
    if (before?.id === id && (account ?? before.account) === (before.account ?? account)) {
      before.account ??= account;
      return Promise.resolve();
    }
    this.#followed = { id, account };
    this.navigation.reset();
    this.riskInput.follow(id);
    this.specs.follow(id);
    const fed = this.feeds.follow(id, feeds);
    void this.intents.follow(id);
    void this.day.follow(id);
    void this.alerts.follow(id);
    void this.systemCloses.follow(id);
    void this.tradeSync.follow(id);
    this.#deferred?.follow(id);
    if (this.#waitingFile !== null) this.#file(this.#waitingFile);
    return fed;
  }

  /** Imports a CSV opened by the operating system as a batch draft. */
  #file(file: OpenedFile): void {
    this.#waitingFile = this.#followed === null ? file : null;
    if (this.#followed === null) return;
    if ('failure' in file) {
      this.notices.fail(file.failure);
      return;
    }
    this.navigation.go('batch');
    this.#withDeferred(({ batch }) => {
      batch.view = 'draft';
      // The batch screen shows why a file cannot be imported.
      if (batch.draft.import(file.name, file.text))
        this.notices.push('info', `${file.name} opened as a batch`, 'Nothing is sent before you review it.');
    });
  }

  #intent(record: IntentRecord): void {
    const before = this.intents.records.get(record.id)?.state;
    this.intents.receive(record);
    if (record.connectionId !== this.session.activeId || before === record.state) return;
    this.#withDeferred(({ review, toasts, ticket }) => {
      review.follow(record);
      toasts.receive(record);
      ticket.resolve(record);
    });
  }
}

export const [useApp, provideApp] = createContext<AppState>();
