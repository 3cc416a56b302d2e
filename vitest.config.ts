import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

const svelteConfig = fileURLToPath(new URL('svelte.config.js', import.meta.url));
const fixedSeed = fileURLToPath(new URL('scripts/fixed-seed.ts', import.meta.url));
const windowOfEachTest = fileURLToPath(new URL('tests/renderer/window-of-each-test.ts', import.meta.url));
const componentTests = 'src-renderer/**/*.svelte.test.ts';

/** They put modules of their own in the place of others, so each has a worker to itself. */
const MOCKING = [
  'src-files/sync-folder.test.ts',
  'src-main/app/checklist.test.ts',
  'src-main/backup/failing-disk.test.ts',
  'src-main/bridge/serve.test.ts',
  'src-main/orders/journal/file.test.ts',
];

const EVERY_TEST = {
  // Tests wait for states, not for times: these only end one that hangs, on a machine that is slow and busy.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  // What a test puts in the place of something else is gone before the next one.
  restoreMocks: true,
  unstubGlobals: true,
  unstubEnvs: true,
};

export default defineConfig({
  test: {
    // Worker threads of the app are started from its build.
    globalSetup: 'scripts/build-before-tests.ts',
    projects: [
      {
        plugins: [svelte({ configFile: svelteConfig })],
        test: {
          ...EVERY_TEST,
          name: 'unit',
          environment: 'node',
          // Modules keep nothing between tests; a fresh worker for each of two hundred files doubled the time.
          isolate: false,
          setupFiles: fixedSeed,
          include: ['{src-*,electron-standin,scripts,packaging,bench,tests}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'out/**', componentTests, ...MOCKING],
        },
      },
      {
        test: {
          ...EVERY_TEST,
          name: 'mocking',
          environment: 'node',
          include: MOCKING,
        },
      },
      {
        // Components and rune classes need the browser's build of Svelte and a DOM.
        plugins: [svelte({ configFile: svelteConfig }), svelteTesting()],
        test: {
          ...EVERY_TEST,
          name: 'components',
          environment: 'happy-dom',
          isolate: false,
          setupFiles: [fixedSeed, windowOfEachTest],
          include: [componentTests],
        },
      },
    ],
  },
});
