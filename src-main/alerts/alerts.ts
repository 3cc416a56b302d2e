/**
 * Evaluates the alert rules for every connection that is read, with or without a visible window: after each feed read
 * and once a second. An alert is logged, then reported to the window and the desktop.
 */
import type {
  AlertList,
  AlertRecord,
  AlertSettings,
  AlertStatus,
  AlertTest,
  AlertUpdate,
  DesktopOutcome,
} from '../../src-shared/ipc/alerts.ts';
import type { ConnectionSummary } from '../../src-shared/ipc/connections.ts';
import { done, failed, type Result } from '../../src-shared/ipc/failures.ts';
import type { Feeds } from '../../src-shared/ipc/feeds.ts';
import type { IntentRecord } from '../../src-shared/ipc/orders.ts';
import type { Settings } from '../../src-shared/ipc/settings.ts';
import type { MessageOutcome } from '../../src-shared/ipc/webhooks.ts';
import { withoutAmounts } from '../../src-shared/domain/display/privacy-mask.ts';
import { deliveryOf, isQuiet } from '../../src-shared/domain/alerts/quiet-hours.ts';
import type { Level } from '../../src-shared/domain/alerts/hysteresis.ts';
import { isOpen } from '../../src-shared/domain/alerts/open.ts';
import { type Alert, CRITICAL_RULES } from '../../src-shared/domain/alerts/rules.ts';
import { NOTHING_MONITORED, worstState, type WorstState } from '../../src-shared/domain/alerts/worst.ts';
import { type AlertState, FIRST_STATE, evaluate } from '../../src-shared/domain/alerts/evaluate.ts';
import { type Clock, DAY_MS, type Timers } from '../../src-shared/time.ts';
import type { Journal } from '../orders/journal/journal.ts';
import { notOpen } from '../session/failures.ts';
import { timeZoneOf } from '../session/settings.ts';
import type { Message } from '../webhooks/requests.ts';
import { type AlertFile, alertsInMemory } from './alert-file.ts';
import { observe, unknownOutcomes } from './observe.ts';

/** The part of a connection that alerts need. */
export interface WatchedConnection {
  readonly id: string;
  readonly feeds: { all(): Pick<Feeds, 'account' | 'openOrders' | 'history'> };
}
export interface DesktopNote {
  readonly title: string;
  readonly body: string;
  readonly clicked: () => void;
}

export interface AlertPorts {
  readonly session: {
    current(): WatchedConnection | null;
    /** Returns the open connection, after waiting for a connection that is being opened. */
    opened(): Promise<WatchedConnection | null>;
    summary(id: string): ConnectionSummary | null;
  };
  /** The accounts that are read beside the open connection. */
  readonly portfolio: { readers(): readonly WatchedConnection[] };
  /** Opens the alert log of the connection's account. */
  readonly file: (summary: ConnectionSummary) => Promise<AlertFile>;
  readonly journal: Pick<Journal, 'list'>;
  readonly settings: () => Settings;
  readonly push: (update: AlertUpdate) => void;
  /** Shows a desktop notification. */
  readonly desktop: (note: DesktopNote) => Promise<DesktopOutcome>;
  /** Called with the worst state, often with the same. */
  readonly worst: (state: WorstState) => void;
  /** Sends a message to the webhooks that want it; `changed` is called with each outcome. */
  readonly message: (message: Message, quiet: boolean, changed: (outcome: MessageOutcome) => void) => void;
  readonly notice: (message: string, next: string) => void;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly newId: () => string;
}

const TICK_MS = 1_000;
/** Evaluated later than this after the time before, the computer slept, or its clock was set. */
const GAP_MS = 15_000;

interface Watching {
  readonly connection: WatchedConnection;
  readonly summary: ConnectionSummary;
  readonly file: AlertFile;
  state: AlertState;
  status: AlertStatus;
  /** Intents of unknown outcome, by id. */
  readonly unknown: Map<string, IntentRecord>;
  since: number;
}

export class Alerts {
  readonly #ports: AlertPorts;
  readonly #watching = new Map<WatchedConnection, Watching>();
  /** Connections whose log is being read or was read. */
  readonly #following = new Map<WatchedConnection, Promise<void>>();
  #cancelTick: (() => void) | null = null;
  #evaluatedAt: number;
  /** The last write of the log failed. */
  #unwritten = false;
  /** The last desktop notification was rejected. */
  #unshown = false;
  /** Webhooks whose last message was not delivered. */
  readonly #undelivered = new Set<string>();

  constructor(ports: AlertPorts) {
    this.#ports = ports;
    this.#evaluatedAt = ports.clock.now();
  }

