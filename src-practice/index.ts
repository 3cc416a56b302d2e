/** The practice exchange: `startPractice` for a program, the command line when run as one. */
import { realpathSync } from 'node:fs';
import { main } from './command-line.ts';

export { startPractice } from './start.ts';
export type { Practice, PracticeOptions } from './start.ts';

const [, script] = process.argv;
if (script !== undefined && import.meta.filename === realpathSync(script)) await main(process.argv.slice(2));
