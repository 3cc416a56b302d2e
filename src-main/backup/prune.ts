/** Deletes a schedule's older backups. A file is deleted only if its name and its manifest say that the schedule wrote it. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { removeSync } from '../../src-files/remove.ts';
import { isBackupName } from './manifest.ts';
import { readManifest } from './read.ts';

export interface PruneRequest {
  readonly folder: string;
  readonly schedule: string;
  /** Number of files to keep, the verified one included. */
  readonly keep: number;
  /** Name of the newest verified file, which is never deleted. */
  readonly verified: string;
}

/** Returns the files that could not be deleted, by name or, where no name can be read, as one text. Never rejects. */
export async function prune({ folder, schedule, keep, verified }: PruneRequest): Promise<readonly string[]> {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [`those in ${folder}, whose names cannot be read`];
  }
  const own: { readonly name: string; readonly createdAt: number }[] = [];
  for (const name of names) {
    if (!isBackupName(name) || name === verified) continue;
    const manifest = await readManifest(join(folder, name));
    if (manifest?.schedule === schedule) own.push({ name, createdAt: manifest.createdAt });
  }
  own.sort((a, b) => b.createdAt - a.createdAt);
  const undeleted: string[] = [];
  for (const { name } of own.slice(Math.max(0, keep - 1))) {
    try {
      removeSync(join(folder, name));
    } catch {
      undeleted.push(name);
    }
  }
  return undeleted;
}
