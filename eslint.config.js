/** Lints components, which oxlint cannot read (oxlint.config.ts lints all else). */
import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import * as svelteParser from 'svelte-eslint-parser';
import ts from 'typescript-eslint';
import { componentParser } from './scripts/component-parser.mjs';
import lintPlugin from './scripts/lint-plugin.mjs';
import { bans, chosenRules } from './scripts/lint-rules.mjs';
import svelteConfig from './svelte.config.js';

const WINDOW = './src-renderer/tsconfig.json';

export default defineConfig({
  files: ['**/*.svelte'],
  extends: [
    js.configs.recommended,
    ...ts.configs.strictTypeChecked,
    ...svelte.configs.recommended,
    ...svelte.configs.prettier,
    { plugins: { ballast: lintPlugin }, rules: chosenRules },
    ...bans,
  ],
  languageOptions: {
    parser: svelteParser,
    parserOptions: {
      parser: componentParser(WINDOW, svelteConfig),
      svelteConfig,
      project: WINDOW,
      tsconfigRootDir: import.meta.dirname,
      extraFileExtensions: ['.svelte'],
    },
    globals: globals.browser,
  },
  linterOptions: { reportUnusedDisableDirectives: 'error' },
  rules: {
    // Not in oxlint either, which says why; and there are no stores.
    '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
    'svelte/require-store-reactive-access': 'off',
    // Snapshots are replaced whole in $state.raw; a reactive Map inside one would be a second home.
    'svelte/prefer-svelte-reactivity': 'off',
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
});
