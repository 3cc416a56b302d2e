/**
 * Stores a connection's alert log as appended JSON lines: one per alert, acknowledgement and outcome of a message. Only
 * the newest records are loaded. A file of twice that many lines is compacted with an atomic replace.
 */
import { appendFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { replaceFile, temporaryOf } from '../../src-files/atomic-file.ts';
import { remove } from '../../src-files/remove.ts';
import { readTextIfPresent } from '../../src-files/text-file.ts';
import type { AlertRecord } from '../../src-shared/ipc/alerts.ts';
import type { MessageOutcome } from '../../src-shared/ipc/webhooks.ts';
import { SerialQueue } from '../../src-shared/serial-queue.ts';
import { MAX_ALERTS } from '../../src-shared/domain/alerts/open.ts';
import { ALERT_RULES } from '../../src-shared/domain/alerts/rules.ts';
import { checkedJson } from '../../src-shared/checked-json.ts';

const ENDED_BEFORE = 'Ballast was quit before it was delivered. It may have arrived.';

const messageSchema = v.object({
  webhookId: v.string(),
  name: v.string(),
  state: v.picklist(['sending', 'retrying', 'delivered', 'failed']),
  why: v.string(),
  at: v.number(),
});
const alertSchema = v.object({
  id: v.string(),
  connectionId: v.string(),
  rule: v.picklist(ALERT_RULES),
  key: v.string(),
  at: v.number(),
  title: v.string(),
  text: v.string(),
  link: v.object({
    symbolId: v.exactOptional(v.string()),
    orderId: v.exactOptional(v.string()),
    intentId: v.exactOptional(v.string()),
    positionId: v.exactOptional(v.string()),
  }),
  quiet: v.boolean(),
  acknowledgedAt: v.nullable(v.number()),
  messages: v.exactOptional(v.array(messageSchema)),
  /** Whose it is; older versions did not store it. */
  account: v.exactOptional(v.string()),
});
const lineSchema = v.union([
  alertSchema,
  v.object({ acknowledged: v.array(v.string()), at: v.number() }),
  v.object({ messageOf: v.string(), message: messageSchema }),
]);

export type AlertFile = Pick<StoredAlerts, 'records' | 'append' | 'acknowledge' | 'message'>;

interface Writes {
  readonly queue: SerialQueue;
  /** The log was deleted: what is still to be written, such as the outcome of a message, is dropped. */
  isDeleted: boolean;
}
const noWrites = (): Writes => ({ queue: new SerialQueue(), isDeleted: false });

/** By path: a log that is opened again meanwhile has what is still being written. */
const writesTo = new Map<string, Writes>();

function writesOf(path: string): Writes {
  const writes = writesTo.get(path) ?? noWrites();
  writesTo.set(path, writes);
  return writes;
}

/** Deletes a log for good, also for those who have it open. Rejects with the system's error and then deletes nothing more. */
export function deleteAlertLog(path: string): Promise<void> {
  const writes = writesOf(path);
  return writes.queue.run(async () => {
    for (const file of [temporaryOf(path), path]) await remove(file);
    writes.isDeleted = true;
    writesTo.delete(path);
  });
}

/** Returns the record with this outcome in place of the webhook's last one. */
export const withMessage = (record: AlertRecord, outcome: MessageOutcome): AlertRecord => ({
  ...record,
  messages: [...(record.messages ?? []).filter((one) => one.webhookId !== outcome.webhookId), outcome],
});

/**
 * Opens a log, or starts an empty one when the file is missing. Throws other file errors. Its records are those of
 * `account`: the connection may have had another one's key before. Messages under way before `startedAt`, when this run
 * began, have failed: they are not sent later.
 */
export async function openAlertFile(
  path: string,
  account = '',
  startedAt = 0,
  most = MAX_ALERTS,
): Promise<AlertFile> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const writes = writesOf(path);
  const text = await writes.queue.run(() => readTextIfPresent(path));
  return new StoredAlerts(path, text ?? '', account, startedAt, most, writes);
}

/** Returns a log in memory, for when the file cannot be read. */
export const alertsInMemory = (): AlertFile => new StoredAlerts(null, '', '', 0, MAX_ALERTS);

class StoredAlerts {
  /** null: in memory only. */
  readonly #path: string | null;
  readonly #account: string;
  readonly #most: number;
  readonly #records = new Map<string, AlertRecord>();
  readonly #writes: Writes;
  #lines = 0;
  #prefix: string;

