/** Sizes of the built window's files, as they are read at the start. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

export const RENDERER = join(dirname(import.meta.dirname), 'out', 'renderer');
/** Goals of docs/performance.md in KB, fonts apart. */
export const START_TARGET_KB = 120;
export const TARGET_KB = 250;

export interface Size {
  readonly file: string;
  readonly kilobytes: number;
}

/** Gzip sizes in KB of 1000 bytes, largest first. */
export function sizes(folder: string): Size[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const bytes = gzipSync(readFileSync(join(entry.parentPath, entry.name)), { level: 9 }).length;
      return { file: entry.name, kilobytes: bytes / 1000 };
    })
    .sort((a, b) => b.kilobytes - a.kilobytes);
}

export const isFont = ({ file }: Size): boolean => /\.woff2?$/.test(file);
export const total = (list: readonly Size[]): number =>
  list.reduce((sum, { kilobytes }) => sum + kilobytes, 0);

/** What the page itself loads: its script, that script's static imports, and the styles. */
export function atStart(list: readonly Size[]): Size[] {
  const page = readFileSync(join(RENDERER, 'index.html'), 'utf8');
  const named = new Set(['index.html', ...[...page.matchAll(/assets\/([^"]+)"/g)].map((match) => match[1])]);
  return list.filter((one) => named.has(one.file) && !isFont(one));
}
