/** Reads the library licences the build wrote (packaging/licences.ts). */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Licence } from '../../src-shared/ipc/calls-app.ts';

/** Reads the list. Rejects in development, where the build writes none. */
export async function readLicences(): Promise<readonly Licence[]> {
  const text = await readFile(join(import.meta.dirname, '..', 'licences.json'), 'utf8');
  return JSON.parse(text) as readonly Licence[];
}
