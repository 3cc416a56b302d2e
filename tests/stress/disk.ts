/**
 * The journal on a disk that loses unsynced data, and on one that is full. The full disk is a small tmpfs, which
 * only root may mount; otherwise that part prints so and its figure is not met.
 *
 *   node tests/stress/disk.ts [kills] [seed]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFullDiskTest } from '../orders/full-disk.ts';
import { runLossyDiskTest } from '../orders/lossy-disk.ts';

const FULL_SENDS = 200;

const [kills = '10000', seed = '1'] = process.argv.slice(2);
const lossy = await runLossyDiskTest(Number.parseInt(kills, 10), Number.parseInt(seed, 10));
console.log(`kills, unsynced writes lost       ${lossy.kills}`);
console.log(`calls sent                        ${lossy.sent}`);
console.log(`sent without a record             ${lossy.sentWithoutRecord}`);
console.log(`sent again                        ${lossy.resent}`);
console.log(`false verdicts                    ${lossy.falseVerdicts}`);

const full = await onSmallDisk((folder) => runFullDiskTest(folder, FULL_SENDS));
if (full === null) console.log('full disk                         not tried: no tmpfs could be mounted here');
else {
  console.log(`sends at a full disk (tmpfs)      ${full.sends}`);
  console.log(`refused, nothing sent             ${full.refused}`);
  console.log(`full after the POST: unknown      ${full.unknownAtOnce} of ${full.posts}`);
  console.log(`sent without a record             ${full.postsWithoutRecord}`);
  console.log(`sent again                        ${full.resent}`);
  console.log(`false verdicts                    ${full.falseVerdicts}`);
}
const met =
  lossy.kills > 0 &&
  lossy.sentWithoutRecord + lossy.resent + lossy.falseVerdicts === 0 &&
  full !== null &&
  full.refused + full.unknownAtOnce === full.sends &&
  full.postsWithoutRecord + full.resent + full.falseVerdicts === 0;
if (!met) process.exitCode = 1;

async function onSmallDisk<T>(use: (folder: string) => Promise<T>): Promise<T | null> {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-full-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmdirSync(folder);
    return null;
  }
  try {
    return await use(folder);
  } finally {
    execFileSync('umount', [folder]);
    rmdirSync(folder);
  }
}
