/**
 * Export crashes: the writing process killed at every stage of a file, and a full disk.
 *
 *   node tests/stress/export.ts [kills]
 */
import { fullDisk, killed } from '../archive/export-crash.ts';

const ROWS = 20_000;
const [kills = '500'] = process.argv.slice(2);
const figures = await killed(Number.parseInt(kills, 10), ROWS);
const disk = await fullDisk(ROWS);
console.log(`exports killed (SIGKILL)          ${figures.kills}`);
console.log(`  file has the old bytes          ${figures.old}`);
console.log(`  file has the new bytes          ${figures.whole}`);
console.log(`  anything else                   ${figures.other}`);
console.log(`  with an unfinished .part        ${figures.parts}`);
console.log(
  disk.tried
    ? `full disk (tmpfs of 1 MB)         old file ${disk.hasOldBytes ? 'intact' : 'LOST'}, ${disk.nothingElse ? 'nothing else left' : 'A PART LEFT'}`
    : 'full disk                         NOT TRIED: this system allows no tmpfs here',
);
console.log(`  message                         ${disk.message}`);
const met =
  figures.other === 0 &&
  figures.old > 0 &&
  figures.whole > 0 &&
  (!disk.tried || (disk.hasOldBytes && disk.nothingElse && disk.message.includes('the disk is full')));
if (!met) process.exitCode = 1;
