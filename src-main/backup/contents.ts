/**
 * Lists what a backup of everything holds, by file names: paths in the profile, with `/`. No other file is written to a
 * backup or taken from one. Secrets are in the keychain, and no file of the profile has them.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MB = 1_000_000;
const GB = 1_000 * MB;
const LIVE = 'live-[a-z0-9-]{1,55}';

/** The kinds of files, and the largest size of each that is accepted from a backup, which is untrusted. */
const KINDS: readonly {
  readonly name: RegExp;
  readonly maxBytes: number;
  /** Backups of earlier versions never have it: what the profile has is kept then. */
  readonly isNewer?: true;
}[] = [
  { name: /^settings\.json$/, maxBytes: 4 * MB },
  { name: /^connections\.json$/, maxBytes: 4 * MB },
  { name: /^webhooks\.json$/, maxBytes: MB, isNewer: true },
  { name: /^day-limits\.json$/, maxBytes: MB, isNewer: true },
  { name: new RegExp(`^alerts/${LIVE}\\.jsonl$`), maxBytes: 200 * MB },
  { name: new RegExp(`^archive/${LIVE}\\.sqlite$`), maxBytes: 200 * GB },
  // Copied last, so that it has every order that the other files show. An order takes up to 21 KB; its reader takes all.
  { name: /^orders\.jsonl$/, maxBytes: 8 * GB },
];
/** Files beside an archive that belong to it, which a restore moves aside with it. */
const BESIDE_ARCHIVE = new RegExp(`^archive/${LIVE}\\.sqlite(?:-wal|-shm|-journal|\\.before-schema-\\d+)$`);

export const JOURNAL = 'orders.jsonl';

/** Returns the largest size accepted of a file with this name; null if a backup holds no such file. */
export const maxBytesOf = (name: string): number | null =>
  KINDS.find((kind) => kind.name.test(name))?.maxBytes ?? null;

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
    return kind !== undefined && (kind.isNewer !== true || restored.includes(name));
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
