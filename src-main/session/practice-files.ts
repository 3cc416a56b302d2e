/** Names the files of a practice exchange: its archives and its alert log. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { remove } from '../../src-files/remove.ts';

const OWN = 'practice-';
/** Prefix of one started manually, whose files are kept apart from the app's own exchange. */
const MANUAL_PREFIX = 'practice-hand-';

export const practiceName = ({
  exchangeId,
  own,
}: {
  readonly exchangeId: string;
  readonly own: boolean;
}): string => `${own ? OWN : MANUAL_PREFIX}${exchangeId}`;

/**
 * Removes files of earlier practice exchanges of the same kind, whose ids no longer match, beside each of these. Never
 * rejects: what cannot be removed, as while a program reads it, stays until the next call.
 */
export async function removeOtherPractices(files: readonly string[]): Promise<void> {
  for (const file of files)
    for (const other of othersBeside(file)) {
      try {
        await remove(other);
      } catch {
        // The others are removed.
      }
    }
}

function othersBeside(file: string): readonly string[] {
  const folder = dirname(file);
  const byHand = basename(file).startsWith(MANUAL_PREFIX);
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return []; // There is no folder yet.
  }
  return names
    .filter((name) => name.startsWith(OWN) && name.startsWith(MANUAL_PREFIX) === byHand)
    .filter((name) => !name.startsWith(basename(file)))
    .map((name) => join(folder, name));
}
