import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const renderer = join(import.meta.dirname, 'src-renderer');
const components = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.svelte'))
  .sort();

/**
 * Returns the class that scopes a component's styles, by its place in the list: shorter than Svelte's own, which is text that
 * compresses badly and is in the window once in the styles and once in the script.
 */
function cssHash({ filename }) {
  const path = relative(renderer, filename);
  if (!components.includes(path)) components.push(path);
  return `_${components.indexOf(path).toString(36)}`;
}

/** @type {import('@sveltejs/vite-plugin-svelte').SvelteConfig} */
export default {
  preprocess: vitePreprocess(),
  compilerOptions: { runes: true, cssHash },
};
