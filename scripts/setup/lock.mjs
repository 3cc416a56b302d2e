import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { printLine, SetupError } from './messages.mjs';

/** @param {string} file */
function holder(file) {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    // EPERM: alive, under another user. Anything else: no file, or its process is gone.
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? -1 : null;
  }
}

/**
 * Runs `work` under a lock: two commands started at once in a new clone must not both run `npm ci`.
 * @param {string} file
 * @param {() => Promise<void>} work
 */
export async function withLock(file, work) {
  try {
    mkdirSync(dirname(file), { recursive: true });
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw new SetupError(
      `${dirname(file)} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      'Ballast installs and builds inside its own folder: run it in a clone that is yours.',
    );
  }
  for (let reported = false; ;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      const pid = holder(file);
      if (pid === null) rmSync(file, { force: true });
      else if (!reported) printLine(`· another set-up is running here (process ${pid}); waiting for it`);
      reported = true;
      await wait(200);
    }
  }
  try {
    await work();
  } finally {
    rmSync(file, { force: true });
  }
}
