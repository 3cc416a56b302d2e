/** Reads files of the profile. */
import { readFile } from 'node:fs/promises';
import { errorCode } from './error-code.ts';

/** Returns a file's bytes; null if there is no such file. Rejects on every other error. */
export async function readIfPresent(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Returns the text of a small file, as `readIfPresent`. */
export const readTextIfPresent = async (path: string): Promise<string | null> =>
  (await readIfPresent(path))?.toString() ?? null;
