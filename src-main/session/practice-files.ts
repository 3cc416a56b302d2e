/** What is kept of a practice exchange: an archive and a log of alerts, named after it. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const OWN = 'practice-';
/** Started by hand: it comes and goes beside the app's own, whose files it must not touch. */
const BY_HAND = 'practice-hand-';

export const practiceName = ({
  exchangeId,
  own,
}: {
  readonly exchangeId: string;
  readonly own: boolean;
}): string => `${own ? OWN : BY_HAND}${exchangeId}`;

/**
 * Removes what is kept of other practice exchanges of the same kind: one that was started anew is another one, and its
 * ids are others' now. Makes the folder.
 */
export function removeOtherPractices(file: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const byHand = basename(file).startsWith(BY_HAND);
  for (const name of readdirSync(folder))
    if (name.startsWith(OWN) && name.startsWith(BY_HAND) === byHand && !name.startsWith(basename(file)))
      rmSync(join(folder, name), { force: true });
}
