import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Runs the tests of one module without the whole suite's projects: StrykerJS runs them many times. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    environment: 'node',
    setupFiles: 'scripts/fixed-seed.ts',
    include: JSON.parse(process.env['MUTATION_TESTS'] ?? '[]') as string[],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
