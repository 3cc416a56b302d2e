/**
 * Stores a connection's alert log as appended JSON lines: one per alert, one per acknowledgement. Only the newest
 * records are loaded. A file of twice that many lines is compacted with an atomic replace.
 */
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { replaceFile } from '../../src-files/atomic-file.ts';
import type { AlertRecord } from '../../src-shared/ipc/alerts.ts';
import { SerialQueue } from '../../src-shared/serial-queue.ts';
import { ALERT_RULES } from '../../src-shared/domain/alerts/rules.ts';

export const MAX_RECORDS = 5_000;

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
});
const lineSchema = v.union([alertSchema, v.object({ acknowledged: v.array(v.string()), at: v.number() })]);

export interface AlertFile {
  /** Oldest first. */
  readonly records: readonly AlertRecord[];
  /** Lines that could not be parsed. They stay in the file until it is compacted. */
  readonly damaged: number;
  append(record: AlertRecord): Promise<void>;
  /** Acknowledges the given alerts and returns the updated records of those that were open. */
  acknowledge(ids: ReadonlySet<string>, at: number): Promise<readonly AlertRecord[]>;
}

/** Opens a log, or starts an empty one when the file is missing. Throws other file errors. */
export async function openAlertFile(path: string, most = MAX_RECORDS): Promise<AlertFile> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const text = await readOrEmpty(path);
  const records = new Map<string, AlertRecord>();
  let lines = 0;
  let damaged = 0;
  for (const raw of text.split('\n')) {
    if (raw === '') continue;
    lines++;
    const parsed = v.safeParse(lineSchema, parseOrNull(raw));
    if (!parsed.success) damaged++;
    else if ('acknowledged' in parsed.output) mark(parsed.output.acknowledged, parsed.output.at);
    else records.set(parsed.output.id, parsed.output);
  }
  drop();
  // After a torn last line the next record must start on a line of its own.
  let prefix = text === '' || text.endsWith('\n') ? '' : '\n';
  const writes = new SerialQueue();

  function mark(ids: Iterable<string>, at: number): AlertRecord[] {
    const changed: AlertRecord[] = [];
    for (const id of ids) {
      const record = records.get(id);
      if (record === undefined || record.acknowledgedAt !== null) continue;
      const next = { ...record, acknowledgedAt: at };
      records.set(id, next);
      changed.push(next);
    }
    return changed;
  }
  function drop(): void {
    for (const id of records.keys()) {
      if (records.size <= most) return;
      records.delete(id);
    }
  }
  async function write(line: object): Promise<void> {
    if (lines >= 2 * most) {
      // The records already include the new line.
      await replaceFile(path, [...records.values()].map((one) => `${JSON.stringify(one)}\n`).join(''));
      lines = records.size;
      prefix = '';
      return;
    }
    const before = prefix;
    // A failed append may leave a partial line.
    prefix = '\n';
    await appendFile(path, `${before}${JSON.stringify(line)}\n`, { mode: 0o600 });
    prefix = '';
    lines++;
  }

  return {
    get records() {
      return [...records.values()];
    },
    damaged,
    append(record) {
      records.set(record.id, record);
      drop();
      return writes.run(() => write(record));
    },
    async acknowledge(ids, at) {
      const changed = mark(ids, at);
      const acknowledged = changed.map((one) => one.id);
      if (changed.length > 0) await writes.run(() => write({ acknowledged, at }));
      return changed;
    },
  };
}

async function readOrEmpty(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
