import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, matchesGlob, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { isOwnFile } from '../../src-main/session/own-files.ts';

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
/** The anchor GitHub makes of a heading. */
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

/** Pages of other projects, by the project's name. */
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

it('links of pages resolve to a file and a heading', () => {
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.flatMap(deadLinksOf)).toEqual([]);
});

/** Files that others have, or that are made: of a release, of Electron, of a bundle. */
const OF_OTHERS = new Set([
  'announcement.json',
  'NAME.ts',
  'Info.plist',
  'electron.d.ts',
  'init.ts',
  'desktop-name.ts',
  'menu-item-roles.ts',
]);

/** Whether a page may name `name` so: as a file of the profile, from the root, from its own folder, by the end of a path, or by a pattern. */
function isThere(name: string, page: string): boolean {
  if (isOwnFile(name)) return true;
  if ([name, join(dirname(page), name)].some((path) => existsSync(join(root, path)))) return true;
  return files.some(
    (file) => file.endsWith(`/${name}`) || matchesGlob(file, name) || matchesGlob(file, `**/${name}`),
  );
}

it('pages of modules are at most 60 lines', () => {
  const modules = pages.filter((page) => page.endsWith('/README.md'));
  expect(modules.length).toBeGreaterThan(20);
  expect(modules.filter((page) => textOf(page).trimEnd().split('\n').length > 60)).toEqual([]);
});

it('files named on pages exist', () => {
  const dead = pages.flatMap((page) =>
    [
      ...textOf(page)
        .replace(/```[^]*?```/g, '')
        .matchAll(/`([\w./*-]+\.(?:ts|svelte|mjs|cjs|css|json|plist|yml))`/g),
    ]
      .map(([, name = '']) => name)
      .filter((name) => !name.startsWith('.cache/') && !OF_OTHERS.has(name) && !isThere(name, page))
      .map((name) => `${page}: ${name}`),
  );
  expect(dead).toEqual([]);
});

it('pages named in comments exist, with the quoted sections', () => {
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
