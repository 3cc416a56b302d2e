/**
 * Evaluates the alert rules for the open connection, with or without a visible window: after each feed read and once a
 * second. An alert is logged, then reported to the window and the desktop.
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
import { denied, done, failed, type Result } from '../../src-shared/ipc/failures.ts';
import type { Feeds } from '../../src-shared/ipc/feeds.ts';
import type { IntentRecord } from '../../src-shared/ipc/orders.ts';
import { deliveryOf, isQuiet } from '../../src-shared/domain/alerts/quiet-hours.ts';
import type { Level } from '../../src-shared/domain/alerts/hysteresis.ts';
import type { Alert } from '../../src-shared/domain/alerts/rules.ts';
import { type AlertState, FIRST_STATE, evaluate } from '../../src-shared/domain/alerts/evaluate.ts';
import type { AlertFile } from './alert-file.ts';
import { observe, unknownOutcomes } from './observe.ts';

/** The part of the connection in use that alerts need. */
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
  readonly current: () => WatchedConnection | null;
  /** Returns the same, after waiting for a connection that is being opened. */
  readonly opened: () => Promise<WatchedConnection | null>;
  readonly summary: (id: string) => ConnectionSummary | null;
  /** Opens the connection's alert log. */
  readonly file: (summary: ConnectionSummary) => Promise<AlertFile>;
  /** Returns the intents of the connection's journal. */
  readonly intents: (connectionId: string) => readonly IntentRecord[];
  readonly settings: () => AlertSettings;
  /** IANA name. */
  readonly timeZone: () => string;
  readonly push: (update: AlertUpdate) => void;
  /** Shows a desktop notification. */
  readonly desktop: (note: DesktopNote) => Promise<DesktopOutcome>;
  readonly notice: (message: string, next: string) => void;
  readonly clock: { now(): number };
  readonly timers: { after(ms: number, run: () => void): () => void };
  readonly newId: () => string;
}

export interface Alerts {
  start(): void;
  stop(): void;
  /** Evaluates the rules; called after each feed read. */
  evaluate(): void;
  intentChanged(record: IntentRecord): void;
  list(connectionId: string): Promise<Result<AlertList>>;
  /** Acknowledges one alert, or every open one when `id` is null. */
  acknowledge(connectionId: string, id: string | null): Promise<Result<readonly AlertRecord[]>>;
  /** Shows a test notification the way an alert is shown. */
  test(): Promise<AlertTest>;
}

const TICK_MS = 1_000;
/** A tick later than this means the computer slept. */
const SLEPT_MS = 15_000;

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

