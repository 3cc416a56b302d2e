import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeEnvironment, nodePath, npmScript } from './node.mjs';
import { step } from './messages.mjs';

/** Inside node_modules, so that it is removed with it. */
const stamp = (/** @type {string} */ root) => join(root, 'node_modules', '.ballast-lock');

/** @param {string} root */
const lockHash = (root) =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');

/** @param {string} root */
export function dependenciesAreStale(root) {
  try {
    return readFileSync(stamp(root), 'utf8') !== lockHash(root);
  } catch {
    // Never installed, or installed by other means: npm decides.
    return true;
  }
}

/** @param {string} root */
export async function installDependencies(root) {
  const hash = lockHash(root);
  await step('packages (npm ci)', nodePath(root), [npmScript(), 'ci', '--no-audit', '--no-fund'], {
    cwd: root,
    env: nodeEnvironment(root),
    advice:
      'Check the network and the npm registry (`npm ping`). If keytar failed to compile, it needs Python 3 and a C++ ' +
      'compiler (macOS: xcode-select --install; Windows: Visual Studio’s build tools with “Desktop development with ' +
      'C++”), on Linux libsecret too (Debian: python3 make g++ libsecret-1-dev).',
  });
  writeFileSync(stamp(root), hash);
}
