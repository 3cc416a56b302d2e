import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { INSTALL } from './seeded-install.ts';
import { SECURITY } from './seeded-security.ts';

const root = join(import.meta.dirname, '../..');
const mutants = [...SECURITY, ...INSTALL];

it('every mutant has its line, exactly once, and its tests: else it proves nothing', () => {
  const stale = mutants.filter(
    ({ file, line, tests }) =>
      readFileSync(join(root, file), 'utf8').split(line).length !== 2 ||
      tests.length === 0 ||
      !tests.every((test) => existsSync(join(root, test))),
  );
  expect(stale.map(({ keeps, file }) => `${keeps}: ${file}`)).toEqual([]);
  expect(mutants.length).toBeGreaterThanOrEqual(30);
});
