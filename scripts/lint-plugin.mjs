/**
 * Rules that oxlint lacks, and that eslint.config.js uses by the same names: ESLint's own no-restricted-syntax, whose
 * selectors the project's bans are written in.
 */
import { builtinRules } from 'eslint/use-at-your-own-risk';

const noRestrictedSyntax = builtinRules.get('no-restricted-syntax');
if (noRestrictedSyntax === undefined) throw new Error('ESLint has no rule no-restricted-syntax any more');

export default {
  meta: { name: 'ballast' },
  rules: { 'no-restricted-syntax': noRestrictedSyntax },
};
