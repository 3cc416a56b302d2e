/** Reads what the build put beside the app: the licences, the changelog and where updates are announced. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { app } from 'electron';
import * as v from 'valibot';
import changelog from '../../CHANGELOG.md?raw';
import { parseChangelog, type Release } from '../../src-shared/domain/display/changelog.ts';
import type { Licence } from '../../src-shared/ipc/calls-app.ts';
import { updatePlaceSchema, type UpdatePlace } from '../../src-shared/ipc/updates.ts';

/** Reads the library licences (packaging/licences.ts). Rejects in development, where the build writes none. */
export async function readLicences(): Promise<readonly Licence[]> {
  const text = await readFile(join(import.meta.dirname, '..', 'licences.json'), 'utf8');
  return JSON.parse(text) as readonly Licence[];
}

/** Returns what changed in each version. */
export const releases = (): readonly Release[] => parseChangelog(changelog);

const manifestSchema = v.object({ updates: v.optional(v.nullable(updatePlaceSchema), null) });

/** Returns the update address: sealed in a package, set by BALLAST_UPDATES in development. Throws if invalid. */
export function updatePlace(): UpdatePlace | null {
  const given = app.isPackaged ? undefined : process.env.BALLAST_UPDATES;
  if (given !== undefined && given !== '') return v.parse(updatePlaceSchema, JSON.parse(given));
  const manifest: unknown = JSON.parse(readFileSync(join(app.getAppPath(), 'package.json'), 'utf8'));
  return v.parse(manifestSchema, manifest).updates;
}
