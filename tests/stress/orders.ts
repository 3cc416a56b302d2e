/**
 * The order desk's drill: lost answers by the thousand, counted against what the exchange really did.
 *
 *   node tests/stress/orders.ts [submissions] [seed]
 */
import { drill, type Figures } from '../orders/drill.ts';

/** A fresh exchange and journal after so many, so that an hour of trading is not judged by a year's journal. */
const SESSION = 500;

const [submissions = '10000', firstSeed = '1'] = process.argv.slice(2);
const wanted = Number.parseInt(submissions, 10);
const startedAt = performance.now();
let figures: Figures | null = null;
for (let seed = Number.parseInt(firstSeed, 10); (figures?.submissions ?? 0) < wanted; seed++) {
  const session = await drill(Math.min(SESSION, wanted - (figures?.submissions ?? 0)), seed);
  figures = figures === null ? session : together(figures, session);
  console.error(`${figures.submissions} submissions, ${figures.falseVerdicts} false verdicts so far`);
}
if (figures === null) throw new RangeError('how many submissions?');
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);

function together(a: Figures, b: Figures): Figures {
  const sum = { ...a };
  for (const name of Object.keys(sum) as (keyof Figures)[])
    sum[name] = name === 'slowestMs' ? Math.max(a[name], b[name]) : a[name] + b[name];
  return sum;
}
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
