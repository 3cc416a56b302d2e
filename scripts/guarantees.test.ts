import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GUARANTEES, reportGuarantees } from './tasks/guarantees.ts';

const root = join(import.meta.dirname, '..');
const stressTests = readdirSync(join(root, 'tests', 'stress')).map((file) => file.replace(/\.ts$/, ''));

describe('the table of guarantees', () => {
  it('uses every stress test, and no other', () => {
    const used = new Set(GUARANTEES.flatMap(({ figures }) => figures.map(([test]) => test)));
    expect([...used].sort()).toEqual([...stressTests].sort());
    expect(GUARANTEES.filter(({ figures }) => figures.length === 0)).toEqual([]);
  });

  it('shows the figure of a test that ran, or that it was not printed', () => {
    const outputs = new Map([
      ['crash', 'kills                             1000 in 358.9 s\n  at write points  373\n'],
      ['double-submit', 'presses: 1500 confirmations pressed\n'],
    ]);
    const { lines, missing } = reportGuarantees(outputs);
    expect(lines).toEqual([
      'crash-safe: 0 sent orders without a record in 1,000 kills, and with unsynced writes dropped',
      '  crash            kills: 1000 in 358.9 s',
      '  crash            sent without a record: NOT PRINTED',
      'one click, one order: 1 POST a confirmation in 1,000 double clicks and held Enters',
      '  double-submit    presses: 1500 confirmations pressed',
    ]);
    expect(missing).toBe(1);
  });
});

describe('SECURITY.md', () => {
  const page = readFileSync(join(root, 'SECURITY.md'), 'utf8');
  const source = (path: string): string => readFileSync(join(root, path), 'utf8');

  it('names the 20 items of the checklist as their tests do', () => {
    const items = [...page.matchAll(/^\| (\d+\. [^|]+?) +\|/gm)].map(([, name]) => name!);
    expect(items.map((one) => Number.parseInt(one, 10))).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
    const tests = [...source('src-main/app/checklist.test.ts').matchAll(/^it\('(\d+\. [^']+)'/gm)];
    expect(items).toEqual(tests.map(([, name]) => name));
  });

  it('names existing window tests, stress tests and files', () => {
    const confinement = source('e2e/confinement.spec.ts');
    const quoted = [...page.matchAll(/“(\d[^”]*)”/g)].map(([, name]) => name!);
    expect(quoted.length).toBeGreaterThan(3);
    for (const name of quoted) expect(confinement, name).toContain(name.replace(/ ?…$/, ''));
    const named = [...page.matchAll(/`test:stress -- ([^`]+)`/g)].map(([, name]) => name!);
    expect(named.filter((name) => !stressTests.includes(name))).toEqual([]);
    const paths = [...page.matchAll(/`((?:e2e|src-[a-z]+|packaging|scripts|tests)\/[\w./-]+\.\w+)`/g)];
    for (const [, path] of paths) expect(source(path!), path).not.toBe('');
  });
});
