/**
 * Secret leaks: two secrets through a whole day in a real window with a real keychain, then searched in every
 * encoding in files, output, environment and heaps; then the lock that unloads a secret. The specs print the figures.
 *
 *   node tests/stress/canary.ts
 */
import { runWindowSpecs } from '../../scripts/tasks/window-specs.ts';

await runWindowSpecs(['e2e/canary.spec.ts', 'e2e/lock.spec.ts']);
