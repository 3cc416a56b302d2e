/**
 * Keychain faults in the window: the six states of a real keychain × reading, changing and removing a secret; the
 * window goes on, says so within 10 s, and nothing is overwritten. The main process alone: keychain.ts.
 *
 *   node tests/stress/keychain-window.ts
 */
import { runWindowSpecs } from '../../scripts/tasks/window-specs.ts';

await runWindowSpecs(['e2e/keychain-states.spec.ts', '--workers=1'], { KEYCHAIN_STATES: 'all' });
