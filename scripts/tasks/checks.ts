/** The static checks: linters, types, dependency rules, format and dead code, each with its command. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, tool, type Command } from './process.ts';

export interface Check {
  readonly name: string;
  readonly command: Command;
}

const node = (script: string, ...args: string[]): Command => [process.execPath, tool(script), ...args];

const typed = (name: string, project: string): Check => ({
  name: `types: ${name}`,
  // Each checker has its own types of what all import; the checks run side by side anyway.
  command: node('@typescript/native/bin/tsc', '--project', project, '--noEmit', '--checkers', '1'),
});

const lint = (...files: string[]): Command =>
  node('oxlint/bin/oxlint', '--deny-warnings', '--no-error-on-unmatched-pattern', ...files);
const lintComponents = (...files: string[]): Command =>
  node('eslint/bin/eslint.js', '--max-warnings', '0', ...files);
/** Prettier's key has the file, the options and its own version; plugins change with node_modules, which holds it. */
const FORMATTED = join(root, 'node_modules', '.cache', 'formatted.json');
const cached = ['--cache', '--cache-strategy', 'content', '--cache-location', FORMATTED];
const format = (...files: string[]): Command =>
  node(
    'prettier/bin/prettier.cjs',
    '--check',
    ...cached,
    '--ignore-unknown',
    '--log-level',
    'warn',
    ...files,
  );

const holds = (folder: string): boolean =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).some((name) => name.endsWith('.ts'));

/** The folders with a TypeScript project of their own; TypeScript refuses a project without a file. */
const projects = [
  'src-shared',
  'src-preload',
  'electron-standin',
  'scripts',
  'packaging',
  'e2e',
  'bench',
  'tests',
].filter(holds);

const CRUISED = [
  'src-files',
  'src-main',
  'src-practice',
  'src-preload',
  'src-renderer',
  'src-shared',
  'electron-standin',
  'tests',
];

/** All of `npm run check`. The longest begins first, so that the others run beside it. */
export const checks: readonly Check[] = [
  { name: 'lint: components', command: lintComponents('src-renderer', 'tests') },
  { name: 'lint: all else', command: lint() },
  typed('main, practice, bench', 'tsconfig.json'),
  ...projects.map((folder) => typed(folder, `${folder}/tsconfig.json`)),
  {
    name: 'types: renderer',
    command: node(
      'svelte-check/bin/svelte-check',
      '--workspace',
      'src-renderer',
      '--tsconfig',
      './tsconfig.page.json',
      '--fail-on-warnings',
      '--output',
      'human',
      // By the same compiler as the other types.
      '--tsgo-experimental-api',
    ),
  },
  typed('renderer tests', 'src-renderer/tsconfig.json'),
  {
    name: 'dependencies',
    command: node(
      'dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      ...CRUISED,
    ),
  },
  { name: 'format', command: format('.') },
  { name: 'dead code', command: node('knip/bin/knip.js') },
];

/** The checks for changed files: those of the files alone, and the types. The slowest are left out. */
export function checksOf(files: readonly string[]): readonly Check[] {
  const code = files.filter((file) => /\.(?:ts|mjs|cjs|js)$/.test(file));
  const components = files.filter((file) => file.endsWith('.svelte'));
  const isWindow = [...code, ...components].some((file) => file.startsWith('src-'));
  return [
    ...(code.length === 0 ? [] : [{ name: 'lint', command: lint(...code) }]),
    ...(components.length === 0
      ? []
      : [{ name: 'lint: components', command: lintComponents(...components) }]),
    { name: 'format', command: format(...files) },
    ...checks.filter(
      ({ name }) => /^types|^dependencies/.test(name) && (isWindow || name !== 'types: renderer'),
    ),
  ];
}
