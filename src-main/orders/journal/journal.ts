/**
 * The order journal: an append-only JSON-lines file, synced before the first byte of an order is sent. Nothing in it is
 * edited; an intent's state follows from its lines by the transition table (`lines.ts`). Unreadable lines are handled
 * in `replay.ts`.
 */
import type { IntentRecord, JournalDamage } from '../../../src-shared/ipc/orders.ts';
import {
  type AccountIdentity,
  compareAccounts,
} from '../../../src-shared/domain/reconcile/account-identity.ts';
import { countsAsOpening } from '../../../src-shared/domain/order/day-rules.ts';
import type { OrderState } from '../../../src-shared/domain/reconcile/lifecycle.ts';
import { requestOf } from '../../../src-shared/exchange-api/sent-request.ts';
import { SerialQueue } from '../../../src-shared/serial-queue.ts';
import { ownedIds } from './owned-ids.ts';
import {
  apply,
  type Entries,
  type Entry,
  type IntentHead,
  type Line,
  type Note,
  type Step,
} from './lines.ts';
import { NEW_LINE, replay, type HeldDamage } from './replay.ts';

/** Storage of the lines. `append` resolves once they are on disk; after a rejection they may be there in part. */
export interface JournalFile {
  append(text: string): Promise<void>;
  /** Returns null if there is no file. */
  read(): Promise<Buffer | null>;
}

/** The order id of a step belongs to another intent, or existed before this one was sent. */
export class OrderTakenError extends Error {
  override readonly name = 'OrderTakenError';
  readonly orderId: string;
  constructor(intentId: string, orderId: string) {
    super(`journal: order ${orderId} is not that of intent ${intentId}`);
    this.orderId = orderId;
  }
}

/** Steps of one intent; its first write has the head. */
export interface IntentWrite {
  readonly intentId: string;
  readonly steps: readonly Step[];
  readonly head?: IntentHead;
}

export interface FollowedConnection {
  readonly id: string;
  readonly kind: 'practice' | 'live';
  readonly account: AccountIdentity;
}

const UNRESOLVED: ReadonlySet<OrderState> = new Set<OrderState>(['recorded', 'sending', 'unknown']);
const IN_FLIGHT: ReadonlySet<OrderState> = new Set<OrderState>(['sending']);
const NOT_PLACED: ReadonlySet<OrderState> = new Set<OrderState>(['rejected', 'not-sent']);

/** Opening orders by their head: the bytes never change, and reading them takes long. */
const opening = new WeakMap<IntentHead, boolean>();
function mayOpen(head: IntentHead): boolean {
  const known = opening.get(head);
  if (known !== undefined) return known;
  const request = requestOf(head.body);
  const may = request === null || countsAsOpening(request);
  opening.set(head, may);
  return may;
}

/** Returns by how much this clock was set since an order, ms; 0 where unknown, and for practice, which has its own. */
const clockSetSince = ({ connectionKind, clockOffsetMs }: IntentHead, offsetMs: number | null): number =>
  connectionKind === 'practice' || offsetMs === null ? 0 : (clockOffsetMs ?? offsetMs) - offsetMs;

/** Opens the journal. Rejects with what `file.read` rejects with. */
export async function openJournal(file: JournalFile): Promise<Journal> {
  return new Journal(file, await file.read());
}

export class Journal {
  /** Number of unreadable lines. */
  readonly damaged: number;
  /** Whether the file is there without a byte of a line, as a failing disk leaves it: what it held is unknown. */
  readonly isEmptied: boolean;
  readonly #file: JournalFile;
  readonly #entries: Map<string, Entry>;
  readonly #queue = new SerialQueue();
  #damage: readonly HeldDamage[];
  /** Written before the next lines: ends what a failed or interrupted append left. */
  #prefix: string;
  #deferred: readonly Line[] = [];
  /** Heads whose first write is not on disk yet. */
  readonly #writing = new Set<IntentHead>();

  /** @param content that of the file; null if there is none */
  constructor(file: JournalFile, content: Buffer | null) {
    this.isEmptied = content?.every((byte) => byte === 0) ?? false;
    const { entries, unreadable, damage } = replay(content ?? Buffer.alloc(0));
    this.#file = file;
    this.#entries = entries;
    this.#damage = damage;
    this.damaged = unreadable;
    this.#prefix = (content?.at(-1) ?? NEW_LINE) === NEW_LINE ? '' : '\n';
  }

  /** Writes an intent's steps in one synced append; its record changes once they are on disk. Rejects if that fails. */
  async write(intentId: string, steps: readonly Step[], head?: IntentHead): Promise<IntentRecord> {
    const [record] = await this.writeTogether([{ intentId, steps, ...(head === undefined ? {} : { head }) }]);
    if (record === undefined) throw new Error(`journal: nothing was written of intent ${intentId}`);
    return record;
  }

