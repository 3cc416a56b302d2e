/**
 * Samples of the account's worth while a connection is open: once a minute, and whenever a coin's balance changed.
 * The look before is kept in the archive, so a restart only leaves a longer pause between two of them.
 */
import type { Result } from '../../src-shared/ipc/failures.ts';
import {
  changesBetween,
  equityStateOf,
  readEquityState,
  sampleOf,
  type AccountSample,
  type EquityState,
  type SampleChange,
} from '../../src-shared/domain/position/balance-change.ts';
import type { AccountInfo } from '../../src-shared/exchange-api/account.ts';

export interface SampleStore {
  lastSample(): Promise<Result<string | null>>;
  addSample(sample: AccountSample, changes: readonly SampleChange[], state: string): Promise<Result<null>>;
}
export interface EquityRecorder {
  /** An account as just read; `at` by the exchange's clock. */
  take(account: AccountInfo, at: number): void;
  /** Resolves when nothing is written any more. */
  stop(): Promise<void>;
}

const EVERY_MS = 60_000;

export function createEquityRecorder(store: SampleStore): EquityRecorder {
  let last: EquityState | null = null;
  let loaded = false;
  let writing: Promise<void> | null = null;
  let stopped = false;

  async function write(account: AccountInfo, at: number): Promise<void> {
    if (!loaded) {
      const kept = await store.lastSample();
      if (!kept.ok) return;
      last = readEquityState(kept.data);
      loaded = true;
    }
    const before = last;
    const next = equityStateOf(account, at, before);
    // An exchange that was reset, or a clock that was set back, is no change of balance.
    const changes = before === null || at <= before.at ? [] : changesBetween(before, next);
    const moved = before === null || JSON.stringify(before.balances) !== JSON.stringify(next.balances);
    if (!moved && changes.length === 0 && at - before.at < EVERY_MS) return;
    const sample = sampleOf(account, at);
    if (sample === null) return;
    const written = await store.addSample(sample, changes, JSON.stringify(next));
    // What could not be written is tried with the next look.
    if (written.ok) last = next;
  }

  return {
    take(account, at) {
      // A look that comes while the one before is being written is left out: the next one tells the same change.
      if (stopped || writing !== null) return;
      writing = write(account, at).finally(() => {
        writing = null;
      });
    },
    async stop() {
      stopped = true;
      await writing;
    },
  };
}
