/** Names the files of a practice exchange, its archive and alert log. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

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

/** Removes files of earlier practice exchanges of the same kind, whose ids no longer match. Creates the folder. */
export function removeOtherPractices(file: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const byHand = basename(file).startsWith(MANUAL_PREFIX);
  for (const name of readdirSync(folder))
    if (name.startsWith(OWN) && name.startsWith(MANUAL_PREFIX) === byHand && !name.startsWith(basename(file)))
      rmSync(join(folder, name), { force: true });
}
