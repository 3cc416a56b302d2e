import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A failure the user can fix: printed without a stack. */
export class SetupError extends Error {
  /**
   * @param {string} message what failed
   * @param {string} advice what to do about it
   * @param {string} output what the command printed
   */
  constructor(message, advice, output = '') {
    super(message);
    this.advice = advice;
    this.output = output;
  }
}

/** Prints to stderr: the stdout of `npm run practice` is reserved for its one JSON line. */
export const printLine = (/** @type {string} */ text) => void process.stderr.write(`${text}\n`);

/**
 * Runs a slow command quietly and shows its output only when it fails.
 * @param {string} title
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, advice: string, progress?: (line: string) => string | null }}
 *   options
 *   `progress`: the text to show for an output line, maybe empty; null: the line is not progress
 * @returns {Promise<void>} rejects with SetupError when the command fails
 */
export async function step(title, command, args, { cwd, env, advice, progress = () => null }) {
  const started = Date.now();
  const onTerminal = process.stderr.isTTY;
  process.stderr.write(`· ${title} … `);
  /** @type {string[]} */
  const output = [];
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      const shown = progress(line);
      if (shown === null) output.push(line);
      else if (shown !== '')
        process.stderr.write(onTerminal ? `\r· ${title} … ${shown}\x1b[K` : `${shown} … `);
    });
  const problem = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code === 0 ? null : (signal ?? `exit code ${code}`)));
  });
  const end = problem === null ? `${((Date.now() - started) / 1000).toFixed(1)} s` : 'failed';
  printLine(onTerminal ? `\r· ${title} … ${end}\x1b[K` : end);
  if (problem === null) return;
  const text = output.join('\n');
  throw new SetupError(`${title}: ${problem}\n${output.slice(-40).join('\n').trimEnd()}`, advice, text);
}
