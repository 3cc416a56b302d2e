import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The tests of one room, without the projects of the whole suite: StrykerJS runs them many times over. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    environment: 'node',
    setupFiles: 'scripts/fixed-seed.ts',
    include: (process.env['MUTATION_TESTS'] ?? '').split(','),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
