/**
 * Keychain faults in the window: six states of a real keychain × reading, changing and removing a secret. The
 * window keeps running, shows a message within 10 s, and nothing is overwritten. The main process alone:
 * keychain.ts.
 *
 *   node tests/stress/keychain-window.ts
 */
import { runWindowSpecs } from '../../scripts/tasks/window-specs.ts';

await runWindowSpecs(['e2e/keychain-states.spec.ts', '--workers=1'], { KEYCHAIN_STATES: 'all' });
