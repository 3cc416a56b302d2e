/** Reads a CSV the system opens with Ballast, by double click or a second start. */
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileText, type TextFault } from '../../src-files/bounded-text.ts';
import { errorCode } from '../../src-files/error-code.ts';
import { MAX_BATCH_BYTES } from '../../src-shared/ipc/batch.ts';
import type { OpenedFile } from '../../src-shared/ipc/calls-app.ts';
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

const FAULTS: Readonly<Record<TextFault, readonly [what: string, next: string]>> = {
  'not-a-file': ['is not a file', 'Open the batch as a CSV file.'],
  'too-large': [
    `is larger than ${MAX_BATCH_BYTES / 1_000_000} MB`,
    'Split the file. A batch has at most 1,000 rows.',
  ],
  'not-utf-8': ['is not UTF-8 text', 'Save it as CSV in UTF-8 and open it again.'],
};

/** Reads the file. Never rejects: a failure is returned with the file's name. */
export async function readOpened(path: string): Promise<OpenedFile> {
  const name = basename(path);
  const failed = (what: string, next: string): OpenedFile => {
    const failure: Failure = { kind: 'file', message: `“${name}” ${what}.`, next, field: 'file' };
    return { name, failure };
  };
  if (!isCsv(path)) return failed('is not a .csv file', 'Open the batch as a CSV file.');
  try {
    const read = await fileText(path, MAX_BATCH_BYTES);
    return 'text' in read ? { name, text: read.text } : failed(...FAULTS[read.fault]);
  } catch (error) {
    const code = errorCode(error) || 'unknown error';
    return failed(`could not be read (${code})`, 'Check that the file exists and you may read it.');
  }
}
