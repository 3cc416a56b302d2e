/** How far an export is, in words. */
import type { ExportProgress } from '../../../src-shared/contract/trades.ts';

/** The name at the end of a path, of either system. */
const fileName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;

export function exportTitle({ state, path }: Pick<ExportProgress, 'state' | 'path'>): string {
  const name = fileName(path);
  switch (state) {
    case 'running':
      return `Writing ${name}`;
    case 'done':
      return `Saved ${name}`;
    case 'cancelled':
      return `Cancelled ${name}`;
    case 'failed':
      return `${name} could not be written`;
  }
}

/** Rows written in percent, cut: 100 is said only of all of them. */
export function writtenShare({ rows, total }: Pick<ExportProgress, 'rows' | 'total'>): number {
  return total === 0 ? 0 : Math.floor(Math.min(1, rows / total) * 1000) / 10;
}

export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
