import { defineConfig } from '@playwright/test';
import { dirname } from 'node:path';
import { findElectron } from './scripts/setup/electron.mjs';

const { path, real } = findElectron(import.meta.dirname);
// Playwright requests the binary from the `electron` package, which starts a download where there is none.
if (!real) {
  process.env['ELECTRON_OVERRIDE_DIST_PATH'] = dirname(path);
  // Windows of tests do not appear on the user's desktop.
  process.env['BALLAST_STANDIN_HEADLESS'] ??= '1';
}

export default defineConfig({
  outputDir: 'test-results/e2e',
  // One per core: a third made the whole slower.
  workers: 2,
  // A test that passes only on a retry has failed.
  retries: 0,
  // The limits only end what hangs: the longest test takes a minute, and several on a slow and busy machine.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: 'list',
  // A trace costs a twelfth of the time; `--trace on` enables it.
  use: { trace: 'off', screenshot: 'only-on-failure' },
  projects: [
    // The display has a configuration of its own.
    { name: 'shared', testDir: 'e2e', testIgnore: 'display/**', grep: /@shared/ },
    { name: 'app', testDir: 'e2e', testIgnore: 'display/**', grepInvert: /@shared/ },
    // These specs test more than Electron itself guarantees.
    ...(real ? [] : [{ name: 'stand-in', testDir: 'electron-standin', testMatch: '*.spec.ts' }]),
  ],
});
