import { Linter } from 'eslint';
import svelte from 'eslint-plugin-svelte';
import { describe, expect, it } from 'vitest';
import ts from 'typescript-eslint';
import { houseRules } from './house-rules.mjs';

const linter = new Linter();
const config = [
  { files: ['**/*.ts'], languageOptions: { parser: ts.parser } },
  ...svelte.configs.base,
  { files: ['**/*.svelte'], languageOptions: { parserOptions: { parser: ts.parser } } },
  ...houseRules,
] as Linter.Config[];

const complaints = (file: string, code: string): string[] =>
  linter.verify(code, config, file).map(({ ruleId, message }) => ruleId ?? message);

const banned: [file: string, code: string][] = [
  ['src-shared/domain/a.ts', 'export const a = Number(price);'],
  ['src-main/orders/a.ts', 'export const a = parseFloat(price);'],
  ['src-main/orders/a.ts', 'export const a = Number.parseFloat(price);'],
  ['src-main/orders/a.ts', 'export const a = big.toNumber();'],
  ['src-main/orders/a.ts', 'export const a = +price;'],
  ['src-main/orders/a.ts', 'export const a = prices.map(Number);'],
  ['src-renderer/state/a.ts', 'void fetch(address);'],
  ['src-renderer/state/a.ts', 'void window.fetch(address);'],
  ['src-renderer/state/a.ts', "void globalThis['fetch'](address);"],
  ['src-renderer/state/a.ts', 'new XMLHttpRequest();'],
  ['src-renderer/state/a.svelte.ts', 'new WebSocket(address);'],
  ['src-renderer/features/a/A.svelte', '<script lang="ts">new WebSocket(address);</script>'],
  ['src-renderer/features/a/A.svelte', '<button onclick={() => fetch(address)}>Go</button>'],
  ['src-renderer/state/a.ts', 'navigator.sendBeacon(address);'],
  ['src-renderer/state/a.ts', 'node.innerHTML = text;'],
  ['src-renderer/state/a.ts', 'void window.ballast.call();'],
  ['src-main/app/a.ts', "import { net } from 'electron';"],
  ['src-main/app/a.ts', "import electron from 'electron';"],
  ['src-main/app/a.ts', "import * as electron from 'electron';"],
  ['src-main/app/a.ts', 'void window.webContents.executeJavaScript(text);'],
  ['src-main/app/a.ts', "void window.webContents['executeJavaScript'](text);"],
  ['src-main/vault/a.ts', 'void keytar.findCredentials(service);'],
  ['src-main/vault/a.ts', 'const { findCredentials } = keytar;'],
  ['src-main/bridge/a.ts', 'void shell.openExternal(address);'],
  ['src-main/index.ts', "import { ipcMain } from 'electron';"],
  ['src-main/app/a.ts', "import { ipcMain } from 'electron';"],
  ['src-shared/domain/a.ts', 'export const a = Math.random();'],
  ['src-shared/domain/a.ts', 'export const a = Date.now();'],
  ['src-practice/engine/a.ts', 'export const a = new Date();'],
  ['src-practice/engine/a.ts', 'export const a = process.env;'],
  ['src-practice/engine/a.ts', 'setTimeout(go, 1);'],
  ['src-shared/amount.ts', 'export const a = Date.now();'],
  ['src-main/orders/a.ts', 'export const a = b as unknown as string;'],
  ['src-main/orders/a.ts', 'export const a = b.c!;'],
];

const allowed: [file: string, code: string][] = [
  ['src-shared/domain/a.ts', 'export const a = Number.isSafeInteger(count);'],
  ['src-shared/domain/a.ts', 'export const a = new Date(ms);'],
  ['src-practice/engine/a.ts', 'export const a = (process: Process) => process.next();'],
  ['src-renderer/bridge.ts', 'export const bridge = window.ballast;'],
  ['src-main/app/a.ts', "import { shell } from 'electron'; void shell.openExternal(address);"],
  ['src-main/bridge/a.ts', "import { ipcMain } from 'electron'; ipcMain.handle(name, go);"],
  ['src-main/orders/a.ts', 'export const a = list[0]! + -1;'],
  ['src-main/orders/a.test.ts', 'export const a = Number(Date.now());'],
];

describe('the house rules', () => {
  it.each(banned)('in %s refuse %s', (file, code) => {
    expect(complaints(file, code)).toContainEqual(expect.stringMatching(/^no-restricted-/));
  });

  it.each(allowed)('in %s allow %s', (file, code) => {
    expect(complaints(file, code)).toEqual([]);
  });
});
