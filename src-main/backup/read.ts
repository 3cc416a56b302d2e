/**
 * Reads a backup and verifies it as untrusted: names from a fixed list, sizes within limits, and each file's SHA-256 as
 * its manifest says. Nothing is written but to the given folder, under names of that list.
 */
import { createHash, type Hash } from 'node:crypto';
import { closeSync, createReadStream, fsyncSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { Parser } from 'tar/parse';
import type { ReadEntry } from 'tar/read-entry';
import * as v from 'valibot';
import { errorCode } from '../../src-files/error-code.ts';
import { maxBytesOf } from './contents.ts';
import { BackupFault } from './fault.ts';
import {
  MANIFEST,
  manifestSchema,
  MAX_MANIFEST_BYTES,
  type BackedUpFile,
  type Manifest,
} from './manifest.ts';
import { parseJsonOrNull } from '../../src-shared/json.ts';

const CHOOSE_ANOTHER = 'Choose another backup. Nothing was changed.';
const damaged = (what: string): BackupFault =>
  new BackupFault(`The backup is damaged: ${what}.`, CHOOSE_ANOTHER);
const notABackup = (what: string): BackupFault =>
  new BackupFault(`This is not a backup of everything made by Ballast: ${what}.`, CHOOSE_ANOTHER);

interface Options {
  /** The folder to write the files to; null only verifies them. */
  readonly into: string | null;
  /** Called with the percentage of the file that was read. */
  readonly progress?: (percent: number) => void;
  /** Called with the manifest before any file is read; throws to reject it. */
  readonly accept?: (manifest: Manifest) => void;
}

/** Verifies every file and returns the manifest. Rejects with BackupFault, or the file system's error. */
export async function readBackup(path: string, options: Options): Promise<Manifest> {
  const reader = new BackupReader(options);
  try {
    await feed(path, reader, options.progress);
    return reader.end();
  } finally {
    reader.close();
  }
}

/** Returns the manifest alone, unverified; null if the file is no backup of everything. */
export async function readManifest(path: string): Promise<Manifest | null> {
  let found: Manifest | null = null;
  const stop = new Error('read');
  const accept = (manifest: Manifest): void => {
    found = manifest;
    throw stop;
  };
  try {
    await feed(path, new BackupReader({ into: null, accept }));
  } catch (error) {
    if (error !== stop) return null; // not one, or unreadable: left alone
  }
  return found;
}

async function feed(path: string, reader: BackupReader, progress?: (percent: number) => void): Promise<void> {
  const stat = statSync(path);
  // A pipe or a device might never end.
  if (!stat.isFile()) throw notABackup('it is not a file');
  let read = 0;
  const file = createReadStream(path, { highWaterMark: 1 << 20 });
  const unzipped = createGunzip({ chunkSize: 1 << 18 });
  file.on('data', (chunk) => {
    read += chunk.length;
    progress?.((100 * read) / stat.size);
  });
  file.on('error', (error) => unzipped.destroy(error));
  try {
    for await (const chunk of file.pipe(unzipped)) reader.write(chunk as Buffer);
  } catch (error) {
    throw isZlibError(error)
      ? reader.hasManifest()
        ? damaged('it is cut off or was changed')
        : notABackup('it has another format')
      : error;
  } finally {
    file.destroy();
  }
}

const isZlibError = (error: unknown): boolean => errorCode(error).startsWith('Z_');

/** A file being read. */
interface Current {
  readonly listed: BackedUpFile;
  readonly hash: Hash;
  readonly file: number | null;
  bytes: number;
}

class BackupReader {
  readonly #options: Options;
  readonly #parser: Parser;
  #manifest: Manifest | null = null;
  #current: Current | null = null;
  readonly #missing = new Map<string, BackedUpFile>();
  /** Unzipped bytes that may still follow; more are rejected, against zip bombs. */
  #bytesLeft = 3 * MAX_MANIFEST_BYTES;
  #fault: Error | null = null;

  constructor(options: Options) {
    this.#options = options;
    // It would unpack a second compression by itself, past the limit of bytes.
    const plain = { gzip: false, brotli: false, zstd: false };
    this.#parser = new Parser({ strict: true, ...plain, onReadEntry: (entry) => this.#enter(entry) });
    this.#parser.on('error', () => this.#fail(damaged('its container cannot be read')));
  }

  /** Reports whether the manifest was read. */
  hasManifest(): boolean {
    return this.#manifest !== null;
  }
  write(chunk: Buffer): void {
    this.#bytesLeft -= chunk.length;
    if (this.#bytesLeft < 0) throw damaged('it contains more than its manifest lists');
    this.#parser.write(chunk);
    this.#rethrow();
  }
  end(): Manifest {
    this.#parser.end();
    this.#rethrow();
    if (this.#manifest === null) throw notABackup('it has no manifest');
    const [missing] = this.#missing.keys();
    if (missing !== undefined) throw damaged(`${missing} is missing`);
    return this.#manifest;
  }
  /** Closes the file that was being written when it failed. */
  close(): void {
    const file = this.#current?.file ?? null;
    if (file !== null) closeSync(file);
  }

  /** Stores the first fault until `#rethrow`: the parser would replace one thrown in its events by its own. */
  #fail(fault: unknown): void {
    this.#fault ??= fault instanceof Error ? fault : damaged('it cannot be read');
  }
  #rethrow(): void {
    if (this.#fault !== null) throw this.#fault;
  }
  #guard(work: () => void): void {
    try {
      if (this.#fault === null) work();
    } catch (error) {
      this.#fail(error);
    }
  }

  #enter(entry: ReadEntry): void {
    this.#guard(() => {
      if (entry.type !== 'File') throw damaged('it holds something that is not a file');
      if (this.#manifest === null) this.#readManifest(entry);
      else this.#readFile(entry);
    });
    // Discards the content of a rejected entry.
    if (this.#fault !== null) entry.resume();
  }

  #readManifest(entry: ReadEntry): void {
    if (entry.path !== MANIFEST || entry.size > MAX_MANIFEST_BYTES)
      throw notABackup('it does not begin with a manifest');
    const pieces: Buffer[] = [];
    entry.on('data', (piece: Buffer) => pieces.push(piece));
    entry.on('end', () =>
      this.#guard(() => this.#accept(manifestIn(Buffer.concat(pieces).toString('utf8')))),
    );
  }

  #accept(manifest: Manifest): void {
    for (const one of manifest.files) {
      const max = maxBytesOf(one.name);
      if (max === null || this.#missing.has(one.name))
        throw damaged(`its manifest lists ${quoted(one.name)}`);
      if (one.bytes > max) throw damaged(`${one.name} is larger than it can be`);
      this.#missing.set(one.name, one);
      // A header, padding, and one record of extended attributes.
      this.#bytesLeft += one.bytes + 4_096;
    }
    this.#options.accept?.(manifest);
    this.#manifest = manifest;
  }

  #readFile(entry: ReadEntry): void {
    const listed = this.#missing.get(entry.path);
    if (listed === undefined)
      throw damaged(`it holds ${quoted(entry.path)}, which its manifest does not list`);
    this.#missing.delete(listed.name);
    const current: Current = {
      listed,
      hash: createHash('sha256'),
      file: this.#create(listed.name),
      bytes: 0,
    };
    this.#current = current;
    entry.on('data', (piece: Buffer) => this.#guard(() => append(current, piece)));
    entry.on('end', () => this.#guard(() => this.#finish(current)));
  }

  #create(name: string): number | null {
    const { into } = this.#options;
    if (into === null) return null;
    const path = join(into, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return openSync(path, 'wx', 0o600);
  }

  #finish({ listed, hash, file, bytes }: Current): void {
    if (bytes !== listed.bytes || hash.digest('hex') !== listed.sha256)
      throw damaged(`${listed.name} differs from what was backed up`);
    if (file !== null) {
      fsyncSync(file);
      closeSync(file);
    }
    this.#current = null;
  }
}

function append(to: Current, piece: Buffer): void {
  to.bytes += piece.length;
  if (to.bytes > to.listed.bytes) throw damaged(`${to.listed.name} is larger than listed`);
  to.hash.update(piece);
  if (to.file !== null) for (let from = 0; from < piece.length;) from += writeSync(to.file, piece, from);
}

function manifestIn(text: string): Manifest {
  const value = parseJsonOrNull(text);
  if (value === null) throw notABackup('its manifest cannot be read');
  const parsed = v.safeParse(manifestSchema, value);
  if (parsed.success) return parsed.output;
  const format = v.safeParse(
    v.object({ format: v.pipe(v.string(), v.startsWith('ballast-backup-')) }),
    value,
  );
  if (format.success && format.output.format !== 'ballast-backup-1')
    throw new BackupFault(
      'A newer version of Ballast wrote this backup.',
      'Update Ballast, then restore it.',
    );
  throw notABackup('its manifest cannot be read');
}

/** Returns a name of unknown origin, safe to show. */
const quoted = (name: string): string => `“${name.replaceAll(/[^\w./ -]/g, '?').slice(0, 60)}”`;
