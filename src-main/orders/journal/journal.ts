/**
 * The order journal: an append-only JSON-lines file, on disk before the first byte of an order leaves. Nothing in it
 * is ever edited; the state of an intent is what its lines add up to by the transition table (`journal-lines.ts`), and
 * what follows from lines that cannot be read is in `journal-replay.ts`.
 */
import type { IntentRecord, JournalDamage } from '../../../src-shared/ipc/orders.ts';
import {
  type AccountIdentity,
  compareAccounts,
} from '../../../src-shared/domain/reconcile/account-identity.ts';
import type { OrderState } from '../../../src-shared/domain/reconcile/lifecycle.ts';
import { claimedIds } from './owned-ids.ts';
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

/** Where lines are kept. `append` resolves only when the lines are on the disk, or rejects and nothing was promised. */
export interface JournalFile {
  append(text: string): Promise<void>;
  read(): Promise<string>;
}

/** The order id of a step is another intent's, or was there before this one was sent. */
export class OrderTakenError extends Error {
  override readonly name = 'OrderTakenError';
  readonly orderId: string;
  constructor(intentId: string, orderId: string) {
    super(`journal: order ${orderId} is not that of intent ${intentId}`);
    this.orderId = orderId;
  }
}

/** Steps of one intent; the first write of one carries its head. */
export interface IntentWrite {
  readonly intentId: string;
  readonly steps: readonly Step[];
  readonly head?: IntentHead;
}

export interface Journal {
  /** Writes steps of one intent in one synced append; the record changes only when they are on disk. */
  write(intentId: string, steps: readonly Step[], head?: IntentHead): Promise<IntentRecord>;
  /** As `write`, for many intents: all of it in one synced append, or nothing. */
  writeTogether(writes: readonly IntentWrite[]): Promise<readonly IntentRecord[]>;
  /** One synced append of whatever still fits; null for an intent that was settled in the meantime. */
  writeFitting(writes: readonly IntentWrite[]): Promise<readonly (IntentRecord | null)[]>;
  /**
   * A step that happened though the disk would not take it: it shows at once and is written before whatever is
   * written next. Only for what a restart would conclude as well, since the app may end first.
   */
  owe(intentId: string, step: Step): IntentRecord;
  get(intentId: string): IntentRecord | null;
  head(intentId: string): IntentHead | null;
  /** Newest first. */
  list(connectionId: string): readonly IntentRecord[];
  /**
   * From now on the records of this account are this connection's, whichever entry they were sent by, and those of
   * another account are not. `exists`: connections there are; what an older version wrote of one that is gone may be
   * any live account's. True when that changed something.
   */
  follow(connection: FollowedConnection, exists: (connectionId: string) => boolean): boolean;
  /** Records of any connection, also of one that was removed, that are on their way or of unknown outcome. */
  unsettled(): readonly IntentRecord[];
  /** Intents of any connection that the last run left between two states. */
  interrupted(): readonly IntentRecord[];
  /** Lines that could not be read; the torn last one counts until the next is written. */
  readonly damaged: number;
  /** Damaged lines that may be of an order of this connection that was sent. */
  damage(connectionId: string): readonly JournalDamage[];
  /** The same of all connections. */
  everyDamage(): readonly JournalDamage[];
  /** The user knows of it: it holds nothing any more, now and at the next start. */
  acknowledge(damageId: string, at: number): Promise<void>;
}

export interface FollowedConnection {
  readonly id: string;
  readonly kind: 'practice' | 'live';
  readonly account: AccountIdentity;
}

const UNSETTLED: ReadonlySet<OrderState> = new Set<OrderState>(['recorded', 'sending', 'unknown']);

