import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import * as svelteParser from 'svelte-eslint-parser';
import ts from 'typescript-eslint';
import { componentParser } from './scripts/component-parser.mjs';
import { lintRules } from './scripts/lint-rules.mjs';
import svelteConfig from './svelte.config.js';

const WINDOW = './src-renderer/tsconfig.test.json';
const windowParser = componentParser(WINDOW, svelteConfig);

const projects = ['./tsconfig.lint.json', WINDOW];

const typeAware = {
  parserOptions: {
    project: projects,
    tsconfigRootDir: import.meta.dirname,
    extraFileExtensions: ['.svelte'],
  },
};
const tests = ['**/*.test.ts', '**/*.spec.ts', 'tests/**', 'e2e/**'];

export default defineConfig(
  { ignores: ['out/', 'dist/', '.node/', '.cache/', 'test-results/', 'playwright-report/'] },
  js.configs.recommended,
  ...ts.configs.strictTypeChecked,
  ...svelte.configs.recommended,
  ...svelte.configs.prettier,
  {
    languageOptions: typeAware,
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      // Longer ones that are there already are counted in eslint-suppressions.json: the list only shrinks.
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'no-eval': 'error',
      'no-new-func': 'error',
      'no-implied-eval': 'off',
      '@typescript-eslint/no-implied-eval': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Allowed after an index only: see scripts/lint-rules.mjs.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // `() => sideEffect()` and `return stop()` are said on purpose.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // The compiler refuses enums (erasableSyntaxOnly), so there is none of ours to assign to.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // `void value` makes an effect depend on it.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // A name used once in a signature still ties it to the contract's table.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
    },
  },
  {
    files: ['src-renderer/**/*.ts', 'tests/renderer/**/*.ts'],
    languageOptions: { parser: windowParser },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parser: svelteParser, parserOptions: { parser: windowParser, svelteConfig } },
  },
  {
    // What it injects into pages runs there.
    files: ['electron-standin/**'],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
  {
    files: ['src-renderer/**'],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    rules: {
      // Snapshots are replaced whole in $state.raw; a reactive Map inside one would be a second home.
      'svelte/prefer-svelte-reactivity': 'off',
    },
  },
  {
    files: ['**/*.svelte'],
    rules: {
      'svelte/no-at-html-tags': 'error',
      'svelte/no-target-blank': 'error',
      // svelte-check types what crosses from one component to another; here that is `any`.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // svelte-check, with its warnings as errors, knows which of them are needed.
      'svelte/no-unused-svelte-ignore': 'off',
      // A prop destructured by `let { value = $bindable() }` looks constant to the plain rule.
      'prefer-const': 'off',
      'svelte/prefer-const': ['error', { destructuring: 'all' }],
    },
  },
  ...lintRules,
  {
    files: tests,
    rules: {
      // A suite is one function.
      'max-lines-per-function': 'off',
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
    extends: [ts.configs.disableTypeChecked],
    languageOptions: { globals: globals.node },
    rules: { '@typescript-eslint/no-dynamic-delete': 'off', '@typescript-eslint/no-this-alias': 'off' },
  },
  {
    // A sandboxed preload is CommonJS.
    files: ['**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
);
