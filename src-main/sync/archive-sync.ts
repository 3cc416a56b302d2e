/** Runs trade sync and order sync as one, with one status. */
import type { SyncStatus } from '../../src-shared/ipc/trades.ts';
import type { HistoryOrder } from '../../src-shared/exchange-api/order-history.ts';
import { OrderSync, type OrderSyncPorts } from './order-sync.ts';
import { TradeSync, type TradeSyncPorts, type TradeSyncStatus } from './trade-sync.ts';

export interface ArchiveSyncPorts
  extends
    Omit<TradeSyncPorts, 'client' | 'archive' | 'onStatus'>,
    Pick<OrderSyncPorts, 'listed' | 'onVerified'> {
  readonly client: TradeSyncPorts['client'] & OrderSyncPorts['client'];
  readonly archive: TradeSyncPorts['archive'] & OrderSyncPorts['archive'];
  readonly onStatus: (status: SyncStatus) => void;
}
export class ArchiveSync {
  readonly #trades: TradeSync;
  readonly #orders: OrderSync;
  readonly #throughput = new Throughput();

  constructor(ports: ArchiveSyncPorts) {
    this.#orders = new OrderSync({ ...ports, onStatus: () => ports.onStatus(this.status()) });
    this.#trades = new TradeSync({
      ...ports,
      onStatus: (trades) => {
        this.#throughput.record(trades.stored, ports.clock.now());
        ports.onStatus(this.#statusWith(trades));
      },
    });
  }

  /** Reads what is stored, for the status; a failure is part of it, and `start` tries again. */
  async load(): Promise<void> {
    await Promise.all([this.#trades.load(), this.#orders.load()]);
  }

  start(): void {
    this.#trades.start();
    this.#orders.start();
  }

  pause(): void {
    this.#trades.pause();
    this.#orders.pause();
  }

  /** Reads the newest trades after a possible fill. */
  syncTail(): void {
    this.#trades.syncTail();
  }

  /** Stores what changed among the newest orders, as just polled. */
  offer(rows: readonly HistoryOrder[]): void {
    this.#orders.offer(rows);
  }

  status(): SyncStatus {
    return this.#statusWith(this.#trades.status());
  }

  /** Stops for good; resolves when the last write has ended. */
  async stop(): Promise<void> {
    await Promise.all([this.#trades.stop(), this.#orders.stop()]);
  }

  #statusWith(trades: TradeSyncStatus): SyncStatus {
    const rate = trades.state === 'running' ? this.#throughput.rate() : null;
    const left = trades.total === null ? null : Math.max(0, trades.total - trades.stored);
    return {
      ...trades,
      rate,
      leftMs: rate === null || left === null ? null : Math.round((left * 1000) / rate),
      orders: this.#orders.status(),
    };
  }
}

const WINDOW_MS = 10_000;
const MIN_SPAN_MS = 500;

/** Measures rows stored per second over the last 10 s, so that a pause or a slow page soon stops counting. */
class Throughput {
  #samples: readonly { readonly stored: number; readonly at: number }[] = [];

  record(stored: number, at: number): void {
    const last = this.#samples.at(-1);
    // Restart if the clock was set back or the archive was replaced.
    if (last !== undefined && (at < last.at || stored < last.stored)) this.#samples = [];
    this.#samples = [...this.#samples.filter((one) => at - one.at <= WINDOW_MS), { stored, at }];
  }

  /** Returns rows per second; null if nothing was added lately or the samples span less than 500 ms. */
  rate(): number | null {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < MIN_SPAN_MS) return null;
    return last.stored === first.stored ? null : ((last.stored - first.stored) * 1000) / (last.at - first.at);
  }
}
