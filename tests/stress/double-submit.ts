/**
 * Double submits: Send pressed repeatedly in every way, in a real window: one confirmation, one POST.
 *
 *   node tests/stress/double-submit.ts [confirmations]
 */
import { runWindowSpecs } from '../../scripts/tasks/window-specs.ts';

const [confirmations = '1500'] = process.argv.slice(2);
await runWindowSpecs(['e2e/double-submit.spec.ts'], { PRESSES: confirmations });
