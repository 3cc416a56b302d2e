import type { Calls } from '../../bridge.ts';
import type { Result } from '../../../src-shared/ipc/failures.ts';
import type { SyncStatus } from '../../../src-shared/ipc/trades.ts';
import type { UnreadableRecord } from '../../../src-shared/exchange-api/replies.ts';

/** The state of the trade sync of the open connection. */
export class TradeSync {
  status = $state.raw<SyncStatus | null>(null);
  /** Unreadable records as received, as of the last reported count. */
  unreadable = $state.raw<readonly UnreadableRecord[]>([]);
  #connectionId: string | null = null;
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  async follow(connectionId: string): Promise<void> {
    this.#connectionId = connectionId;
    this.status = null;
    this.unreadable = [];
    const result = await this.#calls.call('trades.syncStatus', { connectionId });
    // A status pushed meanwhile is newer than this reply.
    if (result.ok && !this.#isKnown()) this.receive(result.data);
  }

  #isKnown(): boolean {
    return this.status !== null;
  }

  /** Starts, resumes or retries the sync; or pauses it after the current page. */
  async command(action: 'start' | 'pause'): Promise<Result<SyncStatus> | null> {
    const connectionId = this.#connectionId;
    if (connectionId === null) return null;
    const result = await this.#calls.call('trades.sync', { connectionId, action });
    if (result.ok) this.receive(result.data);
    return result;
  }

  receive(status: SyncStatus): void {
    if (status.connectionId !== this.#connectionId) return;
    const isNews = status.unreadable !== (this.status?.unreadable ?? 0);
    this.status = status;
    if (isNews) void this.#readUnreadable(status.connectionId);
  }

  async #readUnreadable(connectionId: string): Promise<void> {
    const result = await this.#calls.call('trades.unreadable', { connectionId });
    if (result.ok && connectionId === this.#connectionId) this.unreadable = result.data;
  }
}
