/**
 * Writes one file with everything: copies the profile's files to a folder of their own, archives by SQLite's backup,
 * packs them with a manifest, and reads the result back before it gets its name.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, createReadStream, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { create } from 'tar/create';
import { createPrivateFile, partOf, removeAbandoned, type AtomicFile } from '../../src-files/atomic-file.ts';
import { removeSync } from '../../src-files/remove.ts';
import { copySoundArchive } from '../archive/maintenance/copy.ts';
import { filesToBackUp, isArchive } from './contents.ts';
import { MANIFEST, type BackedUpFile, type Manifest } from './manifest.ts';
import { readBackup } from './read.ts';

export interface WriteRequest {
  /** The profile's folder. */
  readonly profile: string;
  /** Folder for the copies; emptied before and removed after. */
  readonly scratch: string;
  readonly path: string;
  /** Makes the temporary name unique: `partOf(path, token)`. */
  readonly token: string;
  /** What the manifest says of the backup itself. */
  readonly origin: Pick<Manifest, 'version' | 'createdAt' | 'schedule'>;
}

/** Percentages of the whole: copying, packing, reading back. */
const COPIED = 40;
const PACKED = 85;

/** Returns the manifest. Rejects with ArchiveFault, BackupFault or the system's error, and leaves an existing file. */
export async function writeBackup(
  request: WriteRequest,
  progress: (percent: number) => void,
): Promise<Manifest> {
  const { scratch, path, token, origin } = request;
  removeSync(scratch, { recursive: true });
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  try {
    const files = await copyFiles(request, (percent) => progress((percent * COPIED) / 100));
    const manifest: Manifest = { format: 'ballast-backup-1', ...origin, files: [...files] };
    writeFileSync(join(scratch, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    const file = createPrivateFile(path, token);
    removeAbandoned(partOf(path, token));
    try {
      await pack(scratch, manifest, file, (percent) =>
        progress(COPIED + (percent * (PACKED - COPIED)) / 100),
      );
      const verified = (percent: number): void => progress(PACKED + (percent * (100 - PACKED)) / 100);
      await readBackup(partOf(path, token), { into: null, progress: verified });
      await file.commit();
    } finally {
      file.discard();
    }
    return manifest;
  } finally {
    removeSync(scratch, { recursive: true });
  }
}

async function copyFiles(
  { profile, scratch }: WriteRequest,
  progress: (percent: number) => void,
): Promise<readonly BackedUpFile[]> {
  const names = filesToBackUp(profile);
  const files: BackedUpFile[] = [];
  for (const [index, name] of names.entries()) {
    const [from, to] = [join(profile, name), join(scratch, name)];
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    const report = (own: number): void => progress((100 * index + own) / names.length);
    if (isArchive(name)) await copySoundArchive(from, to, report);
    else copyFileSync(from, to); // written by atomic replace, or by appends, whose reader accepts a cut last line
    files.push({ name, bytes: statSync(to).size, sha256: await hashOf(to) });
    report(100);
  }
  return files;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece as Buffer);
  return hash.digest('hex');
}

async function pack(
  folder: string,
  { files }: Manifest,
  file: AtomicFile,
  progress: (percent: number) => void,
): Promise<void> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 1);
  let packed = 0;
  const entries = create({ cwd: folder, portable: true, strict: true }, [
    MANIFEST,
    ...files.map(({ name }) => name),
  ]);
  await pipeline(
    Readable.from(entries),
    async function* count(source: AsyncIterable<Buffer>) {
      for await (const piece of source) {
        packed += piece.length;
        progress(Math.min(100, (100 * packed) / total));
        yield piece;
      }
    },
    createGzip({ level: 6 }),
    async (source: AsyncIterable<Buffer>) => {
      for await (const piece of source) file.append(piece);
    },
  );
}
