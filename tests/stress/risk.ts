/**
 * Risk maths: the domain compared with an independent oracle, then the estimates with random accounts of the
 * practice exchange, each moved to its liquidation price.
 *
 *   node tests/stress/risk.ts [cases of each kind] [practice accounts]
 */
import { checkAccounts } from '../practice/estimate-accounts.ts';
import { compareWithOracle, crossCase, isolatedCase } from '../domain/oracle-cases.ts';

const [cases = process.env['RISK_CASES'] ?? '10000', accounts = process.env['PRACTICE_ACCOUNTS'] ?? '1000'] =
  process.argv.slice(2);
let faults = 0;
for (const [word, kind, seed] of [
  ['isolated', isolatedCase, 11],
  ['cross   ', crossCase, 12],
] as const) {
  const {
    cases: asked,
    prices,
    by,
    disagreements,
  } = compareWithOracle(kind, Number.parseInt(cases, 10), seed);
  console.log(`oracle, ${word}  ${asked} cases, ${prices} prices, ${disagreements.length} disagreements`);
  console.log(
    `  inside a tier ${by.inside} · at a border ${by.border} · at the start ${by.start} · none ${by.none}`,
  );
  for (const fault of disagreements.slice(0, 5)) console.log(`  ${fault}`);
  faults += disagreements.length;
}
const { misses, ...seen } = checkAccounts(Number.parseInt(accounts, 10));
console.log(`practice accounts ${seen.accounts}, positions ${seen.positions}, misses ${misses.length}`);
console.log(
  `  isolated ${seen.isolated} · above the first tier ${seen.higher} · no liquidation ${seen.none} · convention named ${seen.named}`,
);
for (const miss of misses.slice(0, 5)) console.log(`  ${miss}`);
if (faults > 0 || misses.length > 0) process.exitCode = 1;
