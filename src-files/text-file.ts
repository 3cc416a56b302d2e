/** Reads the small text files of the profile. */
import { readFile } from 'node:fs/promises';
import { errorCode } from './error-code.ts';

/** Returns a file's text; null if there is no such file. Rejects on every other error. */
export async function readTextIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
