/**
 * Sync faults: each seed has another exchange, other faults and kills; then the archive is compared with the
 * exchange's lists.
 *
 *   node tests/stress/sync.ts [seeds] [first seed]
 */
import { NO_FIGURES, injectSyncFaults, type SyncFigures } from '../sync/fault-injection.ts';

const [seeds = '200', firstSeed = '1'] = process.argv.slice(2);
const wanted = Number.parseInt(seeds, 10);
const first = Number.parseInt(firstSeed, 10);
const startedAt = performance.now();
const figures: SyncFigures = { ...NO_FIGURES };
for (let seed = first; seed < first + wanted; seed++) {
  const one = await injectSyncFaults(seed);
  for (const name of Object.keys(figures) as (keyof SyncFigures)[]) figures[name] += one[name];
  if (one.missing + one.doubled > 0)
    console.error(`seed ${seed}: ${one.missing} missing, ${one.doubled} doubled`);
  if (figures.seeds % 20 === 0) console.error(`${figures.seeds} seeds, ${figures.requests} requests so far`);
}
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
console.log(
  `${figures.seeds} seeds × page bases × page sizes × orders × drift × ${figures.kills} kills: ` +
    `${figures.missing} missing, ${figures.doubled} doubled of ${figures.trades} trades and ${figures.orders} orders ` +
    `(${figures.requests} requests, ${seconds} s)`,
);
if (figures.missing + figures.doubled > 0 || figures.seeds === 0) process.exitCode = 1;
