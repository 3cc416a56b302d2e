/**
 * Reads a small JSON file with its schema and replaces it atomically. A damaged file is moved aside, and one that could
 * not be read, as while another program holds it, is not replaced.
 */
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type * as v from 'valibot';
import { replaceFile } from '../../src-files/atomic-file.ts';
import { rename } from '../../src-files/rename.ts';
import { readTextIfPresent } from '../../src-files/text-file.ts';
import { checkedJson } from '../../src-shared/checked-json.ts';
import { SerialQueue } from '../../src-shared/serial-queue.ts';
import type { Clock } from '../../src-shared/time.ts';

export interface JsonFile<T> {
  read(): Promise<T>;
  write(value: T): Promise<void>;
}

/** @param moved called with the name a damaged file was moved to */
export function jsonFile<S extends v.GenericSchema>(
  path: string,
  schema: S,
  fallback: v.InferOutput<S>,
  clock: Clock,
  moved: (name: string) => void,
): JsonFile<v.InferOutput<S>> {
  const writes = new SerialQueue();
  /** Why the last read failed; null if it did not. */
  let unread: Error | null = null;

  async function read(): Promise<v.InferOutput<S>> {
    const text = await readTextIfPresent(path);
    if (text === null) return fallback;
    const found = checkedJson(schema, text);
    if (found !== null) return found;
    const name = `${basename(path)}.damaged-${clock.now()}`;
    await rename(path, join(dirname(path), name));
    moved(name);
    return fallback;
  }

  async function replace(value: v.InferOutput<S>): Promise<void> {
    if (unread !== null) throw unread;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await replaceFile(path, `${JSON.stringify(value, null, 2)}\n`);
  }

  return {
    async read() {
      try {
        const found = await read();
        unread = null;
        return found;
      } catch (error) {
        unread = error instanceof Error ? error : new Error(String(error));
        throw error;
      }
    },
    write: (value) => writes.run(() => replace(value)),
  };
}
