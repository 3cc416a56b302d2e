/**
 * Merges a restored order journal with the present one, so that no order that was sent is forgotten: an intent that only
 * the present journal has stays, with its state, and one of unknown outcome goes on being reconciled.
 */

/** Returns the backup's lines, then those only the present journal has, each unchanged and in order. */
export function mergedJournal(backup: string, present: string): string {
  // The usual cases keep every byte: one continues the other.
  if (present.startsWith(backup)) return present;
  if (backup.startsWith(present)) return backup;
  // A last line that was cut was not acknowledged as written when the backup was made: its order had not been sent.
  const whole = backup.slice(0, backup.lastIndexOf('\n') + 1);
  const known = new Set(whole.split('\n'));
  const added = present.split('\n').filter((line) => line !== '' && !known.has(line));
  return added.length === 0 ? whole : `${whole}${added.join('\n')}${present.endsWith('\n') ? '\n' : ''}`;
}
