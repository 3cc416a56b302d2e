import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const SKIPPED = new Set(['node_modules', 'out', 'dist', 'test-results', 'playwright-report']);

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = normalize(join(folder, entry.name));
    if (entry.isDirectory())
      return SKIPPED.has(entry.name) || (entry.name.startsWith('.') && entry.name !== '.github')
        ? []
        : filesUnder(path);
    return [path];
  });
}
const files = filesUnder('.');
const pages = files.filter((file) => file.endsWith('.md'));
const sources = files.filter((file) => /\.(?:ts|svelte|mjs|cjs|js|css)$/.test(file));
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

const headingsOf = (page: string): string[] =>
  textOf(page)
    .split('\n')
    .flatMap((line) => /^#+ (.*)$/.exec(line)?.[1] ?? []);
/** As GitHub makes an anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

function deadLinksOf(page: string): string[] {
  const text = textOf(page).replace(/```[^]*?```/g, '');
  return [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]*)\)/g)].flatMap(([, link = '']) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : normalize(join(dirname(page), path));
    if (!existsSync(join(root, target))) return [`${page}: ${link}`];
    if (anchor === undefined || statSync(join(root, target)).isDirectory()) return [];
    return headingsOf(target).some((heading) => anchorOf(heading) === anchor) ? [] : [`${page}: ${link}`];
  });
}

/** Pages of others, by whom they are about. */
const ELSEWHERE = /^(?:LICENSE\.md|.*api\/)/;

function deadReferencesOf(file: string): string[] {
  const found = textOf(file).matchAll(/([\w./-]*\w\.md)\b(?:, "([^"]+)"(?: and "([^"]+)")?)?/g);
  return [...found].flatMap(([all, path = '', ...sections]) => {
    const target = [path, join(dirname(file), path)]
      .map(normalize)
      .find((one) => existsSync(join(root, one)));
    if (target === undefined) return [`${file}: ${all}`];
    const headings = headingsOf(target);
    return sections.filter(Boolean).some((one) => !headings.includes(one)) ? [`${file}: ${all}`] : [];
  });
}

it('links of pages lead to a file and a heading', () => {
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.flatMap(deadLinksOf)).toEqual([]);
});

it('pages named in comments are there, with the sections quoted', () => {
  const comments = sources.filter((file) => !file.startsWith('tests/docs') && !file.endsWith('.test.ts'));
  expect(
    comments.flatMap(deadReferencesOf).filter((one) => !ELSEWHERE.test(one.split(': ')[1] ?? '')),
  ).toEqual([]);
});

it('no source refers to a numbered issue', () => {
  const found = sources.filter(
    (file) => !file.startsWith('tests/docs') && /\(issue \d+\)|\bissue #?\d/i.test(textOf(file)),
  );
  expect(found).toEqual([]);
});
