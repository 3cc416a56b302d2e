import changelog from '../../../CHANGELOG.md?raw';
import { parseChangelog, type Release } from '../../../src-shared/domain/display/changelog.ts';
import { isLater } from '../../../src-shared/domain/display/version.ts';

export const CHANGES = parseChangelog(changelog);

/** Returns the releases after the one the user saw last. */
export const changesSince = (seen: string, changes: readonly Release[] = CHANGES): readonly Release[] =>
  changes.filter(({ version }) => isLater(version, seen));
