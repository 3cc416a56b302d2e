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
  command: node('@typescript/native/bin/tsc', '--project', project, '--noEmit'),
});

const lint = (...args: string[]): Command => node('eslint/bin/eslint.js', '--max-warnings', '0', ...args);

const holds = (folder: string): boolean =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).some((name) => name.endsWith('.ts'));

/** TypeScript refuses a project without a file, which a room may be before its first one. */
const rooms = [
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
  'src-main',
  'src-practice',
  'src-preload',
  'src-renderer',
  'src-shared',
  'electron-standin',
  'tests',
];

/** All of `npm run check`; the longest begins first, so that the others run beside it. */
export const checks: readonly Check[] = [
  // In two, for two cores: each component makes the type checker begin anew, 0.3 s each.
  { name: 'lint: window', command: lint('src-renderer') },
  { name: 'lint: all else', command: lint('--ignore-pattern', 'src-renderer', '.') },
  typed('main, practice, bench', 'tsconfig.json'),
  ...rooms.map((room) => typed(room, `${room}/tsconfig.json`)),
  {
    name: 'types: renderer',
    command: node(
      'svelte-check/bin/svelte-check',
      '--workspace',
      'src-renderer',
      '--tsconfig',
      './tsconfig.json',
      '--fail-on-warnings',
      '--output',
      'human',
    ),
  },
  typed('renderer tests', 'src-renderer/tsconfig.test.json'),
  { name: 'lengths', command: [process.execPath, join(root, 'scripts/lengths.ts')] },
  {
    name: 'walls',
    command: node(
      'dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      ...CRUISED,
    ),
  },
  { name: 'format', command: node('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.') },
  { name: 'dead code', command: node('knip/bin/knip.js') },
];
