/** Runs trade sync and order sync as one, with one status. */
import type { OrderSyncStatus } from '../../src-shared/ipc/archive.ts';
import type { SyncStatus } from '../../src-shared/ipc/trades.ts';
import type { OrderSync, OrderSyncPorts } from './order-sync.ts';
import { createOrderSync } from './order-sync.ts';
import { createThroughput } from './throughput.ts';
import { createTradeSync, type TradeSync, type TradeSyncPorts, type TradeSyncStatus } from './trade-sync.ts';

export interface ArchiveSyncPorts
  extends
    Omit<TradeSyncPorts, 'client' | 'archive' | 'onStatus'>,
    Pick<OrderSyncPorts, 'listed' | 'onVerified'> {
  readonly client: TradeSyncPorts['client'] & OrderSyncPorts['client'];
  readonly archive: TradeSyncPorts['archive'] & OrderSyncPorts['archive'];
  readonly onStatus: (status: SyncStatus) => void;
}
export interface ArchiveSync extends Omit<TradeSync, 'status'>, Pick<OrderSync, 'offer'> {
  status(): SyncStatus;
}

export function createArchiveSync(ports: ArchiveSyncPorts): ArchiveSync {
  const { clock } = ports;
  const throughput = createThroughput();
  const withOrders = (status: TradeSyncStatus, orderStatus: OrderSyncStatus): SyncStatus => {
    const rate = status.state === 'running' ? throughput.rate() : null;
    const left = status.total === null ? null : Math.max(0, status.total - status.stored);
    return {
      ...status,
      rate,
      leftMs: rate === null || left === null ? null : Math.round((left * 1000) / rate),
      orders: orderStatus,
    };
  };
  const status = (): SyncStatus => withOrders(trades.status(), orders.status());
  const orders: OrderSync = createOrderSync({ ...ports, onStatus: () => ports.onStatus(status()) });
  const trades: TradeSync = createTradeSync({
    ...ports,
    onStatus(one) {
      throughput.record(one.stored, clock.now());
      ports.onStatus(withOrders(one, orders.status()));
    },
  });

  return {
    status,
    start() {
      trades.start();
      orders.start();
    },
    pause() {
      trades.pause();
      orders.pause();
    },
    syncTail: () => trades.syncTail(),
    offer: (rows) => orders.offer(rows),
    async stop() {
      await Promise.all([trades.stop(), orders.stop()]);
    },
  };
}
