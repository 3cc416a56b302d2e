// Formats files, or everything: `npm run format [-- FILE …]`.
import { root, run, tool } from './process.ts';

const paths = process.argv.slice(2);
const args = ['--write', '--log-level', 'warn', ...(paths.length > 0 ? paths : [root])];
process.exitCode = await run([process.execPath, tool('prettier/bin/prettier.cjs'), ...args]);
