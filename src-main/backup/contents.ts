/**
 * What a backup of everything holds, by the names of its files: paths in the profile, with `/`. Nothing else is written
 * to one or taken from one. Secrets are in the keychain, and no file of the profile has them.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MB = 1_000_000;
const GB = 1_000 * MB;
const LIVE = 'live-[a-z0-9-]{1,55}';

/** The kinds of files and the largest size accepted from a file of unknown origin. */
const KINDS: readonly {
  readonly name: RegExp;
  readonly most: number;
  /** Backups of earlier versions never have it: what the profile has is kept then. */
  readonly since?: true;
}[] = [
  { name: /^settings\.json$/, most: 4 * MB },
  { name: /^connections\.json$/, most: 4 * MB },
  { name: /^webhooks\.json$/, most: MB, since: true },
  { name: new RegExp(`^alerts/${LIVE}\\.jsonl$`), most: 200 * MB },
  { name: new RegExp(`^archive/${LIVE}\\.sqlite$`), most: 200 * GB },
  // Last, so that it has the orders behind everything copied before it. A text must fit into a string.
  { name: /^orders\.jsonl$/, most: 400 * MB },
];
/** Files beside an archive that belong to it. */
const BESIDE_ARCHIVE = new RegExp(`^archive/${LIVE}\\.sqlite(?:-wal|-shm|\\.before-schema-\\d+)$`);

export const JOURNAL = 'orders.jsonl';

/** Returns the largest size of a file of this name; null if a backup has no such file. */
export const largest = (name: string): number | null =>
  KINDS.find((kind) => kind.name.test(name))?.most ?? null;

export const isArchive = (name: string): boolean => name.startsWith('archive/');

/** Returns the connection an archive or alert log belongs to. */
export const ownerOf = (name: string): string => /\/([^.]+)\./.exec(name)?.[1] ?? '';

/** Returns the profile's files that a backup holds. */
export const filesToBackUp = (profile: string): readonly string[] =>
  KINDS.flatMap((kind) => filesIn(profile).filter((name) => kind.name.test(name)));

/** Returns the profile's files that the restore of these replaces: those of a backup, and what belongs to an archive. */
export const filesToReplace = (profile: string, restored: readonly string[]): readonly string[] =>
  filesIn(profile).filter((name) => {
    if (BESIDE_ARCHIVE.test(name)) return true;
    const kind = KINDS.find((one) => one.name.test(name));
    return kind !== undefined && (kind.since !== true || restored.includes(name));
  });

/** Returns the files of the profile's folder and of those of archives and alerts, in order of name. */
function filesIn(profile: string): readonly string[] {
  return ['', 'archive/', 'alerts/'].flatMap((folder) => {
    const path = join(profile, folder);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${folder}${entry.name}`)
      .sort();
  });
}
