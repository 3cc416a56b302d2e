import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

/** The component of each class that scopes styles. */
const scopes = new Map();

/**
 * Returns the class that scopes a component's styles: shorter than Svelte's own, which is text that compresses badly and is
 * in the window once in the styles and once in the script.
 */
function cssHash({ hash, filename }) {
  const name = `s-${hash(filename).slice(-4)}`;
  const other = scopes.get(name) ?? filename;
  if (other !== filename)
    throw new Error(`${filename} and ${other} have the same class: take more of the hash`);
  scopes.set(name, filename);
  return name;
}

/** @type {import('@sveltejs/vite-plugin-svelte').SvelteConfig} */
export default {
  preprocess: vitePreprocess(),
  compilerOptions: { runes: true, cssHash },
};
