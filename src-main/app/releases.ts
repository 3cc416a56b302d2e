import changelog from '../../CHANGELOG.md?raw';
import { parseChangelog, type Release } from '../../src-shared/domain/display/changelog.ts';

/** Returns what changed in each version, by the changelog that is part of the build. */
export const releases = (): readonly Release[] => parseChangelog(changelog);
