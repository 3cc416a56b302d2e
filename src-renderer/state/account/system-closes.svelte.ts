import type { Calls } from '../../bridge.ts';
import {
  type SystemClose,
  type SystemCloseKind,
  systemCloseOf,
} from '../../../src-shared/domain/history/system-close.ts';
import type { Feeds } from './feeds.svelte.ts';

/** Liquidations and deliveries of the open connection, from the archive and from the polled order history. */
export class SystemCloses {
  #stored = $state.raw<readonly SystemClose[]>([]);
  #connectionId: string | null = null;
  readonly #calls: Calls;
  readonly #feeds: Feeds;

  constructor(calls: Calls, feeds: Feeds) {
    this.#calls = calls;
    this.#feeds = feeds;
  }

  /** Newest first. */
  readonly list: readonly SystemClose[] = $derived.by(() => {
    const all = new Map(this.#stored.map((one) => [one.orderId, one]));
    for (const order of this.#feeds.history.value ?? []) {
      const close = systemCloseOf(order);
      if (close !== null) all.set(close.orderId, close);
    }
    return [...all.values()].sort((a, b) => b.at - a.at);
  });
  readonly #byOrder: ReadonlyMap<string, SystemClose> = $derived(
    new Map(this.list.map((one) => [one.orderId, one])),
  );

  /** How a system order closed a position; null for any other order. */
  kindOf(orderId: string): SystemCloseKind | null {
    return this.#byOrder.get(orderId)?.kind ?? null;
  }
  /** When it closed the position, ms; null for any other order. */
  timeOf(orderId: string): number | null {
    return this.#byOrder.get(orderId)?.at ?? null;
  }

  async follow(connectionId: string): Promise<void> {
    this.#connectionId = connectionId;
    this.#stored = [];
    const result = await this.#calls.call('archive.systemCloses', { connectionId });
    if (result.ok && connectionId === this.#connectionId) this.#stored = result.data;
  }
}
