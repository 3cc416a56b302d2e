/** Reads CHANGELOG.md, which follows Keep a Changelog. */

import { isLater } from './version.ts';

/** What changed in a version. */
export interface Release {
  readonly version: string;
  readonly lines: readonly string[];
}

/** Returns the releases after the version the user saw last. */
export const changesSince = (seen: string, releases: readonly Release[]): readonly Release[] =>
  releases.filter(({ version }) => isLater(version, seen));

const RELEASE = /^## \[([^\]]+)\]/;
const ENTRY = /^- (.*)/;
const CONTINUED = /^ {2,}(\S.*)/;

/** Returns the releases in the file's order, newest first, without unreleased changes. */
export function parseChangelog(text: string): readonly Release[] {
  const releases: { version: string; lines: string[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const version = RELEASE.exec(line)?.[1];
    if (version !== undefined) releases.push({ version, lines: [] });
    const lines = releases.at(-1)?.lines;
    const entry = ENTRY.exec(line)?.[1];
    const more = CONTINUED.exec(line)?.[1];
    if (entry !== undefined) lines?.push(entry);
    else if (more !== undefined && lines !== undefined && lines.length > 0)
      lines.push(`${lines.pop() ?? ''} ${more}`);
  }
  return releases.filter(({ version }) => version !== 'Unreleased');
}
