import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

const svelteConfig = fileURLToPath(new URL('svelte.config.js', import.meta.url));
const fixedSeed = fileURLToPath(new URL('scripts/fixed-seed.ts', import.meta.url));
const componentTests = 'src-renderer/**/*.svelte.test.ts';

/** Tests wait for states, not for times: these only end one that hangs, on a machine that is slow and busy. */
const PATIENCE = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } };

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [svelte({ configFile: svelteConfig })],
        test: {
          ...PATIENCE,
          name: 'unit',
          environment: 'node',
          setupFiles: fixedSeed,
          include: ['{src-*,electron-standin,scripts,packaging,bench}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'out/**', componentTests],
        },
      },
      {
        // Components and rune classes need the browser's build of Svelte and a DOM.
        plugins: [svelte({ configFile: svelteConfig }), svelteTesting()],
        test: {
          ...PATIENCE,
          name: 'components',
          environment: 'happy-dom',
          setupFiles: fixedSeed,
          include: [componentTests],
        },
      },
    ],
  },
});