export function createAlerts(ports: AlertPorts): Alerts {
  const { clock } = ports;
  let watching: Watching | null = null;
  /** The connection whose log is being read or could not be read. */
  let following: { readonly connection: WatchedConnection; readonly ready: Promise<void> } | null = null;
  let cancel: (() => void) | null = null;
  let tickedAt = clock.now();
  let unwritten = false;
  let unshown = false;

  const unknownOf = (id: string): Map<string, IntentRecord> =>
    new Map(
      ports
        .intents(id)
        .filter((one) => one.state === 'unknown')
        .map((one) => [one.id, one]),
    );

  /** Reads the log of a newly opened connection and resumes from its newest alerts. */
  function follow(connection: WatchedConnection): Promise<void> {
    if (following?.connection === connection) return following.ready;
    watching = null;
    const ready = begin(connection);
    following = { connection, ready };
    return ready;
  }
  async function begin(connection: WatchedConnection): Promise<void> {
    const summary = ports.summary(connection.id);
    if (summary === null) return;
    let file: AlertFile;
    try {
      file = await ports.file(summary);
    } catch {
      ports.notice(
        'The alert log could not be read.',
        'Alerts still appear but are not saved. Check the profile folder, then restart Ballast.',
      );
      file = memoryOnly();
    }
    if (following?.connection !== connection) return;
    watching = {
      connection,
      summary,
      file,
      state: { ...FIRST_STATE, levels: levelsOf(file.records) },
      status: { raised: [], blind: [] },
      unknown: unknownOf(connection.id),
      since: clock.now(),
    };
    evaluateNow(watching);
  }

  function evaluateNow(one: Watching): void {
    const now = clock.now();
    const settings = ports.settings();
    const unknown = unknownOutcomes(one.unknown.values(), now);
    const seen = {
      ...observe(one.connection.feeds.all(), unknown, now, one.since),
      ratioUnit: ports.summary(one.connection.id)?.settings.ratioUnit,
    };
    const { state, alerts, raised, blind } = evaluate(one.state, seen, settings.rules);
    one.state = state;
    const quiet = isQuiet(settings.quietHours, now, ports.timeZone());
    for (const alert of alerts) raise(one, alert, now, settings, quiet);
    const status = { raised, blind };
    if (JSON.stringify(status) === JSON.stringify(one.status)) return;
    one.status = status;
    ports.push({ do: 'status', connectionId: one.summary.id, status });
  }

  function raise(one: Watching, alert: Alert, at: number, settings: AlertSettings, quiet: boolean): void {
    const record: AlertRecord = {
      ...alert,
      id: ports.newId(),
      connectionId: one.summary.id,
      at,
      quiet,
      acknowledgedAt: null,
    };
    one.file.append(record).then(
      () => (unwritten = false),
      () => reportUnwritten(),
    );
    const { notice, desktop, sound } = deliveryOf(alert.rule, settings.rules, settings, quiet);
    ports.push({ do: 'raised', record, notice, sound });
    if (!desktop) return;
    const note = { title: `${badgeOf(one.summary)}: ${alert.title}`, body: alert.text };
    const clicked = (): void => ports.push({ do: 'open', record });
    ports.desktop({ ...note, clicked }).then(noteOutcome, () => noteOutcome('refused'));
  }
  /** Reports a refused notification once, until one is shown again: the user must know the desktop is silent. */
  function noteOutcome(outcome: DesktopOutcome): void {
    if (outcome === 'refused' && !unshown)
      ports.notice(
        'The system rejected a desktop notification.',
        'Alerts appear only in this window. Allow notifications from Ballast in your system settings.',
      );
    unshown = outcome === 'refused';
  }
  /** Reports a failed log write once, until one succeeds, so a full disk does not bury the alerts. */
  function reportUnwritten(): void {
    if (unwritten) return;
    unwritten = true;
    ports.notice(
      'An alert could not be saved.',
      'It was shown but will be gone after a restart. Free up disk space.',
    );
  }

  function evaluateOpen(): void {
    const connection = ports.current();
    if (connection === null) {
      watching = null;
      following = null;
    } else if (watching?.connection === connection) evaluateNow(watching);
    else void follow(connection);
  }
  function tick(): void {
    const now = clock.now();
    if (watching !== null && now - tickedAt > SLEPT_MS) watching.since = now;
    tickedAt = now;
    evaluateOpen();
    cancel = ports.timers.after(TICK_MS, tick);
  }

  /** Runs `use` on the open connection once its log is read. */
  async function withOpen<T>(id: string, use: (one: Watching) => T | Promise<T>): Promise<Result<T>> {
    const connection = await ports.opened();
    const isOpen = connection?.id === id;
    if (isOpen) await follow(connection);
    // Another connection may have been opened while the log was read.
    if (!isOpen || watching?.connection !== connection)
      return failed(
        denied('This connection is not open.', 'Select it in the top bar first.', 'connectionId'),
      );
    return done(await use(watching));
  }

  return {
    start() {
      tickedAt = clock.now();
      tick();
    },
    stop() {
      cancel?.();
      cancel = null;
    },
    evaluate: evaluateOpen,
    intentChanged(record) {
      if (watching === null || record.connectionId !== watching.summary.id) return;
      const before = watching.unknown.has(record.id);
      if (record.state === 'unknown') watching.unknown.set(record.id, record);
      else watching.unknown.delete(record.id);
      if (before !== watching.unknown.has(record.id)) evaluateOpen();
    },
    list: (id) =>
      withOpen(id, ({ file, status }) => ({
        connectionId: id,
        records: [...file.records].reverse(),
        ...status,
      })),
    acknowledge: async (id, alertId) => {
      const result = await withOpen(id, async ({ file }) => {
        const ids = alertId === null ? file.records.map((one) => one.id) : [alertId];
        try {
          return done(await file.acknowledge(new Set(ids), clock.now()));
        } catch {
          return failed({
            kind: 'file',
            message: 'The acknowledgement could not be saved.',
            next: 'Free up disk space. Until then the alert reopens after a restart.',
          });
        }
      });
      return result.ok ? result.data : result;
    },
    async test() {
      const connection = ports.current();
      const summary = connection === null ? null : ports.summary(connection.id);
      return {
        desktop: await ports.desktop({
          title: `${summary === null ? 'Ballast' : badgeOf(summary)}: test notification`,
          body: 'Alerts of this connection look like this.',
          clicked: () => undefined,
        }),
      };
    },
  };
}

/** Names the account in front of every notification title. */
const badgeOf = ({ kind, settings }: ConnectionSummary): string =>
  kind === 'practice' ? 'PRACTICE' : `LIVE ${settings.name}`;

/** Restores the levels from the log, so an alert does not fire again right after a restart. */
function levelsOf(records: readonly AlertRecord[]): ReadonlyMap<string, Level> {
  return new Map(records.map(({ key, at }) => [key, { raised: true, lastFiredAt: at }]));
}

/** Keeps alerts in memory when the log file cannot be read. */
function memoryOnly(): AlertFile {
  let records: readonly AlertRecord[] = [];
  return {
    get records() {
      return records;
    },
    damaged: 0,
    append(record) {
      records = [...records, record];
      return Promise.resolve();
    },
    acknowledge(ids, at) {
      const changed = records
        .filter((one) => ids.has(one.id) && one.acknowledgedAt === null)
        .map((one) => ({ ...one, acknowledgedAt: at }));
      records = records.map((one) => changed.find((next) => next.id === one.id) ?? one);
      return Promise.resolve(changed);
    },
  };
}
