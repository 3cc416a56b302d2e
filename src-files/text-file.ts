/** Reads files of the profile. */
import { open, readFile } from 'node:fs/promises';
import { errorCode } from './error-code.ts';

/** Returns a file's bytes; null if there is no such file. Rejects on every other error. */
export async function readIfPresent(
  path: string,
  read: (path: string) => Promise<Buffer> = readFile,
): Promise<Buffer | null> {
  try {
    return await read(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    if (errorCode(error) === 'ERR_FS_FILE_TOO_LARGE') return readInPieces(path);
    throw error;
  }
}

/** Most bytes of one read. */
const PIECE = 2 ** 30;

/** Reads a file of more than 2 GB, which Node does not in one piece, as a journal of some 100,000 orders may be. */
async function readInPieces(path: string): Promise<Buffer> {
  const handle = await open(path);
  try {
    const bytes = Buffer.allocUnsafe((await handle.stat()).size);
    for (let at = 0; at < bytes.length;) {
      const { bytesRead } = await handle.read(bytes, at, Math.min(PIECE, bytes.length - at), at);
      if (bytesRead === 0) return bytes.subarray(0, at);
      at += bytesRead;
    }
    return bytes;
  } finally {
    await handle.close();
  }
}

/** Returns the text of a small file, as `readIfPresent`. */
export const readTextIfPresent = async (path: string): Promise<string | null> =>
  (await readIfPresent(path))?.toString() ?? null;
