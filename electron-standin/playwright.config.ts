import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results/standin',
  timeout: 15_000,
  fullyParallel: false,
  workers: 2,
  reporter: 'list',
});
