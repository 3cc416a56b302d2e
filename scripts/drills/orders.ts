/**
 * The order desk's drill (issue 4): lost answers by the thousand, counted against what the exchange really did.
 *
 *   node scripts/drills/orders.ts [submissions] [seed]
 */
import { drill } from '../../src-main/orders/testing/drill.ts';

const [submissions = '10000', seed = '1'] = process.argv.slice(2);
const startedAt = performance.now();
const figures = await drill(Number.parseInt(submissions, 10), Number.parseInt(seed, 10));
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);

const share = (part: number, whole: number): string =>
  whole === 0 ? 'none' : `${part} of ${whole} (${((100 * part) / whole).toFixed(2)} %)`;
console.log(`submissions under faults          ${figures.submissions} in ${seconds} s`);
console.log(`duplicate POSTs                   ${figures.duplicatePosts}`);
console.log(`false verdicts                    ${figures.falseVerdicts}`);
console.log(`answers lost                      ${figures.unknown}`);
console.log(`unique cases found                ${share(figures.uniqueFound, figures.unique)}`);
console.log(`  within 30 s of becoming visible ${share(figures.within30s, figures.unique)}`);
console.log(`  slowest                         ${(figures.slowestMs / 1000).toFixed(1)} s`);
console.log(`ambiguous cases flagged           ${share(figures.ambiguousFlagged, figures.ambiguous)}`);
console.log(`never placed, still unknown       ${share(figures.absentUnknown, figures.absent)}`);
console.log(
  `stranger's identical order taken  ${share(figures.strangersTaken, figures.strangers)}, counted apart`,
);

const met =
  figures.duplicatePosts === 0 &&
  figures.falseVerdicts === 0 &&
  figures.within30s >= 0.99 * figures.unique &&
  figures.ambiguousFlagged === figures.ambiguous;
if (!met) process.exitCode = 1;
