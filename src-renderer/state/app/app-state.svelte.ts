import { createContext } from 'svelte';
import type { Calls } from '../../bridge.ts';
import { Backups } from '../settings/backups.svelte.ts';
import { Batch } from '../batch/batch.svelte.ts';
import { Alerts } from '../alerts/alerts.svelte.ts';
import { playTone } from './alert-sound.ts';
import { Clock, type TimeSource } from '../runtime/clock.svelte.ts';
import { ClosePositions } from '../close/close-positions.svelte.ts';
import { ClosePosition } from '../close/close.svelte.ts';
import { Commands } from './commands.svelte.ts';
import { ConventionFit } from '../account/tier-convention.svelte.ts';
import { Feeds } from '../account/feeds.svelte.ts';
import { ProfitFindings } from '../account/profit-finding.svelte.ts';
import { Help } from './help.svelte.ts';
import { Intents } from '../order/intents.svelte.ts';
import { SpecsStore } from '../account/contract-specs.svelte.ts';
import { actOnMenu } from './menu-actions.ts';
import { Navigation } from '../session/navigation.svelte.ts';
import { Notices } from '../session/notices.svelte.ts';
import { OrderToasts } from '../order/order-toasts.svelte.ts';
import { FrameQueue } from '../runtime/frame-queue.ts';
import { RiskInput } from '../risk/risk-input.svelte.ts';
import { Review } from '../order/review.svelte.ts';
import { Session } from '../session/session.svelte.ts';
import { type RatioUnits, ratioUnits } from '../../../src-shared/domain/margin/ratio-unit.ts';
import { Settings } from '../session/settings.svelte.ts';
import { Ticket } from '../ticket/ticket.svelte.ts';
import { SystemCloses } from '../account/system-closes.svelte.ts';
import { TradeExport } from '../trades/export.svelte.ts';
import { TradeImport } from '../trades/import.svelte.ts';
import { TradeLog } from '../trades/log.svelte.ts';
import { TradeSync } from '../trades/sync.svelte.ts';
import { Updates } from '../settings/updates.svelte.ts';
import type { BatchProgress } from '../../../src-shared/ipc/batch.ts';
import { leftText } from '../../../src-shared/domain/display/time-left.ts';
import type { OpenedFile } from '../../../src-shared/ipc/calls-app.ts';
import type { SessionState } from '../../../src-shared/ipc/calls.ts';
import type { Result } from '../../../src-shared/ipc/failures.ts';
import type { Feeds as AllFeeds } from '../../../src-shared/ipc/feeds.ts';
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';

/** All shared state of the window, built once in main.ts; components get it by `useApp()`. */
export class AppState {
  readonly calls: Calls;
  readonly clock: Clock;
  readonly session: Session;
  readonly settings: Settings;
  readonly feeds: Feeds;
  readonly intents: Intents;
  readonly specs: SpecsStore;
  readonly fit: ConventionFit;
  readonly navigation: Navigation;
  readonly notices: Notices;
  /** Outcome toasts of the orders sent in this run. */
  readonly toasts: OrderToasts;
  readonly alerts: Alerts;
  readonly commands: Commands;
  readonly systemCloses: SystemCloses;
  readonly tradeSync: TradeSync;
  readonly profit: ProfitFindings;
  readonly tradeLog: TradeLog;
  readonly tradeExport: TradeExport;
  readonly tradeImport: TradeImport;
  readonly review: Review;
  readonly ticket: Ticket;
  readonly close: ClosePosition;
  readonly closePositions: ClosePositions;
  readonly batch: Batch;
  readonly riskInput = new RiskInput();
  readonly help: Help;
  readonly updates: Updates;
  readonly backups: Backups;
  /** Resolves when the settings, the session and its connection's data are loaded. */
  ready: Promise<unknown> = Promise.resolve();
  #followed: string | null = null;
  /** A file opened before a connection was followed: following one would clear the batch it belongs to. */
  #waitingFile: OpenedFile | null = null;

  constructor(calls: Calls, time: TimeSource) {
    this.calls = calls;
    this.clock = new Clock(time);
    this.session = new Session(calls);
    this.settings = new Settings(calls);
    this.feeds = new Feeds(calls, this.clock);
    this.intents = new Intents(calls);
    this.specs = new SpecsStore(calls, this.clock, this.feeds, this.settings);
    this.fit = new ConventionFit(this);
    this.navigation = new Navigation(this.settings);
    this.notices = new Notices(time);
    this.alerts = new Alerts({
      calls,
      notices: this.notices,
      navigation: this.navigation,
      playTone,
      isOwn: (orderId) => this.intents.list.some((one) => one.orderId === orderId),
    });
    this.commands = new Commands();
    this.updates = new Updates(calls, this.notices);
    this.backups = new Backups(calls);
    this.systemCloses = new SystemCloses(calls, this.feeds);
    this.tradeSync = new TradeSync(calls);
    this.profit = new ProfitFindings(this);
    this.tradeLog = new TradeLog(calls, this.clock, this.settings);
    this.tradeExport = new TradeExport(calls, this.clock, this.settings, this.tradeLog, this.notices);
    this.tradeImport = new TradeImport(calls);
    this.review = new Review(calls, this);
    this.toasts = new OrderToasts({ intents: this.intents, feeds: this.feeds, review: this.review, time });
    this.ticket = new Ticket(this);
    this.close = new ClosePosition(this);
    this.closePositions = new ClosePositions(this);
    this.batch = new Batch(calls, this);
    this.help = new Help(this.session, this.settings);
  }

