// Builds the app into `out`: `npm run build`.
import { build } from '../setup/build.mjs';
import { printLine, SetupError } from '../setup/messages.mjs';
import { root } from './process.ts';

try {
  await build(root);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  printLine(`✗ ${error.message}\n\n${error.advice}`);
  process.exitCode = 1;
}
