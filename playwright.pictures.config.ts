import { defineConfig } from '@playwright/test';
import app from './playwright.config.ts';

/** Screenshots for README.md, taken from the running app: not a test, so not part of `npm test`. */
export default defineConfig({
  // Spread rather than extended: Playwright merges the projects of both, and would run every test first.
  ...app,
  outputDir: '.cache/pictures',
  workers: 1,
  projects: [{ name: 'pictures', testDir: 'e2e', testMatch: ['pictures.ts', 'screens.pictures.ts'] }],
});