  constructor(
    path: string | null,
    text: string,
    account: string,
    startedAt: number,
    most: number,
    writes = noWrites(),
  ) {
    this.#path = path;
    this.#account = account;
    this.#writes = writes;
    this.#most = most;
    for (const raw of text.split('\n')) if (raw !== '') this.#load(raw);
    this.#dropOldest();
    this.#endMessages(startedAt);
    // After a torn last line the next record must start on a line of its own.
    this.#prefix = text === '' || text.endsWith('\n') ? '' : '\n';
  }

  /** Oldest first. */
  get records(): readonly AlertRecord[] {
    return [...this.#records.values()];
  }

  append(record: AlertRecord): Promise<void> {
    this.#records.set(record.id, record);
    this.#dropOldest();
    return this.#write(this.#owned(record));
  }

  /** Acknowledges the given alerts and returns the updated records of those that were open. If it rejects, they still are. */
  async acknowledge(ids: ReadonlySet<string>, at: number): Promise<readonly AlertRecord[]> {
    const changed = this.#mark(ids, at);
    const acknowledged = changed.map((one) => one.id);
    try {
      if (changed.length > 0) await this.#write({ acknowledged, at });
    } catch (error) {
      this.#reopen(acknowledged);
      throw error;
    }
    return changed;
  }

  /** Records the outcome of a message about an alert; resolves once it is stored. */
  message(id: string, outcome: MessageOutcome): Promise<void> {
    if (!this.#put(id, outcome)) return Promise.resolve();
    return this.#write({ messageOf: id, message: outcome });
  }

  #load(raw: string): void {
    this.#lines++;
    const line = checkedJson(lineSchema, raw);
    // Unreadable ones, and another account's, stay in the file until it is compacted.
    if (line === null) return;
    if ('acknowledged' in line) this.#mark(line.acknowledged, line.at);
    else if ('messageOf' in line) this.#put(line.messageOf, line.message);
    else {
      const { account = this.#account, ...record } = line;
      if (account === this.#account) this.#records.set(record.id, record);
    }
  }

  #owned(record: AlertRecord): object {
    return { ...record, account: this.#account };
  }

  #put(id: string, outcome: MessageOutcome): boolean {
    const record = this.#records.get(id);
    if (record !== undefined) this.#records.set(id, withMessage(record, outcome));
    return record !== undefined;
  }

  #endMessages(startedAt: number): void {
    for (const record of this.#records.values())
      for (const one of record.messages ?? [])
        if ((one.state === 'sending' || one.state === 'retrying') && one.at < startedAt)
          this.#put(record.id, { ...one, state: 'failed', why: ENDED_BEFORE });
  }

  #mark(ids: Iterable<string>, at: number): AlertRecord[] {
    const changed: AlertRecord[] = [];
    for (const id of ids) {
      const record = this.#records.get(id);
      if (record === undefined || record.acknowledgedAt !== null) continue;
      const next = { ...record, acknowledgedAt: at };
      this.#records.set(id, next);
      changed.push(next);
    }
    return changed;
  }

  #reopen(ids: readonly string[]): void {
    for (const id of ids) {
      const record = this.#records.get(id);
      if (record !== undefined) this.#records.set(id, { ...record, acknowledgedAt: null });
    }
  }

  #dropOldest(): void {
    for (const id of this.#records.keys()) {
      if (this.#records.size <= this.#most) return;
      this.#records.delete(id);
    }
  }

  #write(line: object): Promise<void> {
    return this.#writes.queue.run(() => this.#append(line));
  }
  async #append(line: object): Promise<void> {
    if (this.#path === null || this.#writes.isDeleted) return;
    if (this.#lines >= 2 * this.#most) {
      // The records already include the new line.
      await replaceFile(
        this.#path,
        this.records.map((one) => `${JSON.stringify(this.#owned(one))}\n`).join(''),
      );
      this.#lines = this.#records.size;
      this.#prefix = '';
      return;
    }
    const before = this.#prefix;
    // A failed append may leave a partial line.
    this.#prefix = '\n';
    await appendFile(this.#path, `${before}${JSON.stringify(line)}\n`, { mode: 0o600 });
    this.#prefix = '';
    this.#lines++;
  }
}
