/**
 * Stores the exchange: a file of its inputs, one JSON line each, from which the engine rebuilds it. A line is
 * written and synced before its input takes effect, so that an acknowledged input is never lost.
 *     {"convention":"flat","seed":7,"start":…,"history":120,"contracts":13,"ballastPractice":1,"engine":5,"id":"…"}
 *     {"clock":{"at":…,"wall":…,"speed":1}}
 *     {"at":…,"do":"order","request":{…}}
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { replaceFileSync } from '../src-files/atomic-file.ts';
import { renameSync } from '../src-files/rename.ts';
import { readCheckpoint, removeCheckpoint, writeCheckpoint } from './checkpoint.ts';
import type { SavedEngine } from './engine/engine.ts';
import { ENGINE_VERSION } from './engine/engine.ts';
import type { Timed } from './engine/recording.ts';
import { readState, SCHEMA } from './state-lines.ts';
import type { ClockLine, WorldLine } from './state-lines.ts';
import { HOUR_MS } from '../src-shared/time.ts';

const FILE = 'exchange.jsonl';
const CHECKPOINT = 'checkpoint.jsonl';
/** A checkpoint is due after this much of the exchange's time (a tenth of a second to replay), or this many inputs. */
const CHECKPOINT_EVERY_MS = HOUR_MS;
const CHECKPOINT_EVERY_INPUTS = 2_000;

/** Thrown when the file cannot be written. The input has not taken effect. */
export class StateFault extends Error {
  override readonly name = 'StateFault';
}

export interface Opened {
  readonly file: StateFile;
  readonly world: WorldLine;
  /** The state to start from; `null` for a new exchange of `world`. */
  readonly saved: SavedEngine | null;
  /** Inputs to replay on it. */
  readonly inputs: readonly Timed[];
  readonly clock: ClockLine | null;
  /** No usable state was found. */
  readonly fresh: boolean;
  /** Where an unusable file was moved; `null` when there was none. */
  readonly movedAside: string | null;
}

export type WorldOptions = Omit<WorldLine, 'ballastPractice' | 'engine' | 'id'>;

export const worldLine = (options: WorldOptions): WorldLine => ({
  ...options,
  ballastPractice: SCHEMA,
  engine: ENGINE_VERSION,
  id: randomUUID(),
});

export class StateFile {
  private readonly path: string;
  private handle: number;
  private size: number;
  /** Hash of the file's bytes. */
  private hash: Hash;
  private inputs: number;
  private id: string;
  /** The last whole second in the file. */
  private second = 0;
  private readonly checkpoint: string;
  private covered = { at: 0, inputs: 0 };

  constructor(dir: string, { id, inputs, bytes }: { id: string; inputs: number; bytes: Buffer }) {
    this.path = join(dir, FILE);
    this.checkpoint = join(dir, CHECKPOINT);
    this.handle = openSync(this.path, 'r+');
    this.size = bytes.length;
    this.hash = createHash('sha256').update(bytes);
    this.inputs = inputs;
    this.id = id;
    // A line cut off by a kill was never acknowledged.
    ftruncateSync(this.handle, this.size);
  }

  /** Writes and syncs an input. Throws `StateFault`, and then leaves the file unchanged. */
  store(input: Timed): void {
    this.append(JSON.stringify(input));
    if (input.do !== 'pass') this.sync();
    this.inputs += 1;
    this.second = Math.trunc(input.at / 1000);
  }

  storeClock(clock: ClockLine): void {
    this.append(JSON.stringify({ clock }));
    this.sync();
  }

  /** Reports whether `at` is later than the last time in the file. */
  isLater(at: number): boolean {
    return Math.trunc(at / 1000) > this.second;
  }

  /** Reports whether replaying the inputs since the last checkpoint would take long. */
  isCheckpointDue(at: number): boolean {
    const { covered } = this;
    return at - covered.at >= CHECKPOINT_EVERY_MS || this.inputs - covered.inputs >= CHECKPOINT_EVERY_INPUTS;
  }

