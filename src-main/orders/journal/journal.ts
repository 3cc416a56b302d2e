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
import type { OrderState } from '../../../src-shared/domain/reconcile/lifecycle.ts';
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
import { replay } from './replay.ts';

/** Storage of the lines. `append` resolves once they are on disk; after a rejection they may be there in part. */
export interface JournalFile {
  append(text: string): Promise<void>;
  read(): Promise<string>;
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

export interface Journal {
  /** Writes an intent's steps in one synced append; its record changes once they are on disk. Rejects if that fails. */
  write(intentId: string, steps: readonly Step[], head?: IntentHead): Promise<IntentRecord>;
  /** Like `write` for many intents in one synced append: all or nothing. */
  writeTogether(writes: readonly IntentWrite[]): Promise<readonly IntentRecord[]>;
  /** Writes the intents whose steps are still valid; null for one that was resolved meanwhile. */
  writeApplicable(writes: readonly IntentWrite[]): Promise<readonly (IntentRecord | null)[]>;
  /**
   * Applies a step that could not be written and writes it before the next append. Only for steps that a restart would
   * conclude as well, since the app may end first.
   */
  defer(intentId: string, step: Step): IntentRecord;
  get(intentId: string): IntentRecord | null;
  head(intentId: string): IntentHead | null;
  /** Newest first. */
  list(connectionId: string): readonly IntentRecord[];
  /**
   * Assigns all records of this account to the connection, and none of another account. `exists` reports whether a
   * connection exists; records of older versions without an account go by it. Returns whether anything changed.
   */
  follow(connection: FollowedConnection, exists: (connectionId: string) => boolean): boolean;
  /** Returns records in flight or of unknown outcome, of any connection, also removed ones. */
  unresolved(): readonly IntentRecord[];
  /** Returns records that are `recorded` or `sending`, of any connection. */
  interrupted(): readonly IntentRecord[];
  /** Number of unreadable lines, a torn last one included. */
  readonly damaged: number;
  /** Returns damaged lines that may be a sent order of this connection. */
  damage(connectionId: string): readonly JournalDamage[];
  /** Like `damage`, for all connections. */
  allDamage(): readonly JournalDamage[];
  /** Records the user's acknowledgement: the line holds no orders, now and after a restart. */
  acknowledge(damageId: string, at: number): Promise<void>;
}

export interface FollowedConnection {
  readonly id: string;
  readonly kind: 'practice' | 'live';
  readonly account: AccountIdentity;
}

const UNRESOLVED: ReadonlySet<OrderState> = new Set<OrderState>(['recorded', 'sending', 'unknown']);

/** Opens the journal. Rejects with what `file.read` rejects with. */
export async function openJournal(file: JournalFile): Promise<Journal> {
  const text = await file.read();
  const { entries, unreadable, torn, ...read } = replay(text);
  let damage = read.damage;
  // Ends a torn last line, and marks it so that it does not count as damage later.
  const seal: Note | null = torn === null ? null : { v: 1, harmless: torn, because: 'torn' };
  let prefix = seal !== null ? `\n${JSON.stringify(seal)}\n` : text === '' || text.endsWith('\n') ? '' : '\n';
  let deferred: Line[] = [];
  const queue = new SerialQueue();

  const recordsOf = (connectionId: string): IntentRecord[] =>
    [...entries.values()]
      .map((entry) => entry.record)
      .filter((record) => record.connectionId === connectionId);

  /** Applies a write to copies: what is not on disk must not show. */
  function createDraft() {
    const changed = new Map<string, Entry>();
    const seen: Entries = {
      get: (id) => changed.get(id) ?? entries.get(id),
      set: (id, entry) => void changed.set(id, entry),
    };
    /** Reports whether an order id is another intent's or existed before the send. Checked in the write queue. */
    function isTaken({ intent, event, orderId }: Line): boolean {
      const own = seen.get(intent);
      if (orderId === undefined || own === undefined || event === 'disown') return false;
      if (own.head.knownIds?.includes(orderId) || own.record.disowned?.includes(orderId)) return true;
      const others = recordsOf(own.record.connectionId).map((one) => seen.get(one.id)?.record ?? one);
      return ownedIds(
        others.filter((one) => one.id !== intent),
        own.record,
      ).has(orderId);
    }
    return {
      changed,
      /** Applies an intent's lines and returns null; or changes nothing and returns why they are invalid. */
      add(intentId: string, lines: readonly Line[]): Error | null {
        const before = changed.get(intentId);
        for (const line of lines) {
          const fault = isTaken(line)
            ? new OrderTakenError(intentId, line.orderId ?? '')
            : apply(seen, line)
              ? null
              : new Error(`journal: ${line.event} does not fit intent ${intentId}`);
          if (fault === null) continue;
          if (before === undefined) changed.delete(intentId);
          else changed.set(intentId, before);
          return fault;
        }
        return null;
      },
    };
  }

  async function append(lines: readonly (Line | Note)[]): Promise<void> {
    const text = prefix + lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    // A failed append may leave part of a line; the mark of a torn one stays due.
    if (prefix === '') prefix = '\n';
    await file.append(text);
    prefix = '';
  }

  function enqueue(
    writes: readonly IntentWrite[],
    onMisfit: (fault: Error) => void,
  ): Promise<(IntentRecord | null)[]> {
    return queue.run(async () => {
      const draft = createDraft();
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
        const before = deferred;
        await append([...before, ...accepted]);
        deferred = deferred.slice(before.length);
      }
      for (const [id, entry] of draft.changed) entries.set(id, entry);
      return writes.map((one, index) =>
        fitting[index] === true ? (entries.get(one.intentId)?.record ?? null) : null,
      );
    });
  }

