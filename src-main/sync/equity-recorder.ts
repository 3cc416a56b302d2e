/**
 * Samples the account's equity while a connection is open: once a minute, and whenever a coin's balance changed.
 * The last state is stored in the archive, so changes across a restart are found as well.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  changesBetween,
  equityStateOf,
  readEquityState,
  sampleOf,
  type EquityState,
} from '../../src-shared/domain/position/balance-change.ts';
import type { AccountInfo } from '../../src-shared/exchange-api/account.ts';
import type { Archive } from '../archive/archive.ts';

type SampleStore = Pick<Archive, 'lastSample' | 'addSample'>;

const SAMPLE_INTERVAL_MS = 60_000;

export class EquityRecorder {
  readonly #store: SampleStore;
  #last: EquityState | null = null;
  #isLoaded = false;
  #writing: Promise<void> | null = null;
  #isStopped = false;

  constructor(store: SampleStore) {
    this.#store = store;
  }

  /** Takes an account as just read; `at` is the exchange's clock, ms. */
  record(account: AccountInfo, at: number): void {
    // A sample that arrives during a write is skipped: the next one contains the same change.
    if (this.#isStopped || this.#writing !== null) return;
    this.#writing = this.#write(account, at).finally(() => {
      this.#writing = null;
    });
  }

  /** Resolves when the last write has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#writing;
  }

  async #write(account: AccountInfo, at: number): Promise<void> {
    if (!this.#isLoaded) {
      const stored = await this.#store.lastSample();
      if (!stored.ok) return;
      this.#last = readEquityState(stored.data);
      this.#isLoaded = true;
    }
    const before = this.#last;
    const next = equityStateOf(account, at, before);
    // Time going backwards means a reset exchange or a clock set back, not a balance change.
    const changes = before === null || at <= before.at ? [] : changesBetween(before, next);
    const moved = before === null || !isDeepStrictEqual(before.balances, next.balances);
    if (!moved && changes.length === 0 && Math.abs(at - before.at) < SAMPLE_INTERVAL_MS) return;
    const sample = sampleOf(account, at);
    if (sample === null) return;
    const written = await this.#store.addSample(sample, changes, JSON.stringify(next));
    // After a failed write the next sample contains the same change.
    if (written.ok) this.#last = next;
  }
}
