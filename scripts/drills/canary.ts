/**
 * Secrets stay in (issue 8): two secrets through a whole day in a real window beside a real keychain, then looked for in
 * every encoding in every file, stream, environment and in the page's heap. The spec prints the figures; it is its own
 * short form.
 *
 *   node scripts/drills/canary.ts
 */
import { windowDrill } from '../tasks/window-drill.ts';

await windowDrill(['e2e/canary.spec.ts']);