  async function writeTogether(writes: readonly IntentWrite[]): Promise<readonly IntentRecord[]> {
    const records = await enqueue(writes, (fault) => {
      throw fault;
    });
    return records.filter((one) => one !== null);
  }

  return {
    damaged: unreadable,
    async write(intentId, steps, head) {
      const [record] = await writeTogether([{ intentId, steps, ...(head === undefined ? {} : { head }) }]);
      if (record === undefined) throw new Error(`journal: nothing was written of intent ${intentId}`);
      return record;
    },
    writeTogether,
    writeApplicable: (writes) => enqueue(writes, () => undefined),
    defer(intentId, step) {
      const line: Line = { v: 1, intent: intentId, ...step };
      if (!apply(entries, line)) throw new Error(`journal: ${step.event} does not fit intent ${intentId}`);
      deferred = [...deferred, line];
      const entry = entries.get(intentId);
      if (entry === undefined) throw new Error(`journal: there is no intent ${intentId}`);
      return entry.record;
    },
    get: (intentId) => entries.get(intentId)?.record ?? null,
    head: (intentId) => entries.get(intentId)?.head ?? null,
    interrupted: () =>
      [...entries.values()]
        .map((entry) => entry.record)
        .filter((record) => record.state === 'sending' || record.state === 'recorded'),
    list: (connectionId) => recordsOf(connectionId).reverse(),
    follow(connection, exists) {
      let changed = false;
      for (const entry of entries.values()) {
        const connectionId = ownerOf(entry.head, connection, exists);
        if (connectionId === entry.record.connectionId) continue;
        entry.record = { ...entry.record, connectionId };
        changed = true;
      }
      for (const one of damage) {
        if (one.owner === null) continue;
        const connectionId = ownerOf({ ...one.owner, account: one.account }, connection, exists);
        changed ||= connectionId !== one.shown.connectionId;
        one.shown = { ...one.shown, connectionId };
      }
      return changed;
    },
    damage: (connectionId) =>
      damage
        .map((one) => one.shown)
        .filter((one) => one.connectionId === null || one.connectionId === connectionId),
    allDamage: () => damage.map((one) => one.shown),
    acknowledge(damageId, at) {
      return queue.run(async () => {
        const found = damage.find((one) => one.shown.id === damageId);
        if (found === undefined) return;
        await append([{ v: 1, harmless: found.fingerprint, because: 'acknowledged', at }]);
        damage = damage.filter((one) => one !== found);
      });
    },
    unresolved: () =>
      [...entries.values()].map((entry) => entry.record).filter((record) => UNRESOLVED.has(record.state)),
  };
}

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
