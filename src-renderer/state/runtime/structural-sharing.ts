/**
 * `after`, in which every record that equals its like in `before` is that very object, and `before` itself where nothing
 * changed: what reads a record by identity then does nothing when a poll brings it again. For plain JSON data, records
 * of lists by their place; `after` is changed and must be nobody else's.
 */
export const keepEqual = <T>(before: T, after: T): T => kept(before, after) as T;

function kept(before: unknown, after: unknown): unknown {
  if (!isRecord(before) || !isRecord(after) || Array.isArray(before) !== Array.isArray(after)) return after;
  const keys = Object.keys(after);
  let same = keys.length === Object.keys(before).length;
  for (const key of keys) {
    const [now, then] = [after[key], before[key]];
    if (now === then) continue;
    if (isRecord(now)) after[key] = kept(then, now);
    if (after[key] !== then) same = false;
  }
  return same ? before : after;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
