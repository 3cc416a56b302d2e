/** A CSV the system opens with Ballast (a double click, a second start): read here, a few faults told in words. */
import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MAX_OPENED_BYTES, type OpenedFile } from '../../src-shared/ipc/calls-app.ts';
import type { Failure } from '../../src-shared/ipc/failures.ts';

const isCsv = (path: string): boolean => /\.csv$/i.test(path);

/** Desktops of Linux pass a file as a file: URL (`%U`). One of another computer stays as it is. */
function pathOf(argument: string): string {
  if (!/^file:\/\//i.test(argument) || !URL.canParse(argument)) return argument;
  try {
    return fileURLToPath(argument);
  } catch {
    return argument;
  }
}

/** The CSV among a start's arguments, as an absolute path; null when there is none. Switches are none. */
export function csvOf(argv: readonly string[], folder: string): string | null {
  const given = argv.slice(1).filter((one) => !one.startsWith('-'));
  const path = given.map(pathOf).findLast(isCsv);
  return path === undefined ? null : resolve(folder, path);
}

/** Never rejects: what could not be read is told with its name. */
export async function readOpened(path: string): Promise<OpenedFile> {
  const name = basename(path);
  const refused = (message: string, next: string): OpenedFile => {
    const failure: Failure = { kind: 'file', message, next, field: 'file' };
    return { name, failure };
  };
  if (!isCsv(path)) return refused(`“${name}” is no .csv file.`, 'Open the batch as a CSV file.');
  try {
    const handle = await open(path, 'r');
    try {
      const { size } = await handle.stat();
      if (size > MAX_OPENED_BYTES)
        return refused(
          `“${name}” has ${size} bytes; a batch file may have ${MAX_OPENED_BYTES}.`,
          'Split it: one batch takes 1,000 rows.',
        );
      // One byte more than may be read, so that a file that grew meanwhile is noticed, not cut.
      const bytes = Buffer.alloc(MAX_OPENED_BYTES + 1);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
      if (bytesRead > MAX_OPENED_BYTES)
        return refused(`“${name}” grew while it was read.`, 'Open it again once it is written.');
      return { name, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, bytesRead)) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof TypeError)
      return refused(`“${name}” is not UTF-8 text.`, 'Save it as CSV in UTF-8 and open it again.');
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown fault';
    return refused(`“${name}” could not be read (${code}).`, 'Check that it is there and may be read.');
  }
}
