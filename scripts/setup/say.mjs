import { spawn } from 'node:child_process';

/** A failure the person can act on: printed as it is, without a stack. */
export class SetupError extends Error {
  /**
   * @param {string} message what failed
   * @param {string} advice what to do about it
   */
  constructor(message, advice) {
    super(message);
    this.advice = advice;
  }
}

/** Everything said goes to stderr: the stdout of `npm run practice` belongs to its one JSON line. */
export const say = (/** @type {string} */ text) => void process.stderr.write(`${text}\n`);

/**
 * Runs a slow command quietly and shows its output only when it fails.
 * @param {string} title
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, timeoutMs?: number, advice: string }} options
 * @returns {Promise<void>} rejects with SetupError when the command fails or takes too long
 */
export async function step(title, command, args, { cwd, env, timeoutMs = 0, advice }) {
  const started = Date.now();
  process.stderr.write(`· ${title} … `);
  /** @type {Buffer[]} */
  const output = [];
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs });
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  const problem = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code === 0 ? null : (signal ?? `exit code ${code}`)));
  });
  say(problem === null ? `${((Date.now() - started) / 1000).toFixed(1)} s` : 'failed');
  if (problem === null) return;
  const tail = Buffer.concat(output).toString('utf8').trimEnd().split('\n').slice(-40).join('\n');
  throw new SetupError(`${title}: ${problem}\n${tail}`, advice);
}
