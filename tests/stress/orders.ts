/**
 * Order faults: thousands of lost replies, compared with the exchange's orders.
 *
 * Then closes whose replies are lost while triggers fire, connections are removed and added, and archives restored.
 *
 *   node tests/stress/orders.ts [submissions] [seed] [rounds]
 */
import { attack, type AttackFigures } from '../orders/attack.ts';
import { injectFaults, type Figures } from '../orders/fault-injection.ts';

/** A new exchange and journal after so many, so that the journal has a realistic size. */
const SESSION = 500;

/** The same for the rounds of the attack: a journal is read again each time a connection is added. */
const ATTACK = 50;

const [submissions = '10000', firstSeed = '1', attackRounds = '300'] = process.argv.slice(2);
const wanted = Number.parseInt(submissions, 10);
const startedAt = performance.now();
let figures: Figures | null = null;
for (let seed = Number.parseInt(firstSeed, 10); (figures?.submissions ?? 0) < wanted; seed++) {
  const session = await injectFaults(Math.min(SESSION, wanted - (figures?.submissions ?? 0)), seed);
  figures = figures === null ? session : together(figures, session);
  console.error(`${figures.submissions} submissions, ${figures.falseVerdicts} false verdicts so far`);
}
if (figures === null) throw new RangeError('how many submissions?');
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);

const rounds = Number.parseInt(attackRounds, 10);
let attacks: AttackFigures | null = null;
for (let seed = Number.parseInt(firstSeed, 10); (attacks?.rounds ?? 0) < rounds; seed++) {
  const session = await attack(Math.min(ATTACK, rounds - (attacks?.rounds ?? 0)), seed);
  attacks = attacks === null ? session : added(attacks, session);
  console.error(`${attacks.rounds} rounds of the attack, ${attacks.falseVerdicts} false verdicts so far`);
}
if (attacks === null) throw new RangeError('how many rounds?');

function added(a: AttackFigures, b: AttackFigures): AttackFigures {
  const sum = { ...a };
  for (const name of Object.keys(sum) as (keyof AttackFigures)[]) sum[name] = a[name] + b[name];
  return sum;
}

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
console.log(`replies lost                      ${figures.unknown}`);
console.log(`unique cases found                ${share(figures.uniqueFound, figures.unique)}`);
console.log(`  within 30 s of becoming visible ${share(figures.within30s, figures.unique)}`);
console.log(`  slowest                         ${(figures.slowestMs / 1000).toFixed(1)} s`);
console.log(`ambiguous cases flagged           ${share(figures.ambiguousFlagged, figures.ambiguous)}`);
console.log(`never placed, still unknown       ${share(figures.absentUnknown, figures.absent)}`);
console.log(
  `foreign identical order taken    ${share(figures.foreignTaken, figures.foreign)}, counted apart`,
);

console.log(`rounds under attack               ${attacks.rounds}`);
console.log(`  duplicate POSTs                 ${attacks.duplicatePosts}`);
console.log(`  false verdicts                  ${attacks.falseVerdicts}`);
console.log(`  closes found                    ${share(attacks.found, attacks.placed)}`);
console.log(`  orders triggers sent meanwhile  ${attacks.fired}`);
console.log(`  connections removed and added   ${attacks.moved}`);
console.log(`  archives restored               ${attacks.restored}`);
console.log(`  other account's refused         ${share(attacks.refused, attacks.foreign)}`);
console.log(`  rows missing or duplicated      ${attacks.wrongRows}`);

const met =
  figures.duplicatePosts === 0 &&
  figures.falseVerdicts === 0 &&
  figures.within30s >= 0.99 * figures.unique &&
  figures.ambiguousFlagged === figures.ambiguous &&
  attacks.duplicatePosts === 0 &&
  attacks.falseVerdicts === 0 &&
  attacks.found === attacks.placed &&
  attacks.refused === attacks.foreign &&
  attacks.wrongRows === 0;
if (!met) process.exitCode = 1;
