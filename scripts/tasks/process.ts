import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A tool's script in node_modules, by its path: `.bin` has two different `tsc`. */
export const tool = (path: string): string => join(root, 'node_modules', path);

export type Command = readonly [program: string, ...args: string[]];

/** Runs a command on this terminal. Resolves to its exit code, 1 when a signal ended it. */
export function run([program, ...args]: Command, env: NodeJS.ProcessEnv = {}): Promise<number> {
  const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve(code ?? 1);
    });
  });
}

export interface Captured {
  readonly code: number;
  readonly output: string;
}

/**
 * Runs a command and keeps what it prints, both streams in the order they came.
 * @param shown told each piece as it comes
 */
export function capture(
  [program, ...args]: Command,
  shown: (piece: Buffer) => void = () => undefined,
): Promise<Captured> {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      shown(chunk);
    });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8') });
    });
  });
}
