/**
 * Crashes: the order path in its own process, killed by SIGKILL at its write points and at random times between
 * confirmation and final state, restarted, and compared with what the exchange received.
 *
 *   node tests/stress/crash.ts [kills] [seed]
 */
import { runCrashTest, type CrashFigures } from '../orders/crash.ts';
import { runChild, type ChildOrder } from '../orders/crash-child.ts';

/** In parallel: a start mostly waits for its imports. */
const PARALLEL = 2;

const [first = '1000', second = '1'] = process.argv.slice(2);
if (first === 'child') await runChild(JSON.parse(second) as ChildOrder);
else await main(Number.parseInt(first, 10), Number.parseInt(second, 10));

async function main(kills: number, seed: number): Promise<void> {
  const startedAt = performance.now();
  const command = [process.execPath, import.meta.filename, 'child'];
  const parts = await Promise.all(
    Array.from({ length: PARALLEL }, (_, part) =>
      runCrashTest({ kills: Math.ceil(kills / PARALLEL), seed: seed + part, command }),
    ),
  );
  const sum = parts.reduce(together);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`kills                             ${sum.kills} in ${seconds} s`);
  console.log(`  at write points                 ${sum.atWritePoints}`);
  console.log(`  while the order arrived         ${sum.atArrival}`);
  console.log(`  at random, confirmed to final   ${sum.atRandom}`);
  console.log(`  while restarting                ${sum.whileStarting}`);
  console.log(`ended before they were killed     ${sum.unhurt}, counted apart`);
  console.log(`orders the exchange received      ${sum.sent}`);
  console.log(`sent without a record             ${sum.sentWithoutRecord}`);
  console.log(`sent again                        ${sum.resent}`);
  console.log(`false verdicts after a start      ${sum.falseVerdicts}`);
  const met =
    sum.kills >= kills && sum.sent > 0 && sum.sentWithoutRecord + sum.resent + sum.falseVerdicts === 0;
  if (!met) process.exitCode = 1;
}

function together(a: CrashFigures, b: CrashFigures): CrashFigures {
  const sum = { ...a };
  for (const name of Object.keys(sum) as (keyof CrashFigures)[]) sum[name] += b[name];
  return sum;
}
