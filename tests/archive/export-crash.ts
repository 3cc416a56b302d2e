/**
 * Exports under faults: the writing process killed at any moment, and a full disk. Afterwards the path must hold
 * the old bytes or the new ones, and nothing else.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openArchive, type Archive } from '../../src-main/archive/archive.ts';
import { FULL_EXPORT, trades } from './trades.ts';
import { dataOf } from '../shared/data-of.ts';

const CHILD = fileURLToPath(new URL('./export-crash-child.ts', import.meta.url));
const QUERY = JSON.stringify(FULL_EXPORT);
const clock = { now: () => Date.now() };

export interface CrashFigures {
  readonly kills: number;
  readonly old: number;
  readonly whole: number;
  /** Neither: a truncated or mixed file. */
  readonly other: number;
  /** Kills that left an unfinished .part beside it. */
  readonly parts: number;
}

async function openFor(file: string): Promise<Archive> {
  const opened = dataOf(await openArchive({ file, connectionId: 'export-crash', clock }));
  return opened;
}

/** Kills that many children in the middle of their exports; `rows` make an export of some ten milliseconds. */
export async function killed(kills: number, rows: number): Promise<CrashFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-export-'));
  const figures = { kills: 0, old: 0, whole: 0, other: 0, parts: 0 };
  try {
    const file = join(folder, 'a.sqlite');
    const archive = await openFor(file);
    for (let from = 0; from < rows; from += 10_000)
      await archive.insertTrades(trades(from, Math.min(rows, from + 10_000)), null);
    const reference = join(folder, 'reference.csv');
    await archive.exportCsv(FULL_EXPORT, reference, () => undefined).done;
    await archive.close();
    const whole = hash(reference);
    const path = join(folder, 'trades.csv');
    for (; figures.kills < kills; figures.kills++) {
      writeFileSync(path, 'the old content\n');
      const old = hash(path);
      await killOnce([file, path], figures.kills / kills);
      const found = hash(path);
      if (found === old) figures.old += 1;
      else if (found === whole) figures.whole += 1;
      else figures.other += 1;
      const parts = readdirSync(folder).filter((name) => name.endsWith('.part'));
      if (parts.length > 0) figures.parts += 1;
      for (const part of parts) rmSync(join(folder, part));
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Kills a child after a share of the steps seen so far, which the child reports on its output. */
function killOnce(args: readonly string[], share: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, 'write', ...args, QUERY], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.once('error', reject);
    child.once('close', () => resolve());
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      // Each step is a byte; the last follows the rename.
      seen += text.length;
      if (seen > share * STEPS) child.kill('SIGKILL');
    });
    let seen = 0;
  });
}
/** Steps a child reports: beginning, chunks, end. */
const STEPS = 14;

const hash = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

export interface FullDisk {
  /** The disk was smaller than the file: a small tmpfs. */
  readonly tried: boolean;
  readonly hasOldBytes: boolean;
  readonly nothingElse: boolean;
  readonly message: string;
}

/** Runs on a tmpfs of 1 MB in its own mount namespace; not tried where the system allows none. */
export async function fullDisk(rows: number): Promise<FullDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-full-'));
  try {
    const file = join(folder, 'a.sqlite');
    const archive = await openFor(file);
    await archive.insertTrades(trades(0, rows), null);
    await archive.close();
    const disk = mkdtempSync(join(folder, 'disk-'));
    const script = 'mount -t tmpfs -o size=1m ballast "$3" && exec "$0" "$1" full "$2" "$3" "$4"';
    const ended = spawnSync(
      'unshare',
      [
        '--user',
        '--map-root-user',
        '--mount',
        'sh',
        '-c',
        script,
        process.execPath,
        CHILD,
        file,
        disk,
        QUERY,
      ],
      { encoding: 'utf8' },
    );
    if (ended.error !== undefined || ended.status !== 0)
      return { tried: false, hasOldBytes: false, nothingElse: false, message: '' };
    return JSON.parse(ended.stdout) as FullDisk;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
