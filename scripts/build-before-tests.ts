import { dirname } from 'node:path';
import { build, buildIsStale } from './setup/build.mjs';

/** Vitest calls it once before all tests. */
export async function setup(): Promise<void> {
  const root = dirname(import.meta.dirname);
  if (buildIsStale(root)) await build(root);
}
