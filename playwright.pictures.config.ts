import { defineConfig } from '@playwright/test';
import app from './playwright.config.ts';

/** Pictures for README.md, made from the running app: not a test, so not a part of `npm test`. */
export default defineConfig({
  // Spread, not handed in as a base: Playwright joins the projects of both, and would run every test first.
  ...app,
  outputDir: '.cache/pictures',
  workers: 1,
  projects: [{ name: 'pictures', testDir: 'e2e', testMatch: ['pictures.ts', 'screens.pictures.ts'] }],
});
