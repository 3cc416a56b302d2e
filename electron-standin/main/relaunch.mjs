// Starts a program once this process has ended: a small Node process waits for the end of a pipe whose other end only
// this process holds, however it ends.
import { spawn } from 'node:child_process';

const WAIT = `const { spawn } = require('node:child_process');
const [program, ...args] = process.argv.slice(1);
process.stdin.resume().on('close', () => {
  spawn(program, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit'] })
    .on('error', (error) => process.stderr.write('electron-standin: relaunch: ' + error.message + '\\n'))
    .unref();
});`;

export function startAfterExit({ execPath = process.argv[0], args = process.argv.slice(1) }) {
  const waiting = spawn(process.execPath, ['-e', WAIT, '--', execPath, ...args], {
    detached: true,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  waiting.unref();
}
