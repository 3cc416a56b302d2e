/**
 * The exchange's memory: a file of the inputs it was given, one JSON line each, from which the engine makes the same
 * exchange again. A line is written and synced before its input is acted on, so that what was answered is kept.
 *
 *     {"ballastPractice":1,"engine":1,"id":"…","seed":7,"start":…,"history":120,"convention":"flat","contracts":13}
 *     {"clock":{"at":…,"wall":…,"speed":1}}
 *     {"at":…,"do":"order","request":{…}}
 */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { ENGINE_VERSION } from './engine/engine.ts';
import type { Timed } from './engine/recording.ts';
import { readState, SCHEMA } from './state-lines.ts';
import type { ClockLine, WorldLine } from './state-lines.ts';

const FILE = 'exchange.jsonl';

/** The file could not be written. What was asked for has not happened. */
export class StateFault extends Error {
  override readonly name = 'StateFault';
}

export interface Opened {
  readonly file: StateFile;
  readonly world: WorldLine;
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
  /** The last whole second the file knows of. */
  private second = 0;

  constructor(path: string, size: number) {
    this.path = path;
    this.handle = openSync(path, 'r+');
    this.size = size;
    // A line cut off by a kill was never answered.
    ftruncateSync(this.handle, size);
  }

  /** Written and synced when it returns. Throws `StateFault`; the file is then as it was. */
  keep(input: Timed): void {
    this.append(JSON.stringify(input));
    if (input.do !== 'pass') this.sync();
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

  /** A new exchange in place of this one, whole or not at all. */
  restart(world: WorldLine): void {
    closeSync(this.handle);
    this.size = writeFresh(this.path, world);
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

function writeFresh(path: string, world: WorldLine): number {
  const text = `${JSON.stringify(world)}\n`;
  const handle = openSync(`${path}.new`, 'w');
  writeSync(handle, text);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(`${path}.new`, path);
  return Buffer.byteLength(text);
}

/** Opens the exchange kept in `dir`, or begins the one of `options`. A file of another version is set aside. */
export function openState(dir: string, options: WorldOptions, wall: number): Opened {
  mkdirSync(dir, { recursive: true });
  const path = join(dir, FILE);
  const found = existsSync(path) ? readState(readFileSync(path), ENGINE_VERSION) : null;
  if (found && found !== 'unusable') {
    return { ...found, file: new StateFile(path, found.size), fresh: false, setAside: null };
  }
  const setAside = found === 'unusable' ? `${path}.${wall}.set-aside` : null;
  if (setAside !== null) renameSync(path, setAside);
  const world = worldLine(options);
  const size = writeFresh(path, world);
  return { file: new StateFile(path, size), world, inputs: [], clock: null, fresh: true, setAside };
}
