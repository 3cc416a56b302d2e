/** The practice exchange: `startPractice` for a program; the command line when run as one. */
import { resolve } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { main } from './command-line.ts';

export { startPractice } from './start.ts';
export type { Practice, PracticeOptions } from './start.ts';

// In the app this file is part of a worker's bundle, and `argv[1]` is the app's own script.
const [, script] = process.argv;
if (isMainThread && script !== undefined && import.meta.filename === resolve(script)) {
  await main(process.argv.slice(2));
}
