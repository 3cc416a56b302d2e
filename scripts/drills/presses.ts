/**
 * Send pressed in every hasty way, in a real window (issue 4): one confirmation, one POST.
 *
 *   node scripts/drills/presses.ts [confirmations]
 */
import { root, run, tool } from '../tasks/process.ts';

const [confirmations = '1500'] = process.argv.slice(2);
process.chdir(root);
const playwright = [tool('@playwright/test/cli.js'), 'test', 'e2e/presses.spec.ts', '--project=app'] as const;
process.exitCode = await run([process.execPath, ...playwright], { PRESSES: confirmations });