  /** Like `write` for many intents in one synced append: all or nothing. */
  async writeTogether(writes: readonly IntentWrite[]): Promise<readonly IntentRecord[]> {
    const records = await this.#enqueue(writes, (fault) => {
      throw fault;
    });
    return records.filter((one) => one !== null);
  }

  /** Writes the intents whose steps are still valid; null for one that was resolved meanwhile. */
  writeApplicable(writes: readonly IntentWrite[]): Promise<readonly (IntentRecord | null)[]> {
    return this.#enqueue(writes, () => undefined);
  }

  /**
   * Applies a step that could not be written and writes it before the next append. Only for steps that a restart would
   * conclude as well, since the app may end first.
   */
  defer(intentId: string, step: Step): IntentRecord {
    const line: Line = { v: 1, intent: intentId, ...step };
    if (!apply(this.#entries, line))
      throw new Error(`journal: ${step.event} does not fit intent ${intentId}`);
    this.#deferred = [...this.#deferred, line];
    const entry = this.#entries.get(intentId);
    if (entry === undefined) throw new Error(`journal: there is no intent ${intentId}`);
    return entry.record;
  }

  /** Resolves once what is being written is on disk, or could not be written. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  get(intentId: string): IntentRecord | null {
    return this.#entries.get(intentId)?.record ?? null;
  }

  head(intentId: string): IntentHead | null {
    return this.#entries.get(intentId)?.head ?? null;
  }

  /** Newest first. */
  list(connectionId: string): readonly IntentRecord[] {
    return recordsOf(this.#entries, connectionId).reverse();
  }

  /**
   * Counts the connection's orders since `at` (ms) that may have opened: not reduce-only, and sent but not rejected.
   * They are timed by this computer's clock as it is now, which may have been set since; what follows an order since
   * `at` in the journal is since `at` too. `offsetMs`: the exchange's clock − this one.
   */
  openingSince(
    connectionId: string,
    at: number,
    { now, offsetMs }: { readonly now: number; readonly offsetMs: number | null },
  ): number {
    let count = 0;
    let isSince = false;
    for (const { record, head } of this.#entries.values()) {
      if (record.connectionId !== connectionId) continue;
      const sentAt = record.createdAt + clockSetSince(head, offsetMs);
      isSince ||= sentAt >= at && sentAt <= now;
      if ((isSince || sentAt >= at) && !NOT_PLACED.has(record.state) && mayOpen(head)) count++;
    }
    // Two orders of different symbols may be recorded at the same time.
    for (const head of this.#writing) if (head.connectionId === connectionId && mayOpen(head)) count++;
    return count;
  }

  /** Returns records in flight or of unknown outcome, of any connection, also removed ones. */
  unresolved(): readonly IntentRecord[] {
    return this.#inState(UNRESOLVED);
  }

  /** Returns records that are `sending`, of any connection: in flight, or interrupted by the last end of the app. */
  interrupted(): readonly IntentRecord[] {
    return this.#inState(IN_FLIGHT);
  }

  /**
   * Assigns all records of this account to the connection, and none of another account. `exists` reports whether a
   * connection exists; records of older versions without an account go by it. Returns whether anything changed.
   */
  follow(connection: FollowedConnection, exists: (connectionId: string) => boolean): boolean {
    let changed = false;
    for (const entry of this.#entries.values()) {
      // By where the record is now: another account's connection must not take back what its account was given.
      const now = { ...entry.head, connectionId: entry.record.connectionId };
      const connectionId = ownerOf(now, connection, exists);
      if (connectionId === entry.record.connectionId) continue;
      entry.record = { ...entry.record, connectionId };
      changed = true;
    }
    for (const one of this.#damage) {
      if (one.owner === null) continue;
      const { owner, account, shown } = one;
      const now = { ...owner, account, connectionId: shown.connectionId ?? owner.connectionId };
      const connectionId = ownerOf(now, connection, exists);
      changed ||= connectionId !== one.shown.connectionId;
      one.shown = { ...one.shown, connectionId };
    }
    return changed;
  }

  /** Returns damaged lines that may be a sent order of this connection. */
  damage(connectionId: string): readonly JournalDamage[] {
    return this.allDamage().filter((one) => one.connectionId === null || one.connectionId === connectionId);
  }

  /** Like `damage`, for all connections. */
  allDamage(): readonly JournalDamage[] {
    return this.#damage.map((one) => one.shown);
  }

  /** Records the user's acknowledgement: the line holds no orders, now and after a restart. */
  acknowledge(damageId: string, at: number): Promise<void> {
    return this.#queue.run(async () => {
      const found = this.#damage.find((one) => one.shown.id === damageId);
      if (found === undefined) return;
      await this.#append([{ v: 1, harmless: found.fingerprint, because: 'acknowledged', at }]);
      this.#damage = this.#damage.filter((one) => one !== found);
    });
  }

  #inState(states: ReadonlySet<OrderState>): readonly IntentRecord[] {
    return [...this.#entries.values()]
      .map((entry) => entry.record)
      .filter((record) => states.has(record.state));
  }

  #enqueue(
    writes: readonly IntentWrite[],
    onMisfit: (fault: Error) => void,
  ): Promise<(IntentRecord | null)[]> {
    const heads = writes.flatMap(({ head }) => head ?? []);
    for (const head of heads) this.#writing.add(head);
    return this.#queue.run(() =>
      this.#apply(writes, onMisfit).finally(() => {
        for (const head of heads) this.#writing.delete(head);
      }),
    );
  }

  async #apply(
    writes: readonly IntentWrite[],
    onMisfit: (fault: Error) => void,
  ): Promise<(IntentRecord | null)[]> {
    const draft = new Draft(this.#entries);
    const lists = new Map<readonly string[], string>();
    const accepted: Line[] = [];
    const fitting = writes.map((one) => {
      const lines = linesOf(one, lists);
      const fault = draft.add(one.intentId, lines);
      if (fault === null) accepted.push(...lines);
      else onMisfit(fault);
      return fault === null;
    });
    if (accepted.length > 0) {
      const before = this.#deferred;
      await this.#append([...before, ...accepted]);
      this.#deferred = this.#deferred.slice(before.length);
    }
    for (const [id, entry] of draft.changed) this.#entries.set(id, entry);
    return writes.map((one, index) => (fitting[index] === true ? this.get(one.intentId) : null));
  }

  async #append(lines: readonly (Line | Note)[]): Promise<void> {
    const text = this.#prefix + lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    // A failed append may leave part of a line.
    this.#prefix = '\n';
    await this.#file.append(text);
    this.#prefix = '';
  }
}

