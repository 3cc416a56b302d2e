import { build } from '../setup/build.mjs';
import { say, SetupError } from '../setup/say.mjs';
import { root } from './process.ts';

try {
  await build(root);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(`✗ ${error.message}\n\n${error.advice}`);
  process.exitCode = 1;
}
