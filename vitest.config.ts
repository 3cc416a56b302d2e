import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

const svelteConfig = fileURLToPath(new URL('svelte.config.js', import.meta.url));
const fixedSeed = fileURLToPath(new URL('scripts/fixed-seed.ts', import.meta.url));
const componentTests = 'src-renderer/**/*.svelte.test.ts';

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [svelte({ configFile: svelteConfig })],
        test: {
          name: 'unit',
          environment: 'node',
          setupFiles: fixedSeed,
          include: ['{src-*,electron-standin,scripts,bench}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'out/**', componentTests],
        },
      },
      {
        // Components and rune classes need the browser's build of Svelte and a DOM.
        plugins: [svelte({ configFile: svelteConfig }), svelteTesting()],
        test: {
          name: 'components',
          environment: 'happy-dom',
          setupFiles: fixedSeed,
          include: [componentTests],
        },
      },
    ],
  },
});
