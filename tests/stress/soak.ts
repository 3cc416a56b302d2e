/**
 * Soak: one simulated day of the app's main-process modules at their real cadence and 29 sparse ones, with trades,
 * faults and kills, on a manual clock, against the practice exchange in its own process.
 *
 *   node tests/stress/soak.ts [minutes at the real cadence] [sparse days] [seed]
 */
import { soak } from '../session/soak.ts';

const MOST_GROWTH = 5 * 1024 * 1024;
/** Sockets come and go; a leak of one a day would show as thirty. */
const MORE_HANDLES = 8;
const mb = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

const [minutes = '1440', days = '29', seed = '1'] = process.argv.slice(2);
const whole = (text: string): number => Number.parseInt(text, 10);
const startedAt = performance.now();
const found = await soak({
  seed: whole(seed),
  fullMinutes: whole(minutes),
  sparseDays: whole(days),
  sessionMinutes: 5,
  busy: 0.2,
  report: (line) => console.error(line),
});
const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
/** The first days fill what is bounded: lists of a day, statements, compiled code. */
const from = Math.min(2, found.heap.length - 1);
const growth = (found.heap.at(-1) ?? 0) - (found.heap[from] ?? 0);
const handles = (found.handles.at(-1) ?? 0) - (found.handles[from] ?? 0);
console.log(`simulated days, requests          ${found.days}, ${found.requests} (${seconds} s)`);
console.log(`orders, of them unknown at first  ${found.orders}, ${found.lost}`);
console.log(`faults, kills                     ${found.faults}, ${found.kills}`);
console.log(
  `heap from the third day to last   ${growth < 0 ? '−' : '+'}${mb(Math.abs(growth))} (${found.heap.map((one) => mb(one)).join(', ')})`,
);
console.log(
  `handles and files, the same       ${handles < 0 ? '−' : '+'}${Math.abs(handles)} (now ${found.handles.at(-1) ?? 0})`,
);
console.log(`checks, fresh, old shown as fresh ${found.checks}, ${found.fresh}, ${found.staleShownFresh}`);
console.log(
  `archive                           ${found.complete ? 'complete' : 'NOT COMPLETE'}: ${found.missing} missing, ${found.doubled} doubled of ${found.trades} trades and their orders`,
);
console.log(`duplicate POSTs                   ${found.duplicatePosts}`);
console.log(`journal: false verdicts, damage   ${found.falseVerdicts.length}, ${found.damagedLines}`);
for (const one of found.falseVerdicts.slice(0, 10)) console.log(`  ${one}`);
const met =
  found.complete &&
  found.missing + found.doubled + found.duplicatePosts + found.falseVerdicts.length + found.damagedLines ===
    0 &&
  found.staleShownFresh === 0 &&
  found.kills > 0 &&
  found.fresh > 0 &&
  growth < MOST_GROWTH &&
  handles <= MORE_HANDLES;
if (!met) process.exitCode = 1;
