/** Reads a CSV the system opens with Ballast, by double click or a second start. */
import { open, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCode } from '../../src-files/error-code.ts';
import { MAX_OPENED_BYTES, type OpenedFile } from '../../src-shared/ipc/calls-app.ts';
import type { Failure } from '../../src-shared/ipc/failures.ts';

const isCsv = (path: string): boolean => /\.csv$/i.test(path);

/** Decodes the file: URL Linux desktops pass (`%U`). A URL of another host is returned as is. */
function pathOf(argument: string): string {
  if (!/^file:\/\//i.test(argument) || !URL.canParse(argument)) return argument;
  try {
    return fileURLToPath(argument);
  } catch {
    return argument;
  }
}

/** Returns the absolute path of the CSV among a start's arguments, or null. Switches are ignored. */
export function csvOf(argv: readonly string[], folder: string): string | null {
  const given = argv.slice(1).filter((one) => !one.startsWith('-'));
  const path = given.map(pathOf).findLast(isCsv);
  return path === undefined ? null : resolve(folder, path);
}

/** Reads the file. Never rejects: a failure is returned with the file's name. */
export async function readOpened(path: string): Promise<OpenedFile> {
  const name = basename(path);
  const failed = (message: string, next: string): OpenedFile => {
    const failure: Failure = { kind: 'file', message, next, field: 'file' };
    return { name, failure };
  };
  if (!isCsv(path)) return failed(`“${name}” is not a .csv file.`, 'Open the batch as a CSV file.');
  try {
    // Opening a pipe would wait for its writer, in a thread that files and DNS need.
    if (!(await stat(path)).isFile())
      return failed(`“${name}” is not a file.`, 'Open the batch as a CSV file.');
    const handle = await open(path, 'r');
    try {
      const { size } = await handle.stat();
      if (size > MAX_OPENED_BYTES)
        return failed(
          `“${name}” is larger than ${MAX_OPENED_BYTES / 1_000_000} MB.`,
          'Split the file. A batch has at most 1,000 rows.',
        );
      // One byte more than allowed, so a file that grew is detected instead of cut off.
      const bytes = Buffer.alloc(MAX_OPENED_BYTES + 1);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
      if (bytesRead > MAX_OPENED_BYTES)
        return failed(`“${name}” changed while it was being read.`, 'Open it again once it is complete.');
      return { name, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, bytesRead)) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof TypeError)
      return failed(`“${name}” is not UTF-8 text.`, 'Save it as CSV in UTF-8 and open it again.');
    const code = errorCode(error) || 'unknown error';
    return failed(
      `“${name}” could not be read (${code}).`,
      'Check that the file exists and you may read it.',
    );
  }
}
