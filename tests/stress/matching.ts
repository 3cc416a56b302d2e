/**
 * Matching: generated histories of lost replies, identical requests, foreign orders and late lists, each verdict
 * compared with what really happened by an independent version of the rule.
 *
 *   node tests/stress/matching.ts [histories]
 */
import { checkHistories } from '../domain/matching-truth.ts';

const [histories = '100000'] = process.argv.slice(2);
const startedAt = performance.now();
const count = checkHistories(Number.parseInt(histories, 10));
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
console.log(`generated histories               ${count.histories} in ${seconds} s`);
console.log(`wrong verdicts                    ${count.wrong}`);
console.log(`unique cases missed               ${count.missed} of ${count.unique}`);
console.log(
  `matched, ambiguous, absent, open  ${count.matched}, ${count.ambiguous}, ${count.absent}, ${count.undecided}`,
);
console.log(`foreign identical order taken     ${count.foreign}, counted apart`);
if (count.histories === 0 || count.wrong + count.missed > 0) process.exitCode = 1;
