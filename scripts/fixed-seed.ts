/**
 * Runs randomised tests from one seed, so that a commit that passed keeps passing. `FC_SEED=random` searches beyond
 * it (stress tests, thousands of sessions), `FC_SEED=123` repeats a run.
 */
import fc from 'fast-check';

const asked = process.env['FC_SEED'] ?? '20261121';
if (asked !== 'random') fc.configureGlobal({ seed: Number(asked) });
