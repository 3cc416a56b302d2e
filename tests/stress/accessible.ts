/**
 * Accessibility: axe on every screen, account, theme and window, and every task by keyboard alone.
 *
 *   node tests/stress/accessible.ts
 */
import { runWindowSpecs } from '../../scripts/tasks/window-specs.ts';

await runWindowSpecs(['e2e/accessible.spec.ts', 'e2e/keyboard.spec.ts'], { AXE: 'all' });
