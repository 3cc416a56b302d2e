import type { Calls } from '../../bridge.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import { holds, type IntentRecord, type JournalDamage, mayConcern } from '../../../src-shared/ipc/orders.ts';

/** The journal of the open connection: every intent and its outcome. */
export class Intents {
  /** By id; replaced whole. */
  records = $state.raw<ReadonlyMap<string, IntentRecord>>(new Map());
  /** Damaged lines of the journal that hold orders; replaced whole. */
  damage = $state.raw<readonly JournalDamage[]>([]);
  loaded = $state(false);
  failure = $state.raw<Failure | null>(null);
  #connectionId: string | null = null;
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** Newest first. */
  readonly list: readonly IntentRecord[] = $derived(
    [...this.records.values()].sort((a, b) => b.createdAt - a.createdAt),
  );
  /** Unknown outcomes, shown on every screen. */
  readonly unknown: readonly IntentRecord[] = $derived(this.list.filter((one) => one.state === 'unknown'));

  /** Returns the intents that hold a symbol and side: an order there needs typed confirmation. */
  holding(symbolId: string, side: string): readonly IntentRecord[] {
    return this.list.filter((one) => holds(one, symbolId, side));
  }

  /** Returns the damaged line that may hold an order of this symbol and side; null if none may. */
  damageHolding(symbolId: string, side: string): JournalDamage | null {
    return this.damage.find((one) => mayConcern(one, symbolId, side)) ?? null;
  }

  async follow(connectionId: string): Promise<void> {
    this.#connectionId = connectionId;
    this.records = new Map();
    this.damage = [];
    this.loaded = false;
    await this.reload(connectionId);
  }

  /** Reads the list again, when orders of the same account were found under another connection. */
  async reload(connectionId: string): Promise<void> {
    if (connectionId !== this.#connectionId) return;
    const before = this.records;
    const [result, damage] = await Promise.all([
      this.#calls.call('journal.list', { connectionId }),
      this.#calls.call('journal.damage', { connectionId }),
    ]);
    if (connectionId !== this.#connectionId) return;
    if (damage.ok) this.damage = damage.data;
    this.failure = result.ok ? null : result.failure;
    if (!result.ok) return;
    // Pushes that arrived during the read are newer than its result.
    const pushed = [...this.records].filter(([id, one]) => before.get(id) !== one);
    this.records = new Map([...result.data.map((one) => [one.id, one] as const), ...pushed]);
    this.loaded = true;
  }

  /** Acknowledges a damaged line and releases its hold. */
  async acknowledge(damageId: string, typed: string): Promise<Failure | null> {
    const result = await this.#calls.call('journal.acknowledge', { damageId, typed });
    if (!result.ok) return result.failure;
    this.damage = this.damage.filter((one) => one.id !== damageId);
    return null;
  }

  receive(record: IntentRecord): void {
    if (record.connectionId !== this.#connectionId) return;
    this.records = new Map([...this.records, [record.id, record]]);
  }
}