  /**
   * Notes what the start was made from: the state at `at` (of the last checkpoint, or of the new exchange) and
   * `replayed` inputs.
   */
  startedFrom(at: number, replayed: number): void {
    this.covered = { at, inputs: this.inputs - replayed };
  }

  /**
   * Stores `saved`, the exchange after all inputs so far, at `at`. Returns false when it cannot be written; the
   * next start then replays more. Throws `StateFault` when the log itself cannot be synced.
   */
  storeCheckpoint(at: number, saved: SavedEngine): boolean {
    this.sync();
    const { id, inputs, size } = this;
    // Also after a failure: the next attempt is an hour away, not a second.
    this.covered = { at, inputs };
    const log = this.hash.copy().digest('hex');
    return writeCheckpoint(this.checkpoint, { id, inputs, size, log }, saved);
  }

  /** Replaces this exchange by a new one, atomically. Throws `StateFault`, and then this one goes on. */
  restart(world: WorldLine): void {
    closeSync(this.handle);
    let bytes: Buffer;
    try {
      bytes = writeFresh(this.path, world);
    } catch (error) {
      throw new StateFault('the exchange could not store its state', { cause: error });
    } finally {
      this.handle = openSync(this.path, 'r+');
    }
    removeCheckpoint(this.checkpoint);
    this.size = bytes.length;
    this.hash = createHash('sha256').update(bytes);
    this.inputs = 0;
    this.id = world.id;
    this.covered = { at: world.start, inputs: 0 };
    this.second = 0;
  }

  close(): void {
    this.sync();
    closeSync(this.handle);
  }

  private append(line: string): void {
    const bytes = Buffer.from(`${line}\n`, 'utf8');
    try {
      const written = writeSync(this.handle, bytes, 0, bytes.length, this.size);
      if (written < bytes.length) throw new Error('only part of the line was written');
      this.size += bytes.length;
      this.hash.update(bytes);
    } catch (error) {
      ftruncateSync(this.handle, this.size);
      throw new StateFault('the exchange could not store its state', { cause: error });
    }
  }

  private sync(): void {
    try {
      fdatasyncSync(this.handle);
    } catch (error) {
      throw new StateFault('the exchange could not store its state', { cause: error });
    }
  }
}

/** Returns the bytes written. */
function writeFresh(path: string, world: WorldLine): Buffer {
  const bytes = Buffer.from(`${JSON.stringify(world)}\n`, 'utf8');
  replaceFileSync(path, bytes);
  return bytes;
}

/**
 * Opens the exchange stored in `dir`, a folder or a new one in an existing one, or creates one from `options`. A file of
 * another version, or a damaged one, is moved aside.
 */
export function openState(dir: string, options: WorldOptions, wall: number): Opened {
  // Not recursive: where the system makes no folder, as in /proc, Node would try for ever.
  if (!existsSync(dir)) mkdirSync(dir);
  const path = join(dir, FILE);
  const found = existsSync(path) ? readState(readFileSync(path), ENGINE_VERSION) : null;
  if (found && found !== 'unusable') {
    const { world, clock, bytes } = found;
    const file = new StateFile(dir, { id: world.id, inputs: found.inputs.length, bytes });
    const checkpoint = readCheckpoint(join(dir, CHECKPOINT), world.id, bytes);
    const inputs = found.inputs.slice(checkpoint?.inputs ?? 0);
    return { file, world, clock, saved: checkpoint?.saved ?? null, inputs, fresh: false, movedAside: null };
  }
  const movedAside = found === 'unusable' ? `${path}.${wall}.set-aside` : null;
  if (movedAside !== null) renameSync(path, movedAside);
  const world = worldLine(options);
  const bytes = writeFresh(path, world);
  const file = new StateFile(dir, { id: world.id, inputs: 0, bytes });
  return { file, world, saved: null, inputs: [], clock: null, fresh: true, movedAside };
}
