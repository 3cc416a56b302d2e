// The front door: `node scripts/run.mjs TASK [ARGUMENTS]`, which is what the npm scripts call. It runs on
// any Node from 20.19 without a single package, makes whatever the task lacks, then runs the task on Node 24.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, buildIsStale } from './setup/build.mjs';
import { dependenciesAreStale, installDependencies } from './setup/dependencies.mjs';
import { electronIsUntried, tryElectron } from './setup/electron.mjs';
import { withLock } from './setup/lock.mjs';
import { fetchNode, nodeEnvironment, nodeIsMissing, nodePath } from './setup/node.mjs';
import { installPackages, missingPackages } from './setup/packages.mjs';
import { say, SetupError } from './setup/say.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * What each task needs beyond Node 24 and the npm packages, and the file that does it.
 * @type {Record<string, { file: string, window?: boolean, built?: boolean }>}
 */
const TASKS = {
  start: { file: 'scripts/tasks/start.ts', window: true, built: true },
  dev: { file: 'scripts/tasks/dev.ts', window: true },
  test: { file: 'scripts/tasks/test.ts', window: true },
  'test:flaky': { file: 'scripts/tasks/flaky.ts', window: true },
  'test:slowest': { file: 'scripts/tasks/slowest.ts' },
  'test:stress': { file: 'scripts/tasks/stress.ts', window: true, built: true },
  'test:mutants': { file: 'tests/stress/mutation.ts' },
  check: { file: 'scripts/tasks/check.ts' },
  build: { file: 'scripts/tasks/build.ts' },
  practice: { file: 'src-practice/index.ts' },
  export: { file: 'scripts/tasks/export.ts', built: true },
  package: { file: 'packaging/make.ts', built: true },
  'package:check': { file: 'scripts/tasks/package-check.ts', window: true, built: true },
  'package:announce': { file: 'packaging/announce.ts' },
  bench: { file: 'bench/run.ts', window: true, built: true },
  pictures: { file: 'scripts/tasks/pictures.ts', window: true, built: true },
  format: { file: 'scripts/tasks/format.ts' },
};

/** @param {{ window?: boolean, built?: boolean }} task */
async function setUp({ window = false, built = false }) {
  /** Each: is there something to do, and doing it. @type {[() => boolean, () => Promise<void>][]} */
  const steps = [
    [
      () => (window || dependenciesAreStale(root)) && missingPackages({ window }).length > 0,
      () => installPackages(missingPackages({ window }), root),
    ],
    [() => nodeIsMissing(root), () => fetchNode(root)],
    [() => dependenciesAreStale(root), () => installDependencies(root)],
    [() => window && electronIsUntried(root), () => tryElectron(root)],
    [() => built && buildIsStale(root), () => build(root)],
  ];
  for (const [isDue, run] of steps) {
    if (!isDue()) continue;
    // Asked again inside: whoever held the lock may have done it.
    await withLock(join(root, '.cache', 'setup.lock'), async () => (isDue() ? run() : undefined));
  }
}

/**
 * @param {string} file
 * @param {string[]} args
 */
function runTask(file, args) {
  const child = spawn(nodePath(root), [join(root, file), ...args], {
    cwd: root,
    env: nodeEnvironment(root),
    stdio: 'inherit',
  });
  // A terminal's Ctrl-C reaches the child by itself; a signal sent to this process alone does not.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  // npm passes a signal to its shell, which dies of it without a word: a lost parent is the sign of it.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 250).unref();
  child.on('error', (error) => {
    say(`✗ ${error.message}`);
    process.exitCode = 1;
  });
  child.on('close', (code) => (process.exitCode = code ?? 1));
}

const [name = '', ...args] = process.argv.slice(2);
const task = Object.hasOwn(TASKS, name) ? TASKS[name] : undefined;
if (task === undefined) {
  say(`Usage: node scripts/run.mjs ${Object.keys(TASKS).join('|')} [arguments]`);
  process.exitCode = 2;
} else {
  try {
    await setUp(task);
    runTask(task.file, args);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(`\n✗ ${error.message}\n\n${error.advice}`);
    process.exitCode = 1;
  }
}
