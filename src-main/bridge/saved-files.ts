/**
 * Saves small files made by the window. The path comes from the dialog, the name is sanitised, the content validated,
 * and the write is atomic.
 */
import type { SavedFile } from '../../src-shared/ipc/calls-files.ts';
import { blocked, done, failed, type Result } from '../../src-shared/ipc/failures.ts';
import { createAtomicFile, writeAtomic } from '../../src-files/atomic-file.ts';
import { notWritten } from '../archive/sqlite/errors.ts';

/** Asks where to save; null if the user cancelled. */
export type SavedPath = (kind: SavedFile['kind'], suggested: string) => Promise<string | null>;

const PNG_HEAD = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PNG_END = Buffer.from('IEND');
/** Length of the closing chunk: length, name, checksum. */
const PNG_END_LENGTH = 12;
const MAX_NAME = 100;

/** Sanitises a name: `../BTC-USDT-M: tiers` → `BTC-USDT-M- tiers.csv`. No folder, no hidden file, one extension. */
export function safeName(name: string, kind: SavedFile['kind']): string {
  const bare = name.endsWith(`.${kind}`) ? name.slice(0, -kind.length - 1) : name;
  const safe = bare
    .replace(/[^A-Za-z0-9 ._-]+/g, '-')
    .replace(/^[ ._-]+/, '')
    .slice(0, MAX_NAME)
    .replace(/[ ._-]+$/, '');
  return `${safe === '' ? 'ballast' : safe}.${kind}`;
}

const isPicture = (bytes: Buffer): boolean =>
  bytes.length > PNG_HEAD.length + PNG_END_LENGTH &&
  bytes.subarray(0, PNG_HEAD.length).equals(PNG_HEAD) &&
  bytes.subarray(-8, -4).equals(PNG_END);

export async function saveFile(
  file: SavedFile,
  savedPath: SavedPath,
): Promise<Result<{ readonly path: string } | null>> {
  const bytes = Buffer.from(file.data, file.kind === 'png' ? 'base64' : 'utf8');
  if (file.kind === 'png' && !isPicture(bytes))
    return blocked(
      'This is not a PNG image.',
      'Save it again. If this happens again, please report it.',
      'data',
    );
  const path = await savedPath(file.kind, safeName(file.name, file.kind));
  if (path === null) return done(null);
  try {
    await writeAtomic(createAtomicFile(path), bytes);
  } catch (error) {
    return failed(notWritten(error, path));
  }
  return done({ path });
}
