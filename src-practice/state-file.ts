/**
 * The exchange's memory: a file of the inputs it was given, one JSON line each, from which the engine makes the same
 * exchange again. A line is written and synced before its input is acted on, so that what was answered is kept.
 *
 *     {"ballastPractice":1,"engine":1,"id":"…","seed":7,"start":…,"history":120,"convention":"flat","contracts":13}
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

const FILE = 'exchange.jsonl';
const CHECKPOINT = 'checkpoint.jsonl';
/** A checkpoint is due after so much of the exchange's time (a tenth of a second to replay), or so many inputs. */
const CHECKPOINT_EVERY_MS = 3_600_000;
const CHECKPOINT_EVERY_INPUTS = 2_000;

/** The file could not be written. What was asked for has not happened. */
export class StateFault extends Error {
  override readonly name = 'StateFault';
}

export interface Opened {
  readonly file: StateFile;
  readonly world: WorldLine;
  /** Where to begin; `null`: with a new exchange of `world`. */
  readonly saved: SavedEngine | null;
  /** To be replayed on it. */
  readonly inputs: readonly Timed[];
  readonly clock: ClockLine | null;
  /** Nothing was there, or nothing of use. */
  readonly fresh: boolean;
  /** Where a file that could not be used was put; `null` when there was none. */
  readonly setAside: string | null;
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
  /** Of the file's bytes. */
  private hash: Hash;
  private inputs: number;
  private id: string;
  /** The last whole second the file knows of. */
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
    // A line cut off by a kill was never answered.
    ftruncateSync(this.handle, this.size);
  }

  /** Written and synced when it returns. Throws `StateFault`; the file is then as it was. */
  keep(input: Timed): void {
    this.append(JSON.stringify(input));
    if (input.do !== 'pass') this.sync();
    this.inputs += 1;
    this.second = Math.trunc(input.at / 1000);
  }

  keepClock(clock: ClockLine): void {
    this.append(JSON.stringify({ clock }));
    this.sync();
  }

  /** Whether an answer given at `at` shows more time than the file knows of. */
  isNews(at: number): boolean {
    return Math.trunc(at / 1000) > this.second;
  }

  /** Whether replaying what came since the last checkpoint would take long. */
  isCheckpointDue(at: number): boolean {
    const { covered } = this;
    return at - covered.at >= CHECKPOINT_EVERY_MS || this.inputs - covered.inputs >= CHECKPOINT_EVERY_INPUTS;
  }

  /** The start began at `at` (the last checkpoint's time, or the exchange's first) and `replayed` inputs. */
  startedFrom(at: number, replayed: number): void {
    this.covered = { at, inputs: this.inputs - replayed };
  }

  /**
   * `saved` is the exchange after all inputs kept so far, at `at`. False when it could not be written: nothing is lost
   * by that, the next start only replays more. Throws `StateFault` when the log itself can't be synced.
   */
  keepCheckpoint(at: number, saved: SavedEngine): boolean {
    this.sync();
    const { id, inputs, size } = this;
    // Also when it fails: the next try is an hour away, not a second.
    this.covered = { at, inputs };
    const log = this.hash.copy().digest('hex');
    return writeCheckpoint(this.checkpoint, { id, inputs, size, log }, saved);
  }

  /** A new exchange in place of this one, whole or not at all. */
  restart(world: WorldLine): void {
    closeSync(this.handle);
    const bytes = writeFresh(this.path, world);
    removeCheckpoint(this.checkpoint);
    this.size = bytes.length;
    this.hash = createHash('sha256').update(bytes);
    this.inputs = 0;
    this.id = world.id;
    this.covered = { at: world.start, inputs: 0 };
    this.handle = openSync(this.path, 'r+');
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
      if (written < bytes.length) throw new Error('the disk took only a part');
      this.size += bytes.length;
      this.hash.update(bytes);
    } catch (error) {
      ftruncateSync(this.handle, this.size);
      throw new StateFault('the exchange could not keep its state', { cause: error });
    }
  }

  private sync(): void {
    try {
      fdatasyncSync(this.handle);
    } catch (error) {
      throw new StateFault('the exchange could not keep its state', { cause: error });
    }
  }
}

/** The bytes written. */
function writeFresh(path: string, world: WorldLine): Buffer {
  const bytes = Buffer.from(`${JSON.stringify(world)}\n`, 'utf8');
  replaceFileSync(path, bytes);
  return bytes;
}

/** Opens the exchange kept in `dir`, or begins the one of `options`. A file of another version is set aside. */
export function openState(dir: string, options: WorldOptions, wall: number): Opened {
  mkdirSync(dir, { recursive: true });
  const path = join(dir, FILE);
  const found = existsSync(path) ? readState(readFileSync(path), ENGINE_VERSION) : null;
  if (found && found !== 'unusable') {
    const { world, clock, bytes } = found;
    const file = new StateFile(dir, { id: world.id, inputs: found.inputs.length, bytes });
    const checkpoint = readCheckpoint(join(dir, CHECKPOINT), world.id, bytes);
    const inputs = found.inputs.slice(checkpoint?.inputs ?? 0);
    return { file, world, clock, saved: checkpoint?.saved ?? null, inputs, fresh: false, setAside: null };
  }
  const setAside = found === 'unusable' ? `${path}.${wall}.set-aside` : null;
  if (setAside !== null) renameSync(path, setAside);
  const world = worldLine(options);
  const bytes = writeFresh(path, world);
  const file = new StateFile(dir, { id: world.id, inputs: 0, bytes });
  return { file, world, saved: null, inputs: [], clock: null, fresh: true, setAside };
}
