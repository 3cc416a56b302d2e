import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = dirname(import.meta.dirname);

/** For each rule, a file that breaks it and the line that does. */
const breaches: [rule: string, file: string, line: string][] = [
  ['shared-is-alone', 'src-shared/ipc/a.ts', "import 'node:fs';"],
  ['shared-is-alone', 'src-shared/ipc/b.ts', "import 'got';"],
  ['shared-is-alone', 'src-shared/ipc/c.ts', "import '../../src-main/sync/poll.ts';"],
  ['files-are-alone', 'src-files/a.ts', "import '../src-shared/amount.ts';"],
  ['files-are-alone', 'src-files/b.ts', "import 'valibot';"],
  ['amount-is-the-floor', 'src-shared/amount.ts', "import './domain/margin/margin.ts';"],
  ['big-is-behind-amount', 'src-shared/domain/a.ts', "import 'big.js';"],
  ['exchange-api-knows-amount-only', 'src-shared/exchange-api/a.ts', "import '../domain/margin/margin.ts';"],
  ['exchange-api-knows-amount-only', 'src-shared/exchange-api/b.ts', "import '../ipc/calls.ts';"],
  ['domain-knows-no-ipc', 'src-shared/domain/b.ts', "import type { A } from '../ipc/calls.ts';"],
  ['renderer-is-a-page', 'src-renderer/state/a.ts', "import 'electron';"],
  ['renderer-is-a-page', 'src-renderer/state/b.ts', "import 'node:fs';"],
  ['renderer-is-a-page', 'src-renderer/state/c.ts', "import type { A } from '../../src-main/sync/poll.ts';"],
  ['renderer-is-a-page', 'src-renderer/components/a.svelte', '<script lang="ts">import \'got\';</script>'],
  ['features-meet-in-state', 'src-renderer/features/risk/a.ts', "import '../trades/list.ts';"],
  ['state-and-components-know-no-feature', 'src-renderer/state/d.ts', "import '../features/trades/list.ts';"],
  ['state-draws-nothing', 'src-renderer/state/e.ts', "import '../components/b.svelte';"],
  ['preload-knows-names-only', 'src-preload/a.ts', "import '../src-shared/ipc/calls.ts';"],
  ['preload-types-come-from-ipc', 'src-preload/b.ts', "import type { A } from '../src-shared/amount.ts';"],
  ['names-carry-no-validator', 'src-shared/ipc/names.ts', "import 'valibot';"],
  ['main-has-its-modules', 'src-main/sync/a.ts', "import '../../src-renderer/bridge.ts';"],
  ['electron-at-the-edge', 'src-main/orders/a.ts', "import type { App } from 'electron';"],
  ['got-in-the-transport', 'src-main/exchange/a.ts', "import 'got';"],
  ['no-other-way-out', 'src-main/exchange/b.ts', "import 'node:https';"],
  ['keytar-in-its-process', 'src-main/vault/a.ts', "import 'keytar';"],
  ['sqlite-in-the-archive', 'src-main/orders/b.ts', "import 'node:sqlite';"],
  ['by-their-ports', 'src-main/orders/c.ts', "import '../exchange/transport.ts';"],
  ['portfolio-cannot-send', 'src-main/portfolio/a.ts', "import '../orders/order-service.ts';"],
  ['portfolio-cannot-send', 'src-main/portfolio/b.ts', "import '../exchange/transport.ts';"],
  [
    'portfolio-names-the-client',
    'src-main/portfolio/c.ts',
    "import type { A } from '../exchange/client.ts';",
  ],
  ['by-their-ports', 'src-main/sync/b.ts', "import { A } from '../archive/sqlite/database.ts';"],
  [
    'practice-is-a-program-of-its-own',
    'src-practice/http/a.ts',
    "import '../../src-main/exchange/transport.ts';",
  ],
  ['practice-is-a-program-of-its-own', 'src-practice/http/b.ts', "import 'valibot';"],
  ['engine-is-pure', 'src-practice/engine/a.ts', "import 'node:crypto';"],
  ['engine-is-pure', 'src-practice/engine/b.ts', "import '../http/server.ts';"],
  ['practice-is-started-by-one-module', 'src-main/app/a.ts', "import '../../src-practice/index.ts';"],
  ['practice-by-its-front', 'src-main/practice/a.ts', "import '../../src-practice/http/server.ts';"],
  ['no-cycle', 'src-main/app/ring-back.ts', "import './ring.ts';"],
  ['no-orphan', 'src-main/app/alone.ts', 'export const alone = 1;'],
  ['no-composition-root', 'src-main/app/b.ts', "import '../index.ts';"],
  ['no-test-code', 'src-main/app/c.ts', "import './c.test.ts';"],
  ['no-test-code', 'src-main/app/d.ts', "import 'fast-check';"],
  ['stand-in-knows-no-app', 'electron-standin/a.mjs', "import '../src-main/sync/poll.ts';"],
  ['resolvable', 'src-main/app/e.ts', "import './nowhere.ts';"],
];

