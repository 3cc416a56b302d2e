/**
 * Saves and restores a checkpoint: the exchange's state after a known part of its log, so that a start replays only
 * the rest. A checkpoint that is missing, damaged, or of another version or log is ignored, and the whole log is
 * replayed. A file has two lines, a header and the state it hashes:
 *     {"ballastCheckpoint":1,"engine":5,"id":"…","inputs":61,"size":…,"log":"<sha256>","hash":"<sha256>"}
 *     {"steppedAt":…,"world":{…}}
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { replaceFileSync } from '../src-files/atomic-file.ts';
import { removeSync } from '../src-files/remove.ts';
import { isRecord } from '../src-shared/exchange-api/fields.ts';
import { parseJsonOrNull } from '../src-shared/json.ts';
import { ENGINE_VERSION } from './engine/engine.ts';
import type { SavedEngine } from './engine/engine.ts';
import { SAVED_VERSION } from './engine/saved-world.ts';

/** The part of a log that a checkpoint covers. */
interface Covered {
  /** Id of the exchange. */
  readonly id: string;
  /** Number of inputs, and length of the log in bytes after the last of them. */
  readonly inputs: number;
  readonly size: number;
  /** Hash of those bytes. */
  readonly log: string;
}

interface Header extends Covered {
  readonly ballastCheckpoint: number;
  readonly engine: number;
  readonly hash: string;
}

const hashOf = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Writes a bigint as `"123n"`. No text in the engine's state has this form. */
const asText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);
const fromText = (_: string, value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value;

export const encode = (saved: SavedEngine): string => JSON.stringify(saved, asText);

/** Checks the outline only: the hash shows that this version wrote the rest. */
const isSaved = (value: unknown): value is SavedEngine =>
  isRecord(value) && typeof value['steppedAt'] === 'number' && isRecord(value['world']);

const isHeader = (value: unknown): value is Header =>
  isRecord(value) &&
  value['ballastCheckpoint'] === SAVED_VERSION &&
  value['engine'] === ENGINE_VERSION &&
  typeof value['id'] === 'string' &&
  Number.isSafeInteger(value['inputs']) &&
  Number.isSafeInteger(value['size']) &&
  typeof value['log'] === 'string' &&
  typeof value['hash'] === 'string';

/** Parses a saved state; `null` for any other text. */
export function decode(text: string): SavedEngine | null {
  const value: unknown = JSON.parse(text, fromText);
  return isSaved(value) ? value : null;
}

function headerOf(line: string): Header | null {
  const value = parseJsonOrNull(line);
  return isHeader(value) ? value : null;
}

/** Writes a checkpoint atomically: the previous one stays until this one is on disk. Returns false on failure. */
export function writeCheckpoint(path: string, covered: Covered, saved: SavedEngine): boolean {
  const body = encode(saved);
  const header: Header = {
    ballastCheckpoint: SAVED_VERSION,
    engine: ENGINE_VERSION,
    ...covered,
    hash: hashOf(body),
  };
  try {
    replaceFileSync(path, Buffer.from(`${JSON.stringify(header)}\n${body}\n`, 'utf8'));
    return true;
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return false;
    throw error;
  }
}

/**
 * Reads the checkpoint at `path` with the number of inputs of `log` it covers; `null` unless it belongs to this
 * log.
 */
export function readCheckpoint(
  path: string,
  id: string,
  log: Buffer,
): { readonly saved: SavedEngine; readonly inputs: number } | null {
  if (!existsSync(path)) return null;
  const [first = '', body = ''] = readFileSync(path, 'utf8').split('\n');
  const header = headerOf(first);
  if (header?.id !== id || header.hash !== hashOf(body)) return null;
  if (header.size > log.length || hashOf(log.subarray(0, header.size)) !== header.log) return null;
  const saved = decode(body);
  return saved && { saved, inputs: header.inputs };
}

export const removeCheckpoint = (path: string): void => removeSync(path);
