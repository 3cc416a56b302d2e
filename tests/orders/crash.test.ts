import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCrashTest } from './crash.ts';

/** The short form of tests/stress/crash.ts: a process that is killed and started again. */
it('loses no sent order and resends none, killed at write points and at random', async () => {
  const script = join(import.meta.dirname, '../stress/crash.ts');
  const figures = await runCrashTest({ kills: 10, seed: 11, command: [process.execPath, script, 'child'] });
  expect(figures).toMatchObject({ sentWithoutRecord: 0, resent: 0, falseVerdicts: 0 });
  expect(figures.kills).toBe(10);
  expect(figures.sent).toBeGreaterThan(0);
});