/** A write applied to copies: what is not on disk must not show. */
class Draft implements Entries {
  readonly changed = new Map<string, Entry>();
  readonly #entries: ReadonlyMap<string, Entry>;

  constructor(entries: ReadonlyMap<string, Entry>) {
    this.#entries = entries;
  }

  get(intentId: string): Entry | undefined {
    return this.changed.get(intentId) ?? this.#entries.get(intentId);
  }

  set(intentId: string, entry: Entry): void {
    this.changed.set(intentId, entry);
  }

  /** Applies an intent's lines and returns null; or changes nothing and returns why they are invalid. */
  add(intentId: string, lines: readonly Line[]): Error | null {
    const before = this.changed.get(intentId);
    for (const line of lines) {
      const fault = this.#isTaken(line)
        ? new OrderTakenError(intentId, line.orderId ?? '')
        : apply(this, line)
          ? null
          : new Error(`journal: ${line.event} does not fit intent ${intentId}`);
      if (fault === null) continue;
      if (before === undefined) this.changed.delete(intentId);
      else this.changed.set(intentId, before);
      return fault;
    }
    return null;
  }

  /** Reports whether an order id is another intent's or existed before the send. Checked in the write queue. */
  #isTaken({ intent, event, orderId }: Line): boolean {
    const own = this.get(intent);
    if (orderId === undefined || own === undefined || event === 'disown') return false;
    if (own.head.knownIds?.includes(orderId) || own.record.disowned?.includes(orderId)) return true;
    const others = recordsOf(this.#entries, own.record.connectionId)
      .filter((one) => one.id !== intent)
      .map((one) => this.get(one.id)?.record ?? one);
    return ownedIds(others, own.record).has(orderId);
  }
}

/** Oldest first. */
const recordsOf = (entries: ReadonlyMap<string, Entry>, connectionId: string): IntentRecord[] =>
  [...entries.values()].map((entry) => entry.record).filter((record) => record.connectionId === connectionId);

/** Returns the connection an intent belongs to while `open` is followed; '' if `open` had another account before. */
function ownerOf(
  {
    connectionId,
    connectionKind,
    account,
  }: Pick<IntentHead, 'connectionId' | 'connectionKind'> & { readonly account?: AccountIdentity | undefined },
  open: FollowedConnection,
  exists: (connectionId: string) => boolean,
): string {
  if (connectionKind !== open.kind) return connectionId;
  const sameness = account === undefined ? 'unsure' : compareAccounts(account, open.account);
  if (sameness === 'same') return open.id;
  if (sameness === 'other') return connectionId === open.id ? '' : connectionId;
  return exists(connectionId) ? connectionId : open.id;
}

/** Returns a write's lines. `lists`: lists of known ids already in this append, by the intent that has them. */
function linesOf({ intentId, steps, head }: IntentWrite, lists: Map<readonly string[], string>): Line[] {
  const known = head?.knownIds ?? null;
  const written =
    head === undefined ? undefined : { ...head, knownIds: (known && lists.get(known)) ?? known };
  if (known !== null && !lists.has(known)) lists.set(known, intentId);
  return steps.map((step, index) => ({
    v: 1,
    intent: intentId,
    ...step,
    ...(index === 0 && written !== undefined ? { head: written } : {}),
  }));
}
