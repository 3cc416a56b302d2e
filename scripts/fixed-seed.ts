/**
 * Randomised tests run from one seed, so that a commit which was green stays green: what lands is what was seen.
 * `FC_SEED=random` looks for what that seed does not show (drills, thousands of sessions), `FC_SEED=123` repeats.
 */
import fc from 'fast-check';

const asked = process.env['FC_SEED'] ?? '20261121';
if (asked !== 'random') fc.configureGlobal({ seed: Number(asked) });
