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
console.log(`  old bytes stand                 ${figures.old}`);
console.log(`  new bytes stand                 ${figures.whole}`);
console.log(`  anything else                   ${figures.other}`);
console.log(`  an unfinished .part beside      ${figures.parts}`);
console.log(
  disk.tried
    ? `full disk (tmpfs of 1 MB)         old file ${disk.oldStands ? 'stands' : 'LOST'}, ${disk.nothingElse ? 'nothing else left' : 'A PART LEFT'}`
    : 'full disk                         NOT TRIED: this system allows no tmpfs here',
);
console.log(`  said                            ${disk.message}`);
const met =
  figures.other === 0 &&
  figures.old > 0 &&
  figures.whole > 0 &&
  (!disk.tried || (disk.oldStands && disk.nothingElse && disk.message.includes('the disk is full')));
if (!met) process.exitCode = 1;
