/** Reads where this build's updates are announced. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import * as v from 'valibot';
import { updatePlaceSchema, type UpdatePlace } from '../../src-shared/ipc/updates.ts';

const manifestSchema = v.object({ updates: v.optional(v.nullable(updatePlaceSchema), null) });

/** Returns the update address: sealed in a package, set by BALLAST_UPDATES in development. Throws if invalid. */
export function updatePlace(): UpdatePlace | null {
  const given = app.isPackaged ? undefined : process.env.BALLAST_UPDATES;
  if (given !== undefined && given !== '') return v.parse(updatePlaceSchema, JSON.parse(given));
  const manifest: unknown = JSON.parse(readFileSync(join(app.getAppPath(), 'package.json'), 'utf8'));
  return v.parse(manifestSchema, manifest).updates;
}