/** The files that the breaches import, and valid imports between the same folders: none of these may be reported. */
const valid: Record<string, string> = {
  'src-main/index.ts': "import 'electron'; import './practice/start.ts'; import './sync/poll.ts';",
  'src-main/app/ring.ts': "import './ring-back.ts';",
  'src-main/app/c.test.ts': "import 'vitest'; import 'fast-check';",
  'src-main/app/window.ts': "import 'electron';",
  'src-main/sync/poll.ts': "import type { A } from '../exchange/client.ts';",
  'src-main/orders/send.ts': "import type { A } from '../archive/archive.ts';",
  'src-main/orders/order-service.ts': "import type { A } from '../exchange/transport.ts';",
  'src-main/exchange/client.ts': 'export type A = 1;',
  'src-main/portfolio/read-client.ts': "import type { A } from '../exchange/client.ts';",
  'src-main/archive/archive.ts': 'export type A = 1;',
  'src-main/exchange/transport.ts': "import 'got'; import 'node:https';",
  'src-main/archive/sqlite/database.ts': "import 'node:sqlite'; import '../../../src-files/rename.ts';",
  'src-main/vault/keychain-process.ts': "import 'keytar';",
  'src-main/practice/start.ts': "import '../../src-practice/index.ts';",
  'src-practice/index.ts': "import './http/server.ts'; import '../src-files/rename.ts';",
  'src-files/rename.ts': "import 'node:fs';",
  'src-practice/http/server.ts': "import 'node:http'; import '../engine/book.ts';",
  'src-practice/engine/book.ts': "import '../../src-shared/domain/margin/margin.ts';",
  'src-preload/index.ts': "import 'electron'; import type { A } from '../src-shared/ipc/calls.ts';",
  'src-renderer/bridge.ts': "import type { A } from '../src-shared/ipc/calls.ts';",
  'src-renderer/features/trades/list.ts': "import '../../bridge.ts'; import 'svelte';",
  'src-renderer/features/trades/list.test.ts': "import 'vitest'; import './list.ts';",
  'src-renderer/components/b.svelte': '<script lang="ts">import \'../bridge.ts\';</script>',
  'src-shared/domain/margin/margin.ts': "import '../../exchange-api/tier.ts';",
  'src-shared/exchange-api/tier.ts': "import 'valibot';",
  'src-shared/ipc/calls.ts': "import '../domain/margin/margin.ts'; import 'valibot'; export type A = 1;",
};

const packages = ['big.js', 'electron', 'fast-check', 'got', 'keytar', 'svelte', 'valibot', 'vitest'];

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

let project = '';
let violations: Violation[] = [];

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'ballast-dependencies-'));
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), text);
  };
  for (const [, file, line] of breaches) write(file, line);
  for (const [file, text] of Object.entries(valid)) write(file, text);
  for (const name of packages) {
    write(
      `node_modules/${name}/package.json`,
      JSON.stringify({ name, version: '1.0.0', exports: { './*': './index.js', '.': './index.js' } }),
    );
    write(`node_modules/${name}/index.js`, '');
  }
  write(
    'package.json',
    JSON.stringify({ type: 'module', dependencies: Object.fromEntries(packages.map((p) => [p, '1.0.0'])) }),
  );
  write(
    'tsconfig.json',
    JSON.stringify({ compilerOptions: { module: 'esnext', moduleResolution: 'bundler' } }),
  );
  const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const config = join(root, '.dependency-cruiser.cjs');
  const folders = [
    'src-files',
    'src-main',
    'src-practice',
    'src-preload',
    'src-renderer',
    'src-shared',
    'electron-standin',
  ];
  const args = [cruiser, '--config', config, '--output-type', 'json', ...folders];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
  expect(stderr).toBe('');
  const report = JSON.parse(stdout) as { summary: { violations: Violation[] } };
  violations = report.summary.violations;
});

afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

describe('dependency rules', () => {
  it.each(breaches)('%s stops %s: %s', (rule, file) => {
    expect(violations.filter(({ from }) => from === file).map((one) => one.rule.name)).toContain(rule);
  });

  it('let valid files pass', () => {
    const blamed = new Set(violations.map(({ from }) => from));
    expect(Object.keys(valid).filter((file) => blamed.has(file))).toEqual([]);
  });

  it('are all covered here', async () => {
    const config = (await import('../.dependency-cruiser.cjs')) as {
      default: { forbidden: { name: string }[] };
    };
    const tried = new Set(breaches.map(([rule]) => rule));
    expect(config.default.forbidden.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
  });
});
