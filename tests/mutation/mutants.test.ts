import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MODULES } from './modules.ts';
import { INSTALL } from './seeded-install.ts';
import { SECURITY } from './seeded-security.ts';

const root = join(import.meta.dirname, '../..');
const mutants = [...SECURITY, ...INSTALL];

it('every mutant finds its line exactly once, and its tests exist', () => {
  const stale = mutants.filter(
    ({ file, line, tests }) =>
      readFileSync(join(root, file), 'utf8').split(line).length !== 2 ||
      tests.length === 0 ||
      !tests.every((test) => existsSync(join(root, test))),
  );
  expect(stale.map(({ protects, file }) => `${protects}: ${file}`)).toEqual([]);
  expect(mutants.length).toBeGreaterThanOrEqual(30);
});

it('every module mutates files and runs tests that exist', () => {
  const missing = MODULES.flatMap(({ name, mutate, tests }) =>
    [...mutate.filter((path) => !path.startsWith('!')), ...tests]
      .filter((path) => globSync(path, { cwd: root }).length === 0)
      .map((path) => `${name}: ${path}`),
  );
  expect(missing).toEqual([]);
});