  start(): void {
    this.#evaluatedAt = this.#ports.clock.now();
    this.#tick();
  }
  stop(): void {
    this.#cancelTick?.();
    this.#cancelTick = null;
  }
  /** Evaluates the rules; called after each feed read. */
  evaluate(): void {
    this.#countFromNowAfterGap();
    const { session, portfolio } = this.#ports;
    const watched = [session.current(), ...portfolio.readers()].filter((one) => one !== null);
    for (const connection of this.#following.keys())
      if (!watched.includes(connection)) {
        this.#following.delete(connection);
        this.#watching.delete(connection);
      }
    for (const connection of watched) {
      const one = this.#watching.get(connection);
      if (one === undefined) void this.#follow(connection);
      else this.#evaluate(one);
    }
    this.#reportWorst();
  }
  intentChanged(record: IntentRecord): void {
    const one = [...this.#watching.values()].find(({ summary }) => summary.id === record.connectionId);
    if (one === undefined) return;
    const before = one.unknown.has(record.id);
    if (record.state === 'unknown') one.unknown.set(record.id, record);
    else one.unknown.delete(record.id);
    if (before !== one.unknown.has(record.id)) this.evaluate();
  }
  list(connectionId: string): Promise<Result<AlertList>> {
    return this.#withOpen(connectionId, ({ file, status }) => ({
      connectionId,
      records: [...file.records].reverse(),
      ...status,
    }));
  }
  /** Acknowledges one alert, or every open one when `id` is null. */
  async acknowledge(connectionId: string, id: string | null): Promise<Result<readonly AlertRecord[]>> {
    const result = await this.#withOpen(connectionId, async ({ file, status }) => {
      const open = file.records.filter((one) => isOpen(one, status.raised));
      const ids = id === null ? open.map((one) => one.id) : [id];
      try {
        const changed = await file.acknowledge(new Set(ids), this.#ports.clock.now());
        this.#reportWorst();
        return done(changed);
      } catch {
        return failed({
          kind: 'file',
          message: 'The acknowledgement could not be saved.',
          next: 'The alert stays open. Free up disk space, then acknowledge it again.',
        });
      }
    });
    return result.ok ? result.data : result;
  }
  /** Shows a test notification the way an alert is shown. */
  async test(): Promise<AlertTest> {
    const connection = await this.#ports.session.opened();
    const summary = connection === null ? null : this.#ports.session.summary(connection.id);
    return {
      desktop: await this.#showOnDesktop(
        `${summary === null ? 'Ballast' : badgeOf(summary)}: test notification`,
        'Alerts of this connection look like this.',
        () => undefined,
      ),
    };
  }

  #tick(): void {
    // Before the rules, so that a defect of one does not end all of them.
    this.#cancelTick = this.#ports.timers.after(TICK_MS, () => this.#tick());
    this.evaluate();
  }
  /** The account was not read while the computer slept, and a time ahead would silence the alert until it comes. */
  #countFromNowAfterGap(): void {
    const now = this.#ports.clock.now();
    const isGap = Math.abs(now - this.#evaluatedAt) > GAP_MS;
    this.#evaluatedAt = now;
    if (isGap) for (const one of this.#watching.values()) one.since = now;
  }

  /** Reads the log of a newly watched connection and resumes from its newest alerts. */
  #follow(connection: WatchedConnection): Promise<void> {
    const following = this.#following.get(connection);
    if (following !== undefined) return following;
    const ready = this.#begin(connection);
    this.#following.set(connection, ready);
    return ready;
  }
  async #begin(connection: WatchedConnection): Promise<void> {
    const summary = this.#ports.session.summary(connection.id);
    if (summary === null) return;
    let file: AlertFile;
    try {
      file = await this.#ports.file(summary);
    } catch {
      this.#ports.notice(
        'The alert log could not be read.',
        'Alerts still appear but are not saved. Check the profile folder, then restart Ballast.',
      );
      file = alertsInMemory();
    }
    if (!this.#following.has(connection)) return;
    const unknown = this.#ports.journal.list(connection.id).filter((one) => one.state === 'unknown');
    const watching: Watching = {
      connection,
      summary,
      file,
      state: { ...FIRST_STATE, levels: levelsOf(file.records, this.#ports.clock.now()) },
      status: { raised: [], unmonitored: [] },
      unknown: new Map(unknown.map((one) => [one.id, one])),
      since: this.#ports.clock.now(),
    };
    this.#watching.set(connection, watching);
    this.#evaluate(watching);
  }

  #evaluate(one: Watching): void {
    const now = this.#ports.clock.now();
    const all = this.#ports.settings();
    const settings = all.alerts;
    const unknown = unknownOutcomes(one.unknown.values(), now);
    const seen = {
      ...observe(one.connection.feeds.all(), unknown, now, one.since),
      ratioUnit: this.#ports.session.summary(one.connection.id)?.settings.ratioUnit,
    };
    const { state, alerts, raised, unmonitored } = evaluate(one.state, seen, settings.rules);
    one.state = state;
    const status = { raised, unmonitored };
    if (JSON.stringify(status) !== JSON.stringify(one.status)) {
      one.status = status;
      // Before its alerts: a window that has only these shows them as no longer active.
      this.#ports.push({ do: 'status', connectionId: one.summary.id, status });
    }
    const quiet = isQuiet(settings.quietHours, now, timeZoneOf(all));
    for (const alert of alerts) this.#raise(one, alert, now, settings, quiet);
  }
  #raise(one: Watching, alert: Alert, at: number, settings: AlertSettings, quiet: boolean): void {
    const record: AlertRecord = {
      ...alert,
      id: this.#ports.newId(),
      connectionId: one.summary.id,
      at,
      quiet,
      acknowledgedAt: null,
    };
    one.file.append(record).then(
      () => (this.#unwritten = false),
      () => this.#reportUnwritten(),
    );
    const { notice, desktop, sound } = deliveryOf(alert.rule, settings.rules, settings, quiet);
    this.#ports.push({ do: 'raised', record, notice, sound });
    const account = badgeOf(one.summary);
    const { id, rule, title, text } = record;
    const critical = CRITICAL_RULES.has(rule);
    this.#ports.message({ id, rule, critical, at, account, title, text }, quiet, (outcome) =>
      this.#recordMessage(one, id, outcome),
    );
    if (!desktop) return;
    const clicked = (): void => this.#ports.push({ do: 'open', record });
    this.#showOnDesktop(`${account}: ${title}`, text, clicked).then(
      (outcome) => this.#reportShown(outcome),
      () => this.#reportShown('rejected'),
    );
  }
  #showOnDesktop(title: string, body: string, clicked: () => void): Promise<DesktopOutcome> {
    // With amounts hidden, desktop notifications hide them too: the screen may be shared.
    const shown = this.#ports.settings().privacy ? withoutAmounts : String;
    return this.#ports.desktop({ title: shown(title), body: shown(body), clicked });
  }
  /** The worst of all connections that are read. */
  #reportWorst(): void {
    const all = [...this.#watching.values()];
    const open = all.flatMap(({ file, status }) => file.records.filter((one) => isOpen(one, status.raised)));
    const raised = all.flatMap(({ status }) => status.raised);
    const unmonitored = all.flatMap(({ status }) => status.unmonitored);
    this.#ports.worst(all.length === 0 ? NOTHING_MONITORED : worstState(open, raised, unmonitored));
  }
  /** Stores the outcome in the log of the alert's connection, which may have been opened again since. */
  #recordMessage(raisedIn: Watching, id: string, outcome: MessageOutcome): void {
    const now = [...this.#watching.values()].find((one) => one.summary.id === raisedIn.summary.id);
    const { file } = now ?? raisedIn;
    file.message(id, outcome).catch(() => this.#reportUnwritten());
    const record = file.records.find((one) => one.id === id);
    if (record !== undefined) this.#ports.push({ do: 'changed', record });
    this.#reportMessage(outcome);
  }
  /** Reports a message that was not delivered once per webhook, until one is: the user counts on it. */
  #reportMessage({ webhookId, name, state, why }: MessageOutcome): void {
    if (state === 'delivered') this.#undelivered.delete(webhookId);
    if (state !== 'failed' || this.#undelivered.has(webhookId)) return;
    this.#undelivered.add(webhookId);
    this.#ports.notice(`A message to ${name} was not delivered.`, `${why} See Settings › When away.`);
  }
  /** Reports a rejected notification once, until one is shown again: the user must know the desktop is silent. */
  #reportShown(outcome: DesktopOutcome): void {
    if (outcome === 'rejected' && !this.#unshown)
      this.#ports.notice(
        'The system rejected a desktop notification.',
        'Alerts appear only in this window. Allow notifications from Ballast in your system settings.',
      );
    this.#unshown = outcome === 'rejected';
  }
  /** Reports a failed log write once, until one succeeds, so a full disk does not bury the alerts. */
  #reportUnwritten(): void {
    if (this.#unwritten) return;
    this.#unwritten = true;
    this.#ports.notice(
      'An alert could not be saved.',
      'It was shown but will be gone after a restart. Free up disk space.',
    );
  }

  /** Runs `use` on the open connection once its log is read. */
  async #withOpen<T>(id: string, use: (one: Watching) => T | Promise<T>): Promise<Result<T>> {
    const connection = await this.#ports.session.opened();
    if (connection?.id === id) await this.#follow(connection);
    // Another connection may have been opened while the log was read.
    const one = connection?.id === id ? this.#watching.get(connection) : undefined;
    return one === undefined ? notOpen() : done(await use(one));
  }
}

/** Names the account in front of every notification title. */
const badgeOf = ({ kind, settings }: ConnectionSummary): string =>
  kind === 'practice' ? 'PRACTICE' : `LIVE ${settings.name}`;

/**
 * Restores the levels from the log, so an alert does not fire again right after a restart. One of more than a day ago may
 * have ended since, which no line says: it counts as ended, or one that fires once would never fire again.
 */
function levelsOf(records: readonly AlertRecord[], now: number): ReadonlyMap<string, Level> {
  return new Map(records.map(({ key, at }) => [key, { raised: now - at < DAY_MS, lastFiredAt: at }]));
}
