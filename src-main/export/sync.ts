/** Syncs the archive from the exchange once, without polling, and reports the outcome. */
import type { Failure } from '../../src-shared/ipc/failures.ts';
import type { SyncStatus } from '../../src-shared/ipc/trades.ts';
import type { MonotonicClock, Timers } from '../../src-shared/time.ts';
import type { Archive } from '../archive/archive.ts';
import type { ExchangeClient } from '../exchange/client.ts';
import type { RateLimit } from '../exchange/rate-limit.ts';
import { ArchiveSync } from '../sync/archive-sync.ts';
import { LIVE_REST_MS } from '../sync/passes.ts';
import { RequestLimiter } from '../sync/request-limiter.ts';

export interface SyncEnd {
  readonly status: SyncStatus;
  /** Trades and orders were both verified as complete. */
  readonly complete: boolean;
  /** Why it stopped early; null when it was ended from outside. */
  readonly failure: Failure | null;
}

export interface SyncPorts {
  /** Reads only. */
  readonly client: Pick<ExchangeClient, 'symbolConfig' | 'orderHistory' | 'trades' | 'clockOffsetMs'>;
  /** The client's own. */
  readonly limit: RateLimit;
  readonly archive: Archive;
  readonly contracts: readonly string[];
  readonly clock: MonotonicClock;
  readonly timers: Timers;
  /** How long to retry while the exchange fails, ms. */
  readonly waitMs: number;
  /** Whether the exchange is on this computer, where no pause between pages is needed. */
  readonly isLocal: boolean;
  readonly onStatus: (status: SyncStatus) => void;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

/** Failures that a retry does not change. */
const FINAL = new Set<Failure['kind']>(['rejected', 'blocked', 'unreadable', 'file', 'bug']);

/** Reads trades and orders into the archive until both are verified, or until a failure that waiting does not end. */
export async function fill(ports: SyncPorts): Promise<SyncEnd> {
  const { clock, timers, archive, client } = ports;
  const sync = new ArchiveSync({
    client,
    archive,
    connectionId: 'export',
    limiter: new RequestLimiter(ports.limit, clock),
    clock,
    timers,
    listed: () => ports.contracts,
    restMs: ports.isLocal ? 0 : LIVE_REST_MS,
    onStatus: (status) => handleStatus(status),
  });
  let failingSince: number | null = null;
  let finish: (end: SyncEnd) => void = () => undefined;
  const ended = new Promise<SyncEnd>((resolve) => (finish = resolve));

  function handleStatus(status: SyncStatus): void {
    const { orders } = status;
    const { limit } = ports;
    // While nothing may be read, the sync only waits and has no failure.
    const failure = status.failure ?? orders.failure ?? limit.failure(clock.now());
    ports.onStatus({ ...status, failure });
    if (status.state === 'complete' && orders.state === 'complete')
      return finish({ status, complete: true, failure: null });
    if (failure === null) {
      failingSince = null;
      return;
    }
    failingSince ??= clock.mono();
    // Only the user ends a ban, in the window.
    const isBanned = !Number.isFinite(limit.until(clock.now()));
    if (FINAL.has(failure.kind) || isBanned || clock.mono() - failingSince >= ports.waitMs)
      finish({ status, complete: false, failure });
  }
  /** Checks the deadline between reports: a failure is reported once, then nothing until the next try. */
  function watch(): void {
    handleStatus(sync.status());
    again = timers.after(1_000, watch);
  }
  let again = timers.after(1_000, watch);
  ports.signal.addEventListener('abort', () =>
    finish({ status: sync.status(), complete: false, failure: null }),
  );
  if (ports.signal.aborted) finish({ status: sync.status(), complete: false, failure: null });
  else sync.start();
  try {
    return await ended;
  } finally {
    again();
    await sync.stop();
  }
}
