import { svelte } from '@sveltejs/vite-plugin-svelte';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import type { BenchFile } from './harness.ts';

/** From docs/performance.md: what the window loads, without fonts. */
const TARGET_KB = 250;
const START_TARGET_KB = 120;

const root = dirname(import.meta.dirname);
const FONT = /\.woff2?$/;

interface Size {
  readonly file: string;
  readonly kilobytes: number;
}

/** Gzip sizes in KB of 1000 bytes, largest first. */
function sizes(folder: string): Size[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const bytes = gzipSync(readFileSync(join(entry.parentPath, entry.name)), { level: 9 }).length;
      return { file: entry.name, kilobytes: bytes / 1000 };
    })
    .sort((a, b) => b.kilobytes - a.kilobytes);
}

const total = (list: readonly Size[]): number => list.reduce((sum, { kilobytes }) => sum + kilobytes, 0);

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

/** The files the page itself loads: its script, that script's static imports, and the styles. */
function startFiles(): Set<string> {
  const page = readFileSync(join(root, 'out', 'renderer', 'index.html'), 'utf8');
  return new Set(['index.html', ...[...page.matchAll(/assets\/([^"]+)"/g)].map((match) => match[1] ?? '')]);
}

const bundle: BenchFile = async ({ report, note }) => {
  const files = sizes(join(root, 'out', 'renderer'));
  const fonts = files.filter(({ file }) => FONT.test(file));
  const rest = files.filter(({ file }) => !FONT.test(file));
  for (const { file, kilobytes } of rest.slice(0, 8)) note(`${kilobytes.toFixed(1).padStart(7)} KB ${file}`);
  note(`${total(fonts).toFixed(1).padStart(7)} KB in ${fonts.length} fonts, apart`);

  const value = total(rest);
  report({ figure: 'renderer gzip', value, unit: 'KB', baseline: 'target', baselineValue: TARGET_KB });
  const baseline = 'Svelte hello-world built in the same run';
  report({ figure: 'renderer gzip over limit', value, unit: 'KB', baseline, baselineValue: await hello() });
  const atStart = total(rest.filter(({ file }) => startFiles().has(file)));
  report({
    figure: 'of it read before the first screen is drawn',
    value: atStart,
    unit: 'KB',
    baseline: 'target',
    baselineValue: START_TARGET_KB,
  });
};

export default bundle;
