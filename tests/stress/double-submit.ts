/**
 * Send pressed in every hasty way, in a real window: one confirmation, one POST.
 *
 *   node tests/stress/double-submit.ts [confirmations]
 */
import { windowDrill } from '../../scripts/tasks/window-drill.ts';

const [confirmations = '1500'] = process.argv.slice(2);
await windowDrill(['e2e/presses.spec.ts'], { PRESSES: confirmations });
