// A file that needs scrolling is two files. Over the limit only with a reason in its first lines, worded
// "Over 300 lines because …".
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const LIMIT = 300;
const REASON = /Over 300 lines because \S+/;
const ROOMS = [
  'src-files',
  'src-main',
  'src-practice',
  'src-preload',
  'src-renderer',
  'src-shared',
  'electron-standin',
  'scripts',
  'bench',
  'packaging',
];
const SOURCE = /\.(?:ts|svelte|mjs|cjs|js|css)$|^electron$/;
const TEST = /\.test\.ts$|\.spec\.ts$/;

const root = dirname(import.meta.dirname);

const tooLong = ROOMS.flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name) && !TEST.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name)),
).flatMap((path) => {
  const lines = readFileSync(path, 'utf8').split('\n');
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  const excused = REASON.test(lines.slice(0, 10).join('\n'));
  return count > LIMIT && !excused ? [`${path.slice(root.length + 1)}: ${count} lines`] : [];
});

for (const line of tooLong) console.error(line);
process.exitCode = tooLong.length === 0 ? 0 : 1;
