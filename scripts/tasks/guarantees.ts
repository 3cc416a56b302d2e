/** The guarantees of the app, with the figures that measure them and the stress tests that print the figures. */

export interface Guarantee {
  readonly name: string;
  readonly target: string;
  /** The stress test, and the label its line begins with or contains. */
  readonly figures: readonly (readonly [test: string, label: string])[];
}

export const GUARANTEES: readonly Guarantee[] = [
  {
    name: 'nothing is sent twice',
    target: '0 duplicate POSTs in 10,000 faulted submissions',
    figures: [
      ['orders', 'submissions under faults'],
      ['orders', 'duplicate POSTs'],
      ['batch', 'duplicate POSTs'],
    ],
  },
  {
    name: 'unknown is never called rejected',
    target: '0 false verdicts in 100,000 generated histories',
    figures: [
      ['matching', 'generated histories'],
      ['matching', 'wrong verdicts'],
      ['orders', 'false verdicts'],
      ['fuzz', 'outcomes of orders'],
    ],
  },
  {
    name: 'right match',
    target: '0 wrong; ≥ 99 % of unique cases within 30 s of becoming visible; every ambiguous one flagged',
    figures: [
      ['matching', 'unique cases missed'],
      ['orders', 'within 30 s of becoming visible'],
      ['orders', 'ambiguous cases flagged'],
      ['batch', 'rows with a wrong outcome'],
    ],
  },
  {
    name: 'crash-safe',
    target: '0 sent orders without a record in 1,000 kills, and with unsynced writes dropped',
    figures: [
      ['crash', 'kills'],
      ['crash', 'sent without a record'],
      ['disk', 'kills, unsynced writes lost'],
      ['disk', 'sent without a record'],
    ],
  },
  {
    name: 'one click, one order',
    target: '1 POST a confirmation in 1,000 double clicks and held Enters',
    figures: [['double-submit', 'presses']],
  },
  {
    name: 'exact numbers',
    target: '0 mismatches in 100,000 generated',
    figures: [
      ['fuzz', 'decimals'],
      ['fuzz', 'JSON'],
      ['fuzz', 'records of every endpoint'],
      ['invariants', 'invariants broken'],
      ['risk', 'practice accounts'],
    ],
  },
  {
    name: 'complete archive',
    target: '0 missing, 0 duplicated over 200 seeds × page bases × drift',
    figures: [['sync', 'seeds × page bases']],
  },
  {
    name: 'any exchange that keeps to its API',
    target: '0 failures, 0 wrong verdicts over all pairs of habits; CSV equal to the exchange’s list',
    figures: [
      ['habits', 'values not supported yet'],
      ['habits', 'values alone'],
      ['habits', 'pairs of values'],
      ['habits', 'long histories'],
      ['habits', 'wrong verdicts, rows and alerts'],
    ],
  },
  {
    name: 'atomic export',
    target: 'old or new bytes after 500 kills, and with the disk full',
    figures: [
      ['export', 'exports killed (SIGKILL)'],
      ['export', 'anything else'],
      ['export', 'full disk (tmpfs of 1 MB)'],
    ],
  },
  {
    name: 'no secret leaks',
    target:
      '0 hits of a canary in 8 encodings in logs, errors, disk, renderer; none in the main process once unloaded',
    figures: [
      ['canary', 'canary'],
      ['canary', 'lock'],
    ],
  },
  {
    name: 'keychain faults',
    target: 'window responsive, message on screen ≤ 10 s, 0 overwrites in 6 states',
    figures: [
      ['keychain', 'keychain states × actions'],
      ['keychain', 'messages later than 10 s'],
      ['keychain', 'overwritten'],
      ['keychain-window', 'passed'],
    ],
  },
  {
    name: 'security checklist',
    target: '20 of 20 asserted; seeded mutants all caught; 90 % of StrykerJS’ in each module',
    figures: [
      ['checklist', 'checklist items asserted'],
      ['mutation', 'modules at 90 % or more'],
      ['mutation', 'seeded mutants caught'],
    ],
  },
  {
    name: 'malicious server text',
    target: '0 of 50 payloads run',
    figures: [
      ['malicious-input', 'payloads × fields of 7 endpoints'],
      ['malicious-input', 'run, hung, or reported wrongly'],
    ],
  },
  {
    name: 'obeys rate limits',
    target: '0 requests inside Retry-After, ≤ 1 in flight per resource',
    figures: [
      ['rate-limits', 'requests inside Retry-After'],
      ['rate-limits', 'two in flight for a resource'],
    ],
  },
  {
    name: 'soak',
    target: 'a day at its real cadence and 29 sparse ones; heap grows < 5 MB; nothing stale shown fresh',
    figures: [
      ['soak', 'simulated days, requests'],
      ['soak', 'heap from the third day to last'],
      ['soak', 'checks, fresh, old shown as fresh'],
    ],
  },
  {
    name: 'accessible',
    target: '0 axe violations in all screens × themes; every task by keyboard',
    figures: [
      ['accessible', 'axe'],
      ['accessible', 'passed'],
    ],
  },
];

/** Finds a figure with its label in a stress test's output; null when it was not printed. */
function figureIn(output: string, label: string): string | null {
  const lines = output.split('\n').map((one) => one.trim());
  const own = lines.filter((one) => one.startsWith(label));
  if (own.length === 0) return lines.find((one) => one.includes(label)) ?? null;
  const figures = own.map((one) => one.slice(label.length).replace(/^[:\s]+/, ''));
  return `${label}: ${figures.join('; ')}`;
}

export interface GuaranteeReport {
  readonly lines: readonly string[];
  /** How many figures a stress test should have printed but did not. */
  readonly missing: number;
}

/**
 * The table of guarantees, restricted to the stress tests that ran.
 * @param outputs by stress test
 */
export function reportGuarantees(outputs: ReadonlyMap<string, string>): GuaranteeReport {
  const lines: string[] = [];
  let missing = 0;
  for (const { name, target, figures } of GUARANTEES) {
    const ran = figures.filter(([test]) => outputs.has(test));
    if (ran.length === 0) continue;
    lines.push(`${name}: ${target}`);
    for (const [test, label] of ran) {
      const figure = figureIn(outputs.get(test) ?? '', label);
      if (figure === null) missing++;
      lines.push(`  ${test.padEnd(16)} ${figure ?? `${label}: NOT PRINTED`}`);
    }
  }
  return { lines, missing };
}
