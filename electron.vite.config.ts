import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'electron-vite';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { licences } from './packaging/licences.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// One file in out/main each, because each is started by its path: a worker thread, a child process. The
// names are relied on by the code that starts them (`new URL('./archive-worker.js', import.meta.url)`).
const mainEntries = {
  index: at('src-main/index.ts'),
  'archive-worker': at('src-main/archive/worker.ts'),
  'backup-worker': at('src-main/backup/worker.ts'),
  'keychain-process': at('src-main/vault/keychain-process.ts'),
  'practice-worker': at('src-main/practice/practice-worker.ts'),
};

// Hot reload needs a socket and injected styles, which the shipped policy forbids. This one is served by
// the development server only; the shipped one is a header of the app:// protocol (src-main/app).
const developmentPolicy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self' ws://localhost:* ws://127.0.0.1:*",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

// One for all three parts; keytar is shipped as it is, the rest inside our files.
const listed = licences(at('.'), ['keytar']);

/**
 * Puts the window's modules into few files, which compress better and are read in fewer requests: what the page imports
 * statically is `start`, the library of charts is its own, all the rest is `later`, read right behind the first frame.
 */
function windowFiles() {
  const within = (path: string) => {
    const found = new Set<string>();
    const add = (id: string, modules: Modules): void => {
      if (found.has(id)) return;
      found.add(id);
      for (const one of modules.getModuleInfo(id)?.importedIds ?? []) add(one, modules);
    };
    return (id: string, modules: Modules): boolean => {
      if (found.size === 0) add(at(`src-renderer/${path}`), modules);
      return found.has(id);
    };
  };
  const isStart = within('index.html');
  const isChart = within('components/chart/chart-library.ts');
  return {
    groups: [
      { name: (id: string, modules: Modules) => (isStart(id, modules) ? 'start' : null), priority: 3 },
      { name: (id: string, modules: Modules) => (isChart(id, modules) ? 'charts' : null), priority: 2 },
      { name: 'later', priority: 1 },
    ],
  };
}
interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/**
 * Two scales of Chart.js that no chart uses read a property as they are defined, for which the bundler keeps them: 5 KB.
 * These reads are marked as pure. All reads cannot be: our own may subscribe to state.
 */
const unusedScales = {
  name: 'unused-scales',
  transform: {
    filter: { id: /chart\.js\/dist\/chart\.js$/ },
    handler(code: string): string {
      const reads = /(?<=static defaults = )TimeScale\.defaults|(?<=callback: )Ticks\.formatters\.numeric/g;
      if ((code.match(reads) ?? []).length < 2) throw new Error('Chart.js defines its scales otherwise now');
      return code.replaceAll(reads, '/* @__PURE__ */ (() => $&)()');
    },
  },
};

/**
 * The window is drawn in the browser alone, never taken over from a server. Svelte means its code for that to be left out
 * where nothing hydrates, but this bundler does not see that the flag stays false.
 */
const neverHydrates = {
  name: 'never-hydrates',
  transform: {
    filter: { id: /svelte\/src\/internal\/client\/dom\/hydration\.js$/ },
    handler(code: string): string {
      const flag = 'export let hydrating = false;';
      const set = '\thydrating = value;';
      if (!code.includes(flag) || !code.includes(set))
        throw new Error('hydration.js of Svelte has no such flag: see neverHydrates');
      return code.replace(flag, 'export const hydrating = false;').replace(set, '');
    },
  },
};

export default defineConfig({
  main: {
    plugins: [listed],
    build: {
      outDir: at('out/main'),
      // keytar is native and stays in node_modules; the pure ones are bundled, which starts faster than
      // resolving their files one by one.
      externalizeDeps: { exclude: ['big.js', 'got', 'tar', 'valibot'] },
      lib: {
        entry: Object.fromEntries(Object.entries(mainEntries).filter(([, path]) => existsSync(path))),
        formats: ['es'],
      },
      rolldownOptions: {
        output: {
          entryFileNames: '[name].js',
          // Beside the entries, so that import.meta.url has the same folder in an entry and in a chunk.
          chunkFileNames: 'chunk-[name]-[hash].js',
        },
      },
    },
  },
  preload: {
    plugins: [listed],
    build: {
      outDir: at('out/preload'),
      // A sandboxed preload may require only electron: one CommonJS file, everything else inside.
      externalizeDeps: false,
      isolatedEntries: true,
      lib: { entry: at('src-preload/index.ts'), formats: ['cjs'] },
      rolldownOptions: { output: { entryFileNames: '[name].cjs' } },
    },
  },
  renderer: {
    root: at('src-renderer'),
    plugins: [svelte({ configFile: at('svelte.config.js') }), unusedScales, neverHydrates, listed],
    server: { host: '127.0.0.1', headers: { 'Content-Security-Policy': developmentPolicy } },
    build: {
      outDir: at('out/renderer'),
      emptyOutDir: true,
      minify: true,
      // The shipped policy allows no data: addresses, so nothing is inlined.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: at('src-renderer/index.html'),
        // The steps of hydration that components are compiled with: without it they do nothing.
        treeshake: { manualPureFunctions: ['$.reset', '$.next'] },
        output: { codeSplitting: windowFiles() },
      },
    },
  },
});
