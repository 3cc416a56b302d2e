import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeEnvironment, nodePath } from './node.mjs';
import { step } from './messages.mjs';

const FOLDERS = ['src-files', 'src-main', 'src-practice', 'src-preload', 'src-renderer', 'src-shared'];
const FILES = [
  'package.json',
  'package-lock.json',
  'electron.vite.config.ts',
  'packaging/licences.ts',
  'svelte.config.js',
  'tsconfig.json',
];

const stamp = (/** @type {string} */ root) => join(root, 'out', '.sources');

/**
 * Hashes sizes and times instead of contents: 5 ms for the whole tree, and a rebuild costs a second.
 * @param {string} root
 */
function fingerprint(root) {
  const files = FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(test\.ts|md)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const hash = createHash('sha256');
  for (const file of [...files, ...FILES.map((name) => join(root, name))].sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** @param {string} root */
export function buildIsStale(root) {
  try {
    return readFileSync(stamp(root), 'utf8') !== fingerprint(root);
  } catch {
    // No finished build to compare with.
    return true;
  }
}

/** @param {string} root */
export async function build(root) {
  const sources = fingerprint(root);
  rmSync(stamp(root), { force: true });
  const vite = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  await step('build', nodePath(root), [vite, 'build'], {
    cwd: root,
    env: nodeEnvironment(root),
    advice: 'The sources do not compile. `npm run check` shows where.',
  });
  mkdirSync(join(root, 'out'), { recursive: true });
  writeFileSync(stamp(root), sources);
}
