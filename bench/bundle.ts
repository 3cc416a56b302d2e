import { svelte } from '@sveltejs/vite-plugin-svelte';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { atStart, isFont, RENDERER, sizes, START_TARGET_KB, TARGET_KB, total } from '../e2e/window-weight.ts';
import type { BenchFile } from './harness.ts';

const root = dirname(import.meta.dirname);
/** The minimum for a Svelte window: one button that counts, built with the app's own versions. */
async function hello(): Promise<number> {
  // Inside the project, because imports are resolved in node_modules above it.
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', 'hello-'));
  try {
    writeFileSync(
      join(folder, 'index.html'),
      '<div id="app"></div><script type="module" src="/main.js"></script>',
    );
    writeFileSync(
      join(folder, 'main.js'),
      "import { mount } from 'svelte';\nimport App from './App.svelte';\nmount(App, { target: document.body });\n",
    );
    writeFileSync(
      join(folder, 'App.svelte'),
      '<script>let count = $state(0);</script>\n<button onclick={() => (count += 1)}>{count}</button>\n',
    );
    await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      plugins: [svelte({ configFile: join(root, 'svelte.config.js') })],
      build: { outDir: 'out', modulePreload: { polyfill: false }, reportCompressedSize: false },
    });
    return total(sizes(join(folder, 'out')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const bundle: BenchFile = async ({ report, note }) => {
  const files = sizes(RENDERER);
  const fonts = files.filter(isFont);
  const rest = files.filter((one) => !isFont(one));
  for (const { file, kilobytes } of rest.slice(0, 8)) note(`${kilobytes.toFixed(1).padStart(7)} KB ${file}`);
  note(`${total(fonts).toFixed(1).padStart(7)} KB in ${fonts.length} fonts, apart`);

  const value = total(rest);
  report({ figure: 'renderer gzip', value, unit: 'KB', baseline: 'target', baselineValue: TARGET_KB });
  const baseline = 'Svelte hello-world built in the same run';
  report({ figure: 'renderer gzip over limit', value, unit: 'KB', baseline, baselineValue: await hello() });
  report({
    figure: 'of it read before the first screen is drawn',
    value: total(atStart(files)),
    unit: 'KB',
    baseline: 'target',
    baselineValue: START_TARGET_KB,
  });
};

export default bundle;
