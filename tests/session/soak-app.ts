/**
 * Composes the app's main-process modules as `index.ts` does (journal, order service, an open connection with its
 * polls, archive thread and reconciler), on a manual clock. After a kill nothing of it acts or writes.
 */
import { Worker } from 'node:worker_threads';
import type { ConnectionSettings, ConnectionSummary } from '../../src-shared/ipc/connections.ts';
import type { IntentRecord, OrderIntent } from '../../src-shared/ipc/orders.ts';
import type { Result } from '../../src-shared/ipc/failures.ts';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/default-settings.ts';
import { openArchive } from '../../src-main/archive/archive.ts';
import { orderServiceOf } from '../orders/simple-order-service.ts';
import { orderFailure } from '../../src-main/orders/send/order-failure.ts';
import { journalFile } from '../../src-main/orders/journal/file.ts';
import { openJournal, type Journal } from '../../src-main/orders/journal/journal.ts';
import type { ManualTime } from '../shared/manual-time.ts';
import { rateLimits } from '../../src-main/exchange/rate-limit.ts';
import { connectionClient } from '../../src-main/session/connection-client.ts';
import { LiveConnection } from '../../src-main/session/live-connection.ts';
import { PRACTICE_ID, practiceSettings } from '../../src-main/session/stored.ts';

/** Id of a live connection. */
export const LIVE_ID = 'live';

export interface SoakApp {
  readonly summary: ConnectionSummary;
  readonly journal: Journal;
  readonly connection: LiveConnection;
  send(intent: OrderIntent): Promise<Result<IntentRecord>>;
  /** Ends cleanly, as quitting does. */
  close(): Promise<void>;
  /** Ends like SIGKILL: no timer, thread or write from now on. */
  kill(): Promise<void>;
}

export interface SoakPlace {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  readonly journal: string;
  readonly archive: string;
  /** Settings of a live connection to it, with the checks of the ticket; by default the practice connection. */
  readonly live?: ConnectionSettings;
}

/** Counts operations in flight, during which time stands still. */
export class InFlightCount {
  count = 0;
  async of<T>(work: Promise<T>): Promise<T> {
    this.count++;
    try {
      return await work;
    } finally {
      this.count--;
    }
  }
  /** The same object with the promises of its methods counted. */
  all<T extends object>(whole: T): T {
    return new Proxy(whole, {
      get: (target, name): unknown => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...input: unknown[]): unknown => {
          const result: unknown = Reflect.apply(value, target, input);
          return result instanceof Promise ? this.of(result) : result;
        };
      },
    });
  }
}

/** Timers of one app, which end with it. */
function ownTimers(time: ManualTime) {
  const cancels = new Set<() => void>();
  return {
    after(ms: number, run: () => void): () => void {
      const stop = time.after(ms, () => {
        cancels.delete(stop);
        run();
      });
      cancels.add(stop);
      return () => {
        cancels.delete(stop);
        stop();
      };
    },
    end() {
      for (const stop of cancels) stop();
      cancels.clear();
    },
  };
}

let ids = 0;
const nothing = (): void => undefined;

export async function startSoakApp(
  place: SoakPlace,
  time: ManualTime,
  inFlight: InFlightCount,
): Promise<SoakApp> {
  let dead = false;
  const workers: Worker[] = [];
  const timers = ownTimers(time);
  const disk = journalFile(place.journal);
  const journal = await openJournal({
    read: () => disk.read(),
    append: (text) => (dead ? new Promise(nothing) : inFlight.of(disk.append(text))),
  });
  const { live } = place;
  const summary: ConnectionSummary = {
    ...(live === undefined
      ? { id: PRACTICE_ID, kind: 'practice', settings: practiceSettings(place.url, place.key) }
      : { id: LIVE_ID, kind: 'live', settings: live }),
    ...{ secret: 'memory', verified: true, createdAt: 0 },
  };
  const limitOf = rateLimits(time.mono);
  const connection = new LiveConnection(
    summary,
    { secret: place.secret, headers: {} },
    {
      ...{ clock: time, timers, journal, limitOf },
      ...{
        push: nothing,
        feedRead: nothing,
        intentChanged: nothing,
        verified: nothing,
        otherAccount: nothing,
      },
      notice: nothing,
      isWindowHidden: () => false,
      accountOf: () => ({ address: 'soak', key: '', uid: null }),
      connectionIds: () => [PRACTICE_ID],
      client: ({ settings }, secret, onDrift) =>
        inFlight.all(
          connectionClient(settings, secret, { clock: time, limitOf, redact: () => nothing, onDrift }),
        ),
      async openArchive() {
        const opened = await openArchive({
          file: place.archive,
          connectionId: summary.id,
          clock: time,
          spawn(entry, options) {
            const worker = new Worker(entry, options);
            workers.push(worker);
            return worker;
          },
        });
        return opened.ok ? { ok: true, data: inFlight.all(opened.data) } : opened;
      },
    },
  );
  const orders = orderServiceOf({
    journal,
    connection: () => ({
      summary,
      send: (endpoint, body, kind) => connection.client.send(endpoint, body, kind),
      knownOrderIds: (symbolId) => connection.knownOrderIds(symbolId),
      clockOffsetMs: () => connection.client.clockOffsetMs(),
      position: (symbolId) => connection.position(symbolId),
      mayHold: () => true,
      account: () => connection.account(),
      pauseFailure: () => connection.pauseFailure(),
      orderFailure: (intent) =>
        live === undefined
          ? null
          : orderFailure(intent, {
              summary,
              feeds: connection.feeds.all(),
              settings: DEFAULT_SETTINGS,
              day: null,
              now: time.now(),
            }),
    }),
    clock: time,
    newId: () => `soak-${String(++ids)}`,
    changed(record) {
      if (record.state === 'unknown') connection.reconciler.reconcile(record.symbolId);
    },
  });
  await orders.recover();
  return {
    summary,
    journal,
    connection,
    async send(intent) {
      const review = orders.review(intent);
      // An earlier unknown outcome holds the symbol: the confirmation is typed, as by an informed user.
      return review.ok ? orders.send(review.data.token, intent.request.symbolId) : review;
    },
    close: () => connection.close(),
    async kill() {
      dead = true;
      timers.end();
      connection.feeds.stop();
      for (const worker of workers) await worker.terminate();
      // The system would close its sockets.
      await connection.client.close();
    },
  };
}
