/**
 * Secrets stay in: two secrets through a whole day in a real window beside a real keychain, then looked for in
 * every encoding in every file, stream, environment and in the page's heap; then the lock that lets a key go, and the main
 * process's heap. The specs print the figures; they are their own short form.
 *
 *   node tests/stress/canary.ts
 */
import { runWindowSpecs } from '../../scripts/tasks/window-specs.ts';

await runWindowSpecs(['e2e/canary.spec.ts', 'e2e/lock.spec.ts']);