/** Reads the file and gives the journal. Throws what the file port throws. */
export async function openJournal(file: JournalFile): Promise<Journal> {
  const text = await file.read();
  const { entries, unreadable, torn, ...read } = replay(text);
  let damage = read.damage;
  // A torn last line must not swallow the next one, nor be taken for damage once it is the last no more.
  const seal: Note | null = torn === null ? null : { v: 1, harmless: torn, because: 'torn' };
  let prefix = seal !== null ? `\n${JSON.stringify(seal)}\n` : text === '' || text.endsWith('\n') ? '' : '\n';
  let owed: Line[] = [];
  let last: Promise<unknown> = Promise.resolve();

  const ofConnection = (connectionId: string): IntentRecord[] =>
    [...entries.values()]
      .map((entry) => entry.record)
      .filter((record) => record.connectionId === connectionId);

  /** What a write would make of the intents, beside what they are: what is not on disk must not show. */
  function createTrial() {
    const changed = new Map<string, Entry>();
    const seen: Entries = {
      get: (id) => changed.get(id) ?? entries.get(id),
      set: (id, entry) => void changed.set(id, entry),
    };
    /** An order is one intent's only, and none that was there before it was sent: looked at here, where writes are in line. */
    function isTaken({ intent, event, orderId }: Line): boolean {
      const own = seen.get(intent);
      if (orderId === undefined || own === undefined || event === 'disown') return false;
      if (own.head.knownIds?.includes(orderId) || own.record.disowned?.includes(orderId)) return true;
      const others = ofConnection(own.record.connectionId).map((one) => seen.get(one.id)?.record ?? one);
      return claimedIds(
        others.filter((one) => one.id !== intent),
        own.record,
      ).has(orderId);
    }
    return {
      changed,
      /** Why an intent's lines do not fit, having changed nothing; null when they do and now count. */
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
    // An append that fails may have left a part of a line; the mark of a torn one is still to be written.
    if (prefix === '') prefix = '\n';
    await file.append(text);
    prefix = '';
  }

  function inLine(
    writes: readonly IntentWrite[],
    misfit: (fault: Error) => void,
  ): Promise<(IntentRecord | null)[]> {
    const write = last.then(async () => {
      const trial = createTrial();
      const lists = new Map<readonly string[], string>();
      const kept: Line[] = [];
      const fitting = writes.map((one) => {
        const lines = linesOf(one, lists);
        const fault = trial.add(one.intentId, lines);
        if (fault === null) kept.push(...lines);
        else misfit(fault);
        return fault === null;
      });
      if (kept.length > 0) {
        const before = owed;
        await append([...before, ...kept]);
        owed = owed.slice(before.length);
      }
      for (const [id, entry] of trial.changed) entries.set(id, entry);
      return writes.map((one, index) =>
        fitting[index] === true ? (entries.get(one.intentId)?.record ?? null) : null,
      );
    });
    // The queue goes on after a failed write; the caller alone is told.
    last = write.catch(() => undefined);
    return write;
  }

  async function writeTogether(writes: readonly IntentWrite[]): Promise<readonly IntentRecord[]> {
    const records = await inLine(writes, (fault) => {
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
    writeFitting: (writes) => inLine(writes, () => undefined),
    owe(intentId, step) {
      const line: Line = { v: 1, intent: intentId, ...step };
      if (!apply(entries, line)) throw new Error(`journal: ${step.event} does not fit intent ${intentId}`);
      owed = [...owed, line];
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
    list: (connectionId) => ofConnection(connectionId).reverse(),
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
    everyDamage: () => damage.map((one) => one.shown),
    acknowledge(damageId, at) {
      const write = last.then(async () => {
        const found = damage.find((one) => one.shown.id === damageId);
        if (found === undefined) return;
        await append([{ v: 1, harmless: found.fingerprint, because: 'acknowledged', at }]);
        damage = damage.filter((one) => one !== found);
      });
      last = write.catch(() => undefined);
      return write;
    },
    unsettled: () =>
      [...entries.values()].map((entry) => entry.record).filter((record) => UNSETTLED.has(record.state)),
  };
}

/** Connection an intent belongs to while `open` is followed; '' for one of another account that `open` had before. */
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

/** `lists`: lists of ids already in this write, and whose head has them. */
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
