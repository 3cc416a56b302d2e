/**
 * Batch faults: ladders of 200 rows, a call rejected half-way, a call whose reply is lost, the rest sent after it;
 * every row compared with the practice exchange's orders.
 *
 *   node tests/stress/batch.ts [seeds]
 */
import { injectBatchFaults, type BatchFigures } from '../orders/batch-faults.ts';

const ROWS = 200;
/** Rows per call; 1 sends each separately. */
const CALL_SIZES = [50, 20, 7, 1];

const [seeds = '5'] = process.argv.slice(2);
const startedAt = performance.now();
const sum: BatchFigures = {
  rows: 0,
  batches: 0,
  placed: 0,
  ambiguous: 0,
  absent: 0,
  neverSent: 0,
  wrong: 0,
  duplicatePosts: 0,
};
for (let seed = 1; seed <= Number.parseInt(seeds, 10); seed++)
  for (const callSize of CALL_SIZES) {
    const figures = await injectBatchFaults({ rows: ROWS, callSize, seed });
    for (const name of Object.keys(sum) as (keyof BatchFigures)[]) sum[name] += figures[name];
  }
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
console.log(
  `rows in ladders of ${ROWS}             ${sum.rows} in ${seconds} s, ${sum.batches} confirmations`,
);
console.log(`placed, each with its order's id  ${sum.placed}`);
console.log(`identical rows half placed, flagged ${sum.ambiguous}`);
console.log(`not at the exchange, unknown      ${sum.absent}`);
console.log(`never sent                        ${sum.neverSent}`);
console.log(`rows with a wrong outcome         ${sum.wrong}`);
console.log(`duplicate POSTs                   ${sum.duplicatePosts}`);
const met =
  sum.rows > 0 && sum.wrong === 0 && sum.duplicatePosts === 0 && sum.ambiguous > 0 && sum.absent > 0;
if (!met) process.exitCode = 1;
