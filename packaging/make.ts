/**
 * Makes the installers of the system it runs on: `npm run package`. Writes them into dist/ with their checksums.
 * Downloads Electron's binaries and electron-builder's tools. `-- dir` stops before the installer.
 */
import { build, Platform } from 'electron-builder';
import { createHash } from 'node:crypto';
import { createReadStream, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { configuration } from './builder.ts';
import { readPublisher } from './publisher.ts';

const ROOT = dirname(import.meta.dirname);
const INSTALLERS = /\.(?:deb|AppImage|dmg|exe)$/;

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

/** Reports whether a download failed: Electron's binaries and the installer tools need network access. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(?:ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENET)/.test(String(error.code));

async function make(folderOnly: boolean): Promise<void> {
  const made = await build({
    targets: Platform.current().createTarget(folderOnly ? 'dir' : undefined),
    projectDir: ROOT,
    publish: 'never',
    config: configuration(),
  });
  const lines: string[] = [];
  for (const path of made.filter((one) => INSTALLERS.test(one)).sort())
    lines.push(`${await sha256(path)}  ${basename(path)}\n`);
  if (lines.length > 0) writeFileSync(join(ROOT, 'dist', `SHA256SUMS-${process.platform}`), lines.join(''));
  console.log(lines.join('') || 'dist/ has the folder; no installer was asked for.');
}

const folderOnly = process.argv.includes('dir');
const { homepage, maintainer } = readPublisher();
if (!folderOnly && process.platform === 'linux' && (homepage === null || maintainer === null)) {
  console.error('A Debian package names its homepage and its maintainer: fill in packaging/publisher.json.');
  process.exitCode = 1;
} else {
  try {
    await make(folderOnly);
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    console.error(
      '✗ Electron’s binary or a tool of the installers could not be downloaded here.\n' +
        '  `npm run package:check` checks what would be packed, without either of them.',
    );
    process.exitCode = 1;
  }
}
