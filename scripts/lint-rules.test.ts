import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Linter } from 'eslint';
import svelte from 'eslint-plugin-svelte';
import { afterAll, describe, expect, it } from 'vitest';
import ts from 'typescript-eslint';
import lintPlugin from './lint-plugin.mjs';
import { bans } from './lint-rules.mjs';

const root = dirname(import.meta.dirname);
const linter = new Linter();
const config = [
  { files: ['**/*.ts'], languageOptions: { parser: ts.parser } },
  ...svelte.configs.base,
  { files: ['**/*.svelte'], languageOptions: { parserOptions: { parser: ts.parser } } },
  { plugins: { ballast: lintPlugin } },
  ...bans,
] as Linter.Config[];

const BAN = /^(?:ballast\/)?no-restricted-/;
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
  ['src-renderer/state/a.ts', "export const a = count.toLocaleString('en');"],
  ['src-renderer/state/a.ts', 'void window.ballast.call();'],
  ['src-main/app/a.ts', "import { net } from 'electron';"],
  ['src-main/session/a.ts', "import { rename } from 'node:fs/promises';"],
  ['src-practice/a.ts', "import { renameSync as move } from 'node:fs';"],
  ['src-main/session/a.ts', "import { rm } from 'node:fs/promises';"],
  ['src-main/archive/a.ts', "import { existsSync, rmSync } from 'node:fs';"],
  ['src-files/a.ts', 'void fetch(address);'],
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
  ['src-main/sync/a.ts', 'void fetch(address);'],
  ['src-main/sync/a.ts', 'void globalThis.fetch(address);'],
  ['src-preload/a.ts', 'void fetch(address);'],
  ['src-main/sync/a.ts', "import got from 'got';"],
  ['src-main/sync/a.ts', "const got = await import('got');"],
  ['src-main/sync/a.ts', 'void get({ retry: { limit: 2 } });'],
  ['src-main/sync/a.ts', 'void get({ retry: 2 });'],
  ['src-main/exchange/transport.ts', 'void got({ retry: { limit: 1 } });'],
  ['src-main/exchange/transport.ts', 'void got({ retry: {} });'],
  ['src-main/exchange/transport.ts', "void got({ retry: { limit: 0, methods: ['GET'] } });"],
  ['src-main/exchange/transport.ts', 'void got({ retry: options });'],
  ['src-main/exchange/transport.ts', 'void got({ followRedirect: true });'],
  ['src-main/exchange/transport.ts', 'void got({ https: { rejectUnauthorized: false } });'],
  ['src-main/exchange/transport.ts', 'void got({ cookieJar });'],
  ['src-main/vault/a.ts', "import keytar from 'keytar';"],
  ['src-main/vault/keychain.ts', "const keytar = await import('keytar');"],
  ['src-main/app/a.ts', "import { shell } from 'electron'; void shell.openExternal(address);"],
  ['src-renderer/features/a/A.svelte', '<p>{@html text}</p>'],
  ['src-renderer/state/a.ts', 'document.write(text);'],
  ['src-renderer/state/a.ts', 'node.setHTMLUnsafe(text);'],
  ['src-main/orders/a.ts', 'export const a = new Function(text);'],
  ['src-main/orders/a.ts', 'export const a = Function(text);'],
  ['src-renderer/state/a.ts', 'eval(text);'],
  ['src-renderer/state/a.ts', '(0, eval)(text);'],
  ['src-renderer/state/a.ts', 'globalThis.eval(text);'],
  ['src-main/orders/a.ts', "import vm from 'node:vm';"],
  ['src-main/app/a.ts', 'export const a = { sandbox: false };'],
  ['src-main/app/a.ts', 'export const a = { sandbox };'],
  ['src-main/app/a.ts', "export const a = { 'contextIsolation': false };"],
  ['src-main/app/a.ts', 'export const a = { webSecurity: false };'],
  ['src-main/app/a.ts', 'export const a = { nodeIntegration: true };'],
  ['src-main/app/a.ts', 'export const a = { nodeIntegrationInWorker: true };'],
  ['src-main/app/a.ts', 'export const a = { allowRunningInsecureContent: true };'],
  ['src-main/app/a.ts', 'export const a = { webviewTag: true };'],
  ['src-main/app/a.ts', 'export const a = { experimentalFeatures: true };'],
  ['src-main/app/a.ts', "export const a = { enableBlinkFeatures: 'X' };"],
  ['src-main/app/a.ts', "app.commandLine.appendSwitch('no-sandbox');"],
  ['src-main/app/a.ts', "app.commandLine.appendSwitch('remote-debugging-port', '1');"],
  ['src-main/orders/a.ts', 'export const a = b as unknown as string;'],
  ['src-main/orders/a.ts', 'export const a = b.c!;'],
];

