// Runs desktop programs that replace what Electron has built in.
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @returns whether the program can be run, by its name */
export function available(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      // Not in this folder.
      return false;
    }
  });
}

/**
 * Runs a program to its end. @returns its exit code and what it printed. Rejects when it can't be started.
 * @param options.line called with each line as it is printed @param options.started called with its process
 */
export function ask(program, args, { line, started } = {}) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  started?.(child);
  let output = '';
  let unfinished = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    const lines = (unfinished + text).split('\n');
    unfinished = lines.pop();
    for (const one of lines) line?.(one);
  });
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`${program}: ${error.message}`)));
    child.once('close', (code) => resolve({ code, output }));
  });
}
