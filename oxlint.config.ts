/**
 * Lints TypeScript and JavaScript by the presets of ESLint and typescript-eslint, in a tenth of their time. Components,
 * which oxlint cannot read, are left to ESLint (eslint.config.js).
 */
import { join } from 'node:path';
import js from '@eslint/js';
import { defineConfig } from 'oxlint';
import ts from 'typescript-eslint';
import { bans, chosenRules, type Rules } from './scripts/lint-rules.mjs';

/** Not in oxlint. The compiler reports the first two, and the third for every class with a private field. */
const MISSING = ['no-dupe-args', 'no-octal', '@typescript-eslint/no-unsafe-class-instance-assignment'];

const presets = [js.configs.recommended, ...ts.configs.strictTypeChecked]
  .flatMap(({ rules }) => Object.entries(rules ?? {}))
  .filter(([name, level]) => level !== 'off' && !MISSING.includes(name));
// The compiler reports what is not defined, except in plain JavaScript.
const rules: Rules = { ...Object.fromEntries(presets), 'no-undef': 'off', ...chosenRules };
/** Rules that need types. */
const typed = Object.keys(rules).filter((name) => name in (ts.configs.disableTypeChecked.rules ?? {}));

const tests = ['**/*.test.ts', '**/*.spec.ts', 'tests/**', 'e2e/**'];

export default defineConfig({
  plugins: ['typescript'],
  jsPlugins: [join(import.meta.dirname, 'scripts', 'lint-plugin.mjs')],
  categories: { correctness: 'off' },
  ignorePatterns: [
    'out/',
    'dist/',
    '.node/',
    '.cache/',
    'test-results/',
    'playwright-report/',
    '**/*.svelte',
  ],
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  rules,
  overrides: [
    ...bans.map(({ ignores, ...ban }) => ({ ...ban, excludeFiles: ignores })),
    {
      // A suite, and a bench, is one function; each of the others is sent to a page as one text.
      files: [...tests, 'bench/**', 'electron-standin/page/**'],
      rules: { 'max-lines-per-function': 'off', complexity: 'off' },
    },
    {
      files: tests,
      rules: {
        // A test may hand over what the types forbid, and read what comes back.
        '@typescript-eslint/no-unsafe-assignment': 'off',
        '@typescript-eslint/no-unsafe-member-access': 'off',
        '@typescript-eslint/no-unsafe-argument': 'off',
        '@typescript-eslint/no-unsafe-call': 'off',
        '@typescript-eslint/no-unsafe-return': 'off',
        '@typescript-eslint/restrict-plus-operands': 'off',
      },
    },
    {
      // They try in the window what must not work there.
      files: ['e2e/**'],
      rules: { 'no-eval': 'off', 'no-new-func': 'off', '@typescript-eslint/no-implied-eval': 'off' },
    },
    {
      // Programs of the command line speak by printing.
      files: [
        'src-practice/index.ts',
        'scripts/**',
        'packaging/**',
        'bench/**',
        'tests/{stress,mutation}/**',
        'electron-standin/**',
      ],
      rules: { 'no-console': 'off' },
    },
    {
      // Plain JavaScript: checked by its JSDoc (scripts/tsconfig.json), not by rules that need types.
      files: ['**/*.{js,mjs,cjs}'],
      env: { node: true },
      rules: {
        'no-undef': 'error',
        ...Object.fromEntries(typed.map((name) => [name, 'off' as const])),
        '@typescript-eslint/no-dynamic-delete': 'off',
        '@typescript-eslint/no-this-alias': 'off',
      },
    },
    // What it injects into pages runs there.
    { files: ['electron-standin/**'], env: { browser: true } },
    // A sandboxed preload is CommonJS.
    { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  ],
});
