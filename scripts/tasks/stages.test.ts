import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SPECS_OF, specsFor } from './changed.ts';
import { chooseStages, runStages, runStage, type Stage } from './stages.ts';

const stage = (name: string, queue: Stage['queue'], code: number, needs?: string): Stage => ({
  name,
  queue,
  ...(needs === undefined ? {} : { needs }),
  command: () => [process.execPath, '-e', `console.log('${name} ran'); process.exitCode = ${code}`],
});

it('runs the other stages after a failure, and keeps its exit code', async () => {
  const lines: string[] = [];
  const results = await runStages(
    [
      stage('build', 'others', 0),
      stage('e2e', 'e2e', 3, 'build'),
      stage('unit', 'others', 0),
      stage('package', 'others', 0),
    ],
    (one) => runStage(one, [], (line) => lines.push(line)),
  );
  expect(results.map(({ stage: name, code }) => [name, code])).toEqual([
    ['build', 0],
    ['e2e', 3],
    ['unit', 0],
    ['package', 0],
  ]);
  expect(lines.sort()).toEqual(['build ran', 'e2e ran', 'package ran', 'unit ran']);
  expect(results[1]!.results).toEqual([expect.objectContaining({ name: 'e2e', passed: false })]);
});

it('skips stages that need a failed one, and runs the rest', async () => {
  const ran: string[] = [];
  const results = await runStages(
    [stage('build', 'others', 1), stage('e2e', 'e2e', 0, 'build'), stage('check', 'others', 0)],
    (one) => {
      ran.push(one.name);
      return runStage(one, [], () => undefined);
    },
  );
  expect(ran).toEqual(['build', 'check']);
  expect(results[1]).toMatchObject({ stage: 'e2e', skipped: 'build failed' });
});

it('rejects an unknown stage by name', () => {
  expect(() => chooseStages(['unit', 'units'])).toThrow('No such stage: units. There are: build, ');
});

it('runs the specs of a changed screen and the main job', () => {
  const specs = ['batch', 'connections', 'main-job', 'trades'];
  expect(specsFor(['src-renderer/features/batch/Batch.svelte'], specs)).toEqual([
    'e2e/batch.spec.ts',
    'e2e/main-job.spec.ts',
  ]);
  expect(specsFor(['src-renderer/features/settings/a.svelte.ts'], specs)).toContain(
    'e2e/connections.spec.ts',
  );
  expect(specsFor(['README.md', 'src-main/orders/order-service.test.ts'], specs)).toEqual([]);
});

it('names a spec for each folder of a screen, and none that is gone', () => {
  const root = join(import.meta.dirname, '..', '..');
  const gone = Object.values(SPECS_OF)
    .flat()
    .filter((name) => !existsSync(join(root, `e2e/${name}.spec.ts`)));
  expect(gone).toEqual([]);
  const specs = readdirSync(join(root, 'e2e')).map((file) => file.replace('.spec.ts', ''));
  const folders = readdirSync(join(root, 'src-renderer/features'), { withFileTypes: true });
  const without = folders
    .filter((one) => one.isDirectory())
    .filter(({ name }) => specsFor([`src-renderer/features/${name}/A.svelte`], specs).length < 2);
  expect(without.map(({ name }) => name)).toEqual([]);
});
