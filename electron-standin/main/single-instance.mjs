// The single-instance lock: an abstract socket named after the userData folder. The kernel gives such a name to one
// process only and frees it when that process ends, so no stale lock file can remain.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { runtime } from './runtime.mjs';

let server;

/**
 * Orders the arguments of a second start as Chromium's command line does: switches first, with some of Chromium's
 * own, then the rest; what follows `--` stays together.
 */
function inChromiumOrder([program, ...args]) {
  const end = args.indexOf('--');
  const [before, after] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  const switches = before.filter((arg) => arg.startsWith('-'));
  const others = [...before.filter((arg) => !arg.startsWith('-')), ...after];
  const added = ['--allow-file-access-from-files', `--original-process-start-time=${Date.now()}000`];
  return [program, ...switches, ...added, ...(end < 0 ? [] : ['--']), ...others];
}

const nameOf = (userData) => {
  const hash = createHash('sha256')
    .update(`${process.getuid?.()}:${resolve(userData)}`)
    .digest('hex')
    .slice(0, 32);
  return `\0electron-standin-${hash}`;
};

// requestSingleInstanceLock returns at once, and the app then quits: the message for the first instance must be
// sent by then, which only another process can do while this one blocks. It costs 40 ms.
const FORWARD = `const [name, text] = [Buffer.from(process.argv[1], 'base64').toString(), process.argv[2]];
require('node:net').connect(name).end(text).on('error', () => process.exit(1));`;

/** @param onSecond called in the first instance with a later one's argv, working folder and data */
export function lockInstance(userData, additionalData, onSecond) {
  if (server) return true;
  const name = nameOf(userData);
  const candidate = createServer((socket) => {
    const chunks = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error) =>
      process.stderr.write(`electron-standin: second instance: ${error.message}\n`),
    );
    socket.on('end', () => {
      try {
        const { argv, cwd, data } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
        onSecond(argv, cwd, data);
      } catch (error) {
        process.stderr.write(
          `electron-standin: the second instance’s message cannot be read: ${error.message}\n`,
        );
      }
    });
  });
  // The failure also comes as an event; `listening` has shown it by then.
  candidate.on('error', () => {});
  // Binding happens inside this call; only its 'error' event comes later.
  candidate.listen(name);
  if (candidate.listening) {
    server = candidate.unref();
    runtime.instanceLocked = true;
    return true;
  }
  const argv = inChromiumOrder(process.argv);
  const text = JSON.stringify({ argv, cwd: process.cwd(), data: additionalData ?? null });
  execFileSync(process.execPath, ['-e', FORWARD, Buffer.from(name).toString('base64'), text]);
  return false;
}

export function releaseInstance() {
  server?.close();
  server = undefined;
  runtime.instanceLocked = false;
}
