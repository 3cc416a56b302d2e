/** What the build wrote down about the libraries in it (packaging/licences.ts), beside its folders. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Licence } from '../../src-shared/ipc/calls-app.ts';

/** Rejects when this is no finished build: the development server writes none. */
export async function readLicences(): Promise<readonly Licence[]> {
  const text = await readFile(join(import.meta.dirname, '..', 'licences.json'), 'utf8');
  return JSON.parse(text) as readonly Licence[];
}
