/** Lists the renderer's files at start. Nothing else is served. */
import { readdir } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

export interface ServedFile {
  readonly path: string;
  readonly type: string;
}

/** Maps address paths (`/assets/index.js`) to files. Skips file types not listed above. */
export async function servedFiles(root: string): Promise<ReadonlyMap<string, ServedFile>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = new Map<string, ServedFile>();
  for (const entry of entries) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(`/${relative(root, path).split(sep).join('/')}`, { path, type });
  }
  return files;
}
