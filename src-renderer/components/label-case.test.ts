import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
/** Texts of tags and placeholders; a placeholder may be a sample of what is typed. */
const TEXTS = [/<Tag\b[^>]*>([a-z][^<{]*)</g, /\bplaceholder="([a-z][^":,]*)"/g];

it('begins tags and placeholders with a capital', () => {
  const lower = globSync('**/*.svelte', { cwd: ROOT, exclude: ['dev'] }).flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    return TEXTS.flatMap((text) => [...source.matchAll(text)].map(([, found]) => `${file}: ${found}`));
  });
  expect(lower).toEqual([]);
});