const allowed: [file: string, code: string][] = [
  ['src-shared/domain/a.ts', 'export const a = Number.isSafeInteger(count);'],
  ['src-shared/domain/a.ts', 'export const a = new Date(ms);'],
  ['src-practice/engine/a.ts', 'export const a = (process: Process) => process.next();'],
  ['src-renderer/bridge.ts', 'export const bridge = window.ballast;'],
  ['src-main/app/page.ts', "import { shell } from 'electron'; void shell.openExternal(address);"],
  [
    'src-main/exchange/transport.ts',
    "import got from 'got'; void got({ retry: { limit: 0 }, followRedirect: false });",
  ],
  ['src-main/vault/keychain-process.ts', "export const { default: keytar } = await import('keytar');"],
  ['src-main/session/a.ts', 'export const a = { retry(name) { return name; } };'],
  ['src-main/app/a.ts', 'export const a = { sandbox: true, webSecurity: true, nodeIntegration: false };'],
  ['src-main/bridge/a.ts', "import { ipcMain } from 'electron'; ipcMain.handle(name, go);"],
  ['src-main/orders/a.ts', 'export const a = list[0]! + -1;'],
  ['src-main/orders/a.test.ts', 'export const a = Number(Date.now());'],
];

describe('lint rules', () => {
  it.each(banned)('reject in %s: %s', (file, code) => {
    expect(complaints(file, code)).toContainEqual(expect.stringMatching(BAN));
  });

  // `npm run check` lints all files; these are the files the rules were made for.
  it.each([
    'src-main/exchange/transport.ts',
    'src-main/app/window.ts',
    'src-main/app/page.ts',
    'src-main/bridge/serve.ts',
    'src-main/vault/keychain-process.ts',
    'src-preload/index.ts',
  ])('find nothing in %s', (file) => {
    const text = readFileSync(join(root, file), 'utf8');
    expect(complaints(file, text).filter((one) => BAN.test(one))).toEqual([]);
  });

  it.each(allowed)('allow in %s: %s', (file, code) => {
    expect(complaints(file, code)).toEqual([]);
  });
});

describe('oxlint.config.ts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ballast-lint-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };

  it('applies the presets, the rules that need types, and the bans', () => {
    write('oxlint.config.ts', `export { default } from ${JSON.stringify(join(root, 'oxlint.config.ts'))};`);
    write('tsconfig.json', readFileSync(join(root, 'tsconfig.json'), 'utf8'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const unawaited = 'export const a = (b: () => Promise<string>): void => { b(); };';
    write('src-main/type.ts', unawaited);
    write('src-main/type.test.ts', unawaited);
    write('src-main/preset.ts', 'export const a = (b: string): boolean => b == a.name;');
    write('src-main/syntax.ts', "export const a = Number('1');");
    write('src-main/syntax.test.ts', "export const a = Number('1');");
    write('src-main/global.ts', "export const a = fetch('/');");
    const oxlint = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
    const { stdout } = spawnSync(process.execPath, [oxlint, '--format', 'json', 'src-main'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; code: string }[] };
    expect(diagnostics.map(({ filename, code }) => `${basename(filename)} ${code}`).sort()).toEqual([
      'global.ts eslint(no-restricted-globals)',
      'preset.ts eslint(eqeqeq)',
      'syntax.ts ballast(no-restricted-syntax)',
      'type.test.ts typescript(no-floating-promises)',
      'type.ts typescript(no-floating-promises)',
    ]);
  });
});
