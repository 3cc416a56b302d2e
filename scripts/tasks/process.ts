/** Child processes of a task: paths, commands, their exit codes and output, and signals passed on. */
import { spawn, type ChildProcess } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isForChild } from '../setup/signals.mjs';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A tool's script in node_modules, by its path: `.bin` has two different `tsc`. */
export const tool = (path: string): string => join(root, 'node_modules', path);

/** A script of the project, run by this Node. */
export const script = (path: string, ...args: string[]): Command => [
  process.execPath,
  join(root, path),
  ...args,
];

export type Command = readonly [program: string, ...args: string[]];

const running = new Set<ChildProcess>();
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    interrupted = true;
    if (isForChild(signal)) for (const child of running) child.kill(signal);
    if (running.size === 0) process.exit(1);
  });

/** Resolves to the exit code, 1 when a signal ended the child. After a signal to us nothing more is started. */
function ended(child: ChildProcess): Promise<number> {
  running.add(child);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      running.delete(child);
      if (interrupted && running.size === 0) process.exit(code ?? 1);
      resolve(code ?? 1);
    });
  });
}

/** Runs a command on this terminal. Resolves to its exit code. */
export const run = ([program, ...args]: Command, env: NodeJS.ProcessEnv = {}): Promise<number> =>
  ended(spawn(program, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' }));

export interface Captured {
  readonly code: number;
  readonly output: string;
}

/**
 * Runs a command and collects its output, both streams in order.
 * @param onLine gets each line as it arrives
 */
export async function capture(
  [program, ...args]: Command,
  onLine: (line: string) => void = () => undefined,
  env: NodeJS.ProcessEnv = {},
): Promise<Captured> {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr])
    createInterface({ input, crlfDelay: Infinity }).on('line', (line) => {
      lines.push(line);
      onLine(line);
    });
  return { code: await ended(child), output: lines.join('\n') };
}
