/**
 * Merges a backup's order journal with the present one, so that no sent order is lost: intents that only the present
 * journal has keep their state, and unknown outcomes among them are still reconciled.
 */

/** Returns the backup's lines, then those only the present journal has, each unchanged and in order. */
export function mergedJournal(backup: string, present: string): string {
  // Usually one continues the other; then every byte is kept.
  if (present.startsWith(backup)) return present;
  if (backup.startsWith(present)) return backup;
  // A cut last line was not yet acknowledged as written when it was copied, so its order was not sent.
  const whole = backup.slice(0, backup.lastIndexOf('\n') + 1);
  const known = new Set(whole.split('\n'));
  const added = present.split('\n').filter((line) => line !== '' && !known.has(line));
  return added.length === 0 ? whole : `${whole}${added.join('\n')}${present.endsWith('\n') ? '\n' : ''}`;
}
