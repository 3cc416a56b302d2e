/** Runs stress tests that are specs of e2e/, in a real window beside a private keyring. */
import { root, run, tool } from './process.ts';
import { onSomeDisplay, withKeyring } from './session.ts';

/**
 * Runs specs of the app; their exit code becomes this process's.
 * @param specs paths below e2e/, and Playwright's own arguments
 */
export async function runWindowSpecs(specs: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  process.chdir(root);
  const playwright = withKeyring(
    process.execPath,
    tool('@playwright/test/cli.js'),
    'test',
    ...specs,
    '--project=app',
  );
  process.exitCode = await run(onSomeDisplay(playwright), env);
}
