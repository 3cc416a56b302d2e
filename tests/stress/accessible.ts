/**
 * Accessible: axe over every screen, account, theme and window, and every task by keyboard alone.
 *
 *   node tests/stress/accessible.ts
 */
import { windowDrill } from '../../scripts/tasks/window-drill.ts';

await windowDrill(['e2e/accessible.spec.ts', 'e2e/keyboard.spec.ts'], { AXE: 'all' });
