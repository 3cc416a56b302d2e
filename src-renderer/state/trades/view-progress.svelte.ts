import type { Calls } from '../../bridge.ts';
import type { Clock } from '../runtime/clock.svelte.ts';

/** Polling interval while a view is being built, ms. */
const WATCH_MS = 150;

/** Progress of a sort, filter or grouping that the archive has to build first. */
export class TradeBuilding {
  /** 0…1; null while nothing is being built. */
  share = $state.raw<number | null>(null);
  #stop: (() => void) | null = null;
  readonly #calls: Calls;
  readonly #clock: Clock;

  constructor(calls: Calls, clock: Clock) {
    this.#calls = calls;
    this.#clock = clock;
  }

  /** Polls until the returned function is called, or a newer poll starts. */
  watch(connectionId: string): () => void {
    this.#stop?.();
    const stop = this.#clock.time.every(WATCH_MS, () => {
      void this.#calls.call('trades.building', { connectionId }).then((result) => {
        if (this.#stop === stop) this.share = result.ok ? result.data : null;
      });
    });
    this.#stop = stop;
    return () => {
      stop();
      if (this.#stop !== stop) return;
      this.#stop = null;
      this.share = null;
    };
  }
}