  /** The value of the exchange's rates that means 100 %, inferred or set. */
  readonly ratioUnits: RatioUnits = $derived.by(() =>
    ratioUnits(this.feeds.account.value, this.session.active?.settings.ratioUnit),
  );
  /** Why nothing can be sent now, by session and account feed; null when it can. */
  readonly sendingOff: string | null = $derived.by(() => {
    const off = this.session.tradingOff;
    if (off !== null) return off;
    const { pause } = this.feeds;
    if (pause === 'resumed') return 'The exchange has blocked this IP address';
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
    const ends = [
      this.clock.start(),
      this.fit.start(),
      this.profit.start(),
      calls.on('session', (state) => this.#session(state)),
      calls.on('settings', (values) => this.settings.take(values)),
      calls.on('feed', (update) => {
        polls.add(`${update.connectionId} ${update.name}`, () => this.feeds.receive(update));
        // In the same frame, unless the poll of a large account takes all of it.
        if (update.name === 'account') polls.add('clock', () => this.clock.tickWithPoll());
      }),
      calls.on('clock', ({ connectionId, offsetMs }) => this.feeds.receiveClock(connectionId, offsetMs)),
      calls.on('pause', ({ connectionId, until }) => this.feeds.receivePause(connectionId, until)),
      calls.on('drift', (drift) => (this.feeds.drift = drift)),
      calls.on('intent', (record) => this.#intent(record)),
      calls.on('journal', ({ connectionId }) => void this.intents.reload(connectionId)),
      calls.on('batch', (progress) => this.#batch(progress)),
      calls.on('alert', (update) => this.alerts.receive(update)),
      calls.on('notice', ({ message, next, stays }) => this.notices.push('warn', message, next, stays)),
      calls.on('updates', (state) => this.updates.receive(state)),
      calls.on('backup', (state) => this.backups.receive(state)),
      calls.on('sync', (status) => this.tradeSync.receive(status)),
      calls.on('export', (progress) => this.tradeExport.receive(progress)),
      calls.on('menu', (event) => actOnMenu(this, event.do)),
      calls.on('file', (file) => this.#file(file)),
      calls.on('import', (progress) => this.tradeImport.receive(progress)),
    ];
    this.ready = Promise.all([this.settings.load(), this.reload()]);
    return () => {
      for (const end of ends) end();
    };
  }

  /** Reads the session, and its connection's data if the connection changed. */
  async reload(): Promise<void> {
    const session = this.session.load();
    // Requested at the same time, so that a start waits for one round trip.
    const feeds = this.calls.call('feeds.get', undefined);
    await session;
    await this.#follow(feeds);
  }

  async selectConnection(connectionId: string): Promise<void> {
    const result = await this.session.select(connectionId);
    if (result.ok) void this.#follow();
    else this.notices.fail(result.failure);
  }

  /** Locks as set in the settings, or as given. No confirmation; unlocking has one (frame/UnlockDialog). */
  async lock(lock: 'orders' | 'key' = this.settings.value.lockLetsKeyGo ? 'key' : 'orders'): Promise<void> {
    const result = await this.session.setLock(lock);
    if (!result.ok) this.notices.fail(result.failure);
  }

  #session(state: SessionState): void {
    this.session.replace(state);
    void this.#follow();
  }

  /** Switches to the open connection. `feeds`: a request for its feeds already under way. Resolves with the reply. */
  #follow(feeds?: Promise<Result<AllFeeds>>): Promise<void> {
    const id = this.session.activeId;
    if (id === null || id === this.#followed) return Promise.resolve();
    this.#followed = id;
    this.navigation.reset();
    this.review.close();
    this.toasts.reset();
    this.ticket.reset();
    this.close.cancel();
    this.closePositions.reset();
    this.batch.follow(id);
    this.riskInput.reset();
    this.specs.follow(id);
    const fed = this.feeds.follow(id, feeds);
    void this.intents.follow(id);
    void this.alerts.follow(id);
    void this.systemCloses.follow(id);
    void this.tradeSync.follow(id);
    this.tradeLog.follow(id);
    this.tradeExport.follow(id);
    this.tradeImport.follow(id);
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
    this.batch.view = 'draft';
    // The batch screen shows why a file cannot be imported.
    if (this.batch.draft.import(file.name, file.text))
      this.notices.push('info', `${file.name} opened as a batch`, 'Nothing is sent before you review it.');
  }

  #intent(record: IntentRecord): void {
    const before = this.intents.records.get(record.id)?.state;
    this.intents.receive(record);
    if (record.connectionId !== this.session.activeId || before === record.state) return;
    this.toasts.receive(record);
    this.ticket.resolve(record);
  }

  #batch(progress: BatchProgress): void {
    this.batch.sent.receive(progress);
    if (progress.connectionId !== this.session.activeId || progress.state === 'sending') return;
    const sent = `${progress.sent} of ${progress.rows} rows sent`;
    const { stoppedBy } = progress;
    if (stoppedBy === null)
      this.notices.push('info', `Batch: ${sent}`, 'Batch shows the outcome of each row.');
    else this.notices.push('warn', `Batch stopped: ${sent}`, `${stoppedBy.message} ${stoppedBy.next}`);
  }
}

export const [useApp, provideApp] = createContext<AppState>();
