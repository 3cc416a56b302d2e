import { defineConfig } from '@playwright/test';

/** Tests the window on a display, with a window manager: `playwright test -c playwright.display.config.ts`. */
export default defineConfig({
  testDir: 'e2e/display',
  outputDir: 'test-results/display',
  // One per core, each test on a display of its own.
  workers: 2,
  fullyParallel: true,
  retries: 0,
  // Both limits only end what hangs: a slow and busy machine takes a multiple of the usual time.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: 'list',
});
