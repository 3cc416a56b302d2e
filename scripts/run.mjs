// The entry point of the npm scripts: `node scripts/run.mjs TASK [ARGUMENTS]`. Runs on any Node from 20.19 without
// packages, installs what the task lacks, then runs the task on Node 24.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, buildIsStale } from './setup/build.mjs';
import { dependenciesAreStale, installDependencies } from './setup/dependencies.mjs';
import { electronIsUntried, tryElectron } from './setup/electron.mjs';
import { withLock } from './setup/lock.mjs';
import { fetchNode, nodeEnvironment, nodeIsMissing, nodePath } from './setup/node.mjs';
import {
  installPackages,
  missingToBuild,
  missingToRun,
  thisMachine,
  usefulAlong,
} from './setup/packages.mjs';
import { sandboxFault } from './setup/sandbox.mjs';
import { printLine, SetupError } from './setup/messages.mjs';
import { forwardSignals } from './setup/signals.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * What a task needs beyond Node 24 and the npm packages, and its file.
 * @typedef {import('./setup/packages.mjs').Needs & { file: string, built?: boolean, sandbox?: boolean }} Task
 *   `built`: needs an up-to-date build; `sandbox`: for users, so it never starts without a sandbox
 */

/** @type {Record<string, Task>} */
const TASKS = {
  start: { file: 'scripts/tasks/start.ts', window: true, built: true, sandbox: true },
  dev: { file: 'scripts/tasks/dev.ts', window: true, sandbox: true },
  test: { file: 'scripts/tasks/test.ts', window: true, tests: true, packed: true, display: true },
  'test:flaky': { file: 'scripts/tasks/flaky.ts', window: true, tests: true, packed: true, display: true },
  'test:slowest': { file: 'scripts/tasks/slowest.ts' },
  'test:stress': { file: 'scripts/tasks/stress.ts', window: true, built: true, tests: true },
  // Tests that start a worker thread start the built one.
  'test:mutation': { file: 'tests/stress/mutation.ts', built: true },
  check: { file: 'scripts/tasks/check.ts' },
  build: { file: 'scripts/tasks/build.ts' },
  practice: { file: 'src-practice/index.ts' },
  export: { file: 'scripts/tasks/export.ts', built: true },
  package: { file: 'packaging/make.ts', built: true },
  'package:check': {
    file: 'scripts/tasks/package-check.ts',
    window: true,
    built: true,
    tests: true,
    packed: true,
  },
  'package:announce': { file: 'packaging/announce.ts' },
  bench: { file: 'bench/run.ts', window: true, built: true },
  pictures: { file: 'scripts/tasks/pictures.ts', window: true, built: true, tests: true },
  format: { file: 'scripts/tasks/format.ts' },
  texts: { file: 'scripts/tasks/texts.ts' },
};

/** @param {Task} task */
async function setUp(task) {
  const { window = false, built = false, sandbox = false } = task;
  const toBuild = () => (dependenciesAreStale(root) ? missingToBuild(thisMachine(root)) : []);
  // Evaluated after Electron's download, since the packages needed depend on its result.
  const toRun = () => missingToRun(task, thisMachine(root));
  /** Pairs of "is there something to do" and "do it". @type {[() => boolean, () => Promise<void>][]} */
  const steps = [
    [() => toBuild().length > 0, () => installPackages(toBuild(), root)],
    [() => nodeIsMissing(root), () => fetchNode(root)],
    [() => dependenciesAreStale(root), () => installDependencies(root)],
    [() => window && electronIsUntried(root), () => tryElectron(root)],
    [() => toRun().length > 0, () => installPackages(toRun(), root, usefulAlong(task, thisMachine(root)))],
    [() => built && buildIsStale(root), () => build(root)],
  ];
  for (const [isDue, run] of steps) {
    if (!isDue()) continue;
    // Checked again inside: the previous holder of the lock may have done it.
    await withLock(join(root, '.cache', 'setup.lock'), async () => (isDue() ? run() : undefined));
  }
  const fault = sandbox ? sandboxFault(root) : null;
  if (fault !== null) throw fault;
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
  forwardSignals(child);
  // npm passes a signal to its shell, which dies without passing it on, so a lost parent ends the child. Windows
  // keeps the pid of a dead parent.
  const parent = process.ppid;
  setInterval(() => isOrphan(parent) && child.kill('SIGTERM'), 250).unref();
  child.on('error', (error) => {
    printLine(`✗ ${error.message}`);
    process.exitCode = 1;
  });
  child.on('close', (code) => (process.exitCode = code ?? 1));
}

/** @param {number} parent */
function isOrphan(parent) {
  if (process.ppid !== parent) return true;
  if (process.platform !== 'win32') return false;
  try {
    process.kill(parent, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

const [name = '', ...args] = process.argv.slice(2);
const task = Object.hasOwn(TASKS, name) ? TASKS[name] : undefined;
if (task === undefined) {
  printLine(`Usage: node scripts/run.mjs ${Object.keys(TASKS).join('|')} [arguments]`);
  process.exitCode = 2;
} else {
  try {
    await setUp(task);
    runTask(task.file, args);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    printLine(`\n✗ ${error.message}\n\n${error.advice}`);
    process.exitCode = 1;
  }
}
