/**
 * Signs an update announcement: `npm run package:announce -- FOLDER`. It lists the checksums each system's
 * packaging left in FOLDER and the changes of this version. BALLAST_ANNOUNCEMENT_KEY (Ed25519, PEM) must match the
 * packages.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readAnnouncement } from '../src-main/updates/announcement.ts';
import { parseChangelog } from '../src-shared/domain/display/changelog.ts';
import { announce } from './announcement.ts';
import { readPublisher } from './publisher.ts';

const ROOT = dirname(import.meta.dirname);
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

function filesOf(folder: string): { name: string; bytes: number; sha256: string }[] {
  const sums = readdirSync(folder).filter((name) => name.startsWith('SHA256SUMS'));
  const lines = sums.flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
  return lines.map((line) => {
    const [sha256 = '', name = ''] = line.split('  ');
    return { name, sha256, bytes: statSync(join(folder, name)).size };
  });
}

const [folder] = process.argv.slice(2);
const key = process.env['BALLAST_ANNOUNCEMENT_KEY'];
const { updates } = readPublisher();
const releases = parseChangelog(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'));
const changes = releases.find((one) => one.version === version)?.lines;
if (folder === undefined || key === undefined || updates === null || changes === undefined) {
  console.error(
    'Needed: the folder of the installers as argument, BALLAST_ANNOUNCEMENT_KEY, `updates` in ' +
      `packaging/publisher.json, and what changed in ${version} in CHANGELOG.md.`,
  );
  process.exitCode = 1;
} else {
  const released = new Date().toISOString().slice(0, 10);
  const text = JSON.stringify(
    announce({ version, released, changes: [...changes], files: filesOf(folder) }, key),
  );
  const read = readAnnouncement(Buffer.from(text), updates.publicKey);
  if (!read.ok) throw new Error(`the app would reject it: ${read.failure.message}`);
  writeFileSync(join(folder, 'announcement.json'), text);
  console.log(`${join(folder, 'announcement.json')}: ${version}, ${read.data.files.length} files`);
}
